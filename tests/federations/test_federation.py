"""A federation over real installations: what it takes, what it refuses, and what its pages say."""

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

from clubs.models import Club, Person
from engine.signed_logs import new_private_key, public_of
from engine.visibility import Release
from federations.feed_files import feed_file, sign_feed
from federations.models import ClubFeed, Federation, FollowedFeed
from federations.services.federation_settings import follow_feed, open_federation
from federations.services.identities import (
    enter_identity_code,
    make_identity_code,
    take_back_identity,
)
from federations.services.publishing import switch_feed_off, switch_feed_on
from federations.tasks import sweep_feeds
from federations.views import public
from tests.builders import (
    a_club,
    a_running_night,
    an_account,
    an_event,
    next_round,
    play_round,
    player_names,
)
from tests.support.browser import Browser, Page
from tests.support.feed_server import FeedServer, a_feed_server
from tests.support.other_installation import OtherInstallation, another_installation
from tests.tournaments.alerts.test_alerts import work
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.tables import adjust_table
from tournaments.signing.services import change_signing_key, key_to_sign
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
    with another_installation(tmp_path / "club.sqlite3") as found:
        yield found


@pytest.fixture
def server() -> Iterator[FeedServer]:
    with a_feed_server() as found:
        yield found


def a_final_night(club: Club, *, rounds: int = 1, release: Release | None = None, pairs: int = 4) -> Event:
    night = a_running_night(pairs, club=club)
    if release is not None:
        change_release(event_id=night.pk, release=release)
    play_round(night)
    for number in range(2, rounds + 1):
        next_round(night)
        play_round(night, number)
    return ended_as_final(night)


def ended_as_final(night: Event) -> Event:
    end_event(event_id=night.pk)
    refresh_standings(event_id=night.pk)
    publish_final(event_id=night.pk)
    return night


def a_telling_club(name: str = "Les Atouts") -> Club:
    club = a_club(name)
    switch_feed_on(club_id=club.pk)
    return club


def told(club: Club) -> dict[str, Any]:
    """Return what the club tells now, once its worker was there."""
    sweep_feeds()
    work()
    feed: dict[str, Any] = json.loads(ClubFeed.objects.get(club=club).written)
    return feed


def file_of(club: Club) -> str:
    told(club)
    feed = ClubFeed.objects.get(club=club)
    return feed_file(feed.written, feed.signature)


def a_federation(*addresses: str, **rule: Any) -> Federation:
    club = a_club("La Fédération", owner=an_account())
    federation = open_federation(
        club_id=club.pk, name="Région", starts=STARTS, ends=ENDS, ladder={**RULE, **rule}
    )
    for address in addresses:
        follow_feed(club_id=club.pk, federation_id=federation.pk, address=address)
    look_again()
    return federation


def look_again() -> None:
    """The worker asks for all feeds, as if all pauses were over."""
    FollowedFeed.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    sweep_feeds()
    work()


def page(federation: Federation, more: str = "", language: str = "en") -> Page:
    return Browser(language=language).open(f"/c/{federation.club.slug}/federations/{federation.pk}{more}")


def trouble(federation: Federation) -> str | None:
    found = federation.feeds.get().trouble
    return None if found is None else str(found["code"])


def rows(federation: Federation, more: str = "") -> list[dict[str, str]]:
    """Return those of a file of one of its pages."""
    text = page(federation, f"{more}.csv").html.lstrip("\ufeff")
    return list(csv.DictReader(io.StringIO(text)))


def first_line(page: Page) -> str:
    """Return where the first name of a list leads."""
    return next(iter(page.every("th", scope="row")[0].every("a"))).attrs["href"]


def totals(federation: Federation) -> dict[str, int]:
    return {row["Name"]: int(row["Total"]) for row in rows(federation)}


