"""Effects of a change of a match: one signal, new revisions, and a job that refreshes the standings."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from jobs.models import Job
from live.revisions import get_revision, raise_revision
from rules import BAS_SAINT_LAURENT, Side
from scoring.models import Match
from scoring.services.agreement import call_desk, record_agreement, settle_call
from scoring.services.matches import close_matches, name_first_dealer, reopen_matches
from scoring.signals import match_changed
from tests.builders import (
    TWO_GAMES,
    build_account,
    build_match,
    build_running_night,
    get_refusal_code,
    mark,
    matches_of,
    play,
    reload_match,
    win,
)
from tournaments.rounds.services.rounds import close_round, draw_round, unpublish_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard() -> Iterator[list[bool]]:
    """Yield a list that receives, for each changed match, whether its result changed."""
    result_changes: list[bool] = []

    def listen(*, match: Match, result_changed: bool, **_: Any) -> None:
        assert transaction.get_connection().in_atomic_block
        result_changes.append(result_changed)

    match_changed.connect(listen)
    yield result_changes
    match_changed.disconnect(listen)


@pytest.mark.postgresql("NOTIFY inside a transaction")
class TestMatchChangedSignal:
    @pytest.mark.long
    def test_signal_is_sent_once_per_change(self, heard: list[bool]) -> None:
        match = build_match()
        first, last = play(match, "A 6 made", "B 7 made")
        mark(match, "A 8 made", number=1)
        mark(match, "A 6 made", replaced=first)
        mark(match, "undone", replaced=last)
        name_first_dealer(match_id=match.pk, seat=2)
        call_desk(match_id=match.pk)
        settle_call(match_id=match.pk, account=build_account(), ruling="Play on.")
        close_matches(match_ids=[match.pk])
        reopen_matches(match_ids=[match.pk])
        assert heard == [False] * 10

    def test_signal_is_not_sent_without_a_change(self, heard: list[bool]) -> None:
        match = build_match()
        mark(match, "A 6 made")
        mark(match, "A 6 made", number=1)
        close_matches(match_ids=[match.pk])
        close_matches(match_ids=[match.pk])
        assert get_refusal_code(mark, match, "A 6 made") == "match_closed"
        assert len(heard) == 2

    def test_signal_reports_a_result_when_the_match_ends(self, heard: list[bool]) -> None:
        win(build_match())
        assert heard == [False, True]

    def test_signal_reports_a_corrected_result(self, heard: list[bool]) -> None:
        match = build_match()
        first, _ = win(match)
        mark(match, "B 7 made", replaced=first)
        assert heard[2:] == [True]

    def test_signal_reports_a_reopened_match(self, heard: list[bool]) -> None:
        match = build_match()
        mark(match, "undone", replaced=win(match)[-1])
        assert heard[2:] == [True]

    def test_signal_reports_conflicting_final_hands(self, heard: list[bool]) -> None:
        match = build_match()
        win(match)
        mark(match, "A gros_charlemagne failed", number=2)
        assert heard[2:] == [True]

    def test_signal_reports_no_result_when_it_stays(self, heard: list[bool]) -> None:
        match = build_match()
        first, _ = win(match)
        mark(match, "B 6 6", replaced=first)
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        assert heard[2:] == [False, False]

    def test_signal_reports_no_result_after_a_game_only(self, heard: list[bool]) -> None:
        mark(build_match(BAS_SAINT_LAURENT, TWO_GAMES), "A charlemagne made")
        assert heard == [False]


class TestRefreshJob:
    def test_results_of_one_moment_share_one_job(self) -> None:
        event = build_running_night()
        Job.objects.all().delete()
        for match in matches_of(event):
            win(match)
        job = Job.objects.get()
        assert (job.kind, job.key) == ("refresh_standings", str(event.pk))

    def test_hand_without_a_result_queues_no_job(self) -> None:
        event = build_running_night()
        Job.objects.all().delete()
        mark(matches_of(event)[0], "A 6 made")
        assert not Job.objects.exists()

    @pytest.mark.slow
    def test_publishing_and_unpublishing_byes_queue_a_job(self) -> None:
        event = build_running_night(pairs=5)
        assert Job.objects.get().key == str(event.pk)
        Job.objects.all().delete()
        unpublish_round(event_id=event.pk, number=1)
        assert Job.objects.get().key == str(event.pk)

    @pytest.mark.long
    def test_desk_steps_share_the_pending_job(self) -> None:
        event = build_running_night()
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        draw_round(event_id=event.pk)
        assert Job.objects.get().key == str(event.pk)

    def test_match_without_an_event_queues_no_job(self) -> None:
        win(build_match())
        assert not Job.objects.exists()


class TestRevisions:
    def test_topic_revision_starts_at_zero(self) -> None:
        assert get_revision("event:1") == 0
        raise_revision("event:1")
        raise_revision("event:1")
        assert (get_revision("event:1"), get_revision("event:2")) == (2, 0)

    def test_match_and_event_revisions_rise_with_each_change(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        before, evening_before = reload_match(match).revision, get_revision(event.topic)
        play(match, "A 6 made", "B 7 made")
        assert reload_match(match).revision == before + 2
        assert get_revision(event.topic) == evening_before + 2

    def test_other_table_revisions_stay_unchanged(self) -> None:
        event = build_running_night()
        match, other = matches_of(event)
        mark(match, "A 6 made")
        assert reload_match(other).revision == 0


class TestRollback:
    def test_rolled_back_change_leaves_no_trace(self) -> None:
        event = build_running_night()
        Job.objects.all().delete()
        match, before = matches_of(event)[0], get_revision(event.topic)
        with transaction.atomic():
            win(match)
            transaction.set_rollback(True)
        assert not match.marks.exists()
        assert not Job.objects.exists()
        assert get_revision(event.topic) == before
        assert not reload_match(match).is_over

    def test_failing_listener_leaves_no_change(self) -> None:
        def fail(**_: Any) -> None:
            raise RuntimeError("no room")

        match = build_match()
        match_changed.connect(fail)
        try:
            with pytest.raises(RuntimeError, match="no room"):
                mark(match, "A 6 made")
        finally:
            match_changed.disconnect(fail)
        assert not match.marks.exists()
        assert get_revision(match.card.topic) == 0
