"""Two or three people without a table of four: byes and tables of two rotate together."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing, ReasonCode, draw

from .events import play_round

FORMATS = ("rotation", "swiss_individual", "by_rank")


def build_people(count: int, **settings: object) -> DrawInput:
    entrants = tuple(Entrant(id=EntryId(number), number=number) for number in range(1, count + 1))
    return DrawInput(round=1, entrants=entrants, settings={"odd": "two_player_table", **settings})


@pytest.mark.slow
@given(st.sampled_from(FORMATS), st.integers(5, 15), st.integers(1, 6), st.integers(0, 9))
def test_no_person_is_left_over_twice_before_everyone_once(format_key: str, count: int, rounds: int, seed: int) -> None:
    state = build_people(count)
    times: Counter[int] = Counter({entrant.id: 0 for entrant in state.entrants})
    for number in range(1, rounds + 1):
        drawn = draw(format_key, replace(state, round=number, seed=seed + number))
        at_two = [entry for table in drawn.tables if len(table.a) == 1 for entry in (*table.a, *table.b)]
        times.update([*(bye.entry for bye in drawn.byes), *at_two])
        assert max(times.values()) - min(times.values()) <= 1
        state = replace(state, history=(*state.history, *play_round(drawn)))


@pytest.mark.parametrize("format_key", FORMATS)
def test_older_version_counts_byes_alone(format_key: str) -> None:
    state = replace(build_people(7), version=6)
    times: Counter[int] = Counter({entrant.id: 0 for entrant in state.entrants})
    for number in range(1, 3):
        drawn = draw(format_key, replace(state, round=number, seed=number))
        at_two = [entry for table in drawn.tables if len(table.a) == 1 for entry in (*table.a, *table.b)]
        times.update([*(bye.entry for bye in drawn.byes), *at_two])
        state = replace(state, history=(*state.history, *play_round(drawn)))
    assert sum(times.values()) == 6


def build_pairing(number: int, a: tuple[int, ...], b: tuple[int, ...] = ()) -> PlayedPairing:
    return PlayedPairing(round=number, a=tuple(map(EntryId, a)), b=tuple(map(EntryId, b)))


def test_bye_reason_counts_two_player_tables_as_well() -> None:
    history = (
        *(build_pairing(1, (one,), (one + 1,)) for one in (1, 3, 5)),
        build_pairing(1, (7,)),
        *(build_pairing(2, (1,), (2,)), build_pairing(2, (3, 4), (5, 7)), build_pairing(2, (6,))),
        *(build_pairing(3, (3,), (4,)), build_pairing(3, (1, 2), (6, 7)), build_pairing(3, (5,))),
    )
    (bye,) = draw("by_rank", replace(build_people(7), round=4, history=history)).byes
    assert (bye.entry, [reason.code for reason in bye.reasons]) == (7, [ReasonCode.FEWEST_LEFT_OVER])