def test_two_clubs_elsewhere_are_one_ladder_that_anybody_counts_again(other: OtherInstallation) -> None:
    with other.here():
        clubs = [a_telling_club("Matane"), a_telling_club("Rimouski")]
        for number, club in enumerate(clubs, start=1):
            a_final_night(club, rounds=2, pairs=4 + 2 * number)
        feeds = [told(club) for club in clubs]
        slugs = [club.slug for club in clubs]
    federation = a_federation(*(f"http://127.0.0.1:{other.port}/c/{slug}/feed.json" for slug in slugs))

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
    assert sorted((row["Name"], int(row["Total"])) for row in rows(federation)) == expected
    assert len(expected) == 2 * (6 + 8)
    shown = page(federation)
    assert "up to date" in shown.text
    assert {"Matane", "Rimouski"} <= {one.text for one in shown.every("b")}


def test_every_total_opens_into_its_nights_at_the_clubs_own_pages(server: FeedServer) -> None:
    club = a_telling_club()
    night = a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    opened = Browser().open(first_line(page(federation)))
    assert opened.link("Soirée du mardi") == f"{server.origin}/e/{night.short}"
    assert opened.link("signed") == f"{server.origin}/c/club/log#entry-1"
    assert "rank 1 of 4" in opened.text


def test_a_night_without_pairs_tells_of_each_person_alone() -> None:
    club = a_telling_club()
    night = an_event(0, club=club, tables=2, draw_format="swiss_individual")
    add_entries(event_id=night.pk, entries=player_names(8, size=1))
    start_event(event_id=night.pk)
    next_round(night)
    play_round(night)
    ended_as_final(night)
    (feed,) = told(club)["nights"]
    assert [len(place["people"]) for place in feed["places"]] == [1] * 8


def test_a_month_is_a_file(server: FeedServer) -> None:
    club = a_telling_club()
    a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    assert page(federation).link("November 2026").endswith("/months/2026/11")
    assert sorted(int(row["Gained"]) for row in rows(federation, "/months/2026/11")) == [3] * 4 + [10] * 4
    assert page(federation, "/months/2026/12").status == 200
    assert page(federation, "/months/2026/13").status == 404


def test_ratings_are_counted_over_all_clubs(server: FeedServer) -> None:
    club = a_telling_club()
    for _ in range(5):
        a_final_night(club, rounds=2)
    server.file = file_of(club)
    federation = a_federation(server.address)
    lines = page(federation, "/ratings").every("th", scope="row")
    assert len(lines) == 8
    steps = Browser().open(first_line(page(federation, "/ratings")))
    assert steps.text.count("Soirée du mardi") == 5


def test_files_and_the_api_have_every_line_of_a_page_that_shows_the_first(
    server: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "MOST_LINES", 3)
    club = a_telling_club()
    for _ in range(5):
        a_final_night(club, rounds=2)
    server.file = file_of(club)
    federation = a_federation(server.address)
    api = f"/api/v1/clubs/{federation.club.slug}/federations/{federation.pk}"
    for part, at in (("", "ladder"), ("/ratings", "ratings")):
        assert "The first 3 of 8." in page(federation, part).text
        assert len(rows(federation, part)) == 8, part
        assert len(Client().get(f"{api}/{at}").json()["results"]) == 8


def test_the_calendar_has_what_is_ahead(server: FeedServer) -> None:
    club = a_telling_club()
    night = a_running_night(club=club)
    Event.objects.filter(pk=night.pk).update(held_on=timezone.localdate() + timedelta(days=3))
    ClubFeed.objects.update(state="")
    server.file = file_of(club)
    federation = a_federation(server.address)
    assert page(federation, "/calendar").link("Soirée du mardi") == f"{server.origin}/e/{night.short}"


