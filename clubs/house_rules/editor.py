"""The house-rules editor: each setting as typed, its built-in value, and whether they differ."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import contract_name, mode_name
from errors import Refusal
from rules import LOWEST_PLAYED_BID, AllPassRule, Contract, Leader, Ruleset

from .fields import CONTRACTS, NO, YES, FormValues, build_field_values, get_fields_by_setting, is_low, list_modes
from .parser import ParsedHouseRules, parse_settings
from .sentences import describe_differences, format_contract_points

_Labels = Mapping[str, str | Promise]

LABELS: _Labels = {
    "target": _("Points that win a game"),
    "games_to_win": _("Games that win a match"),
    "all_pass": _("When all pass"),
    "plays_low_bids": _("Bids below %(bid)s are played"),
    "counter_charlemagne": _("An opponent may declare Charlemagne over Charlemagne"),
    "number_bid_leader": _("Opening lead on a number bid"),
}
_YES_NO_LABELS: _Labels = {YES: _("Yes"), NO: _("No")}
ANSWERS: Mapping[str, _Labels] = {
    "all_pass": {
        AllPassRule.NEXT_DEALER: _("The next dealer deals"),
        AllPassRule.SAME_DEALER: _("The same dealer deals again"),
        AllPassRule.DEALER_MUST_BID: _("The dealer must bid"),
    },
    "plays_low_bids": _YES_NO_LABELS,
    "counter_charlemagne": _YES_NO_LABELS,
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
    def points_made_field(self) -> str:
        return f"{self.name}.made"

    @property
    def points_failed_field(self) -> str:
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
class HouseRulesEditor:
    """The whole form with its problems."""

    base: Ruleset
    parsed: ParsedHouseRules
    numbers: tuple[Setting, ...]
    contracts: tuple[ContractSetting, ...]
    choices: tuple[Setting, ...]
    forced_bid: str

    @property
    def settings(self) -> tuple[Setting, ...]:
        return (*self.numbers, *self.contracts, *self.choices)

    @property
    def differences(self) -> list[str]:
        return describe_differences(self.base, self.parsed.ruleset)

    @property
    def problems(self) -> list[RulesProblem]:
        """All problems, each with its place on the page."""
        setting_problems = [
            RulesProblem(anchor=f"setting-{setting.slug}", label=setting.label, refusal=refusal)
            for setting in self.settings
            for _field, refusal in setting.errors
        ]
        contracts = gettext("Contracts")
        contract_problems = [
            RulesProblem(anchor="contracts", label=contracts, refusal=one) for one in self.ladder_errors
        ]
        return [*contract_problems, *setting_problems]

    @property
    def ladder_errors(self) -> list[Refusal]:
        """Problems of the whole list of contracts."""
        return [one for one in self.parsed.refusals if one.field in {"ladder", "contracts"}]


def build_editor(base: Ruleset, form_data: FormValues) -> HouseRulesEditor:
    """Return the form for house rules based on this ruleset, as typed."""
    form = _Form(
        base=base,
        offered=get_fields_by_setting(base),
        built_in=build_field_values(base),
        typed=form_data,
        parsed=parse_settings(base, form_data),
    )
    return HouseRulesEditor(
        base=base,
        parsed=form.parsed,
        numbers=tuple(form.number(name) for name in ("target", "games_to_win")),
        contracts=tuple(form.contract(contract) for contract in base.contracts),
        choices=tuple(form.choice(name) for name in form.offered if name in ANSWERS),
        forced_bid=form.value("forced_bid"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    base: Ruleset
    offered: Mapping[str, tuple[str, ...]]
    built_in: FormValues
    typed: FormValues
    parsed: ParsedHouseRules

    def value(self, field: str) -> str:
        return next(iter(self.typed.get(field, [])), "")

    def number(self, name: str) -> Setting:
        return Setting(
            name=name,
            label=str(LABELS[name]),
            built_in=self.built_in[name][0],
            is_changed=self._is_changed(name),
            errors=self._list_errors(name),
            typed=self.value(name),
        )

    def choice(self, name: str) -> Setting:
        options = tuple(
            RuleOption(value=value, label=str(label), is_chosen=value == self.value(name))
            for value, label in ANSWERS[name].items()
        )
        return Setting(
            name=name,
            label=str(LABELS[name]) % {"bid": LOWEST_PLAYED_BID},
            built_in=self._format_built_in_answer(name),
            is_changed=self._is_changed(name),
            errors=self._list_errors(name),
            options=options,
        )

    def contract(self, contract: Contract) -> ContractSetting:
        name = f"{CONTRACTS}{contract.key}"
        has_ways = f"{name}.modes" in self.offered[name]
        checked_modes = self.typed.get(f"{name}.modes", [])
        ways = list_modes(contract) if has_ways else []
        return ContractSetting(
            name=name,
            label=contract_name(contract.key),
            built_in=self._format_built_in_contract(contract, has_ways=has_ways),
            is_changed=self._is_changed(name),
            errors=self._list_errors(name),
            options=tuple(RuleOption(value=way, label=mode_name(way), is_chosen=way in checked_modes) for way in ways),
            contract=contract,
            is_bid=bool(self.value(f"{name}.bid")),
            made=self.value(f"{name}.made"),
            failed=self.value(f"{name}.failed"),
        )

    def _format_built_in_answer(self, name: str) -> str:
        answer = str(ANSWERS[name][self.built_in[name][0]])
        if name == "all_pass" and self.base.all_pass is AllPassRule.DEALER_MUST_BID:
            return gettext("%(answer)s, %(bid)s or more") % {"answer": answer, "bid": self.base.forced_bid}
        return answer

    def _format_built_in_contract(self, contract: Contract, *, has_ways: bool) -> str:
        """Describe the built-in contract: ``8 / 8``; ``8 / 8, not bid``; ``bid, all ways``."""
        is_bid = contract.key in self.base.ladder
        parts = [] if contract.ends_game else [format_contract_points(contract)]
        if contract.ends_game or not is_bid:
            parts.append(gettext("bid") if is_bid else gettext("not bid"))
        if has_ways:
            parts.append(gettext("all ways"))
        return ", ".join(parts)

    def _is_changed(self, setting: str) -> bool:
        """Return whether a setting differs from the built-in one. A forced bid counts only if
        the dealer must bid."""
        fields = set(self.offered[setting])
        if self.value("all_pass") != AllPassRule.DEALER_MUST_BID:
            fields.discard("forced_bid")
        typed = {field: [value.strip() for value in self.typed.get(field, [])] for field in fields}
        return any(typed[field] != self.built_in[field] for field in fields)

    def _list_errors(self, setting: str) -> tuple[tuple[str, Refusal], ...]:
        fields = self.offered[setting]
        return tuple((str(one.field), one) for one in self.parsed.refusals if one.field in fields)
