"""Recording of what tables marked without a network, from QR codes that the desk scanned on their phones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from errors import Refusal
from scoring.bundles import Bundle, Kind, bundle_key, bundles_in
from scoring.models import Agreement, Match, TableCard
from scoring.parsing import (
    posted_dealer,
    posted_key,
    posted_mark,
    posted_side,
    posted_wait,
    whole_number,
)
from scoring.queries import card_with_code, is_recorded

from .agreement import agree, dispute, withdraw_dispute
from .late_marks import record_hand_of_phone
from .matches import name_first_dealer


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedEntry:
    """An entry that was not taken, of the hand or the game with that number."""

    refusal: Refusal
    number: int | None = None
    game: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBundle:
    """Result of reading a bundle.

    It has how many entries were ``taken`` or already there, which ones were refused, or why the whole bundle
    was. ``match`` is the last one that it mentions.
    """

    table: int | None = None
    match: Match | None = None
    taken: int = 0
    repeated: int = 0
    refused: tuple[RefusedEntry, ...] = ()
    refusal: Refusal | None = None


def read_bundles(*, topic: str, text: str) -> list[ReadBundle]:
    """Record the entries in the QR codes of an evening's tables, in order, as if their phones had sent them.

    Each entry is taken once, however often it is read; a refused entry does not stop the others.

    Refuses: bundle_damaged, where the text is no code.
    """
    return [_read_frames(topic, bundle) for bundle in bundles_in(text)]


def _read_frames(topic: str, bundle: Bundle) -> ReadBundle:
    card = card_with_code(bundle.code)
    table = card.number if card is not None and card.topic == topic else None
    try:
        value = bundle.value(bundle_key(bundle.code))
        if card is None or bundle.kind != Kind.HANDS:
            raise Refusal("bundle_foreign", field="text")
        if table is None:
            raise Refusal("bundle_of_another_event", field="text")
        return _take(card, str(value.get("device", "")), _entries(value))
    except Refusal as refusal:
        return ReadBundle(table=table, refusal=refusal)


def _entries(value: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the path and the form of each entry. Refuses: bundle_damaged."""
    entries = value.get("entries")
    if not isinstance(entries, list) or not all(_is_entry(entry) for entry in entries):
        raise Refusal("bundle_damaged", field="text")
    return [(entry["path"], entry["values"]) for entry in entries]


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict) and str(entry.get("path")) in TAKE and isinstance(entry.get("values"), dict)
    )


def _take(card: TableCard, device: str, entries: list[tuple[str, dict[str, Any]]]) -> ReadBundle:
    taken, refused, match = 0, [], None
    for path, values in entries:
        try:
            match = _match_of(card, values)
            taken += TAKE[path](match, values, device)
        except Refusal as refusal:
            hand = {name: _number(values, name) for name in ("number", "game")}
            refused.append(RefusedEntry(refusal=_as_at_the_desk(refusal, match), **hand))
    if match is not None:
        match.refresh_from_db()
    return ReadBundle(
        table=card.number,
        match=match,
        taken=taken,
        repeated=len(entries) - taken - len(refused),
        refused=tuple(refused),
    )


def _match_of(card: TableCard, values: Mapping[str, Any]) -> Match:
    """Return the match that the entry is about. Refuses: not_a_number, no_such_match."""
    match = Match.objects.filter(card=card, pk=whole_number(values, "match")).first()
    if match is None:
        raise Refusal("no_such_match", field="text")
    return match


def _number(values: Mapping[str, Any], name: str) -> int | None:
    try:
        return whole_number(values, name)
    except Refusal:
        return None


def _as_at_the_desk(refusal: Refusal, match: Match | None) -> Refusal:
    """Reword a refusal for the desk. A table would be sent to the desk, which needs to know what it can
    do."""
    if refusal.code == "match_closed" and match is not None:
        return Refusal("bundle_old", field="text", round=match.round_number)
    return refusal


def _take_hand(match: Match, values: Mapping[str, Any], device: str) -> bool:
    posted = posted_mark(values)
    is_new = not is_recorded(posted.entry_key)
    record_hand_of_phone(
        match_id=match.pk,
        **posted.record,
        device=device,
        waited=posted.waited,
    )
    return is_new


def _take_agreement(match: Match, values: Mapping[str, Any], device: str) -> bool:
    """Take an agreement. One given before counts as known, even if its game has changed since."""
    side = posted_side(values)
    game, seen = whole_number(values, "game"), str(values.get("seen", ""))
    given = Agreement.objects.filter(match=match, game=game, side=side.value, agreed_to=seen)
    if given.exists():
        return False
    agree(match_id=match.pk, side=side, game=game, seen=seen, device=device, waited=posted_wait(values))
    return True


def _take_first_dealer(match: Match, values: Mapping[str, Any], device: str) -> bool:
    seat, seen = posted_dealer(values)
    if match.first_dealer == seat:
        return False
    name_first_dealer(match_id=match.pk, seat=seat, seen=seen)
    return True


def _take_call(match: Match, values: Mapping[str, Any], device: str) -> bool:
    """Take a call to the desk. While a call is open, another one adds nothing."""
    key = posted_key(values, "entry_key")
    is_there = match.disputes.filter(Q(entry_key=key) | Q(settled_at=None)).exists()
    dispute(match_id=match.pk, device=device, entry_key=key)
    return not is_there


def _take_withdrawal(match: Match, values: Mapping[str, Any], device: str) -> bool:
    call = posted_key(values, "call")
    is_open = match.disputes.filter(settled_at=None, entry_key=call).exists()
    withdraw_dispute(match_id=match.pk, call=call)
    return is_open


TAKE: Mapping[str, Callable[[Match, Mapping[str, Any], str], bool]] = {
    "": _take_hand,
    "/agree": _take_agreement,
    "/dealer": _take_first_dealer,
    "/dispute": _take_call,
    "/withdraw": _take_withdrawal,
}
"""Handlers of entries, by the path of their form below the table's address; each returns whether the entry
was new."""
