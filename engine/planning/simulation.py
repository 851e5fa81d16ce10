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
from engine.draws.stages.plans import StagePlan, stage_plan

from .forecasts import Forecast, SimulatedRun, forecast_of
from .hands import Length, length_of, normal, played_match, slowness
from .lengths import CHANGEOVER
from .proposals import Proposal
from .questions import PlanQuestion
from .running_standings import Standing, final_order, kendall

Progress = Callable[[int, int], None]
"""Called after each run with the number done, and of how many. An exception from it stops the simulation."""


MOST_RUNS, FEWEST_RUNS = 200, 10

_BUDGET = 4.0
"""The seconds that the runs of one proposal may take, on a machine of 2026."""

_DRAWING = 60e-6
"""The seconds that a round takes to draw and play, for each entry…"""

_MATCHING: Mapping[str, float] = {"swiss_individual": 3e-6, "rotation": 1.3e-6}
"""… and for its square, where people are matched with all others."""


def usual_runs(proposal: Proposal, question: PlanQuestion) -> int:
    """Return how many runs are worth waiting for: the longer one takes, the fewer."""
    entries = question.entries
    slowest = max(_MATCHING.get(stage["format"], 0) for stage in proposal.stages)
    seconds = proposal.rounds * entries * (_DRAWING + slowest * entries)
    return max(FEWEST_RUNS, min(MOST_RUNS, int(_BUDGET / seconds)))


def simulate(
    proposal: Proposal,
    question: PlanQuestion,
    *,
    runs: int,
    seed: int,
    progress: Progress,
    spread: float = 1.0,
) -> Forecast:
    """Simulate a plan and return its outlook, which depends on the seed alone, on every machine.

    ``spread`` scales the differences in skill, 0: all are equally good. Refuses: what ``stage_plan`` refuses.
    """
    plan = stage_plan(proposal.stages)
    length = length_of(question.ruleset, proposal.match_format)
    played = []
    for number in range(1, runs + 1):
        chance = Random(f"{seed}/{number}")  # noqa: S311 - anybody may play this again: no secret
        played.append(_played_out(plan, length, question, chance, spread))
        progress(number, runs)
    return forecast_of(played)


@dataclass(slots=True)
class _Course:
    """A tournament in progress."""

    plan: StagePlan
    length: Length
    hand_minutes: float
    chance: Random
    skill: dict[EntryId, float]
    slow: dict[EntryId, float]
    spread: float
    standing: Standing
    stood: list[Sequence[EntryId]]
    history: list[PlayedPairing] = field(default_factory=list)
    minutes: float = 0.0
    rounds: int = 0

    def rounds_to_play(self) -> Iterator[Draw]:
        """Yield each round as it is drawn, until there is nothing left to play."""
        while (drawn := self._draw_round()).tables:
            self.rounds += 1
            yield drawn

    def _draw_round(self) -> Draw:
        order = self.standing.order()
        points = self.standing.points
        draw_input = DrawInput(
            round=self.rounds + 1,
            entrants=tuple(Entrant(id=entry, number=entry, score=points[entry]) for entry in order),
            history=tuple(self.history),
            seed=int(2**32 * self.chance.random()),
        )
        begun = len(self.stood)
        drawn = draw_stage(self.plan, draw_input, [*self.stood, *[order] * (len(self.plan) - begun)])
        stages = [_stage(table.slot) for table in drawn.tables]
        self.stood += [order] * (min(stages, default=begun) - begun)
        return drawn

    def play(self, drawn: Draw) -> None:
        """Play all matches of a round, which lasts as long as its slowest table, and count its byes."""
        slowest = max(self._play(drawn.round, table) for table in drawn.tables)
        self.minutes += slowest + (CHANGEOVER if drawn.round > 1 else 0)
        for bye in drawn.byes:
            self.history.append(PlayedPairing(round=drawn.round, a=(bye.entry,), slot=bye.slot))
            if not self._is_bracket(bye.slot):
                self.standing.note_bye(bye.entry)

    def _play(self, number: int, table: DrawnTable) -> float:
        """Play the match of one table; return its minutes."""
        outcome = played_match(
            self.length,
            difference=self.spread * (self._strength(table.a) - self._strength(table.b)),
            hand_minutes=self.hand_minutes * self._slowness((*table.a, *table.b)),
            chance=self.chance,
            needs_winner=self._is_bracket(table.slot),
        )
        played = PlayedPairing(
            round=number,
            a=table.a,
            b=table.b,
            table=table.number,
            slot=table.slot,
            scores=self._scores(table),
            winner=outcome.winner,
        )
        self.history.append(played)
        self.standing.note(played, outcome.margin)
        return outcome.minutes

    def _strength(self, side: Partners) -> float:
        return sum(self.skill[entry] for entry in side) / sqrt(len(side))

    def _slowness(self, entries: Partners) -> float:
        return sum(self.slow[entry] for entry in entries) / len(entries)

    def _scores(self, table: DrawnTable) -> tuple[int, int]:
        a, b = (sum(self.standing.points[entry] for entry in side) for side in (table.a, table.b))
        return a, b

    def _is_bracket(self, slot: str) -> bool:
        return FORMATS[self.plan[_stage(slot)].format].is_bracket


def _stage(slot: str) -> int:
    """Return the stage that a slot belongs to, from 0: every drawn slot begins with it."""
    return int(slot.partition(":")[0]) - 1


def _played_out(
    plan: StagePlan, length: Length, question: PlanQuestion, chance: Random, spread: float
) -> SimulatedRun:
    entries = [EntryId(number) for number in range(1, question.entries + 1)]
    course = _Course(
        plan=plan,
        length=length,
        hand_minutes=question.minutes_a_hand,
        chance=chance,
        skill={entry: normal(chance) for entry in entries},
        slow={entry: slowness(chance) for entry in entries},
        spread=spread,
        standing=Standing(entries, by_opponents=not question.are_drawn),
        stood=[],
    )
    for drawn in course.rounds_to_play():
        course.play(drawn)
    order = final_order(plan, course.history, course.standing.order(), course.stood)
    by_merit = [course.skill[entry] for entry in order]
    return SimulatedRun(
        minutes=course.minutes,
        rounds=course.rounds,
        strongest_won=by_merit[0] == max(by_merit),
        kendall=kendall(by_merit),
        **_count_meetings(entries, course.history),
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
