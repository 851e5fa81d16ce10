"""A federation of real installations: the feeds that it accepts and refuses, and its pages."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.disk_quota import measure_disk_use
from clubs.models import Club, Person
from engine.signed_logs import generate_private_key, get_public_key
from engine.visibility import Release
from federations.feed_files import build_feed_file, sign_feed
from federations.models import ClubFeed, Federation, FollowedFeed
from federations.services.federation_settings import follow_feed, open_federation
from federations.services.identities import enter_identity_code, make_identity_code, take_back_identity
from federations.services.publishing import switch_feed_off, switch_feed_on
from federations.tasks import sweep_feeds
from federations.views import public
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_player_names,
    build_running_night,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser, Page
from tests.support.feed_server import FeedServer, run_feed_server
from tests.support.other_installation import OtherInstallation, run_other_installation
from tests.tournaments.alerts.test_alerts import run_worker
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.tables import adjust_table
from tournaments.signing.services import change_signing_key, get_signing_key
from tournaments.standings.services import refresh_standings
from web.names import NBSP

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STARTS, ENDS = date(2026, 9, 1), date(2027, 6, 30)
POINTS = (10, 6, 3)
RULE = {"counts": "rank_points", "rank_points": POINTS}


@pytest.fixture(autouse=True)
def _on_this_computer(settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]


@pytest.fixture
def other(tmp_path: Path) -> Iterator[OtherInstallation]:
    with run_other_installation(tmp_path / "club.sqlite3") as found:
        yield found


@pytest.fixture
def server() -> Iterator[FeedServer]:
    with run_feed_server() as found:
        yield found


def build_final_night(club: Club, *, rounds: int = 1, release: Release | None = None, pairs: int = 4) -> Event:
    night = build_running_night(pairs, club=club)
    if release is not None:
        change_release(event_id=night.pk, release=release)
    play_round(night)
    for number in range(2, rounds + 1):
        start_next_round(night)
        play_round(night, number)
    return publish_as_final(night)


def publish_as_final(night: Event) -> Event:
    end_event(event_id=night.pk)
    refresh_standings(event_id=night.pk)
    publish_final(event_id=night.pk)
    return night


def build_club_with_feed(name: str = "Les Atouts") -> Club:
    club = build_club(name)
    switch_feed_on(club_id=club.pk)
    return club


def write_and_get_feed(club: Club) -> dict[str, Any]:
    """Run the worker, and return the club's feed."""
    sweep_feeds()
    run_worker()
    feed: dict[str, Any] = json.loads(ClubFeed.objects.get(club=club).written)
    return feed


def get_feed_file(club: Club) -> str:
    write_and_get_feed(club)
    feed = ClubFeed.objects.get(club=club)
    return build_feed_file(feed.written, feed.signature)


def build_federation(*addresses: str, **rule: Any) -> Federation:
    club = build_club("La Fédération", owner=build_account())
    federation = open_federation(club_id=club.pk, name="Région", starts=STARTS, ends=ENDS, ladder={**RULE, **rule})
    for address in addresses:
        follow_feed(club_id=club.pk, federation_id=federation.pk, address=address)
    look_again()
    return federation


def look_again() -> None:
    """Let the worker fetch all feeds, as if all pauses were over."""
    FollowedFeed.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    sweep_feeds()
    run_worker()


def open_federation_page(federation: Federation, more: str = "", language: str = "en") -> Page:
    return Browser(language=language).open(f"/c/{federation.club.slug}/federations/{federation.pk}{more}")


def get_fault_code(federation: Federation) -> str | None:
    found = federation.feeds.get().trouble
    return None if found is None else str(found["code"])


def read_csv_rows(federation: Federation, more: str = "") -> list[dict[str, str]]:
    """Return the rows of the CSV file of a page."""
    text = open_federation_page(federation, f"{more}.csv").html.lstrip("\ufeff")
    return list(csv.DictReader(io.StringIO(text)))


