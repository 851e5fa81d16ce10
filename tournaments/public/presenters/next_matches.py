"""The next match of an entry in a bracket, told while another table still plays."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Avg, F
from django.utils import timezone

from engine.draws import EntryId
from engine.draws.stages import get_slot_stage
from engine.seedings import find_next_meeting
from engine.visibility import Results
from scoring.models import Match
from tournaments.models import Event, Round, Table
from tournaments.rounds.queries.event_snapshot import read_event_snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMatch:
    """The next match of an entry: the ``table`` whose winner or loser it meets, None once that is known; and
    when it may begin, by the matches of the event so far."""

    table: int | None = None
    is_loser: bool = False
    at: datetime | None = None


def find_next_match(event: Event, open_round: Round | None, entries: Collection[int]) -> NextMatch | None:
    """Return the next match of one of these entries, by id, while a round of a bracket is played. None if
    they still play, are out, or wait for more than one table. Six queries at most; none without a bracket.
    """
    if open_round is None or not event.has_bracket:
        return None
    if event.visible.get_results(open_round.number) is Results.NOTHING:
        return None
    snapshot, tables = read_event_snapshot(event), {table.slot: table for table in open_round.tables.all()}
    for entry in entries:
        meeting = find_next_meeting(snapshot, EntryId(entry))
        if meeting is None or meeting.slot in tables:
            continue
        if meeting.awaited_slot is None:
            return NextMatch()
        awaited = tables.get(f"{get_slot_stage(meeting.slot) + 1}:{meeting.awaited_slot}")
        if awaited is not None:
            return NextMatch(table=awaited.number, is_loser=meeting.is_loser, at=_estimate_end(event, awaited))
    return None


def _estimate_end(event: Event, table: Table) -> datetime | None:
    """Return when the match at this table should end, if it lasts as long as those of the event so far; None
    before the first one, or once that time is over. Two queries."""
    over = Match.objects.filter(table__round__event=event, is_over=True, last_marked_at__isnull=False)
    usual: timedelta | None = over.aggregate(usual=Avg(F("last_marked_at") - F("opened_at")))["usual"]
    opened_at = Match.objects.filter(table=table).values_list("opened_at", flat=True).first()
    if usual is None or opened_at is None or opened_at + usual < timezone.now():
        return None
    return opened_at + usual
