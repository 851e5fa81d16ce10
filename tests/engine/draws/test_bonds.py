"""Entries kept apart by the director: as far as each format has a choice, and reported where it has none."""

from dataclasses import replace
from typing import Any

import pytest

from engine.draws import FORMATS, Bond, Draw, DrawInput, DrawnTable, EntryId, ReasonCode, draw
from engine.draws.bonds import ALWAYS, IF_POSSIBLE, list_bond_kinds
from engine.draws.stages import draw_stage, parse_stage_plan
from engine.draws.values import SeparationTiming
from rules import Side

from .events import build_field, build_pairing, list_pairs, simulate_event


def add_bonds(before: DrawInput, *groups: tuple[int, ...], kind: str = ALWAYS, rounds: int | None = None) -> DrawInput:
    """Return the field with bonds between the entries of each group."""
    return replace(
        before,
        entrants=tuple(
            replace(
                entrant,
                bonds=entrant.bonds | {Bond(kind, f"{group}", rounds) for group in groups if entrant.id in group},
            )
            for entrant in before.entrants
        ),
    )


def find_table(drawn: Draw, entry: int) -> DrawnTable:
    return next(table for table in drawn.tables if entry in (*table.a, *table.b))


def get_reason_details(drawn: Draw, entry: int, code: ReasonCode) -> dict[str, Any]:
    return next(dict(reason.details) for reason in find_table(drawn, entry).reasons if reason.code is code)


FORMATS_PER_ROUND = [
    key for key, draw_format in FORMATS.items() if draw_format.separation is SeparationTiming.EACH_ROUND
]
FORMATS_SEEDED_ONCE = [
    key
    for key, draw_format in FORMATS.items()
    if draw_format.separation in (SeparationTiming.SEEDING, SeparationTiming.FIRST_ROUND)
]


@pytest.mark.parametrize("kind", [ALWAYS, IF_POSSIBLE])
@pytest.mark.parametrize("key", [*FORMATS_PER_ROUND, *FORMATS_SEEDED_ONCE])
def test_first_round_seats_kept_apart_entries_at_different_tables(key: str, kind: str) -> None:
    for seed in range(12):
        drawn = draw(key, add_bonds(build_field(*range(16), seed=seed), (0, 8, 15), (1, 2), (3, 9), kind=kind))
        for group in ((0, 8, 15), (1, 2), (3, 9)):
            assert len({find_table(drawn, entry).number for entry in group}) == len(group)


@pytest.mark.parametrize("key", ["swiss", "random"])
def test_kept_apart_entries_never_meet_in_any_round(key: str) -> None:
    for before, _ in simulate_event(key, 8, 5, seed=3):
        assert not {frozenset((0, 1)), frozenset((2, 5))} & list_pairs(draw(key, add_bonds(before, (0, 1), (2, 5))))


def test_kept_apart_entries_go_to_different_pools() -> None:
    plan = parse_stage_plan([{"format": "pools", "settings": {"pools": 3}}])
    drawn = draw_stage(plan, add_bonds(build_field(*range(12)), (3, 4, 8)))
    assert len({find_table(drawn, entry).slot for entry in (3, 4, 8)}) == 3


def test_keep_apart_for_first_rounds_allows_a_later_meeting() -> None:
    for played_round in (1, 2):
        before = add_bonds(build_field(0, 1, played_round=played_round), (0, 1), rounds=1)
        codes = {reason.code for reason in find_table(draw("swiss", before), 0).reasons}
        assert (ReasonCode.FORBIDDEN_UNAVOIDABLE in codes) is (played_round == 1)


def test_apart_rounds_setting_limits_how_long_clubs_stay_apart() -> None:
    def meets(played_round: int) -> bool:
        before = build_field(
            0, 1, 2, 3, played_round=played_round, must_not=["club"], apart_rounds=2, target="adjacent"
        )
        return frozenset((0, 1)) in list_pairs(draw("swiss", add_bonds(before, (0, 1), kind="club")))

    assert [meets(number) for number in (1, 2, 3)] == [False, False, True]


