"""An installation with content on every page.

It has a club on its night, a club whose nights are over, and tournaments of every kind, in progress and ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf
from unittest.mock import patch

from clubs.models import Account
from clubs.services.accounts import make_owner
from clubs.services.people import PersonDetails, add_person
from engine.presets import PRESETS
from jobs.models import Job, Status
from jobs.services import enqueue, run_job
from scoring.services.agreement import call_desk
from tests.builders import build_account, build_event, mark, matches_of, play_round
from tests.every_page.test_every_page import FILES, NON_PAGES, PARTS, PATHS_BY_PATTERN, POST_ONLY, build_night
from tests.every_page.test_permissions import ELSEWHERE, READERS, build_path, build_reader
from tests.golden.fixed_values import FixedValues
from tests.support.browser import Browser
from tests.support.event_files import build_preset_tournament, draw_round_if_any, play_all_rounds
from tests.support.hall import Hall, build_hand_form, post_form
from tests.support.rich_club import RichClub
from tests.tournaments.exports.test_exports import ENDING, ENDINGS
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.papers.orders import CLUB_PAPERS, Order, Paper
from tournaments.papers.paper_files import get_topic
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round

LONG_NAME = "Marie-Joséphine-Bernadette de la Bruère-Archambault dite Grand-Maison"
LANGUAGES = ("fr", "en")
SCOPED_PREFIXES = ("/c/", "/club/", "/e/", "/match/", "/t/")
KNOWN_PARAMETERS = frozenset({"short", "number", "table_number", "entry", "action_id", "ending"})
"""URL parameters that every event has."""
ROUNDS = 2


def build_hall_view(event: Event, owner: Account) -> Hall:
    """Return a hall whose running night is this event."""
    hall = Hall.__new__(Hall)
    hall.owner, hall.event, hall.desk, hall.phones = owner, event, Browser(account=owner), 0
    return hall


class Installation:
    """An installation whose rows all exist before the first page is read.

    All addresses are built at once, since to build one may create its row.
    """

    def __init__(self, still: FixedValues) -> None:
        self._still = still
        self.hall = self._build_running_night()
        rich = RichClub()
        self.rich = build_hall_view(rich.night, rich.owner)
        self.organizer = build_account()
        self.tournaments = {key: self._build_event_in_progress(key) for key in PRESETS}
        self.ended = {key: self._build_ended_event(key) for key in ("pools_knockout", "swiss_individual")}
        for event in (*self.tournaments.values(), *self.ended.values()):
            make_owner(club=event.club, account=self.organizer)
        self.readers = self._build_readers()
        embedded = f"/oembed?url=http://testserver/e/{self.hall.event.short}"
        self.addresses = sorted({*iter_addresses(self.hall), *self._iter_papers(), embedded})
        self.rich_addresses = sorted({*iter_addresses(self.rich, SCOPED_PREFIXES)})
        self.event_addresses = sorted(
            address
            for event in (self.other, *self.tournaments.values(), *self.ended.values())
            for address in iter_event_addresses(build_hall_view(event, self.organizer))
        )
        run_jobs()

    def _build_running_night(self) -> Hall:
        """Build a night with a corrected hand and a dispute, and another night with namesakes."""
        hall = build_night("playing")
        assert all((hall.season, hall.prize, hall.dues, hall.night_template, hall.fee, hall.recurring_night))
        self._still.wait(minutes=5)
        first = hall.match.marks.earliest("pk")
        mark(hall.match, "A 7 made", replaced=first, director=hall.owner)
        mark(matches_of(hall.event)[1], "B 6 7", device="three")
        call_desk(match_id=matches_of(hall.event)[1].pk, note="Il manque un point", device="three")
        club = hall.event.club
        for _ in range(2):
            add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy"), is_namesake=True)
        other = build_event(3, club=club, tables=4)
        add_entry(event_id=other.pk, players=(LONG_NAME, "Zoé Ô"))
        start_event(event_id=other.pk)
        publish_round(event_id=other.pk, number=draw_round(event_id=other.pk, seed=1).number)
        play_round(other)
        draw_round(event_id=other.pk, seed=2)
        self.other = other
        self._still.wait(minutes=5)
        return hall

    def _build_event_in_progress(self, preset: str) -> Event:
        """Build an event with some closed rounds, and a draft of the next."""
        event = build_preset_tournament(preset)
        for number in range(1, ROUNDS + 1):
            if not draw_round_if_any(event, number):
                return event
            self._still.wait(minutes=1)
            publish_round(event_id=event.pk, number=number)
            play_round(event, number)
        draw_round_if_any(event, ROUNDS + 1)
        return event

    def _build_ended_event(self, preset: str) -> Event:
        event = build_preset_tournament(preset)
        play_all_rounds(event)
        run_jobs()
        publish_final(event_id=event.pk)
        return end_event(event_id=event.pk)

    def _build_readers(self) -> dict[str, Browser]:
        """Return a browser for each role, for people without a role, and for a phone."""
        readers = {str(who): build_reader(self.hall, who) for who in READERS}
        phone = self.hall.add_phone()
        assert post_form(phone, self.hall.table, build_hand_form(self.hall.match)).status == 200
        phone.client.handler.enforce_csrf_checks = False
        return readers | {"phone": phone}

    def _iter_papers(self) -> Iterator[str]:
        """Yield the addresses of all papers of the night and of its club, in both languages."""
        event = self.hall.event
        for paper in Paper:
            of, address = (
                (event.club, f"/club/{event.club.slug}") if paper in CLUB_PAPERS else (event, f"/e/{event.short}/desk")
            )
            for language in LANGUAGES:
                order = Order(paper=paper, of=of.pk, language=language, round=1, starts="2026-01-01", ends="2026-12-31")
                job = enqueue(kind=order.kind, key=order.key, topic=get_topic(of))
                yield f"{address}/print/{job.pk}"


def run_jobs() -> None:
    """Run all jobs as the worker does, except draws, which exist only for the address of a job.

    Each job reports its progress only once: the time of a second report depends on the machine.
    """
    waiting = Job.objects.filter(status=Status.QUEUED).exclude(kind="draw").order_by("pk")
    with patch("jobs.registry.PAUSE", inf):
        while (job := waiting.first()) is not None:
            run_job(job.pk)


def iter_addresses(hall: Hall, prefix: tuple[str, ...] = ("/",)) -> Iterator[str]:
    """Yield one address for each URL pattern with this prefix; those of exports with every file type."""
    for pattern in sorted({*PATHS_BY_PATTERN, *PARTS, *NON_PAGES, *FILES, *POST_ONLY}):
        if pattern.startswith(prefix):
            path = PATHS_BY_PATTERN[pattern](hall) if pattern in PATHS_BY_PATTERN else build_path(hall, pattern)
            yield from _list_endings(path) if pattern.endswith(ENDING) else [path]


def _list_endings(path: str) -> list[str]:
    return [f"{path.rpartition('.')[0]}.{ending}" for ending in ENDINGS]


def iter_event_addresses(hall: Hall) -> Iterator[str]:
    """Yield the addresses that need nothing but the event."""
    for pattern in sorted({*PATHS_BY_PATTERN, *PARTS, *NON_PAGES, *FILES}):
        needed = set(re.findall(r"<\w+:(\w+)>", pattern))
        if pattern.startswith("/e/") and needed <= KNOWN_PARAMETERS and pattern not in ELSEWHERE:
            yield build_path(hall, pattern)
