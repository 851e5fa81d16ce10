"""Concurrent writes lose nothing, duplicate nothing, and never deadlock.

On PostgreSQL the transactions overlap; SQLite runs one writer after the other.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction

from clubs.audit.log import Actor
from clubs.services.accounts import make_owner
from clubs.services.clubs import create_club
from clubs.services.team import accept_invitation, invite, join_with_new_account, leave_club
from errors import Refusal
from jobs.models import Job
from live.revisions import get_revision, raise_revision
from rules import Side
from scoring.models import Agreement, Dispute, Mark, Match
from scoring.services.agreement import call_desk, record_agreement
from scoring.services.cache_check import rebuild_match
from tests.builders import (
    PASSWORD,
    TUESDAY,
    build_account,
    build_club,
    build_event,
    build_match,
    build_running_night,
    compute_standings,
    get_score,
    mark,
    matches_of,
    play,
    play_round,
    reload_match,
    start_next_round,
    win,
)
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.events.services.creation import create_event, create_once
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Entry, Event
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, reopen_round, unpublish_round
from tournaments.standings.services import refresh_standings

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("concurrent writes"),
    pytest.mark.slow,
]

Call = Callable[[], Any]

TIMES = 5
"""Repetitions of each race, because the order of the two calls depends on the machine."""


def run_concurrently(*calls: Call) -> list[Any]:
    """Run all calls at the same moment and return, for each call, its result or its refusal."""
    line = threading.Barrier(len(calls))

    def run(call: Call) -> Any:
        try:
            line.wait()
            return call()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [begun.result() for begun in [pool.submit(run, call) for call in calls]]


def run_during_transaction(first: Call, second: Call) -> tuple[Any, Any]:
    """Run both calls, the second after the first has written and before it commits; return their results."""
    has_written = threading.Event()

    def write_and_wait() -> Any:
        with transaction.atomic():
            result = first()
            has_written.set()
            while connection.vendor == "postgresql" and not has_lock_waiter():
                time.sleep(0.01)
        return result

    def follow() -> Any:
        has_written.wait()
        return second()

    result, other = run_concurrently(write_and_wait, follow)
    return result, other


def has_lock_waiter() -> bool:
    """Return whether a connection of this database waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


def list_refusal_codes(results: list[Any]) -> list[str]:
    return sorted(result.code for result in results if isinstance(result, Refusal))


class TestConcurrentMarks:
    def test_repeated_request_with_one_key_stores_one_mark(self) -> None:
        for _ in range(TIMES):
            match, key = build_match(), uuid4()
            written = run_concurrently(*[partial(mark, match, "A 6 made", number=1, key=key)] * 6)
            assert len(set(written)) == 1
            assert match.marks.count() == 1
            assert reload_match(match).revision == 1

    def test_conflicting_hands_for_one_place_are_stored_as_rivals(self) -> None:
        for _ in range(TIMES):
            match = build_match()
            run_concurrently(partial(mark, match, "A 6 made", number=1), partial(mark, match, "A 7 made", number=1))
            assert sorted(match.marks.values_list("status", flat=True)) == ["current", "rival"]
            assert reload_match(match).has_rivals
            assert rebuild_match(match_id=match.pk) == []

    def test_equal_hands_from_several_phones_count_once(self) -> None:
        for _ in range(TIMES):
            match = build_match()
            run_concurrently(*[partial(mark, match, "A 6 made", number=1)] * 4)
            assert sorted(match.marks.values_list("status", flat=True)) == ["current", *["echo"] * 3]
            assert get_score(match) == [6, 0]

    def test_concurrent_corrections_of_one_hand_are_both_stored(self) -> None:
        for _ in range(TIMES):
            match = build_match()
            first = mark(match, "A 6 made")
            run_concurrently(
                partial(mark, match, "A 7 made", replaced=first),
                partial(mark, match, "A 8 made", replaced=first),
            )
            assert sorted(match.marks.values_list("status", flat=True)) == ["current", "rival", "superseded"]

    def test_concurrent_undo_and_correction_are_both_stored(self) -> None:
        for _ in range(TIMES):
            match = build_match()
            first = mark(match, "A 6 made")
            run_concurrently(
                partial(mark, match, "undone", replaced=first),
                partial(mark, match, "A 8 made", replaced=first),
            )
            assert match.marks.count() == 3
            assert rebuild_match(match_id=match.pk) == []

    def test_concurrent_confirmations_and_desk_calls_count_once_each(self) -> None:
        match = build_match()
        win(match)
        run_concurrently(
            *(partial(record_agreement, match_id=match.pk, side=side, game=1) for side in (*Side, *Side)),
            *[partial(call_desk, match_id=match.pk)] * 3,
        )
        assert Agreement.objects.count() == 2
        assert Dispute.objects.count() == 1
        assert reload_match(match).revision == 5


