"""A hall for measuring: a night with many tables in a data folder of its own.

`python -m bench.hall.room make TABLES [HANDS]` prints the event and each table's code and match as JSON; its
matches have so many hands, or never end; `… public TABLES` the same of a club with something on every public
page; `… bare N` and `… service N` print the seconds that N hands take as bare commits and through the
service; `… release N` changes what everybody sees, N times, and prints when; `… reads N` opens pages, N
times each, and prints what that takes; `… log` prints what was recorded, `… tables` the tables of round 1;
`… desk` signs somebody in and prints where lists are brought; `… rival` makes a second club with a
federation, whose owner is signed in; `… paper` prints the seconds until a paper of the first is made;
`… keys` prints keys for programs; `… take_file` keeps the event's file with its codes in the folder,
`… bring_in` makes a hall of it. The data folder and the database come from the environment, as everywhere.
"""

from __future__ import annotations

import datetime
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import django

from bench.hall.page_reads import print_page_reads
from operations.data_dir import data_folder

if TYPE_CHECKING:
    from clubs.models import Club
    from tournaments.models import Event

LETTERS = str.maketrans("0123456789", "olizeasgbp")
"""A surname from a number: no name has digits."""
EVENT_FILE = "event.json"
"""In the data folder: what another laptop goes on with."""
ENDLESS = 10_000
"""Hands in a match, so that none ends while we measure."""


def make(tables: int, hands: int = ENDLESS) -> None:
    from clubs.services import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.rounds.services.rounds import draw_round, publish_round

    prepare_data_folder()
    event = start_night(create_club(name="Bench"), tables, hands)
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
    print(json.dumps({"event": event.short, "tables": _list_tables(event, 1)}))


def make_public(tables: int) -> None:
    """A club with a night that is over, a season, and a night in its third round."""
    from clubs.services import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.events.services.lifecycle import end_event
    from tournaments.records.services import refresh_ratings
    from tournaments.rounds.services.rounds import draw_round, publish_round
    from tournaments.seasons.services import open_season, refresh_seasons
    from tournaments.standings.services import refresh_standings

    prepare_data_folder()
    club = create_club(name="Bench")
    finished_event = start_night(club, 4)
    _play_round(finished_event, 1)
    end_event(event_id=finished_event.pk)
    event = start_night(club, tables)
    for number in (1, 2):
        _play_round(event, number)
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
    refresh_standings(event_id=event.pk)
    season = open_season(club=club, name="Bench", starts=event.held_on, ends=event.held_on, ladders=[{"name": "Bench"}])
    refresh_seasons(club_id=club.pk)
    refresh_ratings(club_id=club.pk)
    night, front = f"/e/{event.short}", f"/c/{club.slug}"
    pages = [night, *(f"{night}/{rest}" for rest in ("rounds/3", "rounds/3/tables/1", "standings"))]
    pages += [f"{night}/standings/1", f"{night}/charts", f"{night}/rules", front, f"{front}/calendar"]
    pages += [f"{front}/records", f"{front}/seasons/{season.pk}", f"{front}/people/{club.people.all()[0].pk}"]
    print(json.dumps({"event": event.short, "tables": _list_tables(event, 3), "pages": pages}))


def toggle_release(times: int) -> None:
    """Hides the results and shows them again, twice a second; prints the moment after each commit."""
    from engine.visibility import Release, Results
    from tournaments.models import Event
    from tournaments.publishing.services.publishing import change_release

    event = Event.objects.latest("pk")
    committed = []
    for number in range(times):
        time.sleep(0.5)
        shown = Results.HANDS if number % 2 else Results.NOTHING
        change_release(event_id=event.pk, release=Release(results=shown))
        committed.append(time.time())
    print(json.dumps(committed))


def print_log() -> None:
    """Every mark as its match, number, key and status; by match, its summary and the numbers of both sides'
    entries; and the standings."""
    from scoring.models import Mark, Match
    from tournaments.models import Standings, Table
    from tournaments.rounds.queries.rounds import list_side_numbers

    marks = Mark.objects.order_by("pk").values_list("match", "number", "entry_key", "status")
    recorded = {
        "marks": [[match, number, str(key), status] for match, number, key, status in marks],
        "summaries": dict(Match.objects.values_list("pk", "summary")),
        "sides": {table.match_id: list_side_numbers(table) for table in Table.objects.all()},
        "standings": Standings.objects.values_list("rows", flat=True).first(),
    }
    print(json.dumps(recorded))


