"""Two installations, each with a database of its own, and between them a network that spoils."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Account, Club
from tests.builders import a_club, a_running_night, an_account, mark, matches_of, next_round, win
from tests.spoiling_proxy import Delay, Fault, Spoiled, SpoilingProxy, no_fault
from tests.support.browser import Browser
from tests.support.other_installation import OtherInstallation, another_installation
from tests.tournaments.alerts.test_alerts import work
from tournaments.event_files.queries import event_file_of
from tournaments.mirrors.services.sending import request_due_snapshots
from tournaments.models import Event, PublicSite, SentEvent
from tournaments.rounds.services.rounds import close_round
from tournaments.standings.services import refresh_standings

pytestmark = pytest.mark.django_db

SPOILS: tuple[Spoiled | None, ...] = (
    *(Fault.DROP_ANSWER, Fault.DUPLICATE, Fault.RESET, Delay(0.2), Fault.CUT_BODY, None),
    *(Fault.PORTAL, Fault.DROP_BEFORE),
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[OtherInstallation]:
    with another_installation(tmp_path / "site.sqlite3") as other:
        yield other


def try_now() -> None:
    """The worker looks, and sends what is new, as if all pauses were over."""
    SentEvent.objects.update(due_at=timezone.now())
    request_due_snapshots()
    work()


def sum_of_event() -> Any:
    """What two people can read to each other."""
    event = Event.objects.select_related("club", "terms").get(is_put_away=False)
    refresh_standings(event_id=event.pk)
    return event_file_of(event)["sum"]


def paired(laptop: Browser, club: Club, site: OtherInstallation, network: SpoilingProxy) -> str:
    """An owner of each has done what its page says; what the laptop answers."""
    with site.here():
        there = a_club("Le site", owner=an_account())
        owner = Browser(account=Account.objects.get())
        page = owner.open(f"/club/{there.slug}/mirrors")
        shown = owner.send(page, page.form("/link"))
        secret = re.search(r"/mirror/pairings#([\w-]+)", shown.text)
    assert secret is not None, shown.text
    page = laptop.open(f"/club/{club.slug}/mirrors")
    answer = laptop.send(page, page.form("/pair"), link=f"{network.url}/mirror/pairings#{secret[1]}")
    PublicSite.objects.update(paired_at="2026-01-01T00:00Z")  # before the night of the builders
    return answer.text


def test_a_night_is_equal_at_both_whatever_the_network_does(site: OtherInstallation, settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    event = a_running_night(club=a_club(owner=an_account()))
    laptop = Browser(account=Account.objects.get())
    with SpoilingProxy(site.port) as network:
        assert "are shown by Le site" in paired(laptop, event.club, site, network)

        network.spoil = lambda method, path, count: SPOILS[count % len(SPOILS)]
        first, second = matches_of(event)
        for hand in range(1, 4):
            for match in (first, second):
                mark(match, f"{'AB'[hand % 2]} 6 made", number=hand)
                for _ in range(3):
                    try_now()
        assert len(network.requests) > len(SPOILS)

        network.spoil = lambda method, path, count: Fault.RESET  # the cable is out
        for match in (first, second):
            win(match)
        close_round(event_id=event.pk, number=1)
        next_round(event, seed=2)
        try_now()
        assert "The public site does not answer" in laptop.open(f"/e/{event.short}/desk").text

        network.spoil = no_fault
        for _ in range(3):  # what follows from the last hands is counted by the worker, and sent again
            try_now()
        assert "Public site: up to date" in laptop.open(f"/e/{event.short}/desk").text
    short = SentEvent.objects.get().page.rpartition("/")[2]
    here = sum_of_event()
    with site.here():
        assert "A copy of what the computer in the hall leads" in Browser().open(f"/e/{short}").text
        assert sum_of_event() == here


def test_a_link_that_leads_nowhere_is_told_and_another_can_be_entered(
    site: OtherInstallation, settings: Any
) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    club = a_club(owner=an_account())
    laptop = Browser(account=Account.objects.get())
    page = laptop.open(f"/club/{club.slug}/mirrors")
    for link, said in (
        ("https://example.org/", "This is no link of a public site"),
        (f"http://127.0.0.1:{site.port}/mirror/pairings#guessed", "This link was used, or is too old"),
        ("http://127.0.0.1:9/mirror/pairings#guessed", "127.0.0.1 does not answer"),
    ):
        answer = laptop.send(page, page.form("/pair"), link=link)
        assert said in answer.text
    with SpoilingProxy(site.port) as network:
        network.spoil = lambda method, path, count: Fault.PORTAL
        answer = laptop.send(page, page.form("/pair"), link=f"{network.url}/mirror/pairings#guessed")
        assert "is no public site of this program" in answer.text
        network.spoil = no_fault
        assert "are shown by Le site" in paired(laptop, club, site, network)
