"""The first pages for everybody: what a club plays next, what it played last, and who leads."""

import datetime

import pytest

from clubs.calendar import today_in
from clubs.models import Club
from clubs.services import NightDetails, add_recurring_night
from live.revisions import revision_of
from tests.builders import a_club, a_played_night, a_running_night, an_account, an_event, standings_after
from tests.support.browser import Browser
from tests.support.office import Office
from tests.tournaments.seasons.test_season_pages import Seasons
from tournaments.events.services.lifecycle import end_event, put_away_event
from tournaments.models import Event
from tournaments.public.presenters.club_home import front_revision
from tournaments.publishing.services.publishing import publish_final

pytestmark = pytest.mark.django_db


def podium(office: Office) -> list[str]:
    return [line.text for line in Browser().open(f"/c/{office.club.slug}").one("ol").every("li")]


def test_an_event_that_takes_the_place_of_another_makes_it_another_page() -> None:
    office = Office()
    one, other = (an_event(4, club=office.club) for _ in range(2))
    assert revision_of(one.topic) == revision_of(other.topic)
    assert front_revision(office.club, [one]) != front_revision(office.club, [other])


class TestAClub:
    def test_that_has_played_nothing_says_so(self) -> None:
        page = Browser().open(f"/c/{a_club().slug}")
        assert "Nothing to see yet" in page.text
        assert Browser().open("/c/nowhere").status == 404

    @pytest.mark.slow
    def test_shows_the_night_that_is_played_and_no_name_in_full(self) -> None:
        office = Office()
        night = a_running_night(4, club=office.club)
        page = Browser().open(f"/c/{office.club.slug}")
        assert page.link("Playing now") == f"/e/{night.short}"
        assert not [person.name for person in office.club.people.all() if person.name in page.text]

    @pytest.mark.slow
    def test_names_who_came_first_of_the_last_nights(self) -> None:
        office = Office()
        night = a_played_night(4, club=office.club)
        end_event(event_id=night.pk)
        standings = standings_after(night)
        assert len(podium(office)) == 3
        first = night.entries.get(number=standings[0]["entry"])
        assert all(person.name.split()[0] in podium(office)[0] for person in first.players)
        assert not any(person.name in podium(office)[0] for person in first.players)

    @pytest.mark.slow
    def test_still_names_them_once_the_standings_are_final(self) -> None:
        office = Office()
        night = a_played_night(4, club=office.club)
        end_event(event_id=night.pk)
        standings_after(night)
        before = podium(office)
        publish_final(event_id=night.pk)
        assert podium(office) == before

    def test_says_when_it_plays_next_and_what_one_can_sign_up_for(self) -> None:
        office = Office()
        tomorrow = today_in(office.club) + datetime.timedelta(days=1)
        Event.objects.filter(pk=office.event.pk).update(signs_up=True, held_on=tomorrow)
        details = NightDetails(
            name="Tuesday cards",
            pattern="weekly",
            first_on=tomorrow,
            starts_at=datetime.time(19),
        )
        add_recurring_night(club_id=office.club.pk, details=details)
        page = Browser().open(f"/c/{office.club.slug}")
        assert page.link("Sign up") == f"/e/{office.event.short}/sign-up"
        assert "Tuesday cards" in page.text

    @pytest.mark.slow
    def test_shows_who_leads_its_open_seasons(self) -> None:
        club = Seasons()
        club.opens(name="Winter")
        club.plays()
        text = Browser().open(f"/c/{club.club.slug}").text
        assert "Winter" in text
        assert "General" in text

    @pytest.mark.snapshot
    def test_keeps_to_itself_what_was_put_away_or_is_not_public(self) -> None:
        office = Office()
        Event.objects.filter(pk=office.event.pk).update(is_public=False)
        put_away_event(event_id=an_event(club=office.club).pk)
        assert office.event.name not in Browser().open(f"/c/{office.club.slug}").text

    @pytest.mark.slow
    def test_is_sent_again_only_when_something_changed(self) -> None:
        office = Office()
        browser, address = Browser(), f"/c/{office.club.slug}"
        seen = browser.open(address)
        assert browser.open(address, **{"If-None-Match": seen.revision}).status == 304
        a_running_night(4, club=office.club)
        assert browser.open(address, **{"If-None-Match": seen.revision}).status == 200


class TestTheClubs:
    def test_are_listed_and_one_alone_is_shown_at_once(self) -> None:
        only = a_club("Les Joyeux Atouts")
        assert Browser().open("/c").path == f"/c/{only.slug}"
        other = a_club("Les As de Matane")
        page = Browser().open("/c")
        assert page.link("Les As de Matane") == f"/c/{other.slug}"
        assert page.link("Les Joyeux Atouts") == f"/c/{only.slug}"

    def test_are_a_hundred_on_a_page(self) -> None:
        Club.objects.bulk_create(Club(name=f"{n:03}", slug=f"c{n}") for n in range(1, 102))
        page = Browser().open("/c")
        assert ("100" in page.text, "101" in page.text) == (True, False)
        page = Browser().open(f"/c{page.link('Next page')}")
        assert ("100" in page.text, "101" in page.text) == (False, True)


def test_whoever_helps_in_several_clubs_finds_them_by_name() -> None:
    owner = an_account()
    names = ["Zouaves", "As de Matane", "Mulots"]
    for name in names:
        a_club(name, owner=owner)
    shown = [one.text for one in Browser(account=owner).open("/").one(id="clubs").every("a")]
    assert shown[1:-2] == sorted(names)


class TestTheSeasonsOfAClub:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_are_listed_and_one_alone_is_shown_at_once(self) -> None:
        club = Seasons()
        seasons = f"/c/{club.club.slug}/seasons"
        assert "No season yet" in Browser().open(seasons).text
        club.opens(name="Winter")
        winter = club.season
        assert Browser().open(seasons).path == f"{seasons}/{winter.pk}"
        club.opens(name="Summer")
        assert Browser().open(seasons).link("Winter") == f"{seasons}/{winter.pk}"
