"""Import of hands from a sheet that was written on paper."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID, uuid5

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from jobs.pieces import short_transaction
from live.conditional_pages import read_snapshot
from rules import Ruleset, read_record, record_to_json
from scoring.fold import fold_match
from scoring.logs import check_fits, place_mark, read_log
from scoring.models import DESK_PREFIX, Mark, Match
from scoring.services.marks import SheetHand, record_hands
from tournaments.history.services.locking import get_event
from tournaments.imports.hand_sheets.parser import HandSheet, ImportedHand, read_hand_sheet
from tournaments.models import Event
from web.sheets.columns import Layout


def is_same_hand(ruleset: Ruleset, sheet_hand: Mapping[str, Any], recorded_hand: Mapping[str, Any]) -> bool:
    """Return whether the recorded hand is that of the sheet, which says less of it: no trump, no declarer."""
    sheet_record = record_to_json(read_record(ruleset, sheet_hand))
    return all(recorded_hand.get(name) == value for name, value in sheet_record.items())


SHEET_NAMESPACE = UUID("f3c1b7d2-93a1-52b6-8d6e-0a5f3f0c9e71")
"""Namespace of the keys of hands, made of match, place, line and sheet. A sheet sent again has the same
keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSheetPreview:
    """Content of a sheet. ``new`` are the hands to record, each with its match; ``there`` those recorded
    already. ``unread`` are the columns not used, ``above`` the lines over the headings."""

    new: tuple[tuple[ImportedHand, Match], ...]
    there: tuple[ImportedHand, ...]
    unread: tuple[str, ...]
    above: tuple[str, ...]


def preview_hand_sheet(event: Event, *, text: str, file: str, layout: Layout | None = None) -> HandSheetPreview:
    """Return what would be recorded of a sheet. Two queries.

    Refuses: list_refused, with a refusal for each bad line: those of ``read_hand_sheet``, and
    no_match_at_table, match_closed, hand_differs, number_skips, match_over; sheet_without_hands.
    """
    sheet = read_hand_sheet(text, file=file, ruleset=event.terms.ruleset, layout=layout)
    if not text.strip() or not (sheet.hands or sheet.refusals):
        raise Refusal("sheet_without_hands", field="file")
    refusals = list(sheet.refusals)
    new: list[tuple[ImportedHand, Match]] = []
    recorded: list[ImportedHand] = []
    matches = _get_matches(event)
    for place, hands in _group_by_table(sheet).items():
        match = matches.get(place)
        if match is None:
            first_hand = hands[0]
            refused = Refusal("no_match_at_table", field="table", table=first_hand.table, round=first_hand.round)
            refusals.append(_add_line_to_refusal(refused, first_hand, file))
            continue
        _classify_hands(match, hands, file, new, recorded, refusals)
    if refusals:
        refusals.sort(key=lambda refusal: refusal.details.get("line") or 0)
        raise Refusal("list_refused", field="file", refusals=tuple(refusals))
    return HandSheetPreview(new=tuple(new), there=tuple(recorded), unread=sheet.unread, above=sheet.above)


def record_hand_sheet(*, event_id: int, text: str, file: str, layout: Layout | None = None, by: Actor = NOBODY) -> int:
    """Record the missing hands of a sheet, like a helper at the desk, and return their number. If a line is
    bad, none is recorded. Tables are recorded one by one: hands that others record meanwhile stay. Safe to
    repeat.

    Refuses: what ``preview_hand_sheet`` and ``record_hands`` refuse.
    """
    device = "" if by.account is None else f"{DESK_PREFIX}{by.account.name}"
    with read_snapshot():
        new = preview_hand_sheet(get_event(event_id), text=text, file=file, layout=layout).new
    for match_id, hands in groupby(new, key=lambda each: each[1].pk):
        with short_transaction():
            record_hands(
                match_id=match_id,
                hands=[
                    SheetHand(
                        number=hand.number,
                        entry_key=uuid5(SHEET_NAMESPACE, f"{match_id}.{hand.number}.{hand.line}.{text}"),
                        record_data=hand.record_data,
                    )
                    for hand, _ in hands
                ],
                device=device,
            )
    return len(new)


def _get_matches(event: Event) -> dict[tuple[int, int], Match]:
    """Return the event's matches, by round and table."""
    matches = Match.objects.filter(table__round__event=event).select_related("terms", "table")
    return {(match.round_number, match.table.number): match for match in matches.prefetch_related("marks")}


def _group_by_table(sheet: HandSheet) -> dict[tuple[int, int], list[ImportedHand]]:
    hands: dict[tuple[int, int], list[ImportedHand]] = defaultdict(list)
    for hand in sheet.hands:
        hands[hand.round, hand.table].append(hand)
    return hands


def _classify_hands(
    match: Match,
    hands: Iterable[ImportedHand],
    file: str,
    new: list[tuple[ImportedHand, Match]],
    recorded: list[ImportedHand],
    refusals: list[Refusal],
) -> None:
    """Sort the hands of one match, in order, into new, recorded already, or refused. After a refused hand the
    following ones cannot be judged."""
    ruleset = match.ruleset
    log = read_log(sorted(match.marks.all(), key=lambda mark: mark.pk), ruleset)
    for hand in hands:
        try:
            records = [mark.record_data for mark in log.get_marks(hand.number)]
            if hand.number in log.active:
                if len(records) > 1 or not is_same_hand(ruleset, hand.record_data, records[0]):
                    raise Refusal("hand_differs", field="contract")
                recorded.append(hand)
                continue
            if match.closed_at is not None:
                raise Refusal("match_closed", field="hand")
            record = read_record(ruleset, hand.record_data)
            placement = place_mark(log, hand.number, record)
            check_fits(log, hand.number, is_over=fold_match(match, log.places).is_over)
        except Refusal as refusal:
            refusals.append(_add_line_to_refusal(refusal, hand, file))
            return
        mark = Mark(number=hand.number, status=placement.status, record_data=dict(hand.record_data))
        log.add(mark, record, placement)
        new.append((hand, match))


def _add_line_to_refusal(refusal: Refusal, hand: ImportedHand, file: str) -> Refusal:
    column = "hand" if refusal.field == "number" else refusal.field
    return Refusal(refusal.code, field=column, **(refusal.details | {"file": file, "line": hand.line}))
