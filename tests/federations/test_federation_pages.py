"""Pages of federations, used by owners through their forms, and by readers."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

import pytest

from clubs.models import Person
from federations.models import ClubFeed, Federation
from federations.services.feed_refresh import combine_feeds
from tests.support.browser import Browser, Page
from tests.support.feed_server import FeedServer, run_feed_server
from tests.support.feeds import build_feed, create_followed_feed
from tests.support.office import Office
from tests.tournaments.alerts.test_alerts import run_worker
from web.names import NBSP

pytestmark = pytest.mark.django_db


class Bureau(Office):
    """A club's owner, and the federations of the club."""

    @property
    def path(self) -> str:
        return f"/club/{self.club.slug}/federations"

    def press(self, path: str, action: str, **typed: Any) -> Page:
        page = self.browser.open(path)
        return self.browser.send(page, page.find_form(action), **typed)

    def open_federation(self, **typed: Any) -> Page:
        page = self.browser.open(self.path)
        form_values = {"name": "Région", "starts": "2026-09-01", "ends": "2027-06-30", **typed}
        return self.browser.send(page, page.find_form(control_name="starts"), **form_values)

    @property
    def federation(self) -> Federation:
        return Federation.objects.get(club=self.club)


@pytest.fixture
def server(settings: Any) -> Iterator[FeedServer]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    with run_feed_server() as found:
        yield found


@pytest.mark.slow
@pytest.mark.snapshot
def test_owner_publishes_and_withdraws_the_club_feed() -> None:
    club = Bureau()
    shown = club.press(club.path, "/feed/on")
    assert f"/c/{club.club.slug}/feed.json" in shown.text
    run_worker()
    answer = Browser().client.get(f"/c/{club.club.slug}/feed.json")
    assert answer.json()["feed"]["club"] == club.club.name
    again = Browser().client.get(answer.request["PATH_INFO"], headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    club.press(club.path, "/feed/off")
    assert Browser().open(f"/c/{club.club.slug}/feed.json").status == 404


@pytest.mark.slow
def test_feed_is_404_until_it_is_written() -> None:
    club = Bureau()
    club.press(club.path, "/feed/on")
    assert Browser().open(f"/c/{club.club.slug}/feed.json").status == 404
    run_worker()
    assert Browser().open(f"/c/{club.club.slug}/feed.json").status == 200


@pytest.mark.slow
def test_owner_opens_changes_and_ends_a_federation() -> None:
    club = Bureau()
    page = club.open_federation(rank_points="10 6 3", best="5")
    assert page.path == f"{club.path}/{club.federation.pk}"
    assert club.federation.ladder["rank_points"] == [10, 6, 3]
    club.browser.send(page, page.find_form(control_name="starts"), name="Bas-Saint-Laurent", counts="match_wins")
    assert (club.federation.name, club.federation.ladder["counts"]) == ("Bas-Saint-Laurent", "match_wins")
    club.press(f"{club.path}/{club.federation.pk}", "/end")
    assert not Federation.objects.exists()


@pytest.mark.slow
def test_invalid_federation_is_refused_and_input_kept() -> None:
    club = Bureau()
    page = club.open_federation(name="", ends="2026-08-31", rank_points="ten")
    assert page.get_field_error("name") == "Enter the federation’s name."
    assert page.find_field("rank_points").value == "ten"
    assert "The last day is before the first." in club.open_federation(ends="2026-08-31").get_field_error("ends")


@pytest.mark.slow
def test_owner_follows_and_removes_a_club(server: FeedServer) -> None:
    club = Bureau()
    page = club.open_federation()
    refused = club.browser.send(page, page.find_form("/follow"), address="https://localhost.example.org/#x")
    assert refused.get_field_error("address") != ""
    server.status = 503
    club.browser.send(page, page.find_form("/follow"), address=server.address)
    run_worker()
    page = club.browser.open(page.path)
    assert "nothing received yet" in page.text
    assert "(response 503)" in page.text
    club.press(page.path, "/unfollow")
    assert not club.federation.feeds.exists()


@pytest.mark.slow
def test_person_code_is_shown_once_and_entered_for_another_person() -> None:
    club = Bureau()
    club.press(club.path, "/feed/on")
    people = [Person.objects.create(club=club.club, name=name, folded_name=name) for name in ("Ann", "Bo")]
    one, other = (f"/club/{club.club.slug}/people/{person.pk}/identity" for person in people)
    (code,) = re.findall(r"\w{4}-\w{4}-\w{4}", club.press(one, "/make").text)
    assert code not in club.browser.open(one).text
    assert "twelve letters" in club.press(other, "/enter", code="K7QM").get_field_error("code")
    club.press(other, "/enter", code=code)
    assert people[0].identities.get().key == people[1].identities.get().key
    club.press(other, "/take-back")
    assert not people[1].identities.exists()


@pytest.mark.snapshot
def test_club_without_a_feed_offers_no_code() -> None:
    club = Bureau()
    person = Person.objects.create(club=club.club, name="Ann", folded_name="ann")
    page = club.browser.open(f"/club/{club.club.slug}/people/{person.pk}/identity")
    assert "The club shares nothing with federations." in page.text
    assert not ClubFeed.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "up_to_date", "hour"), [("en", "up to date", "7:00 PM"), ("fr", "à jour", "19 h")]
)
def test_public_federation_pages_work_in_both_languages(language: str, up_to_date: str, hour: str) -> None:
    club = Bureau()
    club.open_federation(counts="match_wins")
    feed = build_feed(nights=6)
    feed["dates"][0]["starts_at"] = "19:00"
    create_followed_feed(club.federation, feed)
    combine_feeds(club.federation.pk)
    public = f"/c/{club.club.slug}/federations/{club.federation.pk}"
    reader = Browser(language=language)
    assert up_to_date in reader.open(public).text
    assert len(reader.open(f"{public}/ratings").find_all("th", scope="row")) == 4
    calendar = reader.open(f"{public}/calendar").text.replace(NBSP, " ")
    assert "Our Tuesdays" in calendar
    assert f"· {hour} · Hall" in calendar
    assert "Night 1" in reader.open(f"{public}/months/2026/9").text