class TestAFileIsNotTaken:
    """It is said why, and what came before stays."""

    @pytest.fixture
    def club(self, server: FeedServer) -> Club:
        club = a_telling_club()
        a_final_night(club)
        server.file = file_of(club)
        return club

    @pytest.fixture
    def federation(self, club: Club, server: FeedServer) -> Federation:
        return a_federation(server.address)

    def refused(self, federation: Federation, code: str) -> None:
        before = totals(federation)
        look_again()
        assert trouble(federation) == code
        assert totals(federation) == before != {}
        assert "as of" in page(federation).text

    def changed(self, club: Club, **values: Any) -> dict[str, Any]:
        feed = told(club)
        return {**feed, "number": feed["number"] + 1, **values}

    def test_that_somebody_changed_after_it_was_signed(
        self, federation: Federation, club: Club, server: FeedServer
    ) -> None:
        feed = self.changed(club)
        feed["nights"][0]["places"].reverse()
        feed["nights"][0]["places"][0]["rank"] = 1
        server.file = feed_file(json.dumps(feed), ClubFeed.objects.get(club=club).signature)
        self.refused(federation, "feed_not_signed")

    def test_that_another_key_has_signed(
        self, federation: Federation, club: Club, server: FeedServer
    ) -> None:
        private = new_private_key()
        feed = self.changed(club, key=public_of(private))
        server.file = feed_file(json.dumps(feed), sign_feed(feed, private=private))
        self.refused(federation, "feed_key_changed")

    def test_that_is_older_than_what_is_kept(
        self, federation: Federation, club: Club, server: FeedServer
    ) -> None:
        older = server.file
        a_final_night(club)
        server.file = file_of(club)
        look_again()
        server.file = older
        self.refused(federation, "feed_older")

    def test_that_has_the_number_of_another_one(
        self, federation: Federation, club: Club, server: FeedServer
    ) -> None:
        feed = json.loads(server.file)["feed"]
        private = key_to_sign(club).private
        other = {**feed, "club": "Another name"}
        server.file = feed_file(json.dumps(other), sign_feed(other, private=private))
        self.refused(federation, "feed_older")
        later = other | {"at": (timezone.now() + timedelta(days=1)).isoformat(timespec="seconds")}
        server.file = feed_file(json.dumps(later), sign_feed(later, private=private))
        look_again()
        assert federation.feeds.get().club == "Another name"

    def test_that_is_another_clubs(self, federation: Federation, club: Club, server: FeedServer) -> None:
        private = new_private_key()
        feed = self.changed(club, key=public_of(private), id="0" * 32)
        server.file = feed_file(json.dumps(feed), sign_feed(feed, private=private))
        self.refused(federation, "feed_of_another_club")

    @pytest.mark.parametrize("file", ["", "<html>", '{"feed": {}}', "[" * 100_000])
    def test_that_is_none(self, federation: Federation, server: FeedServer, file: str) -> None:
        server.file = file
        self.refused(federation, "feed_unreadable")

    def test_that_leads_elsewhere(self, federation: Federation, club: Club, server: FeedServer) -> None:
        feed = self.changed(club)
        feed["nights"][0]["page"] = "//example.org/night"
        server.file = feed_file(json.dumps(feed), sign_feed(feed, private=key_to_sign(club).private))
        self.refused(federation, "feed_unreadable")

    def test_from_a_server_that_has_none(self, federation: Federation, server: FeedServer) -> None:
        server.status = 500
        self.refused(federation, "feed_answers_otherwise")


def test_a_key_that_the_old_one_has_signed_is_followed(server: FeedServer) -> None:
    club = a_telling_club()
    a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    before = federation.feeds.get().key
    for _ in range(2):
        change_signing_key(club_id=club.pk)
    a_final_night(club)
    server.file = file_of(club)
    look_again()
    assert trouble(federation) is None
    assert federation.feeds.get().key == key_to_sign(club).public != before


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_club_that_switches_its_file_off_and_on_again_is_followed_as_before(
    server: FeedServer, is_seen: bool
) -> None:
    club = a_telling_club()
    a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    before = totals(federation)
    switch_feed_off(club_id=club.pk)
    if is_seen:
        server.status = 404
        look_again()
        assert totals(federation) == {}
        server.status = 200
    switch_feed_on(club_id=club.pk)
    server.file = file_of(club)
    look_again()
    assert trouble(federation) is None
    assert sorted(totals(federation).values()) == sorted(before.values())


def test_what_is_known_is_not_sent_again(server: FeedServer) -> None:
    club = a_telling_club()
    server.file = file_of(club)
    federation = a_federation(server.address)
    FollowedFeed.objects.update(heard_at=timezone.now() - timedelta(days=2))
    look_again()
    assert server.asked[0] == ""
    assert server.asked[-1] != ""
    assert trouble(federation) is None
    assert "up to date" in page(federation).text


