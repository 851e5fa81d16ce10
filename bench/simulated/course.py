"""Simulate random tournaments: arrivals, withdrawals, absences, the director's changes, and results.

All randomness comes from one seed, so the format and the seed reproduce a tournament.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

from engine.draws import Bond, Draw, DrawInput, DrawnTable, Entrant, EntryId, Format, LockedTable, PlayedPairing
from errors import Refusal
from rules import Side

TROUBLES = (
    "late",
    "leaves",
    "absent",
    "byes",
    "locked",
    "tables",
    "sides",
    "sections",
    "bonds",
    "apart",
    "forfeits",
    "drawn",
    "by_hand",
)
"""Irregularities of a tournament; a third of all tournaments have none, the others have some."""

MAX_ROUNDS = 45
"""Most rounds of a tournament; with more than 40 entries, five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """Facts about a format that are needed to simulate it.

    ``choices`` has values for optional settings, ``required_choices`` for those that are always set.
    ``round_settings`` returns the settings of one round. ``required_troubles`` always happen; at most
    ``max_entries`` take part.
    """

    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    required_choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    round_settings: Callable[[Random, DrawInput], Mapping[str, Any]] | None = None
    needs_winner: bool = False
    required_troubles: frozenset[str] = frozenset()
    max_entries: int = 130


@dataclass(frozen=True)
class Round:
    """Round as drawn, with its results after the director's changes."""

    draw_input: DrawInput
    draw: Draw
    results: tuple[PlayedPairing, ...] = ()

    @cached_property
    def entrants(self) -> dict[EntryId, Entrant]:
        return {entrant.id: entrant for entrant in self.draw_input.entrants}

    @cached_property
    def present(self) -> set[EntryId]:
        return {entrant.id for entrant in self.draw_input.entrants if entrant.is_present(self.draw_input.round)}

    @cached_property
    def tables(self) -> list[DrawnTable]:
        """Tables that the format drew, without the locked ones."""
        locked = {(table.number, table.a, table.b) for table in self.draw_input.locked}
        return [table for table in self.draw.tables if (table.number, table.a, table.b) not in locked]

    @cached_property
    def byes(self) -> list[EntryId]:
        """Entries with a bye that they did not request."""
        return [
            bye.entry for bye in self.draw.byes if self.draw_input.round not in self.entrants[bye.entry].requested_byes
        ]

    @cached_property
    def idle_counts(self) -> Counter[EntryId]:
        return count_idle_rounds(self.draw_input)


def count_idle_rounds(draw_input: DrawInput) -> Counter[EntryId]:
    """Count each entry's rounds without play: byes, and rounds in which it was absent."""
    history = draw_input.history
    placed = {(entry, table.round) for table in history for entry in (*table.a, *table.b)}
    away = {
        (entrant.id, table.round)
        for entrant in draw_input.entrants
        for table in history
        if table.round > 0 and not entrant.is_present(table.round)
    }
    idle = Counter(entry for table in history if not table.b for entry in table.a)
    idle.update(entry for entry, _ in away - placed)
    return idle


@dataclass(frozen=True)
class Course:
    """A simulated tournament: its rounds so far, and its ``troubles``.

    ``due_rounds`` is the number of rounds of the format, None without one. ``is_over`` after the last round;
    ``is_whole`` if all the due rounds were drawn, and one more.
    """

    format: Format
    settings: Mapping[str, Any]
    troubles: frozenset[str]
    rounds: list[Round]
    due_rounds: int | None
    is_over: bool = False

    @property
    def is_whole(self) -> bool:
        return self.is_over and self.due_rounds is not None and len(self.rounds) > self.due_rounds

    @property
    def is_quiet(self) -> bool:
        return not self.troubles

    @property
    def history(self) -> list[PlayedPairing]:
        return [table for each in self.rounds for table in each.results]


