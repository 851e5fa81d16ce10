"""Publication of final standings: when, what it corrects, and whether they would be different now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine.changes import Changes, RankMove, moves_between
from engine.standings import PlainRow
from tournaments.events.presenters.names import entries_named_in
from tournaments.models import Entry, Event
from tournaments.standings.queries.validity import changes_since, final_of

from .snapshots import StandingsSnapshot
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
    first_published_at: datetime | None = None
    moved: tuple[RankCorrection, ...] = ()

    @property
    def is_outdated(self) -> bool:
        return self.changes is not None

    @property
    def is_correction(self) -> bool:
        return self.first_published_at is not None


def publication_of(event: Event, kept: StandingsSnapshot, entrants: Sequence[Entry]) -> Publication | None:
    """Return the publication of stored standings; None if they are not final. One query, none if not final;
    two more for a correction."""
    if kept.number is None or kept.computed_at is None:
        return None
    changes = changes_since_final(event, kept)
    if kept.corrects is None:
        return Publication(published_at=kept.computed_at, changes=changes)
    published = event.published_standings.filter(number__lt=kept.number).order_by("number")
    times = published.values_list("number", "corrects", "published_at")
    before = published.filter(number=kept.corrects).values_list("rows", flat=True).first() or []
    named = entries_named_in(event, entrants)
    names = {entry.number: named(entry) for entry in entrants}
    return Publication(
        published_at=kept.computed_at,
        changes=changes,
        first_published_at=_first_of(times, kept.corrects),
        moved=rank_corrections(before, kept.rows, names),
    )


def changes_since_final(event: Event, kept: StandingsSnapshot) -> Changes | None:
    """Return why the final standings would be different now. One query, two if they would; none if not
    final."""
    final = None if kept.number is None else final_of(event)
    return None if final is None else changes_since(final)


def check_validity(event: Event, kept: StandingsSnapshot, view: StandingsView) -> StandingsView:
    """Return these standings, which say whether final ones would be different now. Queries: see
    ``changes_since_final``."""
    return replace(view, is_outdated=changes_since_final(event, kept) is not None)


def _first_of(published: Iterable[tuple[int, int | None, datetime]], number: int | None) -> datetime | None:
    """Follow the corrections back from this number, and return when the first one was published."""
    by_number = {each: (corrects, at) for each, corrects, at in published}
    at = None
    while number in by_number:
        number, at = by_number[number]
    return at


def rank_corrections(
    before: Sequence[PlainRow], after: Sequence[PlainRow], names: Mapping[int, str]
) -> tuple[RankCorrection, ...]:
    """Return the changed ranks, in the order of the new ranks."""
    was, now = ({row["entry"]: row["rank"] for row in rows} for rows in (before, after))
    return named_moves(moves_between(was, now), names)


def named_moves(moves: Iterable[RankMove], names: Mapping[int, str]) -> tuple[RankCorrection, ...]:
    return tuple(
        RankCorrection(names=names.get(move.entry, ""), before=move.before, after=move.after)
        for move in moves
    )
