"""The log of a club for everybody, the key of its owner, and where final standings say who signed them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clubs.models import Club
from engine.signed_logs import group_digits, is_consistent, is_included, signed_log_from_json
from engine.visibility import RanksRelease, Release
from tests.builders import a_club, an_account
from tests.support.browser import Browser, Page
from tests.tournaments.papers.papers import printed, text_of
from tests.tournaments.publishing.test_publishing import HIDDEN, a_night, correct, released
from tournaments.models import Event, LogEntry
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.publishing.services.publishing import publish_final
from tournaments.signing.services import change_signing_key

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SOMEWHERE = "https://cards.example.org/"


def a_signed_night(club: Club | None = None) -> Event:
    event = a_night(club)
    publish_final(event_id=event.pk)
    event.refresh_from_db()
    return event


def the_log(club: Club, browser: Browser | None = None) -> Page:
    return (browser or Browser()).open(f"/c/{club.slug}/log")


def answered(path: str) -> Any:
    answer = Browser().client.get(path)
    assert answer.status_code == 200, path
    return json.loads(answer.content)


class TestThePageOfTheLog:
    def test_says_that_nothing_is_signed_yet(self) -> None:
        club = a_club()
        assert "Nothing signed yet" in the_log(club).text
        for file in ("json", "txt"):
            assert Browser().open(f"/c/{club.slug}/log.{file}").status == 404

    def test_has_every_entry_and_leads_to_its_event(self) -> None:
        event = a_signed_night()
        change_signing_key(club_id=event.club_id)
        page = the_log(event.club)
        first, changed = LogEntry.objects.all()
        assert page.link(event.name) == event.get_absolute_url()
        assert group_digits(first.signed_entry.entry["sum"]) in page.text
        assert "2. Key change" in page.text
        assert changed.signed_entry.entry["kind"] == "key"

    def test_names_no_event_that_is_no_longer_shown(self) -> None:
        event = a_signed_night()
        Event.objects.filter(pk=event.pk).update(name="The Great Secret")
        event.refresh_from_db()
        released(event, HIDDEN)
        page = the_log(event.club)
        assert "event no longer public" in page.text
        for text in (page.text, Browser().client.get(f"/c/{event.club.slug}/log.json").content.decode()):
            assert "The Great Secret" not in text
            assert event.short not in text

    @pytest.mark.snapshot
    def test_tells_events_that_were_final_before_the_club_signed(self) -> None:
        event = a_signed_night()
        LogEntry.objects.all().delete()
        page = the_log(event.club)
        assert "Not signed" in page.text
        assert page.link(event.name) == event.get_absolute_url()
        for kept_back in (HIDDEN, Release(ranked=RanksRelease.NEVER)):
            released(event, kept_back)
            assert event.name not in the_log(event.club).text

    def test_is_proved_by_its_files_and_addresses(self) -> None:
        club = a_club()
        for _ in range(5):
            a_signed_night(club)
        log = signed_log_from_json(answered(f"/c/{club.slug}/log.json"))
        assert log is not None
        assert log.faults() == []
        head = Browser().client.get(f"/c/{club.slug}/log.txt")
        assert head.content.decode() == log.checkpoint
        told = answered(f"/c/{club.slug}/log/inclusion/3/5.json")
        proof = [bytes.fromhex(each) for each in told["proof"]]
        leaf, root = log.entries[2].hash, bytes.fromhex(told["root"])
        assert is_included(leaf, told["place"], told["size"], proof, root)
        told = answered(f"/c/{club.slug}/log/consistency/3/5.json")
        roots = (bytes.fromhex(told["older_root"]), bytes.fromhex(told["newer_root"]))
        assert is_consistent(3, 5, roots, [bytes.fromhex(each) for each in told["proof"]])
        for nothing in (
            "inclusion/6/5",
            "inclusion/0/5",
            "inclusion/1/6",
            "consistency/4/3",
            "consistency/1/9",
        ):
            assert Browser().open(f"/c/{club.slug}/log/{nothing}.json").status == 404


class TestTheKey:
    @pytest.mark.snapshot
    def test_is_changed_with_a_tap_by_an_owner(self) -> None:
        owner = an_account()
        club = a_club(owner=owner)
        browser = Browser(account=owner)
        page = browser.open(f"/club/{club.slug}/key")
        assert "The key is created with the first final standings" in page.text
        a_signed_night(club)
        page = browser.open(f"/club/{club.slug}/key")
        page = browser.send(page, page.form("/key"))
        assert "Club signing key changed" in page.text
        assert [each.signed_entry.entry["kind"] for each in LogEntry.objects.all()] == ["final", "key"]


class TestFinalStandings:
    def test_say_who_signed_them(self) -> None:
        event = a_signed_night()
        (entry,) = LogEntry.objects.all()
        for path in ("", "/standings"):
            page = Browser().open(f"/e/{event.short}{path}")
            assert "Signed by the club" in page.text
            assert group_digits(entry.signed_entry.entry["sum"]) in page.text
            assert page.link("Log entry 1").endswith(f"/c/{event.club.slug}/log#entry-1")

    @pytest.mark.snapshot
    def test_that_nobody_signed_say_so(self) -> None:
        event = a_signed_night()
        LogEntry.objects.all().delete()
        assert "Not signed here:" in Browser().open(f"/e/{event.short}/standings").text

    def test_that_run_say_nothing_of_it(self) -> None:
        assert "signed" not in Browser().open(f"/e/{a_night().short}/standings").text.lower()

    @pytest.mark.parametrize("paper", [Paper.STANDINGS, Paper.PODIUM])
    def test_on_paper_bear_the_signature_while_they_are_those_that_were_signed(self, paper: Paper) -> None:
        event = a_signed_night()
        (entry,) = LogEntry.objects.all()
        order = Order(paper=paper, of=event.pk, language="en", origin=SOMEWHERE)
        document = document_of(order)
        assert document.shared["signed"]["address"] == f"{SOMEWHERE}c/{event.club.slug}/log#entry-1"
        pdf = printed(document)
        assert group_digits(entry.signature[:16]) in text_of(pdf)
        assert group_digits(entry.signed_entry.entry["sum"]) in text_of(pdf)
        correct(event)
        assert "signed" not in document_of(order).shared
        released(event, Release(is_public=False))
        assert "signed" not in document_of(order).shared
