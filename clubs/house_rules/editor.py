"""The house-rules editor: each setting as typed, its built-in value, and whether they differ."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import contract_name, mode_name
from errors import Refusal
from rules import LOWEST_PLAYED, AllPass, Contract, Leader, Ruleset

from .fields import CONTRACTS, NO, YES, Typed, fields_of, is_low, settings_with_fields, ways_of
from .reading import HouseRulesReading, read_settings
from .sentences import differences, pays

_Words = Mapping[str, str | Promise]

LABELS: _Words = {
    "target": _("Points that win a game"),
    "games_to_win": _("Games that win a match"),
    "all_pass": _("When all pass"),
    "plays_low_bids": _("Bids below %(bid)s are played"),
    "counter_charlemagne": _("An opponent may declare Charlemagne over Charlemagne"),
    "number_bid_leader": _("Opening lead on a number bid"),
}
_YES_OR_NO: _Words = {YES: _("Yes"), NO: _("No")}
ANSWERS: Mapping[str, _Words] = {
    "all_pass": {
        AllPass.NEXT_DEALER: _("The next dealer deals"),
        AllPass.SAME_DEALER: _("The same dealer deals again"),
        AllPass.DEALER_MUST_BID: _("The dealer must bid"),
    },
    "plays_low_bids": _YES_OR_NO,
    "counter_charlemagne": _YES_OR_NO,
    "number_bid_leader": {
        Leader.DECLARER: _("The declarer"),
        Leader.LEFT_OF_DECLARER: _("The player left of the declarer"),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOption:
    """A possible answer for a setting."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting of house rules: a number, or a choice among ``options``."""

    name: str
    label: str
    built_in: str
    is_changed: bool
    typed: str = ""
    options: tuple[RuleOption, ...] = ()
    errors: tuple[tuple[str, Refusal], ...] = ()
    """Field names with their refusals."""

    @property
    def slug(self) -> str:
        """The name in a form that CSS and htmx can use as an id."""
        return self.name.replace(".", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractSetting(Setting):
    """The settings of a contract: whether it may be bid, its points, and the ways to play it."""

    contract: Contract
    is_bid: bool
    made: str
    failed: str

    @property
    def made_field(self) -> str:
        return f"{self.name}.made"

    @property
    def failed_field(self) -> str:
        return f"{self.name}.failed"

    @property
    def is_low(self) -> bool:
        return is_low(self.contract)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesProblem:
    """A problem that makes the rules unplayable, and its place on the page."""

    anchor: str
    label: str
    refusal: Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """The whole form with its problems."""

    base: Ruleset
    reading: HouseRulesReading
    numbers: tuple[Setting, ...]
    contracts: tuple[ContractSetting, ...]
    choices: tuple[Setting, ...]
    forced_bid: str

    @property
    def settings(self) -> tuple[Setting, ...]:
        return (*self.numbers, *self.contracts, *self.choices)

    @property
    def differences(self) -> list[str]:
        return differences(self.base, self.reading.ruleset)

    @property
    def problems(self) -> list[RulesProblem]:
        """All problems, each with its place on the page."""
        of_settings = [
            RulesProblem(anchor=f"setting-{setting.slug}", label=setting.label, refusal=refusal)
            for setting in self.settings
            for _field, refusal in setting.errors
        ]
        contracts = gettext("Contracts")
        of_all = [
            RulesProblem(anchor="contracts", label=contracts, refusal=one) for one in self.ladder_errors
        ]
        return [*of_all, *of_settings]

    @property
    def ladder_errors(self) -> list[Refusal]:
        """Problems of the whole list of contracts."""
        return [one for one in self.reading.refusals if one.field in {"ladder", "contracts"}]


def editor_of(base: Ruleset, typed: Typed) -> Editor:
    """Return the form for house rules based on this ruleset, as typed."""
    form = _Form(
        base=base,
        offered=settings_with_fields(base),
        built_in=fields_of(base),
        typed=typed,
        reading=read_settings(base, typed),
    )
    return Editor(
        base=base,
        reading=form.reading,
        numbers=tuple(form.number(name) for name in ("target", "games_to_win")),
        contracts=tuple(form.contract(contract) for contract in base.contracts),
        choices=tuple(form.choice(name) for name in form.offered if name in ANSWERS),
        forced_bid=form.value("forced_bid"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    base: Ruleset
    offered: Mapping[str, tuple[str, ...]]
    built_in: Typed
    typed: Typed
    reading: HouseRulesReading

    def value(self, field: str) -> str:
        return next(iter(self.typed.get(field, [])), "")

    def number(self, name: str) -> Setting:
        return Setting(
            name=name,
            label=str(LABELS[name]),
            built_in=self.built_in[name][0],
            is_changed=self._is_changed(name),
            errors=self._errors(name),
            typed=self.value(name),
        )

    def choice(self, name: str) -> Setting:
        options = tuple(
            RuleOption(value=value, label=str(label), is_chosen=value == self.value(name))
            for value, label in ANSWERS[name].items()
        )
        return Setting(
            name=name,
            label=str(LABELS[name]) % {"bid": LOWEST_PLAYED},
            built_in=self._built_in_answer(name),
            is_changed=self._is_changed(name),
            errors=self._errors(name),
            options=options,
        )

    def contract(self, contract: Contract) -> ContractSetting:
        name = f"{CONTRACTS}{contract.key}"
        has_ways = f"{name}.modes" in self.offered[name]
        kept = self.typed.get(f"{name}.modes", [])
        ways = ways_of(contract) if has_ways else []
        return ContractSetting(
            name=name,
            label=contract_name(contract.key),
            built_in=self._built_in_contract(contract, has_ways=has_ways),
            is_changed=self._is_changed(name),
            errors=self._errors(name),
            options=tuple(RuleOption(value=way, label=mode_name(way), is_chosen=way in kept) for way in ways),
            contract=contract,
            is_bid=bool(self.value(f"{name}.bid")),
            made=self.value(f"{name}.made"),
            failed=self.value(f"{name}.failed"),
        )

    def _built_in_answer(self, name: str) -> str:
        answer = str(ANSWERS[name][self.built_in[name][0]])
        if name == "all_pass" and self.base.all_pass is AllPass.DEALER_MUST_BID:
            return gettext("%(answer)s, %(bid)s or more") % {"answer": answer, "bid": self.base.forced_bid}
        return answer

    def _built_in_contract(self, contract: Contract, *, has_ways: bool) -> str:
        """Describe the built-in contract: ``8 / 8``; ``8 / 8, not bid``; ``bid, all ways``."""
        is_bid = contract.key in self.base.ladder
        words = [] if contract.ends_game else [pays(contract)]
        if contract.ends_game or not is_bid:
            words.append(gettext("bid") if is_bid else gettext("not bid"))
        if has_ways:
            words.append(gettext("all ways"))
        return ", ".join(words)

    def _is_changed(self, setting: str) -> bool:
        """Return whether a setting differs from the built-in one. A forced bid counts only if
        the dealer must bid."""
        fields = set(self.offered[setting])
        if self.value("all_pass") != AllPass.DEALER_MUST_BID:
            fields.discard("forced_bid")
        typed = {field: [value.strip() for value in self.typed.get(field, [])] for field in fields}
        return any(typed[field] != self.built_in[field] for field in fields)

    def _errors(self, setting: str) -> tuple[tuple[str, Refusal], ...]:
        fields = self.offered[setting]
        return tuple((str(one.field), one) for one in self.reading.refusals if one.field in fields)
