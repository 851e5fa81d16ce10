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

from .values import FIRST_MU, FIRST_SIGMA, UNIT, Rating, RatingStep, get_display_rating

MODEL = BradleyTerryFull(mu=FIRST_MU, sigma=FIRST_SIGMA)

_RANKS: Mapping[Side | None, list[float]] = {Side.A: [1, 2], Side.B: [2, 1], None: [1, 1]}


def compute_ratings(meetings: Iterable[RecordedMatch]) -> dict[PersonId, Rating]:
    """Return the rating of everybody who played, and its value after each event, from matches in order.

    An event's matches are consecutive. Partners are rated as one side: the share of each depends on the
    uncertainty of their rating.
    """
    current_ratings: dict[PersonId, BradleyTerryFullRating] = {}
    matches: Counter[PersonId] = Counter()
    steps: dict[PersonId, list[RatingStep]] = defaultdict(list)
    for event, played in groupby(meetings, key=lambda meeting: meeting.event):
        participants: set[PersonId] = set()
        for meeting in played:
            _update_ratings(current_ratings, meeting)
            for side in meeting.sides:
                participants.update(side)
                matches.update(side)
        for person in participants:
            rating = current_ratings[person]
            steps[person].append(
                RatingStep(
                    event=event,
                    rating=get_display_rating(rating.mu),
                    margin=round(UNIT * rating.sigma),
                    matches=matches[person],
                )
            )
    return {
        person: Rating(mu=rating.mu, sigma=rating.sigma, matches=matches[person], steps=tuple(steps[person]))
        for person, rating in current_ratings.items()
    }


def compute_ranks(ratings: Mapping[PersonId, Rating], *, excluded: Collection[PersonId] = ()) -> dict[PersonId, int]:
    """Return the ranks of people with enough matches, as 1, 2, 2, 4; equal shown numbers share a rank."""
    ranked = {
        person: rating.display for person, rating in ratings.items() if rating.is_ranked and person not in excluded
    }
    above: Counter[int] = Counter(ranked.values())
    first, rank = {}, 1
    for number in sorted(above, reverse=True):
        first[number] = rank
        rank += above[number]
    return {person: first[number] for person, number in ranked.items()}


def _update_ratings(current_ratings: dict[PersonId, BradleyTerryFullRating], meeting: RecordedMatch) -> None:
    teams = [[current_ratings.get(person) or MODEL.rating() for person in side] for side in meeting.sides]
    rated = MODEL.rate(teams, ranks=_RANKS[meeting.winner])
    for side, new_ratings in zip(meeting.sides, rated, strict=True):
        current_ratings.update(zip(side, new_ratings, strict=True))
