import pytest

from engine.draws import Entrant, EntryId, PlayedPairing
from engine.draws.history import History
from rules import Side

from .events import build_bye, build_pairing

ANNE, BASILE, CLARA, DENIS = map(EntryId, (1, 2, 3, 4))

HISTORY = (build_pairing(3, 2, 1), build_pairing(1, 1, 2), build_pairing(2, 1, 3), build_bye(2, 2), build_bye(1, 3))


def test_meeting_counts_for_both_entries() -> None:
    assert History(HISTORY).get_rounds_met(ANNE, BASILE) == History(HISTORY).get_rounds_met(BASILE, ANNE) == (1, 3)


def test_bye_does_not_count_as_a_meeting() -> None:
    assert History(HISTORY).get_bye_rounds(CLARA) == (1,)
    assert History(HISTORY).get_bye_rounds(ANNE) == ()
    assert History(HISTORY).get_rounds_met(BASILE, CLARA) == ()


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
def test_idle_rounds_are_byes_and_missed_rounds(entrant: Entrant, idle: int) -> None:
    assert History(HISTORY, entrants=[entrant]).count_idle_rounds(entrant.id) == idle


def test_rounds_before_a_stage_do_not_count_as_missed() -> None:
    late = Entrant(id=DENIS, number=4, arrives=2)
    assert History([build_pairing(-1, 1, 2), build_pairing(1, 1, 2)], entrants=[late]).count_idle_rounds(DENIS) == 1


def test_side_balance_counts_a_minus_b_and_ignores_byes() -> None:
    assert [History(HISTORY).get_side_balance(entry) for entry in (ANNE, BASILE, CLARA)] == [1, 0, -1]


def test_people_on_one_side_are_partners_and_meet_both_opponents() -> None:
    history = History([PlayedPairing(round=2, a=(ANNE, BASILE), b=(CLARA, DENIS))])
    assert history.get_rounds_partnered(BASILE, ANNE) == (2,)
    assert history.get_rounds_partnered(ANNE, CLARA) == ()
    assert history.get_rounds_met(BASILE, DENIS) == (2,)
    assert history.get_rounds_met(ANNE, BASILE) == ()


def test_meeting_a_lower_score_is_a_downfloat() -> None:
    history = History([PlayedPairing(round=4, a=(ANNE,), b=(BASILE,), scores=(3, 2))])
    assert (history.get_float(ANNE, 4), history.get_float(BASILE, 4), history.get_float(ANNE, 3)) == (1, -1, 0)


def test_event_setting_decides_whether_a_forfeit_counts_as_meeting() -> None:
    forfeit = [PlayedPairing(round=1, a=(ANNE,), b=(BASILE,), winner=Side.A, is_forfeit=True)]
    assert History(forfeit).get_rounds_met(ANNE, BASILE) == (1,)
    assert History(forfeit, forfeits_count=False).get_rounds_met(ANNE, BASILE) == ()
