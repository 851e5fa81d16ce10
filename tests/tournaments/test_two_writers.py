"""Two who write at the same moment: nothing is lost, nothing is there twice, and nobody waits for ever.

On PostgreSQL they really meet; SQLite lets one writer in after the other.
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
from clubs.services import (
    accept_invitation,
    create_club,
    invite,
    join_with_new_account,
    leave_club,
    make_owner,
)
from errors import Refusal
from jobs.models import Job
from live.revisions import raise_revision, revision_of
from rules import Side
from scoring.models import Agreement, Dispute, Mark, Match
from scoring.services import agree, dispute, rebuild
from tests.builders import (
    PASSWORD,
    TUESDAY,
    a_club,
    a_match,
    a_running_night,
    an_account,
    an_event,
    fresh,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    score,
    standings_after,
    win,
)
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.events.services.lifecycle import create_event, make_once, start_event
from tournaments.models import Entry, Event
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import (
    close_round,
    draw_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from tournaments.standings.services import refresh_standings

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("two write at the same moment"),
    pytest.mark.slow,
]

Call = Callable[[], Any]

TIMES = 5
"""How often each meeting is tried: who comes first is up to the machine."""


def at_once(*calls: Call) -> list[Any]:
    """Return what each of the calls gave, all of them begun at the same moment: its result or its refusal."""
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


def while_another_is_not_committed(first: Call, second: Call) -> tuple[Any, Any]:
    """Return what both calls gave, the second one begun after the first has written and before it commits."""
    has_written = threading.Event()

    def write_and_wait() -> Any:
        with transaction.atomic():
            result = first()
            has_written.set()
            while connection.vendor == "postgresql" and not somebody_waits():
                time.sleep(0.01)
        return result

    def follow() -> Any:
        has_written.wait()
        return second()

    result, other = at_once(write_and_wait, follow)
    return result, other


def somebody_waits() -> bool:
    """Whether anybody in this database waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


def codes(results: list[Any]) -> list[str]:
    return sorted(result.code for result in results if isinstance(result, Refusal))


class TestAtOneTable:
    def test_the_same_hand_sent_many_times_at_once_is_one_mark(self) -> None:
        for _ in range(TIMES):
            match, key = a_match(), uuid4()
            written = at_once(*[partial(mark, match, "A 6 made", number=1, key=key)] * 6)
            assert len(set(written)) == 1
            assert match.marks.count() == 1
            assert fresh(match).revision == 1

    def test_two_different_hands_for_one_place_are_both_kept_and_the_table_is_asked(self) -> None:
        for _ in range(TIMES):
            match = a_match()
            at_once(partial(mark, match, "A 6 made", number=1), partial(mark, match, "A 7 made", number=1))
            assert sorted(match.marks.values_list("status", flat=True)) == ["current", "rival"]
            assert fresh(match).has_rivals
            assert rebuild(match_id=match.pk) == []

    def test_equal_hands_from_several_phones_are_one_and_its_echoes(self) -> None:
        for _ in range(TIMES):
            match = a_match()
            at_once(*[partial(mark, match, "A 6 made", number=1)] * 4)
            assert sorted(match.marks.values_list("status", flat=True)) == ["current", *["echo"] * 3]
            assert score(match) == [6, 0]

    def test_two_corrections_of_one_hand_are_both_kept(self) -> None:
        for _ in range(TIMES):
            match = a_match()
            first = mark(match, "A 6 made")
            at_once(
                partial(mark, match, "A 7 made", replacing=first),
                partial(mark, match, "A 8 made", replacing=first),
            )
            assert sorted(match.marks.values_list("status", flat=True)) == ["current", "rival", "superseded"]

    def test_an_undo_and_a_correction_are_both_kept(self) -> None:
        for _ in range(TIMES):
            match = a_match()
            first = mark(match, "A 6 made")
            at_once(
                partial(mark, match, "undone", replacing=first),
                partial(mark, match, "A 8 made", replacing=first),
            )
            assert match.marks.count() == 3
            assert rebuild(match_id=match.pk) == []

    def test_both_sides_agree_and_both_call_the_desk(self) -> None:
        match = a_match()
        win(match)
        at_once(
            *(partial(agree, match_id=match.pk, side=side, game=1) for side in (*Side, *Side)),
            *[partial(dispute, match_id=match.pk)] * 3,
        )
        assert Agreement.objects.count() == 2
        assert Dispute.objects.count() == 1
        assert fresh(match).revision == 5