def test_a_club_is_followed_at_one_address_only(server: FeedServer) -> None:
    server.file = file_of(a_telling_club())
    federation = a_federation(server.address)
    other = server.address.replace("/club/", "/other/")
    follow_feed(club_id=federation.club_id, federation_id=federation.pk, address=other)
    look_again()
    assert federation.feeds.get(address=other).trouble["code"] == "feed_followed_already"


class TestWhatAClubTells:
    def test_is_nothing_of_a_silent_evening_before_its_standings_are_final(self) -> None:
        club = a_telling_club()
        night = a_running_night(club=club)
        change_release(event_id=night.pk, release=Release(silent_from=1))
        play_round(night)
        end_event(event_id=night.pk)
        refresh_standings(event_id=night.pk)
        assert told(club)["nights"] == []
        assert told(club)["people"] == {}
        publish_final(event_id=night.pk)
        assert len(told(club)["nights"]) == 1

    @pytest.mark.parametrize("release", [Release(is_public=False), Release(draw=False)])
    def test_is_nothing_of_what_is_hidden(self, release: Release) -> None:
        club = a_telling_club()
        a_final_night(club, release=release)
        assert told(club)["nights"] == []

    def test_is_nothing_more_of_what_is_hidden_later(self) -> None:
        club = a_telling_club()
        night = a_final_night(club)
        assert len(told(club)["nights"]) == 1
        change_release(event_id=night.pk, release=Release(is_public=False))
        assert told(club)["nights"] == []

    def test_has_names_as_people_agreed(self) -> None:
        club = a_telling_club()
        night = a_final_night(club)
        one, other = night.entries.get(number=1).players
        Person.objects.filter(pk=one.pk).update(shows_full_name=True)
        Person.objects.filter(pk=other.pk).update(is_hidden=True)
        ClubFeed.objects.update(state="")
        feed = told(club)
        names = [each["name"] for each in feed["people"].values()]
        assert one.name in names
        assert other.name not in json.dumps(feed)
        assert other.short_name not in names
        assert names.count("") == 1

    def test_calls_somebody_without_a_name_otherwise_in_each_event(self) -> None:
        club = a_telling_club()
        person = a_final_night(club).entries.get(number=1).player_1
        a_final_night(club)
        Person.objects.filter(pk=person.pk).update(is_hidden=True)
        ClubFeed.objects.update(state="")
        feed = told(club)
        assert [each["name"] for each in feed["people"].values()].count("") == 2

    def test_is_written_anew_only_where_it_is_another_one(self) -> None:
        club = a_telling_club()
        a_final_night(club)
        before = told(club)
        ClubFeed.objects.update(state="")
        assert told(club) == before

    def test_is_nothing_where_nobody_has_switched_it_on(self) -> None:
        club = a_club()
        assert Browser().open(f"/c/{club.slug}/feed.json").status == 404


def test_whoever_is_forgotten_is_gone_with_the_next_file(server: FeedServer) -> None:
    club = a_telling_club()
    person = a_final_night(club).entries.get(number=1).player_1
    server.file = file_of(club)
    federation = a_federation(server.address)
    assert person.short_name.replace(NBSP, " ") in page(federation).text
    anonymize_people(club_id=club.pk, person_ids=[person.pk])
    server.file = file_of(club)
    look_again()
    assert trouble(federation) is None
    federation.refresh_from_db()
    assert person.short_name not in json.dumps(federation.worked_out, ensure_ascii=False)
    assert person.short_name not in federation.feeds.get().content
    assert len(page(federation).every("th", scope="row")) == 7


@pytest.mark.parametrize("status", [404, 410])
def test_a_club_that_withdraws_its_file_is_gone_from_the_federation(server: FeedServer, status: int) -> None:
    club = a_telling_club()
    a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    assert totals(federation) != {}
    server.status = status
    look_again()
    assert trouble(federation) == "feed_withdrawn"
    assert totals(federation) == {}
    assert federation.feeds.get().content == ""
    server.status = 200
    look_again()
    assert totals(federation) != {}


