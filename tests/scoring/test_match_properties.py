"""Property tests of a match that any number of phones mark in any order."""

from dataclasses import dataclass
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import Refusal
from rules import BAS_SAINT_LAURENT, CANADIAN
from scoring.fold import build_summary, fold_match
from scoring.logs import read_log
from scoring.models import Mark, Match
from scoring.services.cache_check import rebuild_match
from tests.builders import FIFTY_MINUTES, ONE_GAME, TWO_GAMES, build_match, mark, reload_match
from tests.long_runs import choose_count

pytestmark = pytest.mark.django_db

HANDS = (
    "A 5 made",
    "A 8 failed",
    "B 7 made",
    "B charlemagne made",
    "A charlemagne failed",
    "passed_out",
    "misdeal",
    "void",
    "totals 30 12",
    "time_called",
    "undone",
)
RULES_BY_NAME = {
    "one game": (CANADIAN, ONE_GAME),
    "two games": (BAS_SAINT_LAURENT, TWO_GAMES),
    "the clock": (CANADIAN, FIFTY_MINUTES),
}


@dataclass(frozen=True)
class Step:
    """A random mark, ``back`` numbers before the next one; ``seen`` chooses the mark that it replaces."""

    key: UUID
    text: str
    back: int
    seen: int | None

    def take(self, match: Match) -> tuple[Mark, int, Mark | None] | None:
        """Record the mark and return it with its number and the mark that it replaces; None if it is refused."""
        number = max(1, reload_match(match).summary["next"] - self.back)
        there = list(match.marks.filter(number=number).order_by("pk"))
        replacing = None if self.seen is None or not there else there[-1 - self.seen % len(there)]
        try:
            written = mark(match, self.text, number=number, key=self.key, replaced=replacing)
        except Refusal:
            return None
        return written, number, replacing


STEPS = st.lists(
    st.builds(
        Step,
        key=st.uuids(version=4),
        text=st.sampled_from(HANDS),
        back=st.sampled_from((0, 0, 0, 1, 1, 2, 5)),
        seen=st.sampled_from((None, 0, 0, 0, 1, 3)),
    ),
    max_size=14,
    unique_by=lambda step: step.key,
)

given_steps = given(steps=STEPS, played_by=st.sampled_from(sorted(RULES_BY_NAME)))
often_enough = settings(max_examples=choose_count(15, long=300), deadline=None)


@pytest.mark.long
@often_enough
@given_steps
def test_stored_state_equals_the_folded_log(steps: list[Step], played_by: str) -> None:
    match = build_match(*RULES_BY_NAME[played_by])
    for step in steps:
        step.take(match)
        stored_match = reload_match(match)
        log = read_log(stored_match.marks.all(), stored_match.terms.ruleset)
        state = fold_match(stored_match, log.places)
        assert stored_match.summary == build_summary(state, next_number=log.next_number)
        assert stored_match.is_over == state.is_over
        assert stored_match.has_rivals == bool(log.rivals)
    assert rebuild_match(match_id=match.pk) == []


@pytest.mark.slow
@often_enough
@given_steps
def test_every_mark_is_kept_and_each_number_counts_once(steps: list[Step], played_by: str) -> None:
    match = build_match(*RULES_BY_NAME[played_by])
    written = [taken[0] for step in steps if (taken := step.take(match)) is not None]
    marks_by_pk = {each.pk: each for each in match.marks.all()}
    assert set(marks_by_pk) == {each.pk for each in written}
    for each in written:
        same = marks_by_pk[each.pk]
        assert (same.number, same.record_data, same.supersedes_id) == (
            each.number,
            each.record_data,
            each.supersedes_id,
        )
    current = [each.number for each in marks_by_pk.values() if each.status == "current"]
    assert sorted(current) == list(range(1, len(current) + 1))


@pytest.mark.long
@often_enough
@given_steps
def test_repeated_requests_change_nothing(steps: list[Step], played_by: str) -> None:
    match = build_match(*RULES_BY_NAME[played_by])
    taken = [(step, done) for step in steps if (done := step.take(match)) is not None]
    before = reload_match(match)
    statuses = list(match.marks.values_list("pk", "status"))
    for step, (written, number, replacing) in reversed(taken):
        assert mark(match, step.text, number=number, key=step.key, replaced=replacing) == written
    assert list(match.marks.values_list("pk", "status")) == statuses
    assert (reload_match(match).summary, reload_match(match).revision) == (before.summary, before.revision)


@pytest.mark.long
@often_enough
@given_steps
def test_conflicting_numbers_wait_while_others_count(steps: list[Step], played_by: str) -> None:
    match = build_match(*RULES_BY_NAME[played_by])
    for step in steps:
        step.take(match)
    marks = list(match.marks.all())
    contested = {each.number for each in marks if each.status == "rival"}
    log = read_log(marks, match.terms.ruleset)
    assert {number for number, _ in log.places} == set(log.active) - contested
    assert contested <= set(log.active)


class TestRebuild:
    def test_rebuild_reports_and_corrects_wrong_fields(self) -> None:
        match = build_match()
        mark(match, "A gros_charlemagne made")
        right = reload_match(match)
        Match.objects.filter(pk=match.pk).update(summary={}, is_over=False, has_rivals=True)
        assert rebuild_match(match_id=match.pk) == ["summary", "is_over", "has_rivals"]
        assert reload_match(match).summary == right.summary
        assert reload_match(match).is_over
        assert not reload_match(match).has_rivals

    def test_rebuild_leaves_a_correct_match_unchanged(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        before = reload_match(match).revision
        assert rebuild_match(match_id=match.pk) == []
        assert reload_match(match).revision == before