def get_first_link(page: Page) -> str:
    """Return the address of the first link in the list."""
    return next(iter(page.find_all("th", scope="row")[0].find_all("a"))).attrs["href"]


def get_totals(federation: Federation) -> dict[str, int]:
    return {row["Name"]: int(row["Total"]) for row in read_csv_rows(federation)}


@pytest.mark.long
def test_two_remote_clubs_form_one_verifiable_ladder(other: OtherInstallation) -> None:
    with other.activate():
        clubs = [build_club_with_feed("Matane"), build_club_with_feed("Rimouski")]
        for number, club in enumerate(clubs, start=1):
            build_final_night(club, rounds=2, pairs=4 + 2 * number)
        feeds = [write_and_get_feed(club) for club in clubs]
        slugs = [club.slug for club in clubs]
    federation = build_federation(*(f"http://127.0.0.1:{other.port}/c/{slug}/feed.json" for slug in slugs))

    counted: Counter[tuple[str, str]] = Counter()
    points = dict(enumerate(POINTS, start=1))
    for feed in feeds:
        for night in feed["nights"]:
            for place in night["places"]:
                for person in place["people"]:
                    counted[feed["club"], person] += points.get(place["rank"], 0)
    by_club = {feed["club"]: feed["people"] for feed in feeds}
    expected = sorted(
        (by_club[club][each]["name"].replace(NBSP, " "), total) for (club, each), total in counted.items()
    )
    assert sorted((row["Name"], int(row["Total"])) for row in read_csv_rows(federation)) == expected
    assert len(expected) == 2 * (6 + 8)
    shown = open_federation_page(federation)
    assert "up to date" in shown.text
    assert {"Matane", "Rimouski"} <= {one.text for one in shown.find_all("b")}


def test_federation_total_links_to_its_nights(server: FeedServer) -> None:
    club = build_club_with_feed()
    night = build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    opened = Browser().open(get_first_link(open_federation_page(federation)))
    assert opened.find_link("Soirée du mardi") == f"{server.origin}/e/{night.short}"
    assert opened.find_link("signed") == f"{server.origin}/c/club/log#entry-1"
    assert "rank 1 of 4" in opened.text


@pytest.mark.long
def test_night_of_singles_lists_each_person() -> None:
    club = build_club_with_feed()
    night = build_event(0, club=club, tables=2, draw_format="swiss_individual")
    add_entries(event_id=night.pk, entries=build_player_names(8, size=1))
    start_event(event_id=night.pk)
    start_next_round(night)
    play_round(night)
    publish_as_final(night)
    (feed,) = write_and_get_feed(club)["nights"]
    assert [len(place["people"]) for place in feed["places"]] == [1] * 8


def test_federation_month_is_downloadable(server: FeedServer) -> None:
    club = build_club_with_feed()
    build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    assert open_federation_page(federation).find_link("November 2026").endswith("/months/2026/11")
    assert sorted(int(row["Gained"]) for row in read_csv_rows(federation, "/months/2026/11")) == [3] * 4 + [10] * 4
    assert open_federation_page(federation, "/months/2026/12").status == 200
    assert open_federation_page(federation, "/months/2026/13").status == 404


def test_ratings_cover_all_clubs(server: FeedServer) -> None:
    club = build_club_with_feed()
    for _ in range(5):
        build_final_night(club, rounds=2)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    lines = open_federation_page(federation, "/ratings").find_all("th", scope="row")
    assert len(lines) == 8
    steps = Browser().open(get_first_link(open_federation_page(federation, "/ratings")))
    assert steps.text.count("Soirée du mardi") == 5


