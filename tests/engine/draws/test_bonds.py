"""Entries kept apart by name: as far as each format can choose, and said where it cannot."""

from dataclasses import replace
from typing import Any

import pytest

from engine.draws import FORMATS, Bond, Draw, DrawInput, DrawnTable, EntryId, ReasonCode, draw
from engine.draws.bonds import ALWAYS, IF_POSSIBLE, kinds_of
from engine.draws.stages import draw_stage, stage_plan
from engine.draws.values import KeepsApart
from rules import Side

from .events import event, field, met, pairs


def apart(
    before: DrawInput, *groups: tuple[int, ...], kind: str = ALWAYS, rounds: int | None = None
) -> DrawInput:
    """The field with bonds of those groups."""
    return replace(
        before,
        entrants=tuple(
            replace(
                entrant,
                bonds=entrant.bonds
                | {Bond(kind, f"{group}", rounds) for group in groups if entrant.id in group},
            )
            for entrant in before.entrants
        ),
    )


def table_of(drawn: Draw, entry: int) -> DrawnTable:
    return next(table for table in drawn.tables if entry in (*table.a, *table.b))


def told(drawn: Draw, entry: int, code: ReasonCode) -> dict[str, Any]:
    return next(dict(reason.details) for reason in table_of(drawn, entry).reasons if reason.code is code)


CHOOSING = [key for key, known in FORMATS.items() if known.keeps_apart is KeepsApart.EACH_ROUND]
ONCE = [
    key for key, known in FORMATS.items() if known.keeps_apart in (KeepsApart.SEEDING, KeepsApart.FIRST_ROUND)
]


@pytest.mark.parametrize("kind", [ALWAYS, IF_POSSIBLE])
@pytest.mark.parametrize("key", [*CHOOSING, *ONCE])
def test_in_a_first_round_they_are_at_different_tables(key: str, kind: str) -> None:
    for seed in range(12):
        drawn = draw(key, apart(field(*range(16), seed=seed), (0, 8, 15), (1, 2), (3, 9), kind=kind))
        for group in ((0, 8, 15), (1, 2), (3, 9)):
            assert len({table_of(drawn, entry).number for entry in group}) == len(group)


@pytest.mark.parametrize("key", ["swiss", "random"])
def test_in_every_round_of_an_event_they_never_meet(key: str) -> None:
    for before, _ in event(key, 8, 5, seed=3):
        assert not {frozenset((0, 1)), frozenset((2, 5))} & pairs(draw(key, apart(before, (0, 1), (2, 5))))


def test_in_pools_they_are_in_different_ones_as_far_as_there_are_pools() -> None:
    plan = stage_plan([{"format": "pools", "settings": {"pools": 3}}])
    drawn = draw_stage(plan, apart(field(*range(12)), (3, 4, 8)))
    assert len({table_of(drawn, entry).slot for entry in (3, 4, 8)}) == 3


def test_for_the_first_rounds_alone_they_may_meet_afterwards() -> None:
    for played_round in (1, 2):
        before = apart(field(0, 1, played_round=played_round), (0, 1), rounds=1)
        codes = {reason.code for reason in table_of(draw("swiss", before), 0).reasons}
        assert (ReasonCode.FORBIDDEN_UNAVOIDABLE in codes) is (played_round == 1)


def test_of_a_club_for_the_first_rounds_alone_it_is_a_setting_of_the_format() -> None:
    def meets(played_round: int) -> bool:
        before = field(
            0, 1, 2, 3, played_round=played_round, must_not=["club"], apart_rounds=2, target="adjacent"
        )
        return frozenset((0, 1)) in pairs(draw("swiss", apart(before, (0, 1), kind="club")))

    assert [meets(number) for number in (1, 2, 3)] == [False, False, True]


def test_what_it_would_cost_to_keep_them_apart_stands_with_the_table() -> None:
    # 0 has met 2 and 3; whoever does not meet 1 meets somebody again.
    before = apart(
        field(0, 1, 2, 3, history=[met(1, 0, 2), met(2, 0, 3), met(1, 1, 3), met(2, 1, 2)]),
        (0, 1),
        kind=IF_POSSIBLE,
    )
    details = told(draw("swiss", before), 0, ReasonCode.BOND_UNAVOIDABLE)
    assert details == {"bonds": 1, "kinds": (IF_POSSIBLE,), "levels": {"repeats": 2}}


def test_who_must_not_meet_meets_somebody_again_rather() -> None:
    before = field(0, 1, 2, 3, history=[met(1, 0, 2), met(2, 0, 3), met(1, 1, 3), met(2, 1, 2)])
    assert frozenset((0, 1)) not in pairs(draw("swiss", apart(before, (0, 1))))


@pytest.mark.parametrize("key", ["round_robin", "mitchell"])
def test_a_format_that_cannot_choose_says_that_they_meet_all_the_same(key: str) -> None:
    before = field(*range(4), played_round=1)
    plan = stage_plan([{"format": key, "rounds": 3} if key == "mitchell" else {"format": key}])
    together = next(iter(pairs(draw_stage(plan, before))))
    drawn = draw_stage(plan, apart(before, tuple(together)))
    assert told(drawn, min(together), ReasonCode.BOND_SHARED) == {"bonds": 1, "kinds": (ALWAYS,)}


def test_later_in_a_bracket_it_is_said_that_they_meet_all_the_same() -> None:
    plan = stage_plan([{"format": "knockout"}])
    before = apart(field(*range(4)), (0, 1))
    first = draw_stage(plan, before)
    won = [
        replace(met(1, table.a[0], table.b[0]), slot=table.slot, winner=Side.A if table.a[0] < 2 else Side.B)
        for table in first.tables
    ]
    drawn = draw_stage(plan, replace(before, round=2, history=tuple(won)))
    assert pairs(drawn) == {frozenset((0, 1))}
    assert told(drawn, 0, ReasonCode.BOND_SHARED)["kinds"] == (ALWAYS,)


def test_a_later_stage_counts_the_rounds_of_the_event() -> None:
    plan = stage_plan(
        [{"format": "swiss", "rounds": 1}, {"format": "swiss", "settings": {"target": "adjacent"}}]
    )
    history = [replace(met(1, 0, 2), slot="1:"), replace(met(1, 1, 3), slot="1:")]
    for rounds, is_apart in ((1, False), (2, True)):
        before = apart(field(0, 1, 2, 3, history=history), (0, 1), rounds=rounds)
        drawn = draw_stage(plan, before, [[EntryId(entry) for entry in range(4)]] * 2)
        assert (frozenset((0, 1)) in pairs(drawn)) is not is_apart


def test_nobody_kept_apart_leaves_the_line_of_a_progressive_draw_as_it_was() -> None:
    for key in ("progressive", "progressive_individual"):
        before = field(*range(13), seed=5)
        alone = apart(before, (3, 99), kind="club")
        assert [(t.a, t.b) for t in draw(key, alone).tables] == [(t.a, t.b) for t in draw(key, before).tables]


def test_kinds_are_told_by_name_first() -> None:
    assert kinds_of([Bond("pool", "A"), Bond("club", "x"), Bond(ALWAYS, "1")]) == (ALWAYS, "club", "pool")
