"""Presenters of a season: the lines of its standings, and the nights behind each."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from clubs.models import Club, Person
from clubs.wording import join_names
from engine.ladders import Ladder, LadderUnit, Score, ladder_from_json, line_key
from tournaments.events.presenters.names import named_publicly, people_told_apart
from tournaments.models import Event, Season

from .queries import changes_of_season, scores_of_line

MOST_LINES = 200
"""Number of lines on a page; files and the API have all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderLineView:
    """One line of season standings, with public names."""

    players: tuple[int, ...]
    names: str
    rank: int | None
    total: int
    nights: int
    bonus: int

    @property
    def key(self) -> str:
        return line_key(self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightView:
    """Points of one night in a line, with its event unless that is deleted."""

    event: Event | None
    score: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderView:
    """First lines of season standings, of ``total`` in all."""

    place: int
    ladder: Ladder
    lines: tuple[LadderLineView, ...]
    total: int
    computed_at: datetime.datetime | None

    @property
    def is_cut(self) -> bool:
        return len(self.lines) < self.total


def ladder_view(
    season: Season, place: int, *, only: str | None = None, most: int | None = None
) -> LadderView:
    """Present season standings as last computed: all lines, the first ``most``, or ``only`` the one with this
    key. One query.

    Raises LookupError if there is no such ladder.
    """
    ladder = ladder_from_json(season.ladders[place])
    rows = season.rows[place] if place < len(season.rows) else []
    chosen = [row for row in rows if only is None or line_key(row["players"]) == only][:most]
    shown = [each for row in rows for each in row["players"]]
    names = _names_of_clubs(shown) if ladder.unit is LadderUnit.CLUB else _names(season, shown)
    return LadderView(
        place=place,
        ladder=ladder,
        lines=tuple(
            LadderLineView(
                players=tuple(row["players"]),
                names=join_names([names.get(person, "–") for person in row["players"]]),
                rank=row["rank"],
                total=row["total"],
                nights=row["nights"],
                bonus=row["bonus"],
            )
            for row in chosen
        ),
        total=len(rows),
        computed_at=season.computed_at,
    )


def nights_behind(season: Season, place: int, line: LadderLineView) -> tuple[NightView, ...]:
    """Return the nights of one line, first to last. Two queries."""
    scores = scores_of_line(season, place, line.players)
    events = Event.objects.in_bulk([score.event for score in scores])
    return tuple(NightView(event=events.get(score.event), score=score) for score in scores)


def changed_nights(season: Season | None) -> Sequence[Event]:
    """Return the nights whose results changed after the season was closed. As many queries as adding it up
    takes, if it is closed."""
    changes = None if season is None else changes_of_season(season)
    return () if changes is None else list(Event.objects.filter(pk__in=changes.nights).order_by("held_on"))


def _names_of_clubs(clubs: Sequence[int]) -> Mapping[int, str]:
    return dict(Club.objects.filter(pk__in=clubs).values_list("pk", "name"))


def _clubs_that_ever_met(season: Season) -> QuerySet[Club, int]:
    """Return all clubs that ever took part: in a closed series, the results of those that left stay."""
    asked = Q(pk=season.club_id) | Q(invited_to__season=season)
    return Club.objects.filter(asked).values_list("pk", flat=True)


def _names(season: Season, people: Sequence[int]) -> Mapping[int, str]:
    """Return names that tell namesakes apart, also of people who were merged after the season was closed."""
    known = Person.objects.filter(club=season.club_id)
    if season.is_shared:
        known = Person.objects.filter(club__in=_clubs_that_ever_met(season))
    known = known.select_related("club")
    found = list(known.filter(pk__in=people))
    if not {person.pk for person in found} >= set(people):
        found += known.exclude(merged_ids=[]).exclude(pk__in=people)
    shown = [person for person in found if not {person.pk, *person.merged_ids}.isdisjoint(people)]
    names = people_told_apart(lambda person: named_publicly(person.club)(person), shown)
    of_merged = {old: names[person.pk] for person in shown for old in person.merged_ids}
    return {**of_merged, **names}
