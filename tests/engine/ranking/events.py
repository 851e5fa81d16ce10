"""Random small events in which ties are common."""

from collections.abc import Mapping
from typing import NamedTuple

from hypothesis import strategies as st

from engine.draws import EntryId
from engine.ranking import (
    CHOICES,
    Outcome,
    OutcomeKind,
    RankedField,
    RankingRules,
    Result,
    ResultAdjustment,
    Row,
    build_ranked_field,
    rank_field,
)

Results = Mapping[EntryId, list[Result]]

OPPOSITE_OUTCOMES = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON, Outcome.DRAWN: Outcome.DRAWN}


class Event(NamedTuple):
    """A small event in which ties are common; some entries may have a bye or be away."""

    results_by_entry: Results
    rules: RankingRules
    seed: int
    adjustments: list[ResultAdjustment]

    @property
    def numbers(self) -> dict[EntryId, int]:
        return {entry: int(entry) for entry in self.results_by_entry}

    @property
    def field(self) -> RankedField:
        return build_ranked_field(
            self.numbers, self.results_by_entry, self.rules,
            seed=self.seed, games_to_win=2, adjustments=self.adjustments,
        )  # fmt: skip

    @property
    def rows(self) -> tuple[Row, ...]:
        return rank_field(self.field)


orders = st.lists(st.sampled_from(sorted(CHOICES)), unique=True, min_size=1).map(tuple)
few = st.integers(0, 2)


@st.composite
def played(draw: st.DrawFn, size: int | None = None) -> Results:
    """Generate results of pairs, or of two against two; entries that are left over have a bye or are away."""
    size = size or draw(st.sampled_from([1, 2]))
    entries = [EntryId(number) for number in range(1, draw(st.integers(1, 7)) + 1)]
    by_entry: dict[EntryId, list[Result]] = {entry: [] for entry in entries}
    for number in range(1, draw(st.integers(0, 4)) + 1):
        seated = draw(st.permutations(entries))
        tables = draw(st.integers(0, len(entries) // (2 * size)))
        for table in range(tables):
            _seat(draw, by_entry, number, seated[2 * size * table :][: 2 * size])
        for entry in seated[2 * size * tables :]:
            kind = draw(st.sampled_from([OutcomeKind.BYE, OutcomeKind.ABSENT, OutcomeKind.REQUESTED_BYE]))
            outcome = Outcome.WON if kind is OutcomeKind.BYE else Outcome.LOST
            by_entry[entry].append(Result(round=number, outcome=outcome, kind=kind))
    return by_entry


def _seat(draw: st.DrawFn, by_entry: dict[EntryId, list[Result]], number: int, seated: list[EntryId]) -> None:
    sides = tuple(seated[: len(seated) // 2]), tuple(seated[len(seated) // 2 :])
    outcome = draw(st.sampled_from(Outcome))
    kind = draw(st.sampled_from([OutcomeKind.PLAYED, OutcomeKind.PLAYED, OutcomeKind.FORFEIT]))
    points = (draw(few), draw(few)) if kind is OutcomeKind.PLAYED else (0, 0)
    games = (draw(few), draw(few)) if kind is OutcomeKind.PLAYED else (0, 0)
    for side, other in ((0, 1), (1, 0)):
        for entry in sides[side]:
            by_entry[entry].append(
                Result(
                    round=number,
                    outcome=outcome if side == 0 else OPPOSITE_OUTCOMES[outcome],
                    kind=kind,
                    opponents=sides[other],
                    partners=tuple(each for each in sides[side] if each != entry),
                    games_won=games[side],
                    games_lost=games[other],
                    points_for=points[side],
                    points_against=points[other],
                    contracts_made=points[side],
                    charlemagnes=games[side],
                )
            )


def rules(*, dropped: st.SearchStrategy[int] = few) -> st.SearchStrategy[RankingRules]:
    return st.builds(
        RankingRules,
        order=orders,
        bye=st.sampled_from(["win", "draw", "nothing"]),
        cap=st.just(1),
        dropped=dropped,
    )


adjustments = st.lists(
    st.builds(
        ResultAdjustment,
        entry=st.integers(1, 7).map(EntryId),
        metric=st.sampled_from(["match_wins", "match_points", "points_for"]),
        amount=st.integers(-2, 2),
        round=st.none() | st.integers(1, 4),
    ),
    max_size=3,
)

events = st.builds(Event, played(), rules(), st.integers(0, 9), adjustments)
