"""The progressive draw: moves between tables, byes and partners."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from errors import Refusal
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import Event, favourite_wins, fields_with_absentees, play, play_next_round, random_result, start

KEYS = {"progressive": 2, "progressive_individual": 4}


def build_table(
    number: int, a: tuple[int, ...], b: tuple[int, ...], winner: Side | None, played_round: int = 1
) -> PlayedPairing:
    return PlayedPairing(
        round=played_round,
        table=number,
        a=tuple(map(EntryId, a)),
        b=tuple(map(EntryId, b)),
        winner=winner,
    )


def list_seats(drawn: Draw) -> list[set[int]]:
    return [{*table.a, *table.b} for table in drawn.tables]


def build_input_after(entrants: int, *played: PlayedPairing, **settings: Any) -> DrawInput:
    return replace(start(entrants, **settings), round=played[0].round + 1, history=played)


SIX = (
    build_table(1, (1,), (2,), Side.A),
    build_table(2, (3,), (4,), Side.A),
    build_table(3, (5,), (6,), Side.A),
)


def test_winners_move_up_and_losers_move_down() -> None:
    assert list_seats(draw("progressive", build_input_after(6, *SIX))) == [{1, 3}, {2, 5}, {4, 6}]


def test_every_move_has_a_reason() -> None:
    reasons = draw("progressive", build_input_after(6, *SIX)).tables[1].reasons
    assert {reason.code for reason in reasons} == {ReasonCode.PROGRESSED}
    assert {(reason.details["entry"], reason.details["table"], reason.details["won"]) for reason in reasons} == {
        (2, 1, False),
        (5, 3, True),
    }


def test_individuals_move_with_their_partner_and_split_at_the_new_table() -> None:
    played = (build_table(1, (1, 2), (3, 4), Side.A), build_table(2, (5, 6), (7, 8), Side.B))
    drawn = draw("progressive_individual", build_input_after(8, *played))
    assert list_seats(drawn) == [{1, 2, 7, 8}, {3, 4, 5, 6}]
    sides = [{*side} for table in drawn.tables for side in (table.a, table.b)]
    assert not any(side in ({1, 2}, {3, 4}, {5, 6}, {7, 8}) for side in sides)


@pytest.mark.parametrize("seed", range(8))
def test_former_opponents_become_partners_rather_than_opponents_again(seed: int) -> None:
    met_before = (build_table(1, (1, 3), (7, 4), Side.A), build_table(2, (2, 5), (8, 6), Side.A))
    played = (build_table(1, (1, 2), (3, 4), Side.A, 2), build_table(2, (5, 6), (7, 8), Side.B, 2))
    before = replace(build_input_after(8, *met_before, *played), round=3, seed=seed)
    first = draw("progressive_individual", before).tables[0]
    assert {frozenset(first.a), frozenset(first.b)} == {frozenset({1, 7}), frozenset({2, 8})}


@pytest.mark.parametrize("seed", range(8))
def test_individuals_with_more_rounds_on_side_a_sit_on_side_b(seed: int) -> None:
    at_first = build_table(1, (1, 5), (3, 6), Side.A)
    met_before = (build_table(1, (1, 3), (7, 4), Side.A, 2), build_table(2, (2, 5), (8, 6), Side.A, 2))
    played = (build_table(1, (1, 2), (3, 4), Side.A, 3), build_table(2, (5, 6), (7, 8), Side.B, 3))
    before = replace(build_input_after(8, at_first, *met_before, *played), round=4, seed=seed)
    assert {*draw("progressive_individual", before).tables[0].b} == {1, 7}


def test_earlier_partners_are_avoided_if_possible() -> None:
    before = [
        build_table(1, (1, 7), (2, 8), Side.A, played_round=1),
        build_table(1, (1, 2), (3, 4), Side.A, played_round=2),
        build_table(2, (5, 6), (7, 8), Side.B, played_round=2),
    ]
    drawn = draw("progressive_individual", replace(start(8), round=3, history=tuple(before)))
    assert {frozenset(drawn.tables[0].a), frozenset(drawn.tables[0].b)} == {
        frozenset({1, 8}),
        frozenset({2, 7}),
    }


def test_person_bound_to_a_side_sits_there_with_any_partner() -> None:
    away: dict[int, dict[str, Any]] = {1: {"side": Side.B}, 2: {"side": Side.B}, 3: {"side": Side.A}}
    event = play("progressive_individual", start(4, away), rounds=4)
    assert all({*drawn.tables[0].b} == {1, 2} for drawn in event.draws)


def test_single_table_rotates_all_partners_in_three_rounds() -> None:
    event = play("progressive_individual", start(4), rounds=3)
    assert len({frozenset(side) for played in event.history for side in (played.a, played.b)}) == 6


def test_first_round_is_drawn_by_lot_or_number() -> None:
    assert list_seats(draw("progressive", start(6, first_round="number"))) == [{1, 2}, {3, 4}, {5, 6}]
    lots = {tuple(map(frozenset, list_seats(draw("progressive", replace(start(6), seed=seed))))) for seed in range(9)}
    assert len(lots) > 1


def test_table_without_a_winner_is_decided_by_lot() -> None:
    played = (build_table(1, (1,), (2,), None), *SIX[1:])
    tops = Counter[frozenset[int]]()
    for seed in range(40):
        drawn = draw("progressive", replace(build_input_after(6, *played), seed=seed))
        tops[frozenset(list_seats(drawn)[0])] += 1
        assert [reason.details for reason in drawn.tables[0].reasons if reason.code is ReasonCode.BY_LOT] == [
            {"table": 1}
        ]
        moved = [reason for each in drawn.tables for reason in each.reasons if "won" in reason.details]
        won = {reason.details["entry"]: reason.details["won"] for reason in moved}
        assert (won[EntryId(1)], won[EntryId(2)], won[EntryId(3)]) == (None, None, True)
    assert tops.keys() == {frozenset({1, 3}), frozenset({2, 3})}
    assert min(tops.values()) > 10


def test_entry_with_a_bye_returns_at_the_bottom() -> None:
    played = (*SIX, PlayedPairing(round=1, a=(EntryId(7),)))
    drawn = draw("progressive", build_input_after(7, *played))
    assert list_seats(drawn) == [{1, 3}, {2, 5}, {4, 7}]
    assert [bye.entry for bye in drawn.byes] == [6]


def test_entry_with_a_bye_is_seated_above_new_arrivals() -> None:
    played = (build_table(1, (4,), (5,), Side.A), PlayedPairing(round=1, a=(EntryId(6),)))
    assert list_seats(draw("progressive", build_input_after(6, *played))) == [{4, 5}, {1, 6}, {2, 3}]


def test_gap_is_filled_from_the_bottom_without_other_moves() -> None:
    before = build_input_after(6, *SIX)
    gone = tuple(replace(e, leaves_after=1) if e.id in (3, 4) else e for e in before.entrants)
    drawn = draw("progressive", replace(before, entrants=gone))
    assert list_seats(drawn) == [{1, 6}, {2, 5}]
    codes = [reason.code for reason in drawn.tables[0].reasons if reason.details.get("entry") == 6]
    assert codes == [ReasonCode.PROGRESSED]


def test_late_entries_start_at_the_bottom() -> None:
    before = build_input_after(6, *SIX)
    late = tuple(Entrant(id=EntryId(number), number=number, arrives=2) for number in (7, 8))
    drawn = draw("progressive", replace(before, entrants=(*before.entrants, *late)))
    assert list_seats(drawn) == [{1, 3}, {2, 5}, {4, 6}, {7, 8}]
    assert {reason.code for reason in drawn.tables[3].reasons} == {ReasonCode.FILLED_IN}


def test_entry_with_a_fixed_table_still_moves_up_and_down() -> None:
    event = Event(start(6, {3: {"table": 9}}, first_round="number"))
    assert [(table.number, table.slot) for table in play_next_round(event, "progressive", favourite_wins).tables] == [
        (1, "T1"),
        (9, "T2"),
        (2, "T3"),
    ]
    assert list_seats(play_next_round(event, "progressive", favourite_wins)) == [{1, 3}, {2, 5}, {4, 6}]


def test_locked_table_stays_and_the_others_are_drawn_around_it() -> None:
    locked = (LockedTable(number=2, a=(EntryId(1),), b=(EntryId(6),)),)
    drawn = draw("progressive", replace(build_input_after(6, *SIX), locked=locked))
    assert [(table.number, {*table.a, *table.b}) for table in drawn.tables] == [
        (2, {1, 6}),
        (1, {3, 4}),
        (3, {2, 5}),
    ]


def test_table_of_another_size_reseats_everyone() -> None:
    played = (build_table(1, (1,), (2,), Side.A), build_table(2, (3, 4, 5), (6, 7, 8), Side.A))
    drawn = draw("progressive_individual", build_input_after(8, *played))
    assert list_seats(drawn) == [{1, 3, 4, 5}, {2, 6, 7, 8}]
    drawn = draw(
        "progressive_individual", build_input_after(8, *played[::-1], build_table(3, (9, 10), (11, 12), Side.B))
    )
    assert sorted(entry for table in list_seats(drawn) for entry in table) == list(range(1, 9))


@pytest.mark.slow
@given(st.sampled_from([*KEYS]), fields_with_absentees(), st.integers())
@property_settings
def test_every_present_entry_is_seated_or_has_a_bye(key: str, before: DrawInput, seed: int) -> None:
    size = KEYS[key]
    event = play(key, before, random_result(seed), rounds=7)
    for drawn in event.draws:
        present = [entrant for entrant in before.entrants if entrant.is_present(drawn.round)]
        bye_requests = [entrant.id for entrant in present if drawn.round in entrant.requested_byes]
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        idle = [bye.entry for bye in drawn.byes]
        assert sorted(seated + idle) == sorted(entrant.id for entrant in present)
        assert len(idle) - len(bye_requests) == (len(present) - len(bye_requests)) % size
        assert all(len(table.a) == len(table.b) == size // 2 for table in drawn.tables)


@pytest.mark.slow
@given(st.sampled_from([*KEYS]), st.integers(5, 25), st.integers())
@property_settings
def test_no_entry_has_a_second_bye_before_everyone_had_one(key: str, entrants: int, seed: int) -> None:
    event = play(key, start(entrants), random_result(seed), rounds=12)
    byes = Counter(dict.fromkeys(range(1, entrants + 1), 0))
    for drawn in event.draws:
        byes.update(bye.entry for bye in drawn.byes)
        assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.slow
@given(st.integers(1, 12), st.integers())
@property_settings
def test_full_field_moves_by_one_table_and_the_ends_stay(tables: int, seed: int) -> None:
    event = play("progressive", start(2 * tables), random_result(seed), rounds=6)
    chance = Random(seed)
    for _ in range(3):
        play_next_round(event, "progressive", lambda one, other: chance.random() < 1 / 2)
    places = [
        {entry: (place, entry in table.a) for place, table in enumerate(drawn.tables) for entry in (*table.a, *table.b)}
        for drawn in event.draws
    ]
    won = {
        (played.round, entry): (played.winner is Side.A) == (entry in played.a)
        for played in event.history
        for entry in (*played.a, *played.b)
    }
    for (number, now), then in zip(enumerate(places, start=1), places[1:], strict=False):
        for entry, (place, _) in now.items():
            wanted = max(0, place - 1) if won[number, entry] else min(tables - 1, place + 1)
            assert then[entry][0] == wanted


@pytest.mark.slow
@given(st.integers(2, 8), st.integers())
@property_settings
def test_no_person_has_the_same_partner_twice_in_a_row(tables: int, seed: int) -> None:
    event = play("progressive_individual", start(4 * tables), random_result(seed), rounds=8)
    partners = [{frozenset(side) for table in drawn.tables for side in (table.a, table.b)} for drawn in event.draws]
    assert not any(now & then for now, then in pairwise(partners))


@pytest.mark.slow
@given(st.sampled_from([*KEYS]), fields_with_absentees(most=12), st.integers(0, 3), st.integers())
@property_settings
def test_draw_does_not_depend_on_ids_or_history_order(key: str, before: DrawInput, rounds: int, seed: int) -> None:
    event = play(key, before, random_result(seed), rounds=rounds)
    renamed = {entrant.id: EntryId(1000 - entrant.id) for entrant in before.entrants}

    def other(entries: tuple[EntryId, ...]) -> tuple[EntryId, ...]:
        return tuple(renamed[entry] for entry in entries)

    twin = replace(
        event.draw_input,
        entrants=tuple(replace(entrant, id=renamed[entrant.id]) for entrant in event.draw_input.entrants),
        history=tuple(replace(table, a=other(table.a), b=other(table.b)) for table in event.history[::-1]),
    )
    drawn, drawn_twin = draw(key, event.draw_input), draw(key, twin)
    assert [(other(table.a), other(table.b)) for table in drawn.tables] == [
        (table.a, table.b) for table in drawn_twin.tables
    ]
    assert [renamed[bye.entry] for bye in drawn.byes] == [bye.entry for bye in drawn_twin.byes]


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"first_round": "age"}, "no_such_choice"), ({"partners": "stay"}, "no_such_setting")],
)
def test_progressive_rejects_invalid_settings(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        draw("progressive", replace(start(4), settings=settings))
