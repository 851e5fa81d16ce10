"""Plans of pools and finals, compared with an independent count of entries, rounds, matches and end times."""

from math import ceil, log2
from random import Random
from statistics import median
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from engine.draws.stages.lengths import count_plan_rounds
from engine.draws.stages.plans import parse_stage_plan
from engine.planning import PlanQuestion, Proposal, build_choices, find_candidates
from engine.planning.pool_finals import GROUPS, KINDS, KNOCKOUTS, list_pool_finals
from rules import MatchFormat
from tests.support.markup import parse_html
from tournaments.planner.labels import match_length

from .test_candidates import simulate_forecast

pytestmark = pytest.mark.slow

FIELDS = (13, 16, 23, 60)
LARGE_FIELDS = [pytest.param(pairs, marks=pytest.mark.long("13 and 16 pairs are not long")) for pairs in FIELDS[2:]]


def ask(pairs: int, minutes: int = 420) -> PlanQuestion:
    return PlanQuestion(people=2 * pairs, tables=30, minutes=minutes, ruleset="maine")


def find_plans(question: PlanQuestion) -> dict[str, Proposal]:
    return {each.key: each for each in find_candidates(question) if each.key in KINDS}


def deal(pairs: int, pools: int) -> list[int]:
    """Deal the pairs to the pools like cards, one each in turn."""
    sizes = [0] * pools
    for number in range(pairs):
        sizes[number % pools] += 1
    return sizes


def count_finals(stages: Any, sizes: list[int]) -> list[int]:
    """Return the number of entries in each final, by their ranks in the pools."""
    return [
        sum(final["first"] <= rank < final["first"] + final["count"] for size in sizes for rank in range(1, size + 1))
        for final in stages[1:]
    ]


def count_round_robin(size: int) -> int:
    return size - 1 if size % 2 == 0 else size


def count_group_tables(size: int, number: int) -> int:
    return size // 2 if number <= count_round_robin(size) else 0


def count_bracket_tables(size: int, number: int) -> int:
    """Return the tables of a knockout round; the first round leaves a power of two."""
    left, full = size, 2 ** ceil(log2(size))
    for _ in range(number - 1):
        left, full = full // 2, full // 2
    return left - full // 2 if left > 1 else 0