def test_files_and_api_contain_lines_beyond_the_page_limit(server: FeedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "MOST_LINES", 3)
    club = build_club_with_feed()
    for _ in range(5):
        build_final_night(club, rounds=2)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    api = f"/api/v1/clubs/{federation.club.slug}/federations/{federation.pk}"
    for part, at in (("", "ladder"), ("/ratings", "ratings")):
        assert "The first 3 of 8." in open_federation_page(federation, part).text
        assert len(read_csv_rows(federation, part)) == 8, part
        assert len(Client().get(f"{api}/{at}").json()["results"]) == 8


def test_federation_calendar_lists_upcoming_nights(server: FeedServer) -> None:
    club = build_club_with_feed()
    night = build_running_night(club=club)
    Event.objects.filter(pk=night.pk).update(held_on=timezone.localdate() + timedelta(days=3))
    ClubFeed.objects.update(state="")
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    assert (
        open_federation_page(federation, "/calendar").find_link("Soirée du mardi") == f"{server.origin}/e/{night.short}"
    )


class TestRefusedFeed:
    """A refused feed: the page states the reason, and earlier results stay."""

    @pytest.fixture
    def club(self, server: FeedServer) -> Club:
        club = build_club_with_feed()
        build_final_night(club)
        server.file = get_feed_file(club)
        return club

    @pytest.fixture
    def federation(self, club: Club, server: FeedServer) -> Federation:
        return build_federation(server.address)

    def assert_refused(self, federation: Federation, code: str) -> None:
        before = get_totals(federation)
        look_again()
        assert get_fault_code(federation) == code
        assert get_totals(federation) == before != {}
        assert "as of" in open_federation_page(federation).text

    def change_feed(self, club: Club, **values: Any) -> dict[str, Any]:
        feed = write_and_get_feed(club)
        return {**feed, "number": feed["number"] + 1, **values}

    def test_altered_feed_is_refused(self, federation: Federation, club: Club, server: FeedServer) -> None:
        feed = self.change_feed(club)
        feed["nights"][0]["places"].reverse()
        feed["nights"][0]["places"][0]["rank"] = 1
        server.file = build_feed_file(json.dumps(feed), ClubFeed.objects.get(club=club).signature)
        self.assert_refused(federation, "feed_not_signed")

    def test_feed_signed_with_another_key_is_refused(
        self, federation: Federation, club: Club, server: FeedServer
    ) -> None:
        private = generate_private_key()
        feed = self.change_feed(club, key=get_public_key(private))
        server.file = build_feed_file(json.dumps(feed), sign_feed(feed, private=private))
        self.assert_refused(federation, "feed_key_changed")

    @pytest.mark.long
    def test_older_feed_is_refused(self, federation: Federation, club: Club, server: FeedServer) -> None:
        older = server.file
        build_final_night(club)
        server.file = get_feed_file(club)
        look_again()
        server.file = older
        self.assert_refused(federation, "feed_older")

    def test_different_feed_with_a_known_number_is_refused(
        self, federation: Federation, club: Club, server: FeedServer
    ) -> None:
        feed = json.loads(server.file)["feed"]
        private = get_signing_key(club).private
        other = {**feed, "club": "Another name"}
        server.file = build_feed_file(json.dumps(other), sign_feed(other, private=private))
        self.assert_refused(federation, "feed_older")
        later = other | {"at": (timezone.now() + timedelta(days=1)).isoformat(timespec="seconds")}
        server.file = build_feed_file(json.dumps(later), sign_feed(later, private=private))
        look_again()
        assert federation.feeds.get().club == "Another name"

    def test_feed_of_another_club_is_refused(self, federation: Federation, club: Club, server: FeedServer) -> None:
        private = generate_private_key()
        feed = self.change_feed(club, key=get_public_key(private), id="0" * 32)
        server.file = build_feed_file(json.dumps(feed), sign_feed(feed, private=private))
        self.assert_refused(federation, "feed_of_another_club")

    @pytest.mark.long
    @pytest.mark.parametrize("file", ["", "<html>", '{"feed": {}}', "[" * 100_000])
    def test_unreadable_feed_is_refused(self, federation: Federation, server: FeedServer, file: str) -> None:
        server.file = file
        self.assert_refused(federation, "feed_unreadable")

    def test_feed_with_foreign_links_is_refused(self, federation: Federation, club: Club, server: FeedServer) -> None:
        feed = self.change_feed(club)
        feed["nights"][0]["page"] = "//example.org/night"
        server.file = build_feed_file(json.dumps(feed), sign_feed(feed, private=get_signing_key(club).private))
        self.assert_refused(federation, "feed_unreadable")

    @pytest.mark.long
    def test_feed_beyond_the_disk_quota_is_refused(
        self, federation: Federation, club: Club, server: FeedServer, settings: Any
    ) -> None:
        build_final_night(club)
        server.file = get_feed_file(club)
        settings.CLUB_QUOTA = measure_disk_use(federation.club_id)[federation.club_id] + 1
        self.assert_refused(federation, "club_disk_full")

    @pytest.mark.long
    def test_server_error_is_reported_as_a_feed_fault(self, federation: Federation, server: FeedServer) -> None:
        server.status = 500
        self.assert_refused(federation, "feed_answers_otherwise")


