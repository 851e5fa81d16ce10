"""Number of database queries of each page, independent of the size of the event."""

import re
from collections.abc import Callable

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.calendar import get_club_today
from jobs.models import Job
from rules import Side
from tests.builders import (
    build_event,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser
from tests.support.hall import Hall, build_hand_form, post_form
from tournaments.history.queries import REORDER_KIND
from tournaments.history.services.undo import undo_action
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import draw_round
from tournaments.rounds.services.tables import forfeit_table

pytestmark = pytest.mark.django_db


def open_round(hall: Hall) -> str:
    """Return the address at the desk of the last round, which can still get another table."""
    return f"/e/{hall.event.short}/desk/rounds/{hall.event.rounds.count()}"


MAX_QUERIES: dict[str, tuple[int, Callable[[Hall], str]]] = {
    "home": (3, lambda hall: "/"),
    "front of a club": (12, lambda hall: hall.records.removesuffix("/records")),
    "club": (7, lambda hall: f"/club/{hall.event.club.slug}"),
    "team": (5, lambda hall: f"/club/{hall.event.club.slug}/team"),
    "a member of the team": (4, lambda hall: f"/club/{hall.event.club.slug}/team/{hall.membership.pk}"),
    "account": (6, lambda hall: "/account"),
    "components": (2, lambda hall: "/components"),
    "components of a table": (2, lambda hall: "/components/table"),
    "clubs invited": (7, lambda hall: f"/e/{hall.event.short}/desk/interclub?search=club"),
    "clubs of a series": (5, lambda hall: hall.series),
    "invitations": (4, lambda hall: hall.shared_event.rpartition("/")[0]),
    "the club's people elsewhere": (12, lambda hall: hall.shared_event),
    "link for a club": (4, lambda hall: hall.club_link),
    "new night": (5, lambda hall: f"/club/{hall.event.club.slug}/new"),
    "like an evening": (7, lambda hall: f"/club/{hall.event.club.slug}/like/{hall.event.short}"),
    "calendar": (6, lambda hall: hall.recurring_night.rpartition("/")[0]),
    "a night of the calendar": (5, lambda hall: hall.recurring_night),
    "a day of the calendar": (5, lambda hall: f"{hall.recurring_night}/on/{get_club_today(hall.event.club)}"),
    "public calendar": (6, lambda hall: f"/c/{hall.event.club.slug}/calendar"),
    "calendar as a feed": (7, lambda hall: f"/c/{hall.event.club.slug}/calendar.ics"),
    "news as a feed": (7, lambda hall: f"/c/{hall.event.club.slug}/news.atom"),
    "an event for an agenda": (4, lambda hall: f"/e/{hall.event.short}.ics"),
    "poster of an event": (1, lambda hall: f"/e/{hall.event.short}/poster.png"),
    "map of the site": (1, lambda hall: "/sitemap.xml"),
    "night templates": (5, lambda hall: f"/club/{hall.event.club.slug}/usual"),
    "like a usual night": (6, lambda hall: hall.night_template),
    "history of the club": (6, lambda hall: f"/club/{hall.event.club.slug}/history"),
    "a line of it": (6, lambda hall: hall.club_change),
    "history of the club, looked through": (
        6,
        lambda hall: f"/club/{hall.event.club.slug}/history?search=a&group=nights&since=2026-01-01",
    ),
    "history of the club as a file": (5, lambda hall: f"/club/{hall.event.club.slug}/history.csv"),
    "the club's file": (5, lambda hall: f"/club/{hall.event.club.slug}/file"),
    "what a file would bring in": (8, lambda hall: hall.event_import),
    "what a recorded night would do": (6, lambda hall: hall.night_import),
    "hands from a file": (3, lambda hall: f"/e/{hall.event.short}/desk/hands/file"),
    "house rules": (5, lambda hall: f"/club/{hall.event.club.slug}/house-rules"),
    "editor of house rules": (4, lambda hall: hall.house_rules),
    "people": (6, lambda hall: f"/club/{hall.event.club.slug}/people"),
    "somebody new": (5, lambda hall: f"/club/{hall.event.club.slug}/people/new"),
    "people from a list": (3, lambda hall: f"/club/{hall.event.club.slug}/people/import"),
    "perhaps twice": (4, lambda hall: f"/club/{hall.event.club.slug}/people/alike"),
    "merge two people": (5, lambda hall: f"{hall.person}/merge"),
    "a person": (7, lambda hall: hall.person),
    "two installations": (8, lambda hall: f"/club/{hall.event.club.slug}/mirrors"),
    "the key that signs": (6, lambda hall: f"/club/{hall.event.club.slug}/key"),
    "signed results": (4, lambda hall: hall.log),
    "the club's page": (5, lambda hall: f"/club/{hall.event.club.slug}/page"),
    "personal information": (4, lambda hall: f"/club/{hall.event.club.slug}/privacy"),
    "personal information for everybody": (4, lambda hall: f"/c/{hall.event.club.slug}/privacy"),
    "people to forget": (3, lambda hall: f"/club/{hall.event.club.slug}/privacy/people"),
    "register of incidents": (4, lambda hall: hall.incident.rpartition("/")[0]),
    "an incident": (4, lambda hall: hall.incident),
    "what a person agreed": (5, lambda hall: f"{hall.person}/privacy"),
    "publishing": (7, lambda hall: f"/e/{hall.event.short}/desk/publishing"),
    "standings at the desk": (7, lambda hall: f"/e/{hall.event.short}/desk/standings"),
    "entries": (7, lambda hall: f"/e/{hall.event.short}/desk/entries"),
    "desk": (21, lambda hall: f"/e/{hall.event.short}/desk"),
    "phones at the tables": (6, lambda hall: f"/e/{hall.event.short}/desk/phones"),
    "what came late": (4, lambda hall: f"/e/{hall.event.short}/desk/late"),
    "a card": (4, lambda hall: f"/e/{hall.event.short}/desk/cards/1"),
    "cards": (4, lambda hall: f"/e/{hall.event.short}/desk/cards"),
    "public page": (11, lambda hall: f"/e/{hall.event.short}"),
    "public page of a round": (8, lambda hall: f"/e/{hall.event.short}/rounds/1"),
    "public page of a table": (14, lambda hall: f"/e/{hall.event.short}/rounds/1/tables/1"),
    "where somebody plays": (11, lambda hall: f"/e/{hall.event.short}?who=pair"),
    "standings": (5, lambda hall: f"/e/{hall.event.short}/standings"),
    "why a rank": (6, lambda hall: f"/e/{hall.event.short}/standings/1"),
    "charts": (4, lambda hall: f"/e/{hall.event.short}/charts"),
    "seasons": (6, lambda hall: f"/club/{hall.event.club.slug}/seasons"),
    "a season": (6, lambda hall: f"/club/{hall.event.club.slug}/{hall.season}"),
    "a ladder": (5, lambda hall: f"/c/{hall.event.club.slug}/{hall.season}"),
    "a line of a ladder": (6, lambda hall: hall.season_line),
    "clubs": (2, lambda hall: "/c"),
    "seasons for everybody": (2, lambda hall: f"/c/{hall.event.club.slug}/seasons"),
    "ratings switch": (3, lambda hall: f"/club/{hall.event.club.slug}/ratings"),
    "ratings": (4, lambda hall: f"{hall.records.removesuffix('records')}ratings"),
    "records": (5, lambda hall: hall.records),
    "records of a year": (5, lambda hall: f"{hall.records}/2026"),
    "record of somebody": (6, lambda hall: hall.played_person.replace("/club/", "/c/")),
    "record at the desk": (7, lambda hall: f"{hall.played_person}/record"),
    "new tournament": (4, lambda hall: f"/club/{hall.event.club.slug}/tournament"),
    "planner": (3, lambda hall: f"/club/{hall.event.club.slug}/plan"),
    "settings": (8, lambda hall: f"/e/{hall.event.short}/desk/settings"),
    "history of the event": (8, lambda hall: f"/e/{hall.event.short}/desk/history"),
    "a line of the history of the event": (
        8,
        lambda hall: f"/e/{hall.event.short}/desk/history/{hall.event.actions.get(kind='start_event').pk}",
    ),
    "history of the event, looked through": (
        9,
        lambda hall: f"/e/{hall.event.short}/desk/history?search=a&group=rounds&state=standing",
    ),
    "history of the event as a file": (7, lambda hall: f"/e/{hall.event.short}/desk/history.csv"),
    "hands marked at the tables": (6, lambda hall: f"/e/{hall.event.short}/desk/history/hands"),
    "a round at the desk": (9, open_round),
    "an entry": (12, lambda hall: f"/e/{hall.event.short}/desk/entries/1"),
    "a file of entries": (3, lambda hall: f"/e/{hall.event.short}/desk/entries/file"),
    "teams": (5, lambda hall: f"/e/{hall.event.short}/desk/entries/teams"),
    "starting list": (7, lambda hall: f"/e/{hall.event.short}/desk/entries/order"),
    "door prize": (7, lambda hall: f"/e/{hall.event.short}/desk/entries/door-prize"),
    "check-in": (10, lambda hall: f"/e/{hall.event.short}/desk/entries/check-in"),
    "fees": (8, lambda hall: hall.fee.rpartition("/")[0]),
    "who still has to pay": (8, lambda hall: f"{hall.fee.rpartition('/')[0]}?only=owing"),
    "fee of somebody": (8, lambda hall: hall.fee),
    "rates": (4, lambda hall: f"{hall.fee.rpartition('/')[0]}/rates"),
    "treasurer": (11, lambda hall: f"{hall.fee.rpartition('/')[0]}/treasurer"),
    "check-in with fees": (15, lambda hall: hall.fee.replace("/fees/", "/entries/check-in?x=")),
    "prizes": (12, lambda hall: hall.prize.rpartition("/")[0]),
    "prizes by category": (13, lambda hall: hall.prize_category.partition("/categories")[0]),
    "a prize": (5, lambda hall: hall.prize),
    "a prize category": (8, lambda hall: hall.prize_category),
    "attendance": (10, lambda hall: f"/club/{hall.event.club.slug}/attendance"),
    "attendance by night": (12, lambda hall: f"/club/{hall.event.club.slug}/attendance/nights"),
    "dues": (8, lambda hall: hall.dues.rpartition("/")[0]),
    "dues of a year": (4, lambda hall: hall.dues),
    "a person with dues": (8, lambda hall: hall.dues and hall.person),
    "who has not paid dues": (6, lambda hall: f"{hall.dues and hall.person.rpartition('/')[0]}?group=owing"),
    "people to enter": (7, lambda hall: f"/e/{hall.event.short}/desk/entries/people"),
    "a table more": (9, lambda hall: f"{open_round(hall)}/more"),
    "event as a file": (17, lambda hall: f"/e/{hall.event.short}/desk/file"),
    "event as a file with codes": (31, lambda hall: f"/e/{hall.event.short}/desk/file-with-codes"),
    "blank sheet": (3, lambda hall: f"/e/{hall.event.short}/desk/print/blank"),
    "a table of a round": (9, lambda hall: f"/e/{hall.event.short}/desk/rounds/1/tables/1"),
    "swap": (11, lambda hall: f"/e/{hall.event.short}/desk/rounds/1/swap?one=1&other=4"),
    "why two do not meet": (10, lambda hall: f"/e/{hall.event.short}/desk/rounds/1/meeting?one=1&other=4"),
    "jobs": (4, lambda hall: f"/e/{hall.event.short}/desk/jobs"),
    "message to the hall": (4, lambda hall: f"/e/{hall.event.short}/desk/messages"),
    "what there is to print": (6, lambda hall: f"/e/{hall.event.short}/desk/print"),
    "round to print": (8, lambda hall: f"/e/{hall.event.short}/desk/print/round"),
    "round to print by name": (8, lambda hall: f"/e/{hall.event.short}/desk/print/round?by=name"),
    "score sheets": (9, lambda hall: f"/e/{hall.event.short}/desk/print/sheets"),
    "standings to print": (7, lambda hall: f"/e/{hall.event.short}/desk/print/standings"),
    "board": (14, lambda hall: f"/e/{hall.event.short}/board"),
    "board of a room": (14, lambda hall: hall.board.replace("desk/boards", "board")),
    "boards": (3, lambda hall: hall.board.rpartition("/")[0]),
    "board at the desk": (4, lambda hall: hall.board),
    "sign-up": (1, lambda hall: f"/e/{hall.event.short}/sign-up"),
    "rules": (2, lambda hall: f"/e/{hall.event.short}/rules"),
    "ruling": (1, lambda hall: f"/e/{hall.event.short}/ruling"),
    "rules of a system": (0, lambda hall: "/rules/canadian"),
    "rules at the table": (5, lambda hall: f"{hall.table}/rules"),
    "ruling at the desk": (8, lambda hall: f"{hall.desk_match}/ruling"),
    "table": (7, lambda hall: hall.table),
    "hands": (5, lambda hall: f"{hall.table}/hands"),
    "a hand": (7, lambda hall: f"{hall.table}/hands/1"),
    "table at the desk": (10, lambda hall: hall.desk_match),
    "history": (9, lambda hall: f"{hall.desk_match}/hands"),
    "sheet": (9, lambda hall: f"/match/{hall.last_match.pk}/sheet"),
    "program": (5, lambda hall: f"/api/tables/{hall.code}"),
    "standings as a file": (5, lambda hall: f"/e/{hall.event.short}/standings.csv"),
    "standings by club as a file": (4, lambda hall: f"/e/{hall.event.short}/clubs.csv"),
    "a round as a file": (7, lambda hall: f"/e/{hall.event.short}.csv?round=1"),
    "who takes part as a file": (3, lambda hall: f"/e/{hall.event.short}/entries.csv"),
    "hands as a file": (5, lambda hall: f"/e/{hall.event.short}/hands.csv?round=1"),
    "who met whom as a file": (4, lambda hall: f"/e/{hall.event.short}/charts.csv"),
    "a season as a file": (4, lambda hall: f"/c/{hall.event.club.slug}/{hall.season}.csv"),
    "nights behind a line as a file": (6, lambda hall: f"{hall.season_line}.csv"),
    "ratings as a file": (3, lambda hall: hall.records.replace("/records", "/ratings.csv")),
    "records as a file": (5, lambda hall: f"{hall.records}.csv"),
    "partners as a file": (6, lambda hall: f"{hall.played_person.replace('/club/', '/c/')}.csv?part=partners"),
    "calendar as a file": (6, lambda hall: f"/c/{hall.event.club.slug}/calendar.csv"),
    "entries as a file": (5, lambda hall: f"/e/{hall.event.short}/desk/entries.csv"),
    "check-in as a file": (11, lambda hall: f"/e/{hall.event.short}/desk/entries/check-in.csv"),
    "fees as a file": (8, lambda hall: f"{hall.fee.rpartition('/')[0]}.csv"),
    "prizes as a file": (13, lambda hall: f"{hall.prize.rpartition('/')[0]}.csv"),
    "standings of the desk as a file": (6, lambda hall: f"/e/{hall.event.short}/desk/standings.csv"),
    "attendance as a file": (10, lambda hall: f"/club/{hall.event.club.slug}/attendance.csv"),
    "attendance by night as a file": (12, lambda hall: f"/club/{hall.event.club.slug}/attendance/nights.csv"),
    "people as a file": (6, lambda hall: f"/club/{hall.event.club.slug}/people.csv"),
    "dues as a file": (4, lambda hall: f"{hall.dues.rpartition('/')[0]}.csv"),
    "team as a file": (4, lambda hall: f"/club/{hall.event.club.slug}/team.csv"),
}


def build_small_night() -> Hall:
    """Build a night of two tables and one round, and another night of the club."""
    hall = Hall(pairs=4)
    build_event(4, club=hall.event.club)
    play(hall.match, "A 6 made")
    compute_standings(hall.event)
    return hall


def build_large_night() -> Hall:
    """Build a night of ten tables and three rounds with a long match each, and other nights of the club."""
    hall = Hall(pairs=20)
    for number in (1, 2):
        play_round(hall.event, number)
        start_next_round(hall.event)
    for match in matches_of(hall.event, 3):
        play(match, "A 6 made", "B mulot failed", "passed_out", "A 5 made", "B 5 made", "misdeal")
    compute_standings(hall.event)
    for _ in range(3):
        build_running_night(club=hall.event.club)
    return hall


def capture_queries(hall: Hall, path: str) -> list[str]:
    Job.objects.filter(kind__startswith="refresh_").delete()  # on a slow machine, a page would report them as late
    return capture_uncached_queries(hall, path)


def capture_uncached_queries(hall: Hall, path: str) -> list[str]:
    if "csrftoken" not in hall.desk.client.cookies:
        for opened in ("/", hall.table):
            hall.desk.open(opened)  # sets the cookies
    caches["pages"].clear()  # count the queries of the first reader, before the page is cached
    with CaptureQueriesContext(connection) as made:
        assert hall.desk.open(path).status == 200
    return [query["sql"] for query in made.captured_queries]


@pytest.mark.long
def test_query_count_of_a_page_does_not_depend_on_the_night() -> None:
    small, large = build_small_night(), build_large_night()
    counted = {
        name: (len(capture_queries(small, path(small))), len(capture_queries(large, path(large))))
        for name, (_, path) in MAX_QUERIES.items()
    }
    assert {name: count for name, count in counted.items() if count[0] != count[1]} == {}
    query_counts = {name: large for name, (_, large) in counted.items()}
    expected_counts = {name: most for name, (most, _) in MAX_QUERIES.items()}
    assert query_counts == expected_counts, "fewer? write the lower number into the table; more? ask for less"


@pytest.mark.long
def test_desk_query_count_does_not_depend_on_tables_or_rounds() -> None:
    counts = []
    for pairs, rounds in ((4, 1), (20, 3)):
        hall = Hall(pairs=pairs)
        for number in range(1, rounds):
            play_round(hall.event, number)
            start_next_round(hall.event)
        play_round(hall.event, rounds)
        desk = f"/e/{hall.event.short}/desk"
        between = len(capture_queries(hall, desk))
        round_row = draw_round(event_id=hall.event.pk)
        draft = f"{desk}/rounds/{round_row.number}"
        numbers = dict(hall.event.entries.values_list("pk", "number"))
        one, other = (numbers[table.a[0]] for table in lineup_of(round_row).tables[:2])
        chosen = f"one={one}&other={other}"
        pages = (desk, f"{draft}/comparison", f"{draft}/swap?{chosen}", f"{draft}/meeting?{chosen}")
        counts.append((between, *(len(capture_queries(hall, page)) for page in pages)))
    assert counts[0] == counts[1]


@pytest.mark.long
def test_account_query_count_does_not_depend_on_passkeys() -> None:
    hall = Hall()
    counts = []
    for number in range(6):
        now = timezone.now()
        hall.owner.passkeys.create(name="A phone", host="localhost", credential_id=str(number), made_at=now)
        counts.append(len(capture_queries(hall, "/account")))
    assert counts[0] == counts[-1]


@pytest.mark.long
def test_history_query_count_does_not_depend_on_its_length() -> None:
    hall = Hall(pairs=4)
    counts = []
    for lines in (2, 10):
        for _ in range(lines):
            forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)
            undo_action(event_id=hall.event.pk, action_id=hall.event.actions.latest("pk").pk)
        queries = [capture_queries(hall, f"/e/{hall.event.short}/{page}") for page in ("desk", "desk/history")]
        counts.append([len(each) for each in queries])
        wrote = [sql for each in queries for sql in each if re.search(r'"changes"(,| FROM)', sql)]
        assert [sql for sql in wrote if REORDER_KIND not in sql] == []
    assert counts[0] == counts[1]


