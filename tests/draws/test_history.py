from tournaments.draws import EntryId, Meeting
from tournaments.draws.history import History

ANNE, BASILE, CLARA = map(EntryId, (1, 2, 3))

PLAYED = (
    Meeting(round=3, a=BASILE, b=ANNE),
    Meeting(round=1, a=ANNE, b=BASILE),
    Meeting(round=2, a=ANNE, b=CLARA),
    Meeting(round=2, a=BASILE, b=None),
    Meeting(round=1, a=CLARA, b=None),
)


def test_a_meeting_is_one_from_either_side() -> None:
    assert History(PLAYED).rounds_met(ANNE, BASILE) == History(PLAYED).rounds_met(BASILE, ANNE) == (1, 3)


def test_a_bye_is_a_meeting_with_nobody() -> None:
    assert History(PLAYED).rounds_met(CLARA, None) == (1,)
    assert History(PLAYED).rounds_met(ANNE, None) == ()


def test_those_with_the_fewest_byes_are_the_fewest_of_those_asked_about() -> None:
    assert History(PLAYED).fewest_byes([CLARA, BASILE, ANNE]) == [ANNE]
    assert History(PLAYED).fewest_byes([CLARA, BASILE]) == [CLARA, BASILE]
    assert History(PLAYED).fewest_byes([]) == []


def test_lean_is_sides_a_less_sides_b_and_a_bye_has_no_side() -> None:
    assert [History(PLAYED).lean(entry) for entry in (ANNE, BASILE, CLARA)] == [1, 0, -1]
