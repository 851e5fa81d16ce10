"""The revision of a topic: one higher with each change, and of no other topic."""

import pytest

from live.revisions import raise_revision, revision_of

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
