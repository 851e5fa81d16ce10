"""Every service locks rows in the same order of tables, so that two services never deadlock."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.ranking import RankingRules
from jobs.models import Job
from rules import Side
from scoring.services.agreement import call_desk, record_agreement, settle_call
from scoring.services.matches import name_first_dealer
from tests.builders import build_account, build_running_night, mark, matches_of, win
from tests.tournaments.interclub.test_interclub import ClubMeeting
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.events.services.lifecycle import end_event, resume_event
from tournaments.events.services.settings import change_ranking
from tournaments.history.services.undo import undo_action
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, reopen_round, unpublish_round
from tournaments.rounds.services.tables import forfeit_table, seat_more, swap_entries
from tournaments.standings.services import refresh_standings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one lock for all rows"),
    pytest.mark.postgresql("order of row locks"),
]

Call = Callable[[], Any]

ORDER = (
    "clubs_club",
    "tournaments_event",
    "tournaments_round",
    "scoring_match",
    "jobs_job",
    "live_revision",
)
"""Order in which tables are locked: a transaction waits only for tables to the right of those it holds."""

_LOCKS = re.compile(r'^(?:UPDATE|INSERT INTO) "(\w+)"|^SELECT .* FROM "(\w+)" .*FOR (?:NO KEY )?UPDATE', re.DOTALL)


def list_locked_tables(call: Call) -> list[str]:
    """Return the tables in which the call locks rows, in the order of their first lock."""
    with CaptureQueriesContext(connection) as caught:
        call()
    found = [_LOCKS.match(query["sql"]) for query in caught.captured_queries]
    tables = dict.fromkeys(match[1] or match[2] for match in found if match)
    return [table for table in tables if table in ORDER]


def find_entry_elsewhere(event: Event) -> int:
    """Return the lowest entry of round 1 that is seated at a table other than that of entry 1."""
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = [{numbers[entry] for entry in (*t.a, *t.b)} for t in lineup_of(event.rounds.get(number=1)).tables]
    return min(min(table) for table in tables if 1 not in table)


def get_bye_number(event: Event, number: int) -> int:
    (bye,) = lineup_of(event.rounds.get(number=number)).byes
    return event.entries.get(pk=bye.entry).number


def test_every_service_locks_rows_in_the_same_order() -> None:
    event, director = build_running_night(pairs=5), build_account()
    match, other = matches_of(event)
    first, last = win(match)
    Job.objects.all().delete()
    steps: list[Call] = [
        partial(mark, match, "undone", replaced=last),
        partial(mark, match, "A gros_charlemagne made"),
        partial(mark, match, "B 7 made", replaced=first, director=director),
        partial(name_first_dealer, match_id=match.pk, seat=1),
        partial(record_agreement, match_id=match.pk, side=Side.A, game=1),
        partial(call_desk, match_id=match.pk),
        partial(settle_call, match_id=match.pk, account=director, ruling="Stands."),
        partial(mark, other, "A gros_charlemagne made"),
        partial(close_round, event_id=event.pk, number=1),
        partial(reopen_round, event_id=event.pk, number=1),
        partial(close_round, event_id=event.pk, number=1),
        partial(draw_round, event_id=event.pk),
        partial(publish_round, event_id=event.pk, number=2),
        partial(swap_entries, event_id=event.pk, number=1, one=1, other=find_entry_elsewhere(event)),
        lambda: undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk),
        partial(substitute_player, event_id=event.pk, number=1, place=1, name="Zoé Zed"),
        partial(add_entry, event_id=event.pk, players=["Zelda Zed", "Zach Zed"]),
        lambda: seat_more(event_id=event.pk, number=2, one=6, other=get_bye_number(event, 2)),
        lambda: undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk),
        partial(forfeit_table, event_id=event.pk, number=1, table=1, winner=Side.A),
        partial(withdraw_entry, event_id=event.pk, number=2),
        partial(change_ranking, event_id=event.pk, rules=RankingRules(order=("points_for",))),
        partial(unpublish_round, event_id=event.pk, number=2),
        partial(refresh_standings, event_id=event.pk),
        partial(end_event, event_id=event.pk),
        partial(resume_event, event_id=event.pk),
    ]
    for step in steps:
        locked = list_locked_tables(step)
        assert locked == sorted(locked, key=ORDER.index), step
        assert locked[-1] == "live_revision"
        Job.objects.all().delete()


def test_accepting_an_invitation_locks_the_club_before_the_event() -> None:
    meeting = ClubMeeting()
    answer = partial(accept_for_club, club_id=meeting.guest.pk, invited_id=meeting.invite_guest().pk)
    locked = list_locked_tables(answer)
    assert {"clubs_club", "tournaments_event"} <= {*locked}
    assert locked == sorted(locked, key=ORDER.index)
