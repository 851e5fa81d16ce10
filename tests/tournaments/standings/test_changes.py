"""Effects of a change: the one signal, the revisions, and the job that refreshes the standings."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from jobs.models import Job
from live.revisions import raise_revision, revision_of
from rules import BAS_SAINT_LAURENT, Side
from scoring.models import Match
from scoring.services import agree, close_matches, dispute, name_first_dealer, reopen_matches, settle_call
from scoring.signals import match_changed
from tests.builders import (
    TWO_GAMES,
    a_match,
    a_running_night,
    an_account,
    code_of,
    fresh,
    mark,
    matches_of,
    play,
    win,
)
from tournaments.rounds.services.rounds import close_round, draw_round, unpublish_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard() -> Iterator[list[bool]]:
    """For every match that changed since, whether its result is another one."""
    said: list[bool] = []

    def listen(*, match: Match, result_changed: bool, **_: Any) -> None:
        assert transaction.get_connection().in_atomic_block
        said.append(result_changed)

    match_changed.connect(listen)
    yield said
    match_changed.disconnect(listen)


@pytest.mark.postgresql("a change is told inside its transaction")
class TestTheSignal:
    def test_is_sent_once_for_each_change(self, heard: list[bool]) -> None:
        match = a_match()
        first, last = play(match, "A 6 made", "B 7 made")
        mark(match, "A 8 made", number=1)
        mark(match, "A 6 made", replacing=first)
        mark(match, "undone", replacing=last)
        name_first_dealer(match_id=match.pk, seat=2)
        dispute(match_id=match.pk)
        settle_call(match_id=match.pk, account=an_account(), ruling="Play on.")
        close_matches(match_ids=[match.pk])
        reopen_matches(match_ids=[match.pk])
        assert heard == [False] * 10

    def test_is_not_sent_for_what_changes_nothing(self, heard: list[bool]) -> None:
        match = a_match()
        mark(match, "A 6 made")
        mark(match, "A 6 made", number=1)
        close_matches(match_ids=[match.pk])
        close_matches(match_ids=[match.pk])
        assert code_of(mark, match, "A 6 made") == "match_closed"
        assert len(heard) == 2

    def test_says_that_the_result_changed_when_the_match_ends(self, heard: list[bool]) -> None:
        win(a_match())
        assert heard == [False, True]

    def test_says_so_when_a_match_that_was_over_has_another_result(self, heard: list[bool]) -> None:
        match = a_match()
        first, _ = win(match)
        mark(match, "B 7 made", replacing=first)
        assert heard[2:] == [True]

    def test_says_so_when_a_match_that_was_over_goes_on(self, heard: list[bool]) -> None:
        match = a_match()
        mark(match, "undone", replacing=win(match)[-1])
        assert heard[2:] == [True]

    def test_says_so_when_two_phones_differ_about_the_hand_that_ended_it(self, heard: list[bool]) -> None:
        match = a_match()
        win(match)
        mark(match, "A gros_charlemagne failed", number=2)
        assert heard[2:] == [True]

    def test_does_not_say_so_when_the_result_stays(self, heard: list[bool]) -> None:
        match = a_match()
        first, _ = win(match)
        mark(match, "B 6 6", replacing=first)
        agree(match_id=match.pk, side=Side.A, game=1)
        assert heard[2:] == [False, False]

    def test_does_not_say_so_when_a_game_ends_and_the_match_goes_on(self, heard: list[bool]) -> None:
        mark(a_match(BAS_SAINT_LAURENT, TWO_GAMES), "A charlemagne made")
        assert heard == [False]


class TestTheJob:
    def test_is_one_for_all_the_results_of_the_next_moment(self) -> None:
        event = a_running_night()
        Job.objects.all().delete()
        for match in matches_of(event):
            win(match)
        job = Job.objects.get()
        assert (job.kind, job.key) == ("refresh_standings", str(event.pk))

    def test_is_not_there_while_no_result_is(self) -> None:
        event = a_running_night()
        Job.objects.all().delete()
        mark(matches_of(event)[0], "A 6 made")
        assert not Job.objects.exists()

    @pytest.mark.slow
    def test_is_there_when_a_round_is_published_and_taken_back_for_its_byes_count(self) -> None:
        event = a_running_night(pairs=5)
        assert Job.objects.get().key == str(event.pk)
        Job.objects.all().delete()
        unpublish_round(event_id=event.pk, number=1)
        assert Job.objects.get().key == str(event.pk)

    def test_is_one_for_all_that_is_done_at_the_desk_meanwhile(self) -> None:
        event = a_running_night()
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        draw_round(event_id=event.pk)
        assert Job.objects.get().key == str(event.pk)

    def test_is_not_there_for_a_match_of_no_event(self) -> None:
        win(a_match())
        assert not Job.objects.exists()


class TestRevisions:
    def test_of_a_topic_begin_at_nothing(self) -> None:
        assert revision_of("event:1") == 0
        raise_revision("event:1")
        raise_revision("event:1")
        assert (revision_of("event:1"), revision_of("event:2")) == (2, 0)

    def test_of_match_and_evening_rise_with_each_change(self) -> None:
        event = a_running_night()
        match = matches_of(event)[0]
        before, evening_before = fresh(match).revision, revision_of(event.topic)
        play(match, "A 6 made", "B 7 made")
        assert fresh(match).revision == before + 2
        assert revision_of(event.topic) == evening_before + 2

    def test_of_the_other_tables_stay(self) -> None:
        event = a_running_night()
        match, other = matches_of(event)
        mark(match, "A 6 made")
        assert fresh(other).revision == 0


class TestAChangeThatIsRolledBack:
    def test_leaves_no_mark_no_job_and_no_revision(self) -> None:
        event = a_running_night()
        Job.objects.all().delete()
        match, before = matches_of(event)[0], revision_of(event.topic)
        with transaction.atomic():
            win(match)
            transaction.set_rollback(True)
        assert not match.marks.exists()
        assert not Job.objects.exists()
        assert revision_of(event.topic) == before
        assert not fresh(match).is_over

    def test_by_a_listener_that_fails_leaves_nothing_either(self) -> None:
        def fail(**_: Any) -> None:
            raise RuntimeError("no room")

        match = a_match()
        match_changed.connect(fail)
        try:
            with pytest.raises(RuntimeError, match="no room"):
                mark(match, "A 6 made")
        finally:
            match_changed.disconnect(fail)
        assert not match.marks.exists()
        assert revision_of(match.card.topic) == 0