def test_signed_key_change_is_followed(server: FeedServer) -> None:
    club = build_club_with_feed()
    build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    before = federation.feeds.get().key
    for _ in range(2):
        change_signing_key(club_id=club.pk)
    build_final_night(club)
    server.file = get_feed_file(club)
    look_again()
    assert get_fault_code(federation) is None
    assert federation.feeds.get().key == get_signing_key(club).public != before


@pytest.mark.parametrize("is_seen", [True, False])
def test_feed_switched_off_and_on_is_followed_as_before(server: FeedServer, is_seen: bool) -> None:
    club = build_club_with_feed()
    build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    before = get_totals(federation)
    switch_feed_off(club_id=club.pk)
    if is_seen:
        server.status = 404
        look_again()
        assert get_totals(federation) == {}
        server.status = 200
    switch_feed_on(club_id=club.pk)
    server.file = get_feed_file(club)
    look_again()
    assert get_fault_code(federation) is None
    assert sorted(get_totals(federation).values()) == sorted(before.values())


@pytest.mark.long
def test_unchanged_feed_is_not_downloaded_again(server: FeedServer) -> None:
    club = build_club_with_feed()
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    FollowedFeed.objects.update(heard_at=timezone.now() - timedelta(days=2))
    look_again()
    assert server.request_etags[0] == ""
    assert server.request_etags[-1] != ""
    assert get_fault_code(federation) is None
    assert "up to date" in open_federation_page(federation).text


def test_club_is_followed_at_one_address_only(server: FeedServer) -> None:
    server.file = get_feed_file(build_club_with_feed())
    federation = build_federation(server.address)
    other = server.address.replace("/club/", "/other/")
    follow_feed(club_id=federation.club_id, federation_id=federation.pk, address=other)
    look_again()
    assert federation.feeds.get(address=other).trouble["code"] == "feed_followed_already"


