"""The joint standings of several clubs' feeds, by the rule that a federation sets."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import ladders, records
from engine.checksums import compute_digest
from engine.ladders import Ladder, LadderNight, NightResult, Score, compute_ladder_standings
from engine.ratings import compute_ranks, compute_ratings
from engine.records import RecordedMatch

from .identities import Member, group_people
from .values import Feed, FeedMatch, FeedNight

KEY_LENGTH = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLine:
    """A line of the season standings: a person, or the two of a pair. ``key`` stays the same as long as their
    feeds include them; ``clubs`` are those whose nights count in it. The ``event`` of a score is the place of its
    night among all nights, from 0."""

    key: str
    names: tuple[str, ...]
    clubs: tuple[str, ...]
    rank: int | None
    total: int
    bonus: int
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedLine:
    """A person ranked by rating (``engine.ratings``); ``steps`` has for each night its place among all, the
    rating after it, and the number of matches until then."""

    key: str
    name: str
    clubs: tuple[str, ...]
    rank: int
    rating: int
    margin: int
    matches: int
    steps: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationStandings:
    """The standings of a federation; ``nights`` are those of all feeds, first to last, each with its feed."""

    nights: tuple[tuple[Feed, FeedNight], ...]
    ladder: tuple[PersonLine, ...]
    ratings: tuple[RatedLine, ...]


@dataclass(frozen=True, slots=True)
class _People:
    """All people of the feeds, numbered; those with the same identity share a number."""

    numbers: Mapping[Member, int]
    keys: Mapping[int, str]
    names: Mapping[int, str]
    is_rated: Mapping[int, bool]

    def get_numbers(self, feed: Feed, ids: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.numbers[feed.id, each] for each in ids)


def compute_federation_standings(
    feeds: Sequence[Feed], ladder: Ladder, starts: datetime.date, ends: datetime.date
) -> FederationStandings:
    """Return the season standings of the nights in a period, and the ratings of all nights in the feeds.

    People without a public name are in neither list; their matches count for the others.
    """
    people = _index_people(feeds)
    nights = tuple(
        sorted(
            ((feed, night) for feed in feeds for night in feed.nights),
            key=lambda one: (one[1].held_on, one[0].id, one[1].id),
        )
    )
    return FederationStandings(
        nights=nights,
        ladder=_compute_ladder(nights, people, ladder, starts, ends),
        ratings=_compute_ratings(nights, people),
    )


def _index_people(feeds: Sequence[Feed]) -> _People:
    first = group_people(feeds)
    numbers: dict[Member, int] = {}
    for member, representative in first.items():
        numbers[member] = numbers.get(representative) or len(numbers) + 1
    names: dict[int, str] = {}
    is_rated: dict[int, bool] = {}
    for feed in feeds:
        for person in feed.people.values():
            number = numbers[feed.id, person.id]
            names[number] = names.get(number) or person.name
            is_rated[number] = is_rated.get(number, True) and person.is_rated
    keys = {number: compute_digest(list(member))[:KEY_LENGTH] for member, number in reversed(numbers.items())}
    return _People(numbers, keys, names, is_rated)


def _compute_ladder(
    nights: Sequence[tuple[Feed, FeedNight]],
    people: _People,
    ladder: Ladder,
    starts: datetime.date,
    ends: datetime.date,
) -> tuple[PersonLine, ...]:
    counted = [
        LadderNight(event=place, held_on=night.held_on, results=_build_night_results(feed, night, people))
        for place, (feed, night) in enumerate(nights)
        if starts <= night.held_on <= ends
    ]
    return tuple(
        PersonLine(
            key="-".join(sorted(people.keys[each] for each in row.players)),
            names=tuple(people.names[each] for each in row.players),
            clubs=_list_clubs(nights, [score.event for score in row.scores]),
            rank=row.rank,
            total=row.total,
            bonus=row.bonus,
            scores=row.scores,
        )
        for row in compute_ladder_standings(ladder, counted, {})
    )


def _build_night_results(feed: Feed, night: FeedNight, people: _People) -> tuple[NightResult, ...]:
    """Return a showing for every entry, so that all count as participants; people without a public name are
    left out of its players."""
    return tuple(
        NightResult(
            entry=place.entry,
            players=tuple(
                dict.fromkeys(
                    ladders.PersonId(each) for each in people.get_numbers(feed, place.people) if people.names[each]
                )
            ),
            rank=place.rank,
            figures=place.figures,
        )
        for place in night.places
    )


def _compute_ratings(nights: Sequence[tuple[Feed, FeedNight]], people: _People) -> tuple[RatedLine, ...]:
    found = compute_ratings(
        _build_recorded_match(place, feed, night, match, people)
        for place, (feed, night) in enumerate(nights)
        for match in night.matches
    )
    excluded = [each for each in found if not people.names[each] or not people.is_rated[each]]
    ranks = compute_ranks(found, excluded=excluded)
    lines = [
        RatedLine(
            key=people.keys[person],
            name=people.names[person],
            clubs=_list_clubs(nights, [step.event for step in found[person].steps]),
            rank=rank,
            rating=found[person].display,
            margin=found[person].margin,
            matches=found[person].matches,
            steps=tuple((step.event, step.rating, step.matches) for step in found[person].steps),
        )
        for person, rank in ranks.items()
    ]
    return tuple(sorted(lines, key=lambda line: (line.rank, line.name, line.key)))


def _build_recorded_match(place: int, feed: Feed, night: FeedNight, match: FeedMatch, people: _People) -> RecordedMatch:
    one, other = (tuple(map(records.PersonId, people.get_numbers(feed, side))) for side in match.sides)
    return RecordedMatch(event=place, held_on=night.held_on, sides=(one, other), winner=match.winner)


def _list_clubs(nights: Sequence[tuple[Feed, FeedNight]], places: Sequence[int]) -> tuple[str, ...]:
    return tuple(sorted({nights[place][0].club for place in places}))