class TestAtManyTables:
    def test_every_hand_is_kept_and_every_change_is_counted(self) -> None:
        event = a_running_night(pairs=8)
        matches = matches_of(event)
        before = revision_of(event.topic)
        at_once(*(partial(play, match, "A 6 made", "B 7 made", "A 5 made") for match in matches))
        assert [score(match) for match in matches] == [[11, 7]] * 4
        assert revision_of(event.topic) == before + 12

    def test_results_that_come_in_together_leave_one_job(self) -> None:
        event = a_running_night(pairs=8)
        Job.objects.all().delete()
        at_once(*(partial(win, match) for match in matches_of(event)))
        assert Job.objects.count() == 1
        assert {row["match_wins"] for row in standings_after(event)} == {0, 1}

    def test_the_first_changes_of_a_topic_are_all_counted(self) -> None:
        at_once(*[partial(raise_revision, "event:1")] * 6)
        assert revision_of("event:1") == 6


class TestAtTheDesk:
    def test_two_draws_leave_one_draft(self) -> None:
        for _ in range(TIMES):
            event = start_event(event_id=an_event().pk)
            at_once(*[partial(draw_round, event_id=event.pk)] * 3)
            assert event.rounds.count() == 1
            assert len(lineup_of(event.rounds.get()).tables) == 2

    def test_a_double_click_publishes_once(self) -> None:
        for _ in range(TIMES):
            event = start_event(event_id=an_event().pk)
            draw_round(event_id=event.pk)
            results = at_once(*[partial(publish_round, event_id=event.pk, number=1)] * 3)
            assert codes(results) == []
            assert Match.objects.filter(table__round__event=event).count() == 2

    def test_a_double_click_starts_once(self) -> None:
        event = an_event()
        results = at_once(*[partial(start_event, event_id=event.pk)] * 3)
        assert codes(results) == []

    def test_drawing_anew_and_publishing_leave_one_round_that_is_whole(self) -> None:
        for _ in range(TIMES):
            event = start_event(event_id=an_event().pk)
            draw_round(event_id=event.pk)
            results = at_once(
                partial(draw_round, event_id=event.pk), partial(publish_round, event_id=event.pk, number=1)
            )
            assert set(codes(results)) <= {"round_not_closed"}
            assert event.rounds.get().state == "published"
            assert len(matches_of(event)) == 2

    def test_unpublishing_and_the_first_hand_keep_the_hand_or_refuse_it(self) -> None:
        for _ in range(TIMES):
            event = a_running_night()
            match = matches_of(event)[0]
            unpublished, written = at_once(
                partial(unpublish_round, event_id=event.pk, number=1),
                partial(mark, match, "A 6 made", number=1),
            )
            assert codes([unpublished]) == []
            assert event.rounds.get().state == "draft"
            if isinstance(written, Mark):
                assert Mark.objects.filter(pk=written.pk).exists()
            else:
                assert codes([written]) == ["no_such_match"]

    def test_closing_and_marking_do_not_lock_each_other_out(self) -> None:
        for _ in range(TIMES):
            event = a_running_night(pairs=8)
            matches = matches_of(event)
            for match in matches:
                win(match)
            firsts = [match.marks.get(number=1) for match in matches]
            closed, *corrected = at_once(
                partial(close_round, event_id=event.pk, number=1),
                *(partial(mark, first.match, "B 7 made", replacing=first) for first in firsts),
            )
            assert codes([closed]) == []
            assert set(codes(corrected)) <= {"match_closed"}
            written = [each for each in corrected if isinstance(each, Mark)]
            assert Mark.objects.filter(match__in=matches, status="superseded").count() == len(written)

    def test_a_hand_taken_back_while_the_round_is_closed_keeps_it_open(self) -> None:
        event = a_running_night()
        for match in matches_of(event):
            win(match)
        match = matches_of(event)[0]
        last = match.marks.get(number=2)
        _, closed = while_another_is_not_committed(
            partial(mark, match, "undone", replacing=last), partial(close_round, event_id=event.pk, number=1)
        )
        assert (closed.code, closed.details) == ("tables_missing", {"tables": [1]})
        assert event.rounds.get().state == "published"

    def test_a_hand_marked_while_the_round_is_being_closed_is_refused(self) -> None:
        event = a_running_night()
        for match in matches_of(event):
            win(match)
        match = matches_of(event)[0]
        last = match.marks.get(number=2)
        _, undone = while_another_is_not_committed(
            partial(close_round, event_id=event.pk, number=1), partial(mark, match, "undone", replacing=last)
        )
        assert codes([undone]) == ["match_closed"]

    def test_a_directors_correction_and_the_next_closing_do_not_wait_for_each_other_for_ever(self) -> None:
        event, director = a_running_night(), an_account()
        play_round(event)
        next_round(event)
        for match in matches_of(event, 2):
            win(match)
        corrected = matches_of(event, 1)
        Job.objects.all().delete()
        for text in ("B 7 made", "B 8 made", "B 5 made"):
            firsts = [match.marks.get(number=1, status="current") for match in corrected]
            results = at_once(
                partial(close_round, event_id=event.pk, number=2),
                partial(refresh_standings, event_id=event.pk),
                *(partial(mark, first.match, text, replacing=first, director=director) for first in firsts),
            )
            assert codes(results) == []
            reopen_round(event_id=event.pk, number=2)

    def test_two_lists_pasted_at_once_are_numbered_one_after_the_other(self) -> None:
        event = an_event(pairs=0)
        lists = (
            "Anne Roy et Luc Roy\nLise Cyr et Paul Cyr",
            "Rita Hudon et Yvon Hudon\nZoé Caron et Marc Caron",
        )
        at_once(*(partial(add_entry_list, event_id=event.pk, text=text) for text in lists))
        assert sorted(Entry.objects.values_list("number", flat=True)) == [1, 2, 3, 4]

    def test_a_double_click_makes_one_evening(self) -> None:
        club = a_club()
        make = partial(make_once, club=club, key=uuid4(), make=lambda: an_event(0, club=club))
        assert len({event.pk for event in at_once(make, make, make)}) == 1
        assert Event.objects.count() == 1

    def test_evenings_of_one_name_get_different_addresses(self) -> None:
        club, terms = a_club(), an_event().terms
        make = partial(
            create_event,
            name="Bingo",
            held_on=TUESDAY,
            ruleset=terms.ruleset,
            match_format=terms.match_format,
            table_count=4,
        )
        at_once(*[partial(make, club=club)] * 3)
        while_another_is_not_committed(partial(make, club=club), partial(make, club=a_club("Ailleurs")))
        made = Event.objects.filter(name="Bingo").values_list("short", flat=True)
        assert sorted(made) == ["bingo", "bingo-2", "bingo-3", "bingo-4", "bingo-5"]

    def test_clubs_of_one_name_get_different_addresses(self) -> None:
        found = partial(create_club, name="Les Atouts")
        one, other = while_another_is_not_committed(found, found)
        assert (one.slug, other.slug) == ("les-atouts", "les-atouts-2")

    def test_one_of_two_who_open_an_invitation_joins(self) -> None:
        for _ in range(TIMES):
            club, accounts = a_club(), [an_account(), an_account()]
            secret = invite(club_id=club.pk, role="desk", note="Rita").secret
            opened = [partial(accept_invitation, secret=secret, account=account) for account in accounts]
            assert codes(at_once(*opened)) == ["invitation_over"]
            assert club.memberships.count() == 1

    def test_a_form_that_is_sent_twice_at_once_makes_one_account(self) -> None:
        for _ in range(TIMES):
            club = a_club()
            secret = invite(club_id=club.pk, role="desk", note="Rita").secret
            join = partial(
                join_with_new_account,
                secret=secret,
                name=f"Rita {club.pk}",
                password=PASSWORD,
                language="fr",
                by=Actor(key=uuid4()),
            )
            assert codes(at_once(join, join)) == []
            assert club.memberships.count() == 1

    def test_of_two_owners_who_leave_at_once_one_stays(self) -> None:
        for _ in range(TIMES):
            club, owners = a_club(), [an_account(), an_account()]
            for owner in owners:
                make_owner(club=club, account=owner)
            left = [partial(leave_club, club_id=club.pk, account=owner) for owner in owners]
            assert codes(at_once(*left)) == ["last_owner"]
            assert club.memberships.count() == 1
