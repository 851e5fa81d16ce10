import pytest

from engine.draws import Entrant, EntryId, PlayedPairing
from engine.draws.history import History
from rules import Side

from .events import met, sat_out

ANNE, BASILE, CLARA, DENIS = map(EntryId, (1, 2, 3, 4))

PLAYED = (met(3, 2, 1), met(1, 1, 2), met(2, 1, 3), sat_out(2, 2), sat_out(1, 3))


def test_a_meeting_is_one_from_either_side() -> None:
    assert History(PLAYED).rounds_met(ANNE, BASILE) == History(PLAYED).rounds_met(BASILE, ANNE) == (1, 3)


def test_a_bye_is_no_meeting() -> None:
    assert History(PLAYED).byes(CLARA) == (1,)
    assert History(PLAYED).byes(ANNE) == ()
    assert History(PLAYED).rounds_met(BASILE, CLARA) == ()


@pytest.mark.parametrize(
    ("entrant", "idle"),
    [
        (Entrant(id=CLARA, number=3), 1),
        (Entrant(id=CLARA, number=3, absent=frozenset({3, 9})), 2),
        (Entrant(id=CLARA, number=3, absent=frozenset({1})), 1),
        (Entrant(id=CLARA, number=3, absent=frozenset({2})), 1),
        (Entrant(id=DENIS, number=4, arrives=4), 3),
        (Entrant(id=DENIS, number=4, arrives=3, absent=frozenset({3})), 3),
        (Entrant(id=ANNE, number=1), 0),
    ],
)
def test_a_round_is_idle_that_was_sat_out_or_missed_and_not_one_in_which_the_entry_sat_at_a_table(
    entrant: Entrant, idle: int
) -> None:
    assert History(PLAYED, entrants=[entrant]).idle_rounds(entrant.id) == idle


def test_what_came_before_a_stage_was_not_missed_in_it() -> None:
    late = Entrant(id=DENIS, number=4, arrives=2)
    assert History([met(-1, 1, 2), met(1, 1, 2)], entrants=[late]).idle_rounds(DENIS) == 1


def test_lean_is_sides_a_less_sides_b_and_a_bye_has_no_side() -> None:
    assert [History(PLAYED).lean(entry) for entry in (ANNE, BASILE, CLARA)] == [1, 0, -1]


def test_people_on_one_side_are_partners_and_meet_both_on_the_other() -> None:
    history = History([PlayedPairing(round=2, a=(ANNE, BASILE), b=(CLARA, DENIS))])
    assert history.rounds_partnered(BASILE, ANNE) == (2,)
    assert history.rounds_partnered(ANNE, CLARA) == ()
    assert history.rounds_met(BASILE, DENIS) == (2,)
    assert history.rounds_met(ANNE, BASILE) == ()


def test_whoever_met_a_lower_score_floated_down_and_the_other_up() -> None:
    history = History([PlayedPairing(round=4, a=(ANNE,), b=(BASILE,), scores=(3, 2))])
    assert (history.float_of(ANNE, 4), history.float_of(BASILE, 4), history.float_of(ANNE, 3)) == (1, -1, 0)


def test_a_forfeit_is_a_meeting_or_not_as_the_event_has_it() -> None:
    forfeit = [PlayedPairing(round=1, a=(ANNE,), b=(BASILE,), winner=Side.A, is_forfeit=True)]
    assert History(forfeit).rounds_met(ANNE, BASILE) == (1,)
    assert History(forfeit, forfeits_count=False).rounds_met(ANNE, BASILE) == ()
