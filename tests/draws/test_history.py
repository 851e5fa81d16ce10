from rules import Side
from tests.draws.events import met, sat_out
from tournaments.draws import EntryId, Played
from tournaments.draws.history import History

ANNE, BASILE, CLARA, DENIS = map(EntryId, (1, 2, 3, 4))

PLAYED = (met(3, 2, 1), met(1, 1, 2), met(2, 1, 3), sat_out(2, 2), sat_out(1, 3))


def test_a_meeting_is_one_from_either_side() -> None:
    assert History(PLAYED).rounds_met(ANNE, BASILE) == History(PLAYED).rounds_met(BASILE, ANNE) == (1, 3)


def test_a_bye_is_no_meeting() -> None:
    assert History(PLAYED).byes(CLARA) == (1,)
    assert History(PLAYED).byes(ANNE) == ()
    assert History(PLAYED).rounds_met(BASILE, CLARA) == ()


def test_those_with_the_fewest_byes_are_the_fewest_of_those_asked_about() -> None:
    assert History(PLAYED).fewest_byes([CLARA, BASILE, ANNE]) == [ANNE]
    assert History(PLAYED).fewest_byes([CLARA, BASILE]) == [CLARA, BASILE]
    assert History(PLAYED).fewest_byes([]) == []


def test_lean_is_sides_a_less_sides_b_and_a_bye_has_no_side() -> None:
    assert [History(PLAYED).lean(entry) for entry in (ANNE, BASILE, CLARA)] == [1, 0, -1]


def test_people_on_one_side_are_partners_and_meet_both_on_the_other() -> None:
    history = History([Played(round=2, a=(ANNE, BASILE), b=(CLARA, DENIS))])
    assert history.rounds_partnered(BASILE, ANNE) == (2,)
    assert history.rounds_partnered(ANNE, CLARA) == ()
    assert history.rounds_met(BASILE, DENIS) == (2,)
    assert history.rounds_met(ANNE, BASILE) == ()


def test_whoever_met_a_lower_score_floated_down_and_the_other_up() -> None:
    history = History([Played(round=4, a=(ANNE,), b=(BASILE,), scores=(3, 2))])
    assert (history.floated(ANNE, 4), history.floated(BASILE, 4), history.floated(ANNE, 3)) == (1, -1, 0)


def test_a_forfeit_is_a_meeting_or_not_as_the_event_has_it() -> None:
    forfeit = [Played(round=1, a=(ANNE,), b=(BASILE,), winner=Side.A, is_forfeit=True)]
    assert History(forfeit).rounds_met(ANNE, BASILE) == (1,)
    assert History(forfeit, forfeits_count=False).rounds_met(ANNE, BASILE) == ()
