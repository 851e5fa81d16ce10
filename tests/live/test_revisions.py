"""The revision of a topic: each change raises it by one, and no other topic's."""

import pytest

from live.models import Revision
from live.revisions import Reach, get_public_revision, get_revision, raise_revision, raise_revisions

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("concurrent upserts")]


def test_change_raises_only_its_own_topic_by_one() -> None:
    raise_revision("event:2")
    for number in range(1, 4):
        raise_revision("event:1")
        assert get_revision("event:1") == number
    assert get_revision("event:2") == 1


def test_combined_revision_changes_with_any_topic() -> None:
    raise_revision("event:1")
    before = get_revision("event:1", "club:1")
    raise_revision("club:1")
    assert get_revision("event:1", "club:1") != before


def test_public_revision_follows_public_changes_only() -> None:
    seen = []
    for reach in (Reach.STAFF, Reach.EVERYBODY, Reach.STAFF, Reach.STAFF, Reach.EVERYBODY, Reach.WITHDRAWN):
        raise_revision("event:1", reach)
        seen.append(get_public_revision("event:1"))
    assert seen == [0, 2, 2, 2, 5, 6]
    assert get_revision("event:1") == 6


def test_topic_is_withdrawn_outside_its_public_changes() -> None:
    withdrawn = []
    for reach in (Reach.STAFF, Reach.EVERYBODY, Reach.STAFF, Reach.WITHDRAWN, Reach.STAFF, Reach.EVERYBODY):
        raise_revision("event:1", reach)
        withdrawn.append(Revision.objects.get().is_withdrawn)
    assert withdrawn == [True, False, False, True, True, False]


def test_several_topics_are_raised_with_their_own_reach() -> None:
    raise_revision("event:1")
    raise_revisions({"table:1": Reach.EVERYBODY, "event:1": Reach.STAFF})
    numbers = Revision.objects.values_list("topic", "number", "public_number", "is_withdrawn")
    assert sorted(numbers) == [("event:1", 2, 1, False), ("table:1", 1, 1, False)]
