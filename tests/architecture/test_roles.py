"""A role says what it is: in the policy, in the page on roles, and to the owner who gives it."""

from clubs.models import Role
from clubs.policy import MAY, MEANINGS, Audience, Permission
from wording.labels.team import ROLE_MEANINGS


def test_every_role_may_do_something() -> None:
    assert MAY.keys() == set(Role), "say what it may do: MAY in clubs/policy.py"


def test_every_permission_and_every_audience_has_a_meaning() -> None:
    assert MEANINGS.keys() == {*Permission, *Audience}, "say what it opens: MEANINGS in clubs/policy.py"


def test_whoever_gives_a_role_is_told_what_it_may_do() -> None:
    assert ROLE_MEANINGS.keys() == set(Role), "say it in a sentence: ROLE_MEANINGS in wording/labels/team.py"
