"""Differences between two rulesets, in sentences in the reader's language."""

from collections.abc import Iterator, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import contract_name, mode_name
from clubs.name_formats import join_names
from rules import LOWEST_PLAYED_BID, RESERVE, AllPassRule, Contract, Leader, Ruleset
from web.names import NBSP

_ALL_PASS: dict[AllPassRule, str | Promise] = {
    AllPassRule.NEXT_DEALER: _("When all pass, the next dealer deals."),
    AllPassRule.SAME_DEALER: _("When all pass, the same dealer deals again."),
    AllPassRule.DEALER_MUST_BID: _("When all others pass, the dealer must bid %(bid)s or more."),
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


def describe_differences(base: Ruleset, changed: Ruleset) -> list[str]:
    """Return one sentence per difference, such as ``To 25 instead of 21.``.

    Both are variants of one built-in ruleset, as ``rules.apply_house_rules`` makes them.
    """
    return [
        *_describe_length(base, changed),
        *_describe_bid_order(base, changed),
        *_describe_contracts(base, changed),
        *_describe_policies(base, changed),
    ]


def format_contract_points(contract: Contract) -> str:
    """Format the points of a contract, made and failed: ``8 / 8``."""
    return f"{contract.made}{NBSP}/{NBSP}{contract.failed}"


def _describe_length(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    if changed.target != base.target:
        yield gettext("To %(new)s instead of %(old)s.") % {"new": changed.target, "old": base.target}
    if changed.games_to_win != base.games_to_win:
        games = {"new": changed.games_to_win, "old": base.games_to_win}
        yield gettext("Games to win a match: %(new)s instead of %(old)s.") % games


def _describe_bid_order(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    if removed := [contract_name(key) for key in base.ladder if key not in changed.ladder]:
        yield gettext("Not bid: %(contracts)s.") % {"contracts": join_names(removed)}
    if added := [contract_name(key) for key in changed.ladder if key not in base.ladder]:
        yield gettext("Also bid: %(contracts)s.") % {"contracts": join_names(added)}


def _describe_contracts(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    for old, new in zip(base.contracts, changed.contracts, strict=True):
        params = {"contract": contract_name(new.key)}
        if format_contract_points(new) != format_contract_points(old):
            text = _("%(contract)s pays %(new)s instead of %(old)s.")
            if new.number is not None:
                text = _("A bid of %(contract)s pays %(new)s instead of %(old)s.")
            yield str(text) % (params | {"new": format_contract_points(new), "old": format_contract_points(old)})
        if removed_modes := _list_mode_names([mode for mode in old.modes if mode not in new.modes]):
            yield gettext("%(contract)s is not played: %(ways)s.") % (params | {"ways": "; ".join(removed_modes)})


def _list_mode_names(modes: Sequence[str]) -> list[str]:
    """Return the names of modes; a mode allowed with and without the réserve is named once."""
    return [
        mode_name(mode) for mode in modes if not mode.startswith(RESERVE) or mode.removeprefix(RESERVE) not in modes
    ]


def _describe_policies(base: Ruleset, changed: Ruleset) -> Iterator[str]:
    if changed.all_pass is not base.all_pass:
        yield str(_ALL_PASS[changed.all_pass]) % {"bid": changed.forced_bid}
    elif changed.forced_bid != base.forced_bid:
        bids = {"new": changed.forced_bid, "old": base.forced_bid}
        yield gettext("Dealer’s minimum bid: %(new)s instead of %(old)s.") % bids
    if changed.plays_low_bids is not base.plays_low_bids:
        yield str(_LOW_BIDS[changed.plays_low_bids]) % {"bid": LOWEST_PLAYED_BID}
    if changed.counter_charlemagne is not base.counter_charlemagne:
        yield str(_COUNTER[changed.counter_charlemagne])
    if changed.number_bid_leader is not base.number_bid_leader:
        yield str(_LEADERS[changed.number_bid_leader])