def print_tables() -> None:
    from tournaments.models import Event

    print(json.dumps(_list_tables(Event.objects.get(), 1)))


def sign_in_owner() -> None:
    """Signs an owner of the club in; prints where lists of people are brought, and the session."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from clubs.models import Club
    from clubs.services import create_account, make_owner

    club, owner = Club.objects.get(), create_account(name="Bench", password=str(uuid4()), language="en")
    make_owner(club=club, account=owner)
    browser = Client()
    browser.force_login(owner)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    print(json.dumps({"path": reverse("import-people", args=[club.slug]), "session": session}))


def make_api_keys() -> None:
    """Prints a key for programs that reads, and one that directs."""
    from clubs.audit.log import Actor
    from clubs.models import Club, Scope
    from clubs.services import create_account, make_owner, make_token

    club, owner = Club.objects.get(), create_account(name="Bench keys", password=str(uuid4()), language="en")
    make_owner(club=club, account=owner)
    secrets = {
        scope.value: make_token(club_id=club.pk, name=scope.value, scope=scope, days=30, by=Actor(account=owner)).secret
        for scope in (Scope.READ, Scope.DIRECT)
    }
    print(json.dumps(secrets))


def export_event_file() -> None:
    from tournaments.event_files import serialize_event_file
    from tournaments.event_files.queries import build_event_file
    from tournaments.models import Event

    event = Event.objects.select_related("club", "terms").get()
    (data_folder() / EVENT_FILE).write_bytes(
        serialize_event_file(build_event_file(event, with_phone_keys=True, with_desk=True))
    )
    print(event.short)


def import_event_file() -> None:
    from clubs.services import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.event_files import read_event_path
    from tournaments.imports.services.event_import import bring_in_event

    prepare_data_folder()
    club = create_club(name="Bench")
    print(bring_in_event(club=club, content=read_event_path(data_folder() / EVENT_FILE)).short)


def _play_round(event: Event, number: int) -> None:
    """Draws a round, marks a hand at every table, has the director score it, and closes it."""
    from rules import Side
    from scoring.services import record_hand
    from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
    from tournaments.rounds.services.tables import adjust_table

    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk, seed=number).number)
    for table in _list_tables(event, number):
        hand = {"side": Side.A.name, "contract": "6", "tricks": "7"}
        record_hand(match_id=table["match"], entry_key=uuid4(), number=1, hand=hand, device="bench")
        points = (32, table["number"] % 32)
        adjust_table(event_id=event.pk, number=number, table=table["number"], games=(1, 0), points=points)
    close_round(event_id=event.pk, number=number)


def start_night(club: Club, tables: int, hands: int = ENDLESS) -> Event:
    """A night that has begun, with two pairs a table and matches of so many hands."""
    from rules import CANADIAN, MatchFormat
    from tournaments.entries.services.entries import add_entries
    from tournaments.events.services.lifecycle import create_event, start_event

    event = create_event(
        club=club,
        name="Bench",
        held_on=datetime.date(2026, 11, 17),
        ruleset=CANADIAN,
        match_format=MatchFormat(hands=hands),
        table_count=tables,
    )
    surnames = {number: str(number).translate(LETTERS).title() for number in range(1, 2 * tables + 1)}
    pairs = {number: (f"Anne {surname}", f"Paul {surname}") for number, surname in surnames.items()}
    add_entries(event_id=event.pk, entries=pairs)
    return start_event(event_id=event.pk)


def _list_tables(event: Event, number: int) -> list[dict[str, Any]]:
    """Where its hands are marked, table by table of a round."""
    from scoring.models import Match

    matches = Match.objects.filter(card__topic=event.topic, round_number=number).select_related("card")
    return [
        {
            "number": match.card.number,
            "match": match.pk,
            "code": match.card.code,
            "secret": match.card.secret,
            "letters": match.card.letters,
        }
        for match in matches.order_by("card__number")
    ]


def make_rival_club() -> None:
    """Another club, and what its owner's forms need."""
    from django.test import Client

    from clubs.services import create_account, create_club, make_owner
    from engine.ladders import LadderFigure
    from federations.services.federation_settings import open_federation

    club = create_club(name="Rival")
    owner = create_account(name="Rival", password=str(uuid4()), language="en")
    make_owner(club=club, account=owner)
    first, last = datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)
    federation = open_federation(
        club_id=club.pk, name="Rival", starts=first, ends=last, ladder={"counts": LadderFigure.MATCH_WINS}
    )
    client = Client()
    client.force_login(owner)
    session = client.cookies["sessionid"].value
    print(json.dumps({"club": f"/club/{club.slug}", "federation": federation.pk, "session": session}))


