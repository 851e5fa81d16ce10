"""Recording of what tables marked without a network, from QR codes that the desk scanned on their phones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from errors import Refusal, get_or_refuse
from scoring.bundles import Bundle, Kind, derive_bundle_key, parse_bundles
from scoring.models import Agreement, Match, TableCard
from scoring.parsing import parse_first_dealer, parse_key, parse_mark, parse_side, parse_wait, parse_whole_number
from scoring.queries import card_with_code, is_recorded

from .agreement import call_desk, record_agreement, withdraw_call
from .late_marks import record_phone_hand
from .matches import name_first_dealer


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedEntry:
    """A refused entry, of the hand or the game with that number."""

    refusal: Refusal
    number: int | None = None
    game: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBundle:
    """Result of reading a bundle.

    ``recorded_count`` entries were recorded, and ``repeated`` were already there. ``refused`` has the refused
    ones; ``refusal`` is why the whole bundle was refused. ``match`` is the last match that it mentions.
    """

    table: int | None = None
    match: Match | None = None
    recorded_count: int = 0
    repeated: int = 0
    refused: tuple[RefusedEntry, ...] = ()
    refusal: Refusal | None = None


def record_bundles(*, topic: str, text: str) -> list[RecordedBundle]:
    """Record the entries in the QR codes of an evening's tables, in order, as if their phones had sent them.

    Each entry is taken once, however often it is read; a refused entry does not stop the others.

    Refuses: bundle_damaged, where the text is no code.
    """
    return [_record_bundle(topic, bundle) for bundle in parse_bundles(text)]


def _record_bundle(topic: str, bundle: Bundle) -> RecordedBundle:
    card = card_with_code(bundle.code)
    table = card.number if card is not None and card.topic == topic else None
    try:
        value = bundle.read_content(derive_bundle_key(bundle.code))
        if card is None or bundle.kind != Kind.HANDS:
            raise Refusal("bundle_foreign", field="text")
        if table is None:
            raise Refusal("bundle_of_another_event", field="text")
        return _record_entries(card, str(value.get("device", "")), _parse_entries(value))
    except Refusal as refusal:
        return RecordedBundle(table=table, refusal=refusal)


def _parse_entries(value: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the path and the form of each entry. Refuses: bundle_damaged."""
    entries = value.get("entries")
    if not isinstance(entries, list) or not all(_is_entry(entry) for entry in entries):
        raise Refusal("bundle_damaged", field="text")
    return [(entry["path"], entry["values"]) for entry in entries]


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict) and str(entry.get("path")) in ENTRY_HANDLERS and isinstance(entry.get("values"), dict)
    )


def _record_entries(card: TableCard, device: str, entries: list[tuple[str, dict[str, Any]]]) -> RecordedBundle:
    recorded_count, refused_entries, match = 0, [], None
    for path, values in entries:
        try:
            match = _find_match(card, values)
            recorded_count += ENTRY_HANDLERS[path](match, values, device)
        except Refusal as refusal:
            hand = {name: _parse_number(values, name) for name in ("number", "game")}
            refused_entries.append(RefusedEntry(refusal=_reword_for_desk(refusal, match), **hand))
    if match is not None:
        match.refresh_from_db()
    return RecordedBundle(
        table=card.number,
        match=match,
        recorded_count=recorded_count,
        repeated=len(entries) - recorded_count - len(refused_entries),
        refused=tuple(refused_entries),
    )


def _find_match(card: TableCard, values: Mapping[str, Any]) -> Match:
    """Return the match that the entry is about. Refuses: not_a_number, no_such_match."""
    return get_or_refuse(
        Match.objects.filter(card=card, pk=parse_whole_number(values, "match")).first(), "no_such_match", field="text"
    )


def _parse_number(values: Mapping[str, Any], name: str) -> int | None:
    try:
        return parse_whole_number(values, name)
    except Refusal:
        return None


def _reword_for_desk(refusal: Refusal, match: Match | None) -> Refusal:
    """Reword a refusal for the desk. A table would be sent to the desk, which needs to know what it can
    do."""
    if refusal.code == "match_closed" and match is not None:
        return Refusal("bundle_old", field="text", round=match.round_number)
    return refusal


def _record_hand(match: Match, values: Mapping[str, Any], device: str) -> bool:
    parsed_mark = parse_mark(values)
    is_new = not is_recorded(parsed_mark.entry_key)
    record_phone_hand(match_id=match.pk, posted=parsed_mark, device=device)
    return is_new


def _record_agreement(match: Match, values: Mapping[str, Any], device: str) -> bool:
    """Take an agreement. One given before counts as known, even if its game has changed since."""
    side = parse_side(values)
    game, expected = parse_whole_number(values, "game"), str(values.get("seen", ""))
    agreements = Agreement.objects.filter(match=match, game=game, side=side.value, agreed_to=expected)
    if agreements.exists():
        return False
    record_agreement(
        match_id=match.pk, side=side, game=game, expected=expected, device=device, wait_seconds=parse_wait(values)
    )
    return True


def _record_first_dealer(match: Match, values: Mapping[str, Any], device: str) -> bool:
    seat, expected = parse_first_dealer(values)
    if match.first_dealer == seat:
        return False
    name_first_dealer(match_id=match.pk, seat=seat, expected=expected)
    return True


def _record_call(match: Match, values: Mapping[str, Any], device: str) -> bool:
    """Take a call to the desk. While a call is open, another one adds nothing."""
    key = parse_key(values, "entry_key")
    is_existing = match.disputes.filter(Q(entry_key=key) | Q(settled_at=None)).exists()
    call_desk(match_id=match.pk, device=device, entry_key=key)
    return not is_existing


def _record_withdrawal(match: Match, values: Mapping[str, Any], device: str) -> bool:
    call = parse_key(values, "call")
    is_open = match.disputes.filter(settled_at=None, entry_key=call).exists()
    withdraw_call(match_id=match.pk, call=call)
    return is_open


ENTRY_HANDLERS: Mapping[str, Callable[[Match, Mapping[str, Any], str], bool]] = {
    "": _record_hand,
    "/agree": _record_agreement,
    "/dealer": _record_first_dealer,
    "/dispute": _record_call,
    "/withdraw": _record_withdrawal,
}
"""Handlers of entries, by the path of their form below the table's address; each returns whether the entry
was new."""
