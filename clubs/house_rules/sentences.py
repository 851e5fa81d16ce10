"""Differences between two rulesets, in sentences in the reader's language."""

from collections.abc import Iterator, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import contract_name, mode_name
from clubs.wording import join_names
from rules import LOWEST_PLAYED, RESERVE, AllPass, Contract, Leader, Ruleset
from web.names import NBSP

_ALL_PASS: dict[AllPass, str | Promise] = {
    AllPass.NEXT_DEALER: _("When all pass, the next dealer deals."),
    AllPass.SAME_DEALER: _("When all pass, the same dealer deals again."),
    AllPass.DEALER_MUST_BID: _("When all pass, the dealer must bid %(bid)s or more."),
}
_LOW_BIDS: dict[bool, str | Promise] = {
    True: _("Bids below %(bid)s are played."),
    False: _("Bids below %(bid)s are not played."),
}
_LEADERS: dict[Leader, str | Promise] = {
    Leader.DECLARER: _("On a number bid, the declarer leads."),
    Leader.LEFT_OF_DECLARER: _("On a number bid, the player left of the declarer leads."),
}
_COUNTER: dict[bool, str | Promise] = {
    True: _("An opponent may declare Charlemagne over Charlemagne."),
    False: _("No Charlemagne over Charlemagne."),
}


def differences(base: Ruleset, changed: Ruleset) -> list[str]:
    """Return one sentence per difference, such as ``To 25 instead of 21.``.

    Both are variants of one built-in ruleset, as ``rules.with_house_rules`` makes them.
    """
    return [
        *_length(base, changed),
        *_ladder(base, changed),
        *_contracts(base, changed),
        *_policies(base, changed),
    ]


def pays(contract: Contract) -> str:
    """Format the points of a contract, made and failed: ``8 / 8``."""
    return f"{contract.made}{NBSP}/{NBSP}{contract.failed}"


def _length(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    if changed.target != base.target:
        yield gettext("To %(new)s instead of %(old)s.") % {"new": changed.target, "old": base.target}
    if changed.games_to_win != base.games_to_win:
        games = {"new": changed.games_to_win, "old": base.games_to_win}
        yield gettext("Games to win a match: %(new)s instead of %(old)s.") % games


def _ladder(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    if gone := [contract_name(key) for key in base.ladder if key not in changed.ladder]:
        yield gettext("Not bid: %(contracts)s.") % {"contracts": join_names(gone)}
    if new := [contract_name(key) for key in changed.ladder if key not in base.ladder]:
        yield gettext("Also bid: %(contracts)s.") % {"contracts": join_names(new)}


def _contracts(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    for old, new in zip(base.contracts, changed.contracts, strict=True):
        named = {"contract": contract_name(new.key)}
        if pays(new) != pays(old):
            text = _("%(contract)s pays %(new)s instead of %(old)s.")
            if new.number is not None:
                text = _("A bid of %(contract)s pays %(new)s instead of %(old)s.")
            yield str(text) % (named | {"new": pays(new), "old": pays(old)})
        if gone := _names_of([mode for mode in old.modes if mode not in new.modes]):
            yield gettext("%(contract)s is not played: %(ways)s.") % (named | {"ways": "; ".join(gone)})


def _names_of(modes: Sequence[str]) -> list[str]:
    """Return the names of modes; a mode allowed with and without the réserve is named once."""
    return [
        mode_name(mode)
        for mode in modes
        if not mode.startswith(RESERVE) or mode.removeprefix(RESERVE) not in modes
    ]


def _policies(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    if changed.all_pass is not base.all_pass:
        yield str(_ALL_PASS[changed.all_pass]) % {"bid": changed.forced_bid}
    elif changed.forced_bid != base.forced_bid:
        bids = {"new": changed.forced_bid, "old": base.forced_bid}
        yield gettext("Dealer’s minimum bid: %(new)s instead of %(old)s.") % bids
    if changed.plays_low_bids is not base.plays_low_bids:
        yield str(_LOW_BIDS[changed.plays_low_bids]) % {"bid": LOWEST_PLAYED}
    if changed.counter_charlemagne is not base.counter_charlemagne:
        yield str(_COUNTER[changed.counter_charlemagne])
    if changed.number_bid_leader is not base.number_bid_leader:
        yield str(_LEADERS[changed.number_bid_leader])