def simulate_courses(draw_format: Format, habits: PlaySettings, seed: int) -> Iterator[Course]:
    """Yield the tournament of this seed after each of its rounds."""
    chance = Random(f"{draw_format.key}/{seed}")
    troubles = _choose_troubles(chance) | habits.required_troubles
    count = min(habits.max_entries, _choose_size(chance))
    settings = _choose_settings(chance, habits)
    due = draw_format.rounds(count, settings)
    rounds = min(MAX_ROUNDS if count <= 40 else 5, chance.randint(1, 9 + 3 * (count < 12)) if due is None else due + 2)
    people = [_Person.random(chance, number, troubles, rounds) for number in range(1, count + 1)]
    chance.shuffle(ids := list(range(1, count + 1)))
    people = [
        replace(person, entrant=replace(person.entrant, id=EntryId(i))) for person, i in zip(people, ids, strict=True)
    ]
    course = Course(draw_format, settings, troubles, [], due)
    scores: Counter[EntryId] = Counter()
    for number in range(1, rounds + 1):
        draw_input = _build_draw_input(chance, course, people, scores, number)
        if habits.round_settings is not None:
            draw_input = replace(draw_input, settings=habits.round_settings(chance, draw_input))
        try:
            draw = draw_format.draw(draw_input)
        except Refusal as refusal:
            if refusal.code == "winner_missing" and troubles & {"locked", "by_hand"}:
                return  # the director removed an entry from a match, so that it has no winner
            raise
        results = _play_round(chance, draw, scores, course, habits, {p.entrant.id: p.skill for p in people})
        course.rounds.append(Round(draw_input, draw, results))
        yield replace(course, is_over=number == rounds)


