"""The public home pages: upcoming nights, recent nights, and leaders."""

import datetime

import pytest

from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.services.calendar import NightDetails, add_recurring_night
from live.revisions import get_revision
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
)
from tests.support.browser import Browser
from tests.support.office import Office
from tests.tournaments.seasons.test_season_pages import Seasons
from tournaments.events.services.lifecycle import end_event, put_away_event
from tournaments.models import Event
from tournaments.public.presenters.club_home import get_club_home_revision
from tournaments.public.queries.club_home import get_podiums
from tournaments.publishing.services.publishing import publish_final

pytestmark = pytest.mark.django_db


def list_podium(office: Office) -> list[str]:
    return [line.text for line in Browser().open(f"/c/{office.club.slug}").find_one("ol").find_all("li")]


def test_club_home_revision_depends_on_the_event_itself() -> None:
    office = Office()
    one, other = (build_event(4, club=office.club) for _ in range(2))
    assert get_revision(one.topic) == get_revision(other.topic)
    assert get_club_home_revision(office.club, [one]) != get_club_home_revision(office.club, [other])


class TestClubHomePage:
    def test_club_page_without_events_is_empty(self) -> None:
        page = Browser().open(f"/c/{build_club().slug}")
        assert "Nothing to see yet" in page.text
        assert Browser().open("/c/nowhere").status == 404

    @pytest.mark.long
    def test_club_page_shows_the_running_night_without_full_names(self) -> None:
        office = Office()
        night = build_running_night(4, club=office.club)
        page = Browser().open(f"/c/{office.club.slug}")
        assert page.find_link("Playing now") == f"/e/{night.short}"
        assert not [person.name for person in office.club.people.all() if person.name in page.text]

    def test_night_without_results_has_no_podium(self) -> None:
        night = build_running_night(4)
        assert len(compute_standings(night)) == 4
        assert not get_podiums([night])[night.pk]

    @pytest.mark.slow
    def test_club_page_names_the_podium_of_recent_nights(self) -> None:
        office = Office()
        night = build_played_night(4, club=office.club)
        end_event(event_id=night.pk)
        standings = compute_standings(night)
        assert len(list_podium(office)) == 3
        first = night.entries.get(number=standings[0]["entry"])
        assert all(person.name.split()[0] in list_podium(office)[0] for person in first.players)
        assert not any(person.name in list_podium(office)[0] for person in first.players)

    @pytest.mark.long
    def test_final_standings_keep_the_podium_shown(self) -> None:
        office = Office()
        night = build_played_night(4, club=office.club)
        end_event(event_id=night.pk)
        compute_standings(night)
        before = list_podium(office)
        publish_final(event_id=night.pk)
        assert list_podium(office) == before

    def test_club_page_shows_next_night_and_sign_up(self) -> None:
        office = Office()
        tomorrow = get_club_today(office.club) + datetime.timedelta(days=1)
        Event.objects.filter(pk=office.event.pk).update(signs_up=True, held_on=tomorrow)
        details = NightDetails(
            name="Tuesday cards",
            pattern="weekly",
            first_on=tomorrow,
            starts_at=datetime.time(19),
        )
        add_recurring_night(club_id=office.club.pk, details=details)
        page = Browser().open(f"/c/{office.club.slug}")
        assert page.find_link("Sign up") == f"/e/{office.event.short}/sign-up"
        assert "Tuesday cards" in page.text

    @pytest.mark.slow
    def test_club_page_shows_leaders_of_open_seasons(self) -> None:
        club = Seasons()
        club.open_season(name="Winter")
        club.play_night()
        text = Browser().open(f"/c/{club.club.slug}").text
        assert "Winter" in text
        assert "General" in text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_club_page_omits_archived_and_private_events(self) -> None:
        office = Office()
        Event.objects.filter(pk=office.event.pk).update(is_public=False)
        put_away_event(event_id=build_event(club=office.club).pk)
        assert office.event.name not in Browser().open(f"/c/{office.club.slug}").text

    @pytest.mark.long
    def test_club_page_is_not_modified_until_something_changes(self) -> None:
        office = Office()
        browser, address = Browser(), f"/c/{office.club.slug}"
        seen = browser.open(address)
        assert browser.open(address, **{"If-None-Match": seen.revision}).status == 304
        build_running_night(4, club=office.club)
        assert browser.open(address, **{"If-None-Match": seen.revision}).status == 200


class TestClubList:
    def test_club_list_redirects_to_the_only_club(self) -> None:
        only = build_club("Les Joyeux Atouts")
        assert Browser().open("/c").path == f"/c/{only.slug}"
        other = build_club("Les As de Matane")
        page = Browser().open("/c")
        assert page.find_link("Les As de Matane") == f"/c/{other.slug}"
        assert page.find_link("Les Joyeux Atouts") == f"/c/{only.slug}"

    def test_club_list_shows_a_hundred_per_page(self) -> None:
        Club.objects.bulk_create(Club(name=f"{n:03}", slug=f"c{n}") for n in range(1, 102))
        page = Browser().open("/c")
        assert ("100" in page.text, "101" in page.text) == (True, False)
        page = Browser().open(f"/c{page.find_link('Next page')}")
        assert ("100" in page.text, "101" in page.text) == (False, True)


def test_home_page_lists_clubs_sorted_by_name() -> None:
    owner = build_account()
    names = ["Zouaves", "As de Matane", "Mulots"]
    for name in names:
        build_club(name, owner=owner)
    shown = [one.text for one in Browser(account=owner).open("/").find_one(id="clubs").find_all("a")]
    assert shown[1:-2] == sorted(names)


class TestSeasonList:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_season_list_redirects_to_the_only_season(self) -> None:
        club = Seasons()
        seasons = f"/c/{club.club.slug}/seasons"
        assert "No season yet" in Browser().open(seasons).text
        club.open_season(name="Winter")
        winter = club.season
        assert Browser().open(seasons).path == f"{seasons}/{winter.pk}"
        club.open_season(name="Summer")
        assert Browser().open(seasons).find_link("Winter") == f"{seasons}/{winter.pk}"
