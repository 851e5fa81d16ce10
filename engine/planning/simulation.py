"""Simulated tournaments of a plan, with the real draws and random results.

Skill is normal, drawn once for each entry and tournament; a side of two people is as strong as both added up,
over √2. Nobody is seeded: numbers are lots. All entries play all rounds.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from engine.draws import FORMATS, Draw, DrawInput, DrawnTable, Entrant, EntryId, Partners, PlayedPairing
from engine.draws.stages.drawing import draw_stage
from engine.draws.stages.plans import StagePlan, parse_stage_plan

from .forecasts import Forecast, SimulatedRun, compute_forecast
from .hands import MatchLength, build_length, draw_normal, draw_slowness, simulate_outcome
from .lengths import CHANGEOVER
from .proposals import Proposal
from .questions import PlanQuestion
from .running_standings import RunningStandings, compute_final_order, compute_kendall

Progress = Callable[[int, int], None]
"""Called after each run with the number done, and of how many. An exception from it stops the simulation."""


MAX_RUNS, MIN_RUNS = 200, 10

_BUDGET = 4.0
"""The seconds that the runs of one proposal may take, on a machine of 2026."""

_SECONDS_PER_ENTRY = 60e-6
"""The seconds that a round takes to draw and play, for each entry…"""

_SECONDS_PER_PAIR: Mapping[str, float] = {"swiss_individual": 3e-6, "rotation": 1.3e-6}
"""… and for its square, where people are matched with all others."""


def get_default_runs(proposal: Proposal, question: PlanQuestion) -> int:
    """Return how many runs are worth waiting for: the longer one takes, the fewer."""
    entries = question.entries
    slowest = max(_SECONDS_PER_PAIR.get(stage["format"], 0) for stage in proposal.stages)
    seconds = proposal.rounds * entries * (_SECONDS_PER_ENTRY + slowest * entries)
    return max(MIN_RUNS, min(MAX_RUNS, int(_BUDGET / seconds)))


def simulate(
    proposal: Proposal,
    question: PlanQuestion,
    *,
    runs: int,
    seed: int,
    progress: Progress,
    spread: float = 1.0,
) -> Forecast:
    """Simulate a plan and return its forecast, which depends on the seed alone, on every machine.

    ``spread`` scales the differences in skill, 0: all are equally good. Refuses: what ``parse_stage_plan`` refuses.
    """
    plan = parse_stage_plan(proposal.stages)
    lengths = [build_length(question.ruleset, proposal.get_length(stage)) for stage in range(len(plan))]
    simulated_runs = []
    for number in range(1, runs + 1):
        chance = Random(f"{seed}/{number}")  # noqa: S311 - anybody may play this again: no secret
        simulated_runs.append(_simulate_run(plan, lengths, question, chance, spread))
        progress(number, runs)
    return compute_forecast(simulated_runs)


@dataclass(slots=True)
class _Tournament:
    """A tournament in progress."""

    plan: StagePlan
    lengths: Sequence[MatchLength]
    hand_minutes: float
    chance: Random
    skill: dict[EntryId, float]
    slow: dict[EntryId, float]
    spread: float
    standings: RunningStandings
    stage_orders: list[Sequence[EntryId]]
    history: list[PlayedPairing] = field(default_factory=list)
    minutes: float = 0.0
    rounds: int = 0

    def iterate_rounds(self) -> Iterator[Draw]:
        """Yield each round as it is drawn, until there is nothing left to play."""
        while (draw := self._draw_round()).tables:
            self.rounds += 1
            yield draw

    def _draw_round(self) -> Draw:
        order = self.standings.get_order()
        points = self.standings.points
        draw_input = DrawInput(
            round=self.rounds + 1,
            entrants=tuple(Entrant(id=entry, number=entry, score=points[entry]) for entry in order),
            history=tuple(self.history),
            seed=int(2**32 * self.chance.random()),
        )
        started = len(self.stage_orders)
        draw = draw_stage(self.plan, draw_input, [*self.stage_orders, *[order] * (len(self.plan) - started)])
        stages = [_parse_stage(table.slot) for table in draw.tables]
        self.stage_orders += [order] * (min(stages, default=started) - started)
        return draw

    def play(self, draw: Draw) -> None:
        """Play all matches of a round, which lasts as long as its slowest table, and count its byes."""
        slowest = max(self._play_table(draw.round, table) for table in draw.tables)
        self.minutes += slowest + (CHANGEOVER if draw.round > 1 else 0)
        for bye in draw.byes:
            self.history.append(PlayedPairing(round=draw.round, a=(bye.entry,), slot=bye.slot))
            if not self._is_bracket(bye.slot):
                self.standings.record_bye(bye.entry)

    def _play_table(self, number: int, table: DrawnTable) -> float:
        """Play the match of one table; return its minutes."""
        outcome = simulate_outcome(
            self.lengths[_parse_stage(table.slot)],
            difference=self.spread * (self._get_strength(table.a) - self._get_strength(table.b)),
            hand_minutes=self.hand_minutes * self._get_slowness((*table.a, *table.b)),
            chance=self.chance,
            needs_winner=self._is_bracket(table.slot),
        )
        played = PlayedPairing(
            round=number,
            a=table.a,
            b=table.b,
            table=table.number,
            slot=table.slot,
            scores=self._get_scores(table),
            winner=outcome.winner,
        )
        self.history.append(played)
        self.standings.record_match(played, outcome.margin)
        return outcome.minutes

    def _get_strength(self, side: Partners) -> float:
        return sum(self.skill[entry] for entry in side) / sqrt(len(side))

    def _get_slowness(self, entries: Partners) -> float:
        return sum(self.slow[entry] for entry in entries) / len(entries)

    def _get_scores(self, table: DrawnTable) -> tuple[int, int]:
        a, b = (sum(self.standings.points[entry] for entry in side) for side in (table.a, table.b))
        return a, b

    def _is_bracket(self, slot: str) -> bool:
        return FORMATS[self.plan[_parse_stage(slot)].format].is_bracket


def _parse_stage(slot: str) -> int:
    """Return the stage that a slot belongs to, from 0: every drawn slot begins with it."""
    return int(slot.partition(":")[0]) - 1


def _simulate_run(
    plan: StagePlan, lengths: Sequence[MatchLength], question: PlanQuestion, chance: Random, spread: float
) -> SimulatedRun:
    entries = [EntryId(number) for number in range(1, question.entries + 1)]
    tournament = _Tournament(
        plan=plan,
        lengths=lengths,
        hand_minutes=question.minutes_a_hand,
        chance=chance,
        skill={entry: draw_normal(chance) for entry in entries},
        slow={entry: draw_slowness(chance) for entry in entries},
        spread=spread,
        standings=RunningStandings(entries, counts_opponents=not question.has_drawn_partners),
        stage_orders=[],
    )
    for draw in tournament.iterate_rounds():
        tournament.play(draw)
    order = compute_final_order(plan, tournament.history, tournament.standings.get_order(), tournament.stage_orders)
    skills = [tournament.skill[entry] for entry in order]
    return SimulatedRun(
        minutes=tournament.minutes,
        rounds=tournament.rounds,
        strongest_won=skills[0] == max(skills),
        kendall=compute_kendall(skills),
        **_count_meetings(entries, tournament.history),
    )


def _count_meetings(entries: Sequence[EntryId], history: Sequence[PlayedPairing]) -> dict[str, list[int]]:
    """Return by entry the numbers of matches, byes and different opponents."""
    matches, byes = dict.fromkeys(entries, 0), dict.fromkeys(entries, 0)
    met: defaultdict[EntryId, set[EntryId]] = defaultdict(set)
    for table in history:
        if not table.b:
            byes[table.a[0]] += 1
            continue
        for side, other in ((table.a, table.b), (table.b, table.a)):
            for entry in side:
                matches[entry] += 1
                met[entry].update(other)
    return {
        "matches": list(matches.values()),
        "byes": list(byes.values()),
        "opponents": [len(met[entry]) for entry in entries],
    }