@pytest.mark.slow
@pytest.mark.usefixtures("within_a_minute")
def test_unchanged_page_queries_only_its_revision() -> None:
    hall = build_small_night()
    for path, most in ((f"/e/{hall.event.short}", 2), (f"/e/{hall.event.short}/desk", 4)):
        page = hall.desk.open(path)
        with CaptureQueriesContext(connection) as made:
            assert hall.desk.open(path, **{"If-None-Match": page.revision}).status == 304
        assert len(made) <= most, made.captured_queries


@pytest.mark.long
def test_recording_a_hand_costs_the_same_late_in_a_match() -> None:
    hall = Hall(pairs=20)
    phone, table = hall.add_phone(), hall.table
    post_form(phone, table, build_hand_form(hall.match))
    counts = []
    for _ in range(5):
        hand = build_hand_form(hall.match, contract="5", tricks="2")
        with CaptureQueriesContext(connection) as made:
            assert post_form(phone, table, hand, follow=False).status == 302
        counts.append(len(made))
    assert counts[0] == counts[-1]
    assert counts[0] <= 14


@pytest.mark.parametrize("before", [1, 4])
def test_table_screen_of_a_phone_needs_few_queries(before: int) -> None:
    hall, phone = Hall(), Browser()
    play(hall.match, *["A 6 7"] * before)
    table = phone.open(hall.table).path
    phone.client.defaults |= {"HTTP_HX_REQUEST": "true", "HTTP_CHARLEMAGNE_DRAWS": "1"}
    marked = {**build_hand_form(hall.match), "csrfmiddlewaretoken": phone.client.cookies["csrftoken"].value}
    with CaptureQueriesContext(connection) as made:
        answer = phone.client.post(table, marked)
    assert answer.headers["Charlemagne-Entry"].endswith("recorded")
    assert len(made) <= 16, made.captured_queries
    headers = {"if-none-match": phone.client.get(table).headers["ETag"]}
    with CaptureQueriesContext(connection) as made:
        assert phone.client.get(table, headers=headers).status_code == 304
    assert len(made) <= 5, made.captured_queries


def test_hand_sent_through_the_api_needs_few_queries() -> None:
    hall = Hall()
    play(hall.match, "A 6 7")
    hand_form = build_hand_form(hall.match)
    hand = {name: hand_form.pop(name) for name in ("side", "contract", "tricks")}
    url = f"/api/tables/{hall.card.code}/hands?card={hall.card.secret}"
    with CaptureQueriesContext(connection) as made:
        answer = Client().post(url, hand_form | {"hand": hand}, content_type="application/json")
    assert answer.status_code == 201
    assert len(made) <= 9, made.captured_queries


@pytest.mark.long
def test_page_of_two_partners_needs_few_queries() -> None:
    hall = Hall()
    assert len(capture_queries(hall, f"{hall.played_person.replace('/club/', '/c/')}/with/{hall.partner}")) <= 8