@pytest.mark.slow
@pytest.mark.parametrize(("is_off", "written"), [(False, "as planned"), (True, "cancelled")])
def test_cancelled_night_is_marked_on_the_calendar_and_its_file(*, is_off: bool, written: str) -> None:
    club = Bureau()
    club.open_federation()
    feed = build_feed()
    feed["dates"][0]["is_off"] = is_off
    create_followed_feed(club.federation, feed)
    combine_feeds(club.federation.pk)
    calendar = f"/c/{club.club.slug}/federations/{club.federation.pk}/calendar"
    assert ("cancelled or postponed" in Browser().open(calendar).text) is is_off
    (night,) = csv.DictReader(Browser().open(f"{calendar}.csv").html.splitlines())
    assert (night["Name"], night["State"]) == ("Our Tuesdays", written)


@pytest.mark.slow
@pytest.mark.snapshot
@pytest.mark.parametrize(
    "page", ["", ".csv", "/ratings", "/ratings.csv", "/calendar", "/months/2026/9", "/months/2026/9.csv"]
)
def test_federation_pages_open_before_any_feed_arrives(page: str) -> None:
    club = Bureau()
    club.open_federation()
    assert Browser().open(f"/c/{club.club.slug}/federations/{club.federation.pk}{page}").status == 200


@pytest.mark.slow
def test_club_pages_link_to_its_federations() -> None:
    club = Bureau()
    front, reader = f"/c/{club.club.slug}", Browser()
    assert "Federations" not in reader.open(front).text
    club.open_federation()
    assert reader.open(front).find_link("Région").endswith(f"/federations/{club.federation.pk}")
    privacy = f"{front}/privacy"
    assert "The same, in a signed file for federations’ standings" not in reader.open(privacy).text
    club.press(club.path, "/feed/on")
    assert "The same, in a signed file for federations’ standings" in reader.open(privacy).text