BONDS = (
    ("bonds", "club", "abcde", None),
    ("bonds", "family", "abcde", None),
    ("apart", "apart", "abcdefghij", None),
    ("apart", "apart", "klmnop", 2),
    ("apart", "rather_apart", "abcdefghij", None),
)
"""Bonds of entries: the trouble that adds them, kind, names, and the rounds in which they hold (None: all)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """Entrant with a skill; the desk may know in advance when it arrives late, leaves or is absent."""

    entrant: Entrant
    skill: float
    gives_notice: bool

    @classmethod
    def random(cls, chance: Random, number: int, troubles: frozenset[str], rounds: int) -> _Person:
        def is_hit(trouble: str, likelihood: float) -> bool:
            return trouble in troubles and chance.random() < likelihood

        entrant = Entrant(
            id=EntryId(number),
            number=number,
            bonds=frozenset(
                Bond(kind, chance.choice(names), rounds)
                for trouble, kind, names, rounds in BONDS
                if trouble in troubles and chance.random() < 2 / 3
            ),
            section=chance.choice(("hall", "stage", None)) if "sections" in troubles else None,
            table=chance.randint(1, 12) if is_hit("tables", 0.1) else None,
            side=chance.choice(list(Side)) if is_hit("sides", 0.15) else None,
            arrives=chance.randint(2, rounds + 1) if is_hit("late", 0.15) else 1,
            leaves_after=chance.randint(1, rounds) if is_hit("leaves", 0.15) else None,
            absent=frozenset(n for n in range(1, rounds + 1) if is_hit("absent", 0.1)),
            requested_byes=frozenset(n for n in range(1, rounds + 1) if is_hit("byes", 0.1)),
        )
        return cls(entrant=entrant, skill=chance.gauss(0, 1), gives_notice=chance.random() < 1 / 2)

    def get_known_entrant(self, number: int) -> Entrant | None:
        """Return the entrant as the desk knows it when this round is drawn; None before its arrival."""
        entrant = self.entrant
        if self.gives_notice:
            return entrant
        if entrant.arrives > number:
            return None
        leaves = entrant.leaves_after
        return replace(
            entrant,
            leaves_after=leaves if leaves is not None and leaves < number else None,
            absent=frozenset(each for each in entrant.absent if each <= number),
            requested_byes=frozenset(each for each in entrant.requested_byes if each <= number),
        )


def _choose_troubles(chance: Random) -> frozenset[str]:
    likelihood = chance.choice((0, 0.15, 0.4))
    return frozenset(trouble for trouble in TROUBLES if chance.random() < likelihood)


def _choose_size(chance: Random) -> int:
    maximum = chance.choices((14, 40, 130), (60, 37, 3))[0]
    return chance.randint(0, maximum)


def _choose_settings(chance: Random, habits: PlaySettings) -> dict[str, Any]:
    chosen = {}
    for name, values in habits.choices.items():
        if chance.random() < 1 / 4:
            chosen[name] = chance.choice(values)
    return chosen | {name: chance.choice(values) for name, values in habits.required_choices.items()}


def _build_draw_input(
    chance: Random, course: Course, people: Sequence[_Person], scores: Mapping[EntryId, int], number: int
) -> DrawInput:
    known_entrants = [entrant for person in people if (entrant := person.get_known_entrant(number)) is not None]
    chance.shuffle(known_entrants)
    standings = sorted(known_entrants, key=lambda entrant: -scores.get(entrant.id, 0))
    entrants = tuple(replace(entrant, score=scores.get(entrant.id, 0)) for entrant in standings)
    present = [
        entrant.id for entrant in entrants if entrant.is_present(number) and number not in entrant.requested_byes
    ]
    max_tables = 15 + len(people)  # more than the locked tables and the fixed tables of entries
    return DrawInput(
        round=number,
        entrants=entrants,
        history=tuple(course.history),
        section_tables={"hall": (2, max_tables), "stage": (max_tables + 2, 2 * max_tables)}
        if "sections" in course.troubles
        else {},
        locked=tuple(_lock_tables(chance, present, course.format.side)) if "locked" in course.troubles else (),
        settings=course.settings,
        seed=chance.randrange(2**32),
    )


def _lock_tables(chance: Random, present: list[EntryId], side: int) -> Iterator[LockedTable]:
    chance.shuffle(present)
    numbers = chance.sample(range(1, 10 + len(present)), k=3)
    for number in numbers[: chance.choice((0, 0, 1, 1, 2, 3))]:
        if len(present) < 2 * side:
            return
        one, other = (tuple(present.pop() for _ in range(side)) for _ in range(2))
        yield LockedTable(number=number, a=one, b=other)


def _play_round(
    chance: Random,
    draw: Draw,
    scores: Counter[EntryId],
    course: Course,
    habits: PlaySettings,
    skill: Mapping[EntryId, float],
) -> tuple[PlayedPairing, ...]:
    """Play the round, where the director may exchange sides between two tables, and add to the scores."""
    tables = list(draw.tables)
    if "by_hand" in course.troubles and len(tables) > 1 and chance.random() < 0.3:
        one, other = chance.sample(range(len(tables)), k=2)
        tables[one], tables[other] = (
            replace(tables[one], b=tables[other].b),
            replace(tables[other], b=tables[one].b),
        )
    results = [_play_table(chance, draw.round, table, scores, course.troubles, habits, skill) for table in tables]
    results += [PlayedPairing(round=draw.round, a=(bye.entry,), slot=bye.slot) for bye in draw.byes]
    for table in results:
        for entries, side in ((table.a, Side.A), (table.b, Side.B)):
            won = table.winner is side or not table.b
            scores.update(dict.fromkeys(entries, 2 * won + (table.winner is None and bool(table.b))))
    return tuple(results)


def _play_table(
    chance: Random,
    number: int,
    table: DrawnTable,
    scores: Mapping[EntryId, int],
    troubles: frozenset[str],
    habits: PlaySettings,
    skill: Mapping[EntryId, float],
) -> PlayedPairing:
    a, b = (sum(skill[entry] for entry in side) / len(side) for side in (table.a, table.b))
    winner: Side | None = Side.A if chance.random() < 1 / (1 + 3 ** (b - a)) else Side.B
    is_forfeit = "forfeits" in troubles and chance.random() < 0.1
    if not habits.needs_winner and "drawn" in troubles and chance.random() < 0.15:
        winner = None
    return PlayedPairing(
        round=number,
        a=table.a,
        b=table.b,
        table=table.number,
        slot=table.slot,
        scores=(sum(scores[entry] for entry in table.a), sum(scores[entry] for entry in table.b)),
        winner=winner,
        is_forfeit=is_forfeit,
    )