def test_a_club_that_does_not_answer_is_asked_ever_more_rarely_and_at_last_once_an_hour(
    server: FeedServer,
) -> None:
    server.status = 503
    federation = a_federation(server.address)
    pauses = []
    for _ in range(6):
        pauses.append(round((federation.feeds.get().due_at - timezone.now()) / timedelta(minutes=1)))
        look_again()
    assert pauses == [1, 5, 15, 60, 60, 60]


def test_a_club_that_is_silent_for_a_month_is_shown_no_more(server: FeedServer) -> None:
    club = a_telling_club()
    a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    server.status = 503
    FollowedFeed.objects.update(heard_at=timezone.now() - timedelta(days=29))
    look_again()
    assert totals(federation) != {}
    FollowedFeed.objects.update(heard_at=timezone.now() - timedelta(days=31))
    look_again()
    assert totals(federation) == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql(
    "rows are held while a feed is written, kept and added up, by a worker in no transaction"
)
def test_a_correction_replaces_what_was_and_says_so(server: FeedServer) -> None:
    club = a_telling_club()
    night = a_final_night(club)
    server.file = file_of(club)
    federation = a_federation(server.address)
    before = totals(federation)
    adjust_table(event_id=night.pk, number=1, table=1, games=[0, 1], points=[6, 32])
    refresh_standings(event_id=night.pk)
    publish_final(event_id=night.pk)
    server.file = file_of(club)
    look_again()
    assert totals(federation) != before
    assert "corrected by the club" in Browser().open(first_line(page(federation))).text


class TestWhoIsWho:
    @pytest.fixture
    def clubs(self) -> tuple[Club, Club]:
        """Two clubs where people of the same names play, each first once."""
        clubs = a_telling_club("Matane"), a_telling_club("Rimouski")
        for club in clubs:
            a_final_night(club)
        return clubs

    def person(self, club: Club) -> Person:
        found: Person = Event.objects.get(club=club).entries.get(number=1).player_1
        return found

    def lines(self, clubs: tuple[Club, Club]) -> list[str]:
        """The clubs of each line of somebody of that name."""
        with a_feed_server() as one, a_feed_server() as other:
            ClubFeed.objects.update(state="")
            one.file, other.file = (file_of(club) for club in clubs)
            federation = a_federation(one.address, other.address)
            name = self.person(clubs[0]).short_name.replace(NBSP, " ")
            return sorted(row["Club"] for row in rows(federation) if row["Name"] == name)

    def test_the_same_name_is_not_the_same_person(self, clubs: tuple[Club, Club]) -> None:
        assert self.lines(clubs) == ["Matane", "Rimouski"]

    def test_who_carries_a_code_from_one_to_the_other_is_one_line(self, clubs: tuple[Club, Club]) -> None:
        here, there = (self.person(club) for club in clubs)
        code = make_identity_code(club_id=clubs[0].pk, person_id=here.pk).letters
        assert self.lines(clubs) == ["Matane", "Rimouski"]
        enter_identity_code(club_id=clubs[1].pk, person_id=there.pk, code=code.lower().replace("-", " "))
        assert self.lines(clubs) == ["Matane · Rimouski"]
        take_back_identity(club_id=clubs[1].pk, person_id=there.pk)
        assert self.lines(clubs) == ["Matane", "Rimouski"]

    def test_whoever_is_forgotten_at_one_club_carries_no_code_there(self, clubs: tuple[Club, Club]) -> None:
        here = self.person(clubs[0])
        make_identity_code(club_id=clubs[0].pk, person_id=here.pk)
        anonymize_people(club_id=clubs[0].pk, person_ids=[here.pk])
        assert not here.identities.exists()

    def test_a_club_that_copies_what_another_tells_joins_nobody(self, clubs: tuple[Club, Club]) -> None:
        here, there = (self.person(club) for club in clubs)
        make_identity_code(club_id=clubs[0].pk, person_id=here.pk)
        copied = here.identities.get()
        there.identities.create(key=copied.key, signature=copied.signature)
        assert self.lines(clubs) == ["Matane", "Rimouski"]
