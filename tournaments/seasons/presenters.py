"""Presenters of a season: the lines of its standings, and the nights behind each."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from clubs.models import Club, Person
from clubs.name_formats import join_names
from engine.ladders import Ladder, LadderUnit, Score, build_line_key, ladder_from_json
from tournaments.events.presenters.names import (
    build_club_person_formatter,
    build_public_person_formatter,
    build_unique_person_names,
)
from tournaments.models import Event, Season
from tournaments.seasons.comebacks import Comeback, find_comeback

from .queries import find_season_changes, get_line_scores, select_counted_events

MAX_LINES = 200
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
        return build_line_key(self.players)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ComebackView:
    """The match of a season won from the lowest chance, with the winners' public names."""

    comeback: Comeback
    names: str


def build_ladder_view(
    season: Season, place: int, *, line_key_wanted: str | None = None, max_lines: int | None = None
) -> LadderView:
    """Present season standings as last computed: all lines, the first ``max_lines``, or only the line with the key
    ``line_key_wanted``. One query.

    Raises LookupError if there is no such ladder.
    """
    ladder = ladder_from_json(season.ladders[place])
    rows = season.rows[place] if place < len(season.rows) else []
    chosen = [row for row in rows if line_key_wanted is None or build_line_key(row["players"]) == line_key_wanted][
        :max_lines
    ]
    player_ids = [player_id for row in rows for player_id in row["players"]]
    names = _get_club_names(player_ids) if ladder.unit is LadderUnit.CLUB else _get_names(season, player_ids)
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


def build_comeback_view(season: Season) -> ComebackView | None:
    """Return the comeback of a season; None without any. Three queries, or one."""
    found = find_comeback(select_counted_events(season).order_by().values("pk"))
    if found is None:
        return None
    format_person = build_public_person_formatter(found.table.round.event)
    return ComebackView(comeback=found, names=join_names(list(map(format_person, found.people))))


def list_line_nights(season: Season, place: int, line: LadderLineView) -> tuple[NightView, ...]:
    """Return the nights of one line, first to last. Two queries."""
    scores = get_line_scores(season, place, line.players)
    events = Event.objects.in_bulk([score.event for score in scores])
    return tuple(NightView(event=events.get(score.event), score=score) for score in scores)


def list_changed_nights(season: Season | None) -> Sequence[Event]:
    """Return the nights whose results changed after the season was closed. As many queries as adding it up
    takes, if it is closed."""
    changes = None if season is None else find_season_changes(season)
    return () if changes is None else list(Event.objects.filter(pk__in=changes.nights).order_by("held_on"))


def _get_club_names(clubs: Sequence[int]) -> Mapping[int, str]:
    return dict(Club.objects.filter(pk__in=clubs).values_list("pk", "name"))


def _select_former_clubs(season: Season) -> QuerySet[Club, int]:
    """Return all clubs that ever took part: in a closed series, the results of those that left stay."""
    is_participant = Q(pk=season.club_id) | Q(invited_to__season=season)
    return Club.objects.filter(is_participant).values_list("pk", flat=True)


def _get_names(season: Season, people: Sequence[int]) -> Mapping[int, str]:
    """Return names that tell namesakes apart, also of people who were merged after the season was closed."""
    candidates = Person.objects.filter(club=season.club_id)
    if season.is_shared:
        candidates = Person.objects.filter(club__in=_select_former_clubs(season))
    candidates = candidates.select_related("club")
    people_found = list(candidates.filter(pk__in=people))
    if not {person.pk for person in people_found} >= set(people):
        people_found += candidates.exclude(merged_ids=[]).exclude(pk__in=people)
    listed = [person for person in people_found if not {person.pk, *person.merged_ids}.isdisjoint(people)]
    names = build_unique_person_names(lambda person: build_club_person_formatter(person.club)(person), listed)
    merged_names = {old: names[person.pk] for person in listed for old in person.merged_ids}
    return {**merged_names, **names}