class TestClubFeedContents:
    @pytest.mark.long
    def test_frozen_results_stay_out_of_the_feed_until_final(self) -> None:
        club = build_club_with_feed()
        night = build_running_night(club=club)
        change_release(event_id=night.pk, release=Release(silent_from=1))
        play_round(night)
        end_event(event_id=night.pk)
        refresh_standings(event_id=night.pk)
        assert write_and_get_feed(club)["nights"] == []
        assert write_and_get_feed(club)["people"] == {}
        publish_final(event_id=night.pk)
        assert len(write_and_get_feed(club)["nights"]) == 1

    @pytest.mark.long
    @pytest.mark.parametrize("release", [Release(is_public=False), Release(draw=False)])
    def test_hidden_event_is_not_in_the_feed(self, release: Release) -> None:
        club = build_club_with_feed()
        build_final_night(club, release=release)
        assert write_and_get_feed(club)["nights"] == []

    @pytest.mark.long
    def test_event_hidden_later_leaves_the_feed(self) -> None:
        club = build_club_with_feed()
        night = build_final_night(club)
        assert len(write_and_get_feed(club)["nights"]) == 1
        change_release(event_id=night.pk, release=Release(is_public=False))
        assert write_and_get_feed(club)["nights"] == []

    def test_feed_respects_name_preferences(self) -> None:
        club = build_club_with_feed()
        night = build_final_night(club)
        one, other = night.entries.get(number=1).players
        Person.objects.filter(pk=one.pk).update(shows_full_name=True)
        Person.objects.filter(pk=other.pk).update(is_hidden=True)
        ClubFeed.objects.update(state="")
        feed = write_and_get_feed(club)
        names = [each["name"] for each in feed["people"].values()]
        assert one.name in names
        assert other.name not in json.dumps(feed)
        assert other.short_name not in names
        assert names.count("") == 1

    @pytest.mark.long
    def test_hidden_person_has_a_different_key_in_each_event(self) -> None:
        club = build_club_with_feed()
        person = build_final_night(club).entries.get(number=1).player_1
        build_final_night(club)
        Person.objects.filter(pk=person.pk).update(is_hidden=True)
        ClubFeed.objects.update(state="")
        feed = write_and_get_feed(club)
        assert [each["name"] for each in feed["people"].values()].count("") == 2

    @pytest.mark.long
    def test_unchanged_feed_is_not_rewritten(self) -> None:
        club = build_club_with_feed()
        build_final_night(club)
        before = write_and_get_feed(club)
        ClubFeed.objects.update(state="")
        assert write_and_get_feed(club) == before

    @pytest.mark.long
    def test_feed_is_off_by_default(self) -> None:
        club = build_club()
        assert Browser().open(f"/c/{club.slug}/feed.json").status == 404


@pytest.mark.long
def test_erased_person_leaves_the_federation_with_the_next_feed(server: FeedServer) -> None:
    club = build_club_with_feed()
    person = build_final_night(club).entries.get(number=1).player_1
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    assert person.short_name.replace(NBSP, " ") in open_federation_page(federation).text
    anonymize_people(club_id=club.pk, person_ids=[person.pk])
    server.file = get_feed_file(club)
    look_again()
    assert get_fault_code(federation) is None
    federation.refresh_from_db()
    assert person.short_name not in json.dumps(federation.worked_out, ensure_ascii=False)
    assert person.short_name not in federation.feeds.get().content
    assert len(open_federation_page(federation).find_all("th", scope="row")) == 7


@pytest.mark.long
@pytest.mark.parametrize("status", [404, 410])
def test_withdrawn_feed_removes_the_club_from_the_federation(server: FeedServer, status: int) -> None:
    club = build_club_with_feed()
    build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    assert get_totals(federation) != {}
    server.status = status
    look_again()
    assert get_fault_code(federation) == "feed_withdrawn"
    assert get_totals(federation) == {}
    assert federation.feeds.get().content == ""
    server.status = 200
    look_again()
    assert get_totals(federation) != {}


@pytest.mark.long
def test_unreachable_club_is_polled_at_growing_intervals(
    server: FeedServer,
) -> None:
    server.status = 503
    federation = build_federation(server.address)
    pauses = []
    for _ in range(6):
        pauses.append(round((federation.feeds.get().due_at - timezone.now()) / timedelta(minutes=1)))
        look_again()
    assert pauses == [1, 5, 15, 60, 60, 60]


def test_feed_is_fetched_after_a_clock_was_set_back(server: FeedServer) -> None:
    federation = build_federation(server.address)
    FollowedFeed.objects.update(due_at=timezone.now() + timedelta(days=2))
    sweep_feeds()
    run_worker()
    assert federation.feeds.get().due_at < timezone.now() + timedelta(days=1)