def test_reason_states_the_cost_of_keeping_entries_apart() -> None:
    # 0 and 1 have met both others: unless they meet each other, there are two rematches.
    before = add_bonds(
        build_field(
            0,
            1,
            2,
            3,
            history=[build_pairing(1, 0, 2), build_pairing(2, 0, 3), build_pairing(1, 1, 3), build_pairing(2, 1, 2)],
        ),
        (0, 1),
        kind=IF_POSSIBLE,
    )
    details = get_reason_details(draw("swiss", before), 0, ReasonCode.BOND_UNAVOIDABLE)
    assert details == {"bonds": 1, "kinds": (IF_POSSIBLE,), "levels": {"repeats": 2}}


def test_draw_prefers_a_rematch_to_a_forbidden_meeting() -> None:
    before = build_field(
        0,
        1,
        2,
        3,
        history=[build_pairing(1, 0, 2), build_pairing(2, 0, 3), build_pairing(1, 1, 3), build_pairing(2, 1, 2)],
    )
    assert frozenset((0, 1)) not in list_pairs(draw("swiss", add_bonds(before, (0, 1))))


@pytest.mark.parametrize("key", ["round_robin", "mitchell"])
def test_fixed_schedule_reports_a_meeting_of_kept_apart_entries(key: str) -> None:
    before = build_field(*range(4), played_round=1)
    plan = parse_stage_plan([{"format": key, "rounds": 3} if key == "mitchell" else {"format": key}])
    together = next(iter(list_pairs(draw_stage(plan, before))))
    drawn = draw_stage(plan, add_bonds(before, tuple(together)))
    assert get_reason_details(drawn, min(together), ReasonCode.BOND_SHARED) == {"bonds": 1, "kinds": (ALWAYS,)}


def test_later_bracket_round_reports_a_meeting_of_kept_apart_entries() -> None:
    plan = parse_stage_plan([{"format": "knockout"}])
    before = add_bonds(build_field(*range(4)), (0, 1))
    first = draw_stage(plan, before)
    won = [
        replace(build_pairing(1, table.a[0], table.b[0]), slot=table.slot, winner=Side.A if table.a[0] < 2 else Side.B)
        for table in first.tables
    ]
    drawn = draw_stage(plan, replace(before, round=2, history=tuple(won)))
    assert list_pairs(drawn) == {frozenset((0, 1))}
    assert get_reason_details(drawn, 0, ReasonCode.BOND_SHARED)["kinds"] == (ALWAYS,)


def test_a_later_stage_counts_the_rounds_of_the_event() -> None:
    plan = parse_stage_plan([{"format": "swiss", "rounds": 1}, {"format": "swiss", "settings": {"target": "adjacent"}}])
    history = [replace(build_pairing(1, 0, 2), slot="1:"), replace(build_pairing(1, 1, 3), slot="1:")]
    for rounds, is_apart in ((1, False), (2, True)):
        before = add_bonds(build_field(0, 1, 2, 3, history=history), (0, 1), rounds=rounds)
        drawn = draw_stage(plan, before, [[EntryId(entry) for entry in range(4)]] * 2)
        assert (frozenset((0, 1)) in list_pairs(drawn)) is not is_apart


def test_bond_without_a_partner_leaves_the_progressive_draw_unchanged() -> None:
    for key in ("progressive", "progressive_individual"):
        before = build_field(*range(13), seed=5)
        alone = add_bonds(before, (3, 99), kind="club")
        assert [(t.a, t.b) for t in draw(key, alone).tables] == [(t.a, t.b) for t in draw(key, before).tables]


def test_bond_kinds_list_explicit_bonds_first() -> None:
    assert list_bond_kinds([Bond("pool", "A"), Bond("club", "x"), Bond(ALWAYS, "1")]) == (ALWAYS, "club", "pool")