class TestConcurrentTables:
    def test_concurrent_hands_at_all_tables_are_counted(self) -> None:
        event = build_running_night(pairs=8)
        matches = matches_of(event)
        before = get_revision(event.topic)
        run_concurrently(*(partial(play, match, "A 6 made", "B 7 made", "A 5 made") for match in matches))
        assert [get_score(match) for match in matches] == [[11, 7]] * 4
        assert get_revision(event.topic) == before + 12

    def test_concurrent_results_enqueue_one_job(self) -> None:
        event = build_running_night(pairs=8)
        Job.objects.all().delete()
        run_concurrently(*(partial(win, match) for match in matches_of(event)))
        assert Job.objects.count() == 1
        assert {row["match_wins"] for row in compute_standings(event)} == {0, 1}

    def test_first_concurrent_changes_of_a_topic_are_all_counted(self) -> None:
        run_concurrently(*[partial(raise_revision, "event:1")] * 6)
        assert get_revision("event:1") == 6


class TestConcurrentDeskActions:
    def test_concurrent_draws_leave_one_draft(self) -> None:
        for _ in range(TIMES):
            event = start_event(event_id=build_event().pk)
            run_concurrently(*[partial(draw_round, event_id=event.pk)] * 3)
            assert event.rounds.count() == 1
            assert len(lineup_of(event.rounds.get()).tables) == 2

    def test_a_double_click_publishes_once(self) -> None:
        for _ in range(TIMES):
            event = start_event(event_id=build_event().pk)
            draw_round(event_id=event.pk)
            results = run_concurrently(*[partial(publish_round, event_id=event.pk, number=1)] * 3)
            assert list_refusal_codes(results) == []
            assert Match.objects.filter(table__round__event=event).count() == 2

    def test_a_double_click_starts_once(self) -> None:
        event = build_event()
        results = run_concurrently(*[partial(start_event, event_id=event.pk)] * 3)
        assert list_refusal_codes(results) == []

    def test_concurrent_draw_and_publish_leave_one_complete_round(self) -> None:
        for _ in range(TIMES):
            event = start_event(event_id=build_event().pk)
            draw_round(event_id=event.pk)
            results = run_concurrently(
                partial(draw_round, event_id=event.pk), partial(publish_round, event_id=event.pk, number=1)
            )
            assert set(list_refusal_codes(results)) <= {"round_not_closed"}
            assert event.rounds.get().state == "published"
            assert len(matches_of(event)) == 2

    def test_first_hand_survives_concurrent_unpublish_or_is_refused(self) -> None:
        for _ in range(TIMES):
            event = build_running_night()
            match = matches_of(event)[0]
            unpublished, written = run_concurrently(
                partial(unpublish_round, event_id=event.pk, number=1),
                partial(mark, match, "A 6 made", number=1),
            )
            assert list_refusal_codes([unpublished]) == []
            assert event.rounds.get().state == "draft"
            if isinstance(written, Mark):
                assert Mark.objects.filter(pk=written.pk).exists()
            else:
                assert list_refusal_codes([written]) == ["no_such_match"]

    def test_concurrent_close_and_marks_do_not_deadlock(self) -> None:
        for _ in range(TIMES):
            event = build_running_night(pairs=8)
            matches = matches_of(event)
            for match in matches:
                win(match)
            firsts = [match.marks.get(number=1) for match in matches]
            closed, *corrected = run_concurrently(
                partial(close_round, event_id=event.pk, number=1),
                *(partial(mark, first.match, "B 7 made", replaced=first) for first in firsts),
            )
            assert list_refusal_codes([closed]) == []
            assert set(list_refusal_codes(corrected)) <= {"match_closed"}
            written = [each for each in corrected if isinstance(each, Mark)]
            assert Mark.objects.filter(match__in=matches, status="superseded").count() == len(written)

    def test_hand_undone_during_close_keeps_the_round_open(self) -> None:
        event = build_running_night()
        for match in matches_of(event):
            win(match)
        match = matches_of(event)[0]
        last = match.marks.get(number=2)
        _, closed = run_during_transaction(
            partial(mark, match, "undone", replaced=last), partial(close_round, event_id=event.pk, number=1)
        )
        assert (closed.code, closed.details) == ("tables_missing", {"tables": [1]})
        assert event.rounds.get().state == "published"

    def test_mark_during_close_is_refused(self) -> None:
        event = build_running_night()
        for match in matches_of(event):
            win(match)
        match = matches_of(event)[0]
        last = match.marks.get(number=2)
        _, undone = run_during_transaction(
            partial(close_round, event_id=event.pk, number=1), partial(mark, match, "undone", replaced=last)
        )
        assert list_refusal_codes([undone]) == ["match_closed"]

    def test_ruling_and_next_close_do_not_deadlock(self) -> None:
        event, director = build_running_night(), build_account()
        play_round(event)
        start_next_round(event)
        for match in matches_of(event, 2):
            win(match)
        corrected = matches_of(event, 1)
        Job.objects.all().delete()
        for text in ("B 7 made", "B 8 made", "B 5 made"):
            firsts = [match.marks.get(number=1, status="current") for match in corrected]
            results = run_concurrently(
                partial(close_round, event_id=event.pk, number=2),
                partial(refresh_standings, event_id=event.pk),
                *(partial(mark, first.match, text, replaced=first, director=director) for first in firsts),
            )
            assert list_refusal_codes(results) == []
            reopen_round(event_id=event.pk, number=2)

    def test_concurrent_pasted_lists_number_entries_consecutively(self) -> None:
        event = build_event(pairs=0)
        lists = (
            "Anne Roy et Luc Roy\nLise Cyr et Paul Cyr",
            "Rita Hudon et Yvon Hudon\nZoé Caron et Marc Caron",
        )
        run_concurrently(*(partial(add_entry_list, event_id=event.pk, text=text) for text in lists))
        assert sorted(Entry.objects.values_list("number", flat=True)) == [1, 2, 3, 4]

    def test_double_click_creates_one_event(self) -> None:
        club = build_club()
        make = partial(create_once, club=club, by=Actor(key=uuid4()), create=lambda: build_event(0, club=club))
        assert len({event.pk for event in run_concurrently(make, make, make)}) == 1
        assert Event.objects.count() == 1

    def test_concurrent_events_with_one_name_get_distinct_addresses(self) -> None:
        club, terms = build_club(), build_event().terms
        make = partial(
            create_event,
            name="Bingo",
            held_on=TUESDAY,
            ruleset=terms.ruleset,
            match_format=terms.match_format,
            table_count=4,
        )
        run_concurrently(*[partial(make, club=club)] * 3)
        run_during_transaction(partial(make, club=club), partial(make, club=build_club("Ailleurs")))
        made = Event.objects.filter(name="Bingo").values_list("short", flat=True)
        assert sorted(made) == ["bingo", "bingo-2", "bingo-3", "bingo-4", "bingo-5"]

    def test_concurrent_clubs_with_one_name_get_distinct_slugs(self) -> None:
        found = partial(create_club, name="Les Atouts")
        one, other = run_during_transaction(found, found)
        assert (one.slug, other.slug) == ("les-atouts", "les-atouts-2")

    def test_invitation_opened_twice_admits_one_account(self) -> None:
        for _ in range(TIMES):
            club, accounts = build_club(), [build_account(), build_account()]
            secret = invite(club_id=club.pk, role="desk", note="Rita").secret
            opened = [partial(accept_invitation, secret=secret, account=account) for account in accounts]
            assert list_refusal_codes(run_concurrently(*opened)) == ["invitation_over"]
            assert club.memberships.count() == 1

    def test_double_submitted_join_form_creates_one_account(self) -> None:
        for _ in range(TIMES):
            club = build_club()
            secret = invite(club_id=club.pk, role="desk", note="Rita").secret
            join = partial(
                join_with_new_account,
                secret=secret,
                name=f"Rita {club.pk}",
                password=PASSWORD,
                language="fr",
                by=Actor(key=uuid4()),
            )
            assert list_refusal_codes(run_concurrently(join, join)) == []
            assert club.memberships.count() == 1

    def test_last_owner_remains_when_two_owners_leave_together(self) -> None:
        for _ in range(TIMES):
            club, owners = build_club(), [build_account(), build_account()]
            for owner in owners:
                make_owner(club=club, account=owner)
            left = [partial(leave_club, club_id=club.pk, account=owner) for owner in owners]
            assert list_refusal_codes(run_concurrently(*left)) == ["last_owner"]
            assert club.memberships.count() == 1
