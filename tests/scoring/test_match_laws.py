"""Properties of a match, marked by any number of phones in any order."""

from dataclasses import dataclass
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import Refusal
from rules import BAS_SAINT_LAURENT, CANADIAN
from scoring.fold import fold_match, summary_of
from scoring.logs import read_log
from scoring.models import Mark, Match
from scoring.services import rebuild
from tests.builders import BY_THE_CLOCK, ONE_GAME, TWO_GAMES, a_match, fresh, mark
from tests.long import often

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
PLAYED_BY = {
    "one game": (CANADIAN, ONE_GAME),
    "two games": (BAS_SAINT_LAURENT, TWO_GAMES),
    "the clock": (CANADIAN, BY_THE_CLOCK),
}


@dataclass(frozen=True)
class Step:
    """Somebody marks a hand: how far back from the next place, and having seen which mark of that place."""

    key: UUID
    text: str
    back: int
    seen: int | None

    def take(self, match: Match) -> tuple[Mark, int, Mark | None] | None:
        """The mark, with the place and the mark it replaces; None where it was refused."""
        number = max(1, fresh(match).summary["next"] - self.back)
        there = list(match.marks.filter(number=number).order_by("pk"))
        replacing = None if self.seen is None or not there else there[-1 - self.seen % len(there)]
        try:
            written = mark(match, self.text, number=number, key=self.key, replacing=replacing)
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

some_steps = given(steps=STEPS, played_by=st.sampled_from(sorted(PLAYED_BY)))
often_enough = settings(max_examples=often(15, long=300), deadline=None)


@pytest.mark.slow
@often_enough
@some_steps
def test_what_is_kept_beside_the_log_is_what_the_log_says(steps: list[Step], played_by: str) -> None:
    match = a_match(*PLAYED_BY[played_by])
    for step in steps:
        step.take(match)
        kept = fresh(match)
        log = read_log(kept.marks.all(), kept.terms.ruleset)
        state = fold_match(kept, log.places)
        assert kept.summary == summary_of(state, next_number=log.next_number)
        assert kept.is_over == state.is_over
        assert kept.has_rivals == bool(log.rivals)
    assert rebuild(match_id=match.pk) == []


@pytest.mark.slow
@often_enough
@some_steps
def test_every_mark_is_kept_as_it_was_written_and_each_place_counts_one(
    steps: list[Step], played_by: str
) -> None:
    match = a_match(*PLAYED_BY[played_by])
    written = [taken[0] for step in steps if (taken := step.take(match)) is not None]
    kept = {each.pk: each for each in match.marks.all()}
    assert set(kept) == {each.pk for each in written}
    for each in written:
        same = kept[each.pk]
        assert (same.number, same.record_data, same.supersedes_id) == (
            each.number,
            each.record_data,
            each.supersedes_id,
        )
    current = [each.number for each in kept.values() if each.status == "current"]
    assert sorted(current) == list(range(1, len(current) + 1))


@pytest.mark.slow
@often_enough
@some_steps
def test_everything_sent_a_second_time_changes_nothing(steps: list[Step], played_by: str) -> None:
    match = a_match(*PLAYED_BY[played_by])
    taken = [(step, done) for step in steps if (done := step.take(match)) is not None]
    before = fresh(match)
    statuses = list(match.marks.values_list("pk", "status"))
    for step, (written, number, replacing) in reversed(taken):
        assert mark(match, step.text, number=number, key=step.key, replacing=replacing) == written
    assert list(match.marks.values_list("pk", "status")) == statuses
    assert (fresh(match).summary, fresh(match).revision) == (before.summary, before.revision)


@pytest.mark.slow
@often_enough
@some_steps
def test_a_place_with_rivals_waits_and_every_other_counts(steps: list[Step], played_by: str) -> None:
    match = a_match(*PLAYED_BY[played_by])
    for step in steps:
        step.take(match)
    marks = list(match.marks.all())
    contested = {each.number for each in marks if each.status == "rival"}
    log = read_log(marks, match.terms.ruleset)
    assert {number for number, _ in log.places} == set(log.standing) - contested
    assert contested <= set(log.standing)


class TestRebuilding:
    def test_finds_and_puts_right_what_is_not_as_the_log_says(self) -> None:
        match = a_match()
        mark(match, "A gros_charlemagne made")
        right = fresh(match)
        Match.objects.filter(pk=match.pk).update(summary={}, is_over=False, has_rivals=True)
        assert rebuild(match_id=match.pk) == ["summary", "is_over", "has_rivals"]
        assert fresh(match).summary == right.summary
        assert fresh(match).is_over
        assert not fresh(match).has_rivals

    def test_leaves_a_match_that_is_right_alone(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        before = fresh(match).revision
        assert rebuild(match_id=match.pk) == []
        assert fresh(match).revision == before
