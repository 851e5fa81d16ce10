"""Presenters of publication: what was published as final, what it corrects, and what is public now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine.changes import Changes, RankMove, moves_between
from engine.results import slots_ahead
from engine.standings import PlainRow
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in, entries_named_in_full
from tournaments.lifecycle import OPEN, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.presenters.rounds import planned_rounds
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.standings.presenters import StandingsSnapshot, StandingsView, final_snapshot
from tournaments.standings.queries.validity import changes_since, final_of


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
    return _named_moves(moves_between(was, now), names)


def _named_moves(moves: Iterable[RankMove], names: Mapping[int, str]) -> tuple[RankCorrection, ...]:
    return tuple(
        RankCorrection(names=names.get(move.entry, ""), before=move.before, after=move.after)
        for move in moves
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishingView:
    """Facts that an organizer sees before publishing.

    ``open_round`` is not closed yet; ``next_round`` is still to be played by the event's plan.
    ``has_results`` if there is anything to publish; ``moved`` are ranks that differ from the published ones.
    """

    publication: Publication | None
    open_round: int | None
    next_round: int | None
    has_results: bool
    moved: tuple[RankCorrection, ...]


def publishing_view(event: Event) -> PublishingView:
    """Present the page. Five queries; two more once final standings are published. Six more while rounds of
    the plan are left."""
    rounds = list(rounds_of(event))
    entries = entries_of(event)
    final = final_snapshot(event)
    publication = publication_of(event, final, entries)
    changes = None if publication is None else publication.changes
    named = entries_named_in_full(entries)
    names = {one.number: named(one) for one in entries}
    return PublishingView(
        publication=publication,
        open_round=next((one.number for one in rounds if one.state in OPEN), None),
        next_round=_round_ahead(event, rounds, entries),
        has_results=bool(rounds),
        moved=_named_moves(() if changes is None else changes.ranks, names),
    )


def _round_ahead(event: Event, rounds: Sequence[Round], entries: Sequence[Entry]) -> int | None:
    """Return the next planned round. None if the event is over, nothing is left to draw, or rounds have no
    limit."""
    planned = planned_rounds(event, entries)
    last = rounds[-1].number if rounds else 0
    if event.state != EventState.RUNNING or planned is None or not 0 < last < planned:
        return None
    return last + 1 if slots_ahead(event_snapshot(event)) else None