class Count:
    """An independent count of a plan: sizes of pools and finals, rounds, fewest matches and tables."""

    def __init__(self, pairs: int, proposal: Proposal) -> None:
        self.pools = deal(pairs, proposal.stages[0]["settings"]["pools"])
        self.finals = count_finals(proposal.stages, self.pools)
        self.pool_rounds = max(count_round_robin(size) for size in self.pools)
        is_knockout = proposal.key == KNOCKOUTS
        self.final_rounds = max(ceil(log2(size)) if is_knockout else count_round_robin(size) for size in self.finals)
        self.fewest_matches = min(
            size - 1 + (1 if is_knockout else self.get_final(proposal, rank) - 1)
            for size in self.pools
            for rank in range(1, size + 1)
        )
        self.most_matches = max(
            size - 1 + (ceil(log2(max(self.finals))) if is_knockout else self.get_final(proposal, rank) - 1)
            for size in self.pools
            for rank in range(1, size + 1)
        )
        self.tables = [
            sum(size // 2 for size in self.pools if number < count_round_robin(size))
            for number in range(self.pool_rounds)
        ]

    def get_final(self, proposal: Proposal, rank: int) -> int:
        """Return the size of the final for entries with this rank in their pool."""
        place = next(place for place, final in enumerate(proposal.stages[1:]) if rank < final["first"] + final["count"])
        return self.finals[place]


@pytest.mark.parametrize("pairs", FIELDS)
def test_figures_agree_with_a_count_by_hand(pairs: int) -> None:
    question = ask(pairs)
    for proposal in find_plans(question).values():
        count = Count(pairs, proposal)
        assert sum(count.finals) == pairs, "everybody plays a final"
        assert proposal.rounds == count.pool_rounds + count.final_rounds
        assert proposal.rounds == count_plan_rounds(parse_stage_plan(proposal.stages), pairs)
        forecast = simulate_forecast(proposal, question, runs=5)
        assert (forecast.rounds, forecast.fewest_matches) == (proposal.rounds, count.fewest_matches)
        assert count.fewest_matches <= forecast.most_matches <= count.most_matches
        (choice,) = build_choices(question, [(proposal, forecast)])
        assert choice.tables == max(count.tables)
        assert choice.pool_finals is not None
        assert sorted(choice.pool_finals.pools) == sorted(count.pools)
        assert list(choice.pool_finals.finals) == count.finals
        assert choice.pool_finals.fewest_matches == count.fewest_matches


@pytest.mark.parametrize(
    ("pairs", "kinds"), [(13, set(KINDS)), (16, set(KINDS)), (23, set(KINDS)), (60, {KNOCKOUTS}), (7, set())]
)
def test_pools_and_finals_are_offered_if_they_make_sense(pairs: int, kinds: set[str]) -> None:
    assert find_plans(ask(pairs)).keys() == kinds


def play_match(chance: Random, length: MatchFormat, minutes_a_hand: float) -> float:
    """Return the minutes of a match at one table: games of about six hands each (maine), or a set length."""
    minutes, hands, games, left = 0.0, 0, [0, 0], 0
    while True:
        if left == 0:
            left = max(4, round(chance.gauss(5.8, 1.2)))
        minutes += minutes_a_hand * chance.uniform(0.5, 1.5)
        hands, left = hands + 1, left - 1
        games[chance.randrange(2)] += left == 0
        is_won = length.games_to_win is not None and max(games) >= length.games_to_win
        if is_won or hands == length.hands or (length.minutes is not None and minutes >= length.minutes):
            return minutes


def play_rounds(chance: Random, rounds: int, tables: int, length: MatchFormat) -> float:
    """Return the minutes of these rounds, each of which lasts as long as its slowest table."""
    return sum(
        max(play_match(chance, length, 4 * max(0.5, chance.gauss(1, 0.15 / 2**0.5))) for _ in range(tables))
        for _ in range(rounds)
    )


@pytest.mark.long
@pytest.mark.parametrize("pairs", [*FIELDS[:2], *LARGE_FIELDS])
def test_end_agrees_with_a_simulation_of_its_own(pairs: int) -> None:
    question = ask(pairs)
    for proposal in find_plans(question).values():
        count, chance, ends = Count(pairs, proposal), Random(pairs), []
        for _ in range(60):
            minutes = sum(play_rounds(chance, 1, tables, proposal.match_format) for tables in count.tables)
            for number in range(1, count.final_rounds + 1):
                is_knockout = proposal.key == KNOCKOUTS
                left = sum(
                    count_bracket_tables(size, number) if is_knockout else count_group_tables(size, number)
                    for size in count.finals
                )
                minutes += play_rounds(chance, 1, left, proposal.get_length(1))
            ends.append(minutes + 5 * (proposal.rounds - 1))
        forecast = simulate_forecast(proposal, question, runs=60)
        assert forecast.median == pytest.approx(median(ends), rel=0.06), proposal
        assert forecast.median <= question.minutes


@pytest.mark.long
@pytest.mark.parametrize("pairs", FIELDS)
def test_plan_that_cannot_end_in_time_is_not_offered(pairs: int) -> None:
    for minutes in (90, 150, 210, 300):
        question = ask(pairs, minutes)
        for proposal in find_plans(question).values():
            assert simulate_forecast(proposal, question, runs=9).median <= minutes


def test_finals_have_longer_matches_than_pools_where_time_allows() -> None:
    plan = find_plans(ask(16))[KNOCKOUTS]
    assert plan.get_length(1) != plan.match_format
    assert [phase.settings.match_format for phase in plan.phases] == [plan.get_length(1)] * 2


@pytest.mark.parametrize("key", KINDS)
def test_every_field_has_only_finals_of_two_or_more(key: str) -> None:
    for pairs in range(6, 61):
        for plan in list_pool_finals(key, pairs):
            assert sum(plan.pools) == sum(plan.finals) == pairs
            assert min(plan.finals) >= (2 if key == KNOCKOUTS else 3), plan
            assert parse_stage_plan(plan.stages)


def test_page_states_pools_finals_and_the_length_of_each_phase() -> None:
    question = ask(13, 300)
    plans = find_plans(question)
    found = [(plan, simulate_forecast(plan, question, runs=5)) for plan in plans.values()]
    context = {"question": question, "choices": build_choices(question, found), "make": "/make"}
    with translation.override("en"):
        text = " ".join(parse_html(render_to_string("tournaments/planner/proposals.html", context)).text.split())
        for key, plan in plans.items():
            count = Count(13, plan)
            sizes = " or ".join(map(str, sorted(set(count.pools))))
            pool_length, final_length = (match_length(plan.get_length(stage), question) for stage in (0, 1))
            assert f"Pools: {len(count.pools)}, of {sizes} each. A match: {pool_length}." in text
            assert f"In the finals, a match: {final_length}." in text
            assert f"{chr(64 + len(count.finals))}: the others ({count.finals[-1]})." in text, key
    assert GROUPS in plans