def time_paper() -> None:
    """Blank score sheets of the first club's event, asked for and waited for."""
    from jobs.models import ACTIVE_STATUSES
    from tournaments.models import Event
    from tournaments.papers.orders import Order, Paper
    from tournaments.papers.paper_files import get_topic
    from tournaments.papers.services import order_paper

    event, started = Event.objects.earliest("pk"), time.monotonic()
    order = Order(paper=Paper.BLANK, of=event.pk, copies=1)
    job = order_paper(order=order, topic=get_topic(event), club_id=event.club_id)
    while job.status in ACTIVE_STATUSES:
        time.sleep(0.2)
        job.refresh_from_db()
    print(json.dumps({"status": job.status, "seconds": round(time.monotonic() - started, 1)}))


def _print_time(count: int, write: Callable[[int], None]) -> None:
    started = time.perf_counter()
    for number in range(1, count + 1):
        write(number)
    print(time.perf_counter() - started)


def time_bare_commits(count: int) -> None:
    """The statements that record a hand and nothing else: one insert, two updates, one commit."""
    from django.db import connection, transaction
    from django.utils import timezone

    from scoring.models import Match

    match = Match.objects.select_related("card").latest("pk")
    insert = """INSERT INTO scoring_mark
        (match_id, number, entry_key, record_data, status, reason, device, created_at)
        VALUES (%s, %s, %s, %s, 'current', '', 'bench', %s)"""
    record = '{"kind": "hand", "side": "A", "contract": "6", "outcome": "made", "tricks": 7}'
    key = (lambda: uuid4().hex) if connection.vendor == "sqlite" else uuid4

    def write(number: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(insert, [match.pk, 5_000 + number, key(), record, timezone.now()])
            cursor.execute("UPDATE scoring_match SET revision = revision + 1 WHERE id = %s", [match.pk])
            cursor.execute("UPDATE live_revision SET number = number + 1 WHERE topic = %s", [match.card.topic])

    _print_time(count, write)


def time_service(count: int) -> None:
    """Through ``record_hand``, spread over all tables but the last."""
    from scoring.models import Match
    from scoring.services import record_hand

    matches = list(Match.objects.order_by("pk").values_list("pk", flat=True))[:-1]
    hand = {"side": "A", "contract": "6", "tricks": "7"}
    started = {pk: Match.objects.get(pk=pk).summary["next"] for pk in matches}

    def write(number: int) -> None:
        match = matches[number % len(matches)]
        record_hand(match_id=match, entry_key=uuid4(), number=started[match], hand=hand, device="bench")
        started[match] += 1

    _print_time(count, write)


if __name__ == "__main__":
    django.setup()
    role, *numbers = sys.argv[1:]
    roles: dict[str, Callable[..., None]] = {
        "make": make,
        "public": make_public,
        "release": toggle_release,
        "reads": print_page_reads,
        "log": print_log,
        "tables": print_tables,
        "desk": sign_in_owner,
        "rival": make_rival_club,
        "paper": time_paper,
        "keys": make_api_keys,
        "take_file": export_event_file,
        "bring_in": import_event_file,
        "bare": time_bare_commits,
        "service": time_service,
    }
    roles[role](*map(int, numbers))
