"""Every role has permissions and a description; every permission and audience has a description."""

from clubs.labels import ROLE_MEANINGS
from clubs.models import Role
from clubs.policy import ROLE_PERMISSIONS, Audience, Permission
from tools.roles_page import MEANINGS


def test_every_role_has_permissions() -> None:
    assert ROLE_PERMISSIONS.keys() == set(Role), "say what it may do: ROLE_PERMISSIONS in clubs/policy.py"


def test_every_permission_and_audience_has_a_description() -> None:
    assert MEANINGS.keys() == {*Permission, *Audience}, "say what it opens: MEANINGS in tools/roles_page.py"


def test_every_role_has_a_sentence_for_the_owner() -> None:
    assert ROLE_MEANINGS.keys() == set(Role), "say it in a sentence: ROLE_MEANINGS in clubs/labels.py"
