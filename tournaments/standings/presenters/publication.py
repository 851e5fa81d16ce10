"""Publication of final standings: when, what it corrects, and whether they would be different now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine.changes import Changes, RankMove, find_rank_moves
from engine.standings import StandingsRowJson
from tournaments.events.presenters.names import build_public_entry_formatter
from tournaments.models import Entry, Event
from tournaments.standings.queries.validity import find_changes, get_final_standings

from .snapshots import StandingsSnapshot, get_final_snapshot, get_latest_snapshot
from .table import StandingsView


@dataclass(frozen=True, slots=True, kw_only=True)
class RankCorrection:
    """A changed rank in a correction; None if the entry was not, or is no longer, in the standings."""

    names: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """Publication of the final standings: its time, and the correction that it made, if any. ``changes`` if
    something changed since, by a correction or another round, and is not published."""

    published_at: datetime
    changes: Changes | None
    original_published_at: datetime | None = None
    rank_corrections: tuple[RankCorrection, ...] = ()

    @property
    def is_outdated(self) -> bool:
        return self.changes is not None

    @property
    def is_correction(self) -> bool:
        return self.original_published_at is not None


def build_publication(event: Event, snapshot: StandingsSnapshot, entrants: Sequence[Entry]) -> Publication | None:
    """Return the publication of stored standings; None if they are not final. One query, none if not final;
    two more for a correction."""
    if snapshot.number is None or snapshot.computed_at is None:
        return None
    changes = find_changes_since_final(event, snapshot)
    if snapshot.corrects is None:
        return Publication(published_at=snapshot.computed_at, changes=changes)
    earlier_standings = event.published_standings.filter(number__lt=snapshot.number).order_by("number")
    times = earlier_standings.values_list("number", "corrects", "published_at")
    corrected_rows = earlier_standings.filter(number=snapshot.corrects).values_list("rows", flat=True).first() or []
    format_entry = build_public_entry_formatter(event, entrants)
    names = {entry.number: format_entry(entry) for entry in entrants}
    return Publication(
        published_at=snapshot.computed_at,
        changes=changes,
        original_published_at=_find_first_publication(times, snapshot.corrects),
        rank_corrections=list_rank_corrections(corrected_rows, snapshot.rows, names),
    )


def find_changes_since_final(event: Event, snapshot: StandingsSnapshot) -> Changes | None:
    """Return why the final standings would be different now. One query, two if they would; none if not
    final."""
    final = None if snapshot.number is None else get_final_standings(event)
    return None if final is None else find_changes(final)


def get_current_snapshot(event: Event, *, entry_numbers: Collection[int] = ()) -> StandingsSnapshot:
    """Return the final standings until results change, else those last computed. One query; one to three more
    if there are final standings."""
    final = get_final_snapshot(event, entry_numbers=entry_numbers)
    if final.number is not None and find_changes_since_final(event, final) is None:
        return final
    return get_latest_snapshot(event, entry_numbers=entry_numbers)


def mark_outdated(event: Event, snapshot: StandingsSnapshot, view: StandingsView) -> StandingsView:
    """Return the view with ``is_outdated``: whether final standings would be different now. Queries: as in
    ``find_changes_since_final``."""
    return replace(view, is_outdated=find_changes_since_final(event, snapshot) is not None)


def _find_first_publication(
    publications: Iterable[tuple[int, int | None, datetime]], number: int | None
) -> datetime | None:
    """Follow the corrections back from this number, and return when the first one was published."""
    by_publication = {
        publication_number: (corrects, published_at) for publication_number, corrects, published_at in publications
    }
    published_at = None
    while number in by_publication:
        number, published_at = by_publication[number]
    return published_at


def list_rank_corrections(
    old_rows: Sequence[StandingsRowJson], new_rows: Sequence[StandingsRowJson], names: Mapping[int, str]
) -> tuple[RankCorrection, ...]:
    """Return the changed ranks, in the order of the new ranks."""
    old_ranks, new_ranks = ({row["entry"]: row["rank"] for row in rows} for rows in (old_rows, new_rows))
    return build_rank_corrections(find_rank_moves(old_ranks, new_ranks), names)


def build_rank_corrections(moves: Iterable[RankMove], names: Mapping[int, str]) -> tuple[RankCorrection, ...]:
    return tuple(
        RankCorrection(names=names.get(move.entry, ""), before=move.before, after=move.after) for move in moves
    )
