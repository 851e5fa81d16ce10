"""The revision of a topic: one higher with each change, and of no other topic."""

import pytest

from live.models import Revision
from live.revisions import Reach, public_revision_of, raise_revision, raise_revisions, revision_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("a row may be another writer's by now")]


def test_each_change_raises_it_by_one_and_no_other() -> None:
    raise_revision("event:2")
    for number in range(1, 4):
        raise_revision("event:1")
        assert revision_of("event:1") == number
    assert revision_of("event:2") == 1


def test_a_page_of_several_topics_has_another_one_after_a_change_of_any() -> None:
    raise_revision("event:1")
    before = revision_of("event:1", "club:1")
    raise_revision("club:1")
    assert revision_of("event:1", "club:1") != before


def test_everybody_notices_what_everybody_may_see_and_nothing_else() -> None:
    seen = []
    for reach in (Reach.STAFF, Reach.EVERYBODY, Reach.STAFF, Reach.STAFF, Reach.EVERYBODY, Reach.WITHDRAWN):
        raise_revision("event:1", reach)
        seen.append(public_revision_of("event:1"))
    assert seen == [0, 2, 2, 2, 5, 6]
    assert revision_of("event:1") == 6


def test_a_topic_is_watched_by_everybody_from_the_first_change_they_may_see_to_the_last() -> None:
    withdrawn = []
    for reach in (Reach.STAFF, Reach.EVERYBODY, Reach.STAFF, Reach.WITHDRAWN, Reach.STAFF, Reach.EVERYBODY):
        raise_revision("event:1", reach)
        withdrawn.append(Revision.objects.get().is_withdrawn)
    assert withdrawn == [True, False, False, True, True, False]


def test_several_topics_are_raised_each_with_its_own_reach() -> None:
    raise_revision("event:1")
    raise_revisions({"table:1": Reach.EVERYBODY, "event:1": Reach.STAFF})
    numbers = Revision.objects.values_list("topic", "number", "public_number", "is_withdrawn")
    assert sorted(numbers) == [("event:1", 2, 1, False), ("table:1", 1, 1, False)]