def test_club_silent_for_a_month_is_dropped(server: FeedServer) -> None:
    club = build_club_with_feed()
    build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    server.status = 503
    FollowedFeed.objects.update(heard_at=timezone.now() - timedelta(days=29))
    look_again()
    assert get_totals(federation) != {}
    FollowedFeed.objects.update(heard_at=timezone.now() - timedelta(days=31))
    look_again()
    assert get_totals(federation) == {}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql("row locks of a worker without a transaction")
def test_corrected_night_replaces_its_results_and_is_marked(server: FeedServer) -> None:
    club = build_club_with_feed()
    night = build_final_night(club)
    server.file = get_feed_file(club)
    federation = build_federation(server.address)
    before = get_totals(federation)
    adjust_table(event_id=night.pk, number=1, table=1, games=[0, 1], points=[6, 32])
    refresh_standings(event_id=night.pk)
    publish_final(event_id=night.pk)
    server.file = get_feed_file(club)
    look_again()
    assert get_totals(federation) != before
    assert "corrected by the club" in Browser().open(get_first_link(open_federation_page(federation))).text


class TestPersonIdentity:
    @pytest.fixture
    def clubs(self) -> tuple[Club, Club]:
        """Return two clubs whose players have equal names, each with a final night."""
        clubs = build_club_with_feed("Matane"), build_club_with_feed("Rimouski")
        for club in clubs:
            build_final_night(club)
        return clubs

    def find_person(self, club: Club) -> Person:
        found: Person = Event.objects.get(club=club).entries.get(number=1).player_1
        return found

    def list_clubs_by_line(self, clubs: tuple[Club, Club]) -> list[str]:
        """Return the clubs of each line with the name of the clubs' first players."""
        with run_feed_server() as one, run_feed_server() as other:
            ClubFeed.objects.update(state="")
            one.file, other.file = (get_feed_file(club) for club in clubs)
            federation = build_federation(one.address, other.address)
            name = self.find_person(clubs[0]).short_name.replace(NBSP, " ")
            return sorted(row["Club"] for row in read_csv_rows(federation) if row["Name"] == name)

    @pytest.mark.long
    def test_equal_names_stay_two_people(self, clubs: tuple[Club, Club]) -> None:
        assert self.list_clubs_by_line(clubs) == ["Matane", "Rimouski"]

    def test_shared_code_merges_a_person_across_clubs(self, clubs: tuple[Club, Club]) -> None:
        here, there = (self.find_person(club) for club in clubs)
        code = make_identity_code(club_id=clubs[0].pk, person_id=here.pk)
        assert self.list_clubs_by_line(clubs) == ["Matane", "Rimouski"]
        enter_identity_code(club_id=clubs[1].pk, person_id=there.pk, code=code.lower().replace("-", " "))
        assert self.list_clubs_by_line(clubs) == ["Matane · Rimouski"]
        take_back_identity(club_id=clubs[1].pk, person_id=there.pk)
        assert self.list_clubs_by_line(clubs) == ["Matane", "Rimouski"]

    @pytest.mark.long
    def test_anonymized_person_loses_the_code(self, clubs: tuple[Club, Club]) -> None:
        here = self.find_person(clubs[0])
        make_identity_code(club_id=clubs[0].pk, person_id=here.pk)
        anonymize_people(club_id=clubs[0].pk, person_ids=[here.pk])
        assert not here.identities.exists()

    @pytest.mark.long
    def test_copied_identity_does_not_merge_people(self, clubs: tuple[Club, Club]) -> None:
        here, there = (self.find_person(club) for club in clubs)
        make_identity_code(club_id=clubs[0].pk, person_id=here.pk)
        copied = here.identities.get()
        there.identities.create(key=copied.key, signature=copied.signature)
        assert self.list_clubs_by_line(clubs) == ["Matane", "Rimouski"]
