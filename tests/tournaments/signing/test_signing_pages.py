"""The public results log of a club, its owner's signing key, and the signature shown with final standings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clubs.models import Club
from engine.signed_logs import group_digits, is_consistent, is_included, signed_log_from_json
from engine.visibility import RanksRelease, Release
from tests.builders import build_account, build_club
from tests.support.browser import Browser, Page
from tests.tournaments.papers.documents import extract_text, print_document
from tests.tournaments.publishing.test_publishing import HIDDEN_RELEASE, build_night, correct, release_event
from tournaments.models import Event, LogEntry
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.publishing.services.publishing import publish_final
from tournaments.signing.services import change_signing_key

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SOMEWHERE = "https://cards.example.org/"


def build_signed_night(club: Club | None = None) -> Event:
    event = build_night(club)
    publish_final(event_id=event.pk)
    event.refresh_from_db()
    return event


def open_log(club: Club, browser: Browser | None = None) -> Page:
    return (browser or Browser()).open(f"/c/{club.slug}/log")


def fetch_json(path: str) -> Any:
    answer = Browser().client.get(path)
    assert answer.status_code == 200, path
    return json.loads(answer.content)


class TestLogPage:
    def test_empty_log_says_nothing_is_signed(self) -> None:
        club = build_club()
        assert "Nothing signed yet" in open_log(club).text
        for file in ("json", "txt"):
            assert Browser().open(f"/c/{club.slug}/log.{file}").status == 404

    @pytest.mark.long
    def test_log_page_lists_every_entry_with_its_event(self) -> None:
        event = build_signed_night()
        change_signing_key(club_id=event.club_id)
        page = open_log(event.club)
        first, changed = LogEntry.objects.all()
        assert page.find_link(event.name) == event.get_absolute_url()
        assert group_digits(first.signed_entry.entry["sum"]) in page.text
        assert "2. Key change" in page.text
        assert changed.signed_entry.entry["kind"] == "key"

    def test_log_page_names_no_hidden_event(self) -> None:
        event = build_signed_night()
        Event.objects.filter(pk=event.pk).update(name="The Great Secret")
        event.refresh_from_db()
        release_event(event, HIDDEN_RELEASE)
        page = open_log(event.club)
        assert "event no longer public" in page.text
        for text in (page.text, Browser().client.get(f"/c/{event.club.slug}/log.json").content.decode()):
            assert "The Great Secret" not in text
            assert event.short not in text

    @pytest.mark.snapshot
    def test_log_page_lists_unsigned_final_events(self) -> None:
        event = build_signed_night()
        LogEntry.objects.all().delete()
        page = open_log(event.club)
        assert "Not signed" in page.text
        assert page.find_link(event.name) == event.get_absolute_url()
        for kept_back in (HIDDEN_RELEASE, Release(ranked=RanksRelease.NEVER)):
            release_event(event, kept_back)
            assert event.name not in open_log(event.club).text

    def test_log_files_prove_every_entry(self) -> None:
        club = build_club()
        for _ in range(5):
            build_signed_night(club)
        log = signed_log_from_json(fetch_json(f"/c/{club.slug}/log.json"))
        assert log is not None
        assert log.find_faults() == []
        head = Browser().client.get(f"/c/{club.slug}/log.txt")
        assert head.content.decode() == log.checkpoint
        inclusion_data = fetch_json(f"/c/{club.slug}/log/inclusion/3/5.json")
        proof = [bytes.fromhex(each) for each in inclusion_data["proof"]]
        leaf, root = log.entries[2].hash, bytes.fromhex(inclusion_data["root"])
        assert is_included(leaf, inclusion_data["place"], inclusion_data["size"], proof, root)
        inclusion_data = fetch_json(f"/c/{club.slug}/log/consistency/3/5.json")
        roots = (bytes.fromhex(inclusion_data["older_root"]), bytes.fromhex(inclusion_data["newer_root"]))
        assert is_consistent(3, 5, roots, [bytes.fromhex(each) for each in inclusion_data["proof"]])
        for nothing in (
            "inclusion/6/5",
            "inclusion/0/5",
            "inclusion/1/6",
            "consistency/4/3",
            "consistency/1/9",
        ):
            assert Browser().open(f"/c/{club.slug}/log/{nothing}.json").status == 404


class TestKeyChange:
    @pytest.mark.snapshot
    def test_owner_changes_the_signing_key(self) -> None:
        owner = build_account()
        club = build_club(owner=owner)
        browser = Browser(account=owner)
        page = browser.open(f"/club/{club.slug}/key")
        assert "The key is created with the first final standings" in page.text
        build_signed_night(club)
        page = browser.open(f"/club/{club.slug}/key")
        page = browser.send(page, page.find_form("/key"))
        assert "Club signing key changed" in page.text
        assert [each.signed_entry.entry["kind"] for each in LogEntry.objects.all()] == ["final", "key"]


class TestFinalStandings:
    def test_final_standings_show_their_signature(self) -> None:
        event = build_signed_night()
        (entry,) = LogEntry.objects.all()
        for path in ("", "/standings"):
            page = Browser().open(f"/e/{event.short}{path}")
            assert "Signed by the club" in page.text
            assert group_digits(entry.signed_entry.entry["sum"]) in page.text
            assert page.find_link("Log entry 1").endswith(f"/c/{event.club.slug}/log#entry-1")

    @pytest.mark.snapshot
    def test_unsigned_final_standings_say_so(self) -> None:
        event = build_signed_night()
        LogEntry.objects.all().delete()
        assert "Not signed here:" in Browser().open(f"/e/{event.short}/standings").text

    def test_provisional_standings_mention_no_signature(self) -> None:
        assert "signed" not in Browser().open(f"/e/{build_night().short}/standings").text.lower()

    @pytest.mark.parametrize("paper", [Paper.STANDINGS, Paper.PODIUM])
    def test_printed_standings_show_only_a_valid_signature(self, paper: Paper) -> None:
        event = build_signed_night()
        (entry,) = LogEntry.objects.all()
        order = Order(paper=paper, of=event.pk, language="en", origin=SOMEWHERE)
        document = document_of(order)
        assert document.common["signed"]["address"] == f"{SOMEWHERE}c/{event.club.slug}/log#entry-1"
        pdf = print_document(document)
        assert group_digits(entry.signature[:16]) in extract_text(pdf)
        assert group_digits(entry.signed_entry.entry["sum"]) in extract_text(pdf)
        correct(event)
        assert "signed" not in document_of(order).common
        release_event(event, Release(is_public=False))
        assert "signed" not in document_of(order).common
