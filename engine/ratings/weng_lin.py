"""Ratings from matches in order.

=====================================  ==========================  =========================================
document                               section                     here
=====================================  ==========================  =========================================
Weng, Lin, JMLR 12 (2011), 267-300     algorithm 1, Bradley-Terry  openskill's ``BradleyTerryFull``
the same                               table 1: mu 25, sigma 25/3  ``FIRST_MU``, ``FIRST_SIGMA``
openskill                              ``tau``                     nobody's rating ever stands still
=====================================  ==========================  =========================================
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from engine.records import PersonId, RecordedMatch
from rules import Side

from .values import FIRST_MU, FIRST_SIGMA, UNIT, Rating, RatingStep, shown_rating

MODEL = BradleyTerryFull(mu=FIRST_MU, sigma=FIRST_SIGMA)

_RANKS: Mapping[Side | None, list[float]] = {Side.A: [1, 2], Side.B: [2, 1], None: [1, 1]}


def ratings_of(meetings: Iterable[RecordedMatch]) -> dict[PersonId, Rating]:
    """Return the rating of everybody who played, and its value after each event, from matches in order.

    An event's matches are consecutive. Partners are rated as one side: the share of each depends on the
    uncertainty of their rating.
    """
    now: dict[PersonId, BradleyTerryFullRating] = {}
    matches: Counter[PersonId] = Counter()
    steps: dict[PersonId, list[RatingStep]] = defaultdict(list)
    for event, played in groupby(meetings, key=lambda meeting: meeting.event):
        there: set[PersonId] = set()
        for meeting in played:
            _rate(now, meeting)
            for side in meeting.sides:
                there.update(side)
                matches.update(side)
        for person in there:
            one = now[person]
            steps[person].append(
                RatingStep(
                    event=event,
                    rating=shown_rating(one.mu),
                    margin=round(UNIT * one.sigma),
                    matches=matches[person],
                )
            )
    return {
        person: Rating(mu=one.mu, sigma=one.sigma, matches=matches[person], steps=tuple(steps[person]))
        for person, one in now.items()
    }


def ranks_of(
    ratings: Mapping[PersonId, Rating], *, left_out: Collection[PersonId] = ()
) -> dict[PersonId, int]:
    """Return the ranks of people with enough matches, as 1, 2, 2, 4; equal shown numbers share a rank."""
    ranked = {
        person: rating.display
        for person, rating in ratings.items()
        if rating.is_ranked and person not in left_out
    }
    above: Counter[int] = Counter(ranked.values())
    first, rank = {}, 1
    for number in sorted(above, reverse=True):
        first[number] = rank
        rank += above[number]
    return {person: first[number] for person, number in ranked.items()}


def _rate(now: dict[PersonId, BradleyTerryFullRating], meeting: RecordedMatch) -> None:
    teams = [[now.get(person) or MODEL.rating() for person in side] for side in meeting.sides]
    rated = MODEL.rate(teams, ranks=_RANKS[meeting.winner])
    for side, found in zip(meeting.sides, rated, strict=True):
        now.update(zip(side, found, strict=True))
