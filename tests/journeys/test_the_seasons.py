"""A season on real screens: opened by the owner, read by anybody down to the match, closed."""

from playwright.sync_api import expect

from tests.builders import TUESDAY, a_club, a_played_night, standings_after
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.models import Season
from tournaments.seasons.services import refresh_seasons


def test_a_total_opens_to_its_nights_and_a_night_to_its_matches(hall: Hall, phones: Phones) -> None:
    club = a_club(owner=hall.owner)
    for _ in range(2):
        night = a_played_night(4, club=club)
        standings_after(night)
    owner = phones("owner")
    owner.sign_in(hall.owner)
    owner.open(f"/club/{club.slug}/seasons/new")
    owner.page.get_by_label("Season name").fill("Autumn")
    owner.page.get_by_label("First day").fill(TUESDAY.isoformat())
    owner.page.get_by_label("Last day").fill(TUESDAY.isoformat())
    owner.tap(owner.button("^Create the season$"))
    owner.picture("opened")
    refresh_seasons(club_id=club.pk)
    season = Season.objects.get(club=club)

    family = phones("family")
    family.open(f"/c/{club.slug}")
    family.picture("front")
    family.tap(family.link("See all"))
    expect(family.page.get_by_role("heading", name="General")).to_be_visible()
    family.tap(family.page.locator("summary").first)
    nights = family.page.locator("details[open]").get_by_role("link", name=night.name)
    expect(nights).to_have_count(2)
    family.picture("nights")
    third = a_played_night(4, club=club)
    standings_after(third)
    refresh_seasons(club_id=club.pk)
    family.looks_for_news()
    expect(nights).to_have_count(3)  # the line that was open stays open, and says the third as well
    family.tap(nights.first)
    expect(family.page.get_by_role("heading", name="Rank 1 of 4")).to_be_visible()
    family.picture("matches")

    owner.tap(owner.button("Close the season"))
    expect(owner.button("Reopen the season")).to_be_visible()
    family.open(f"/c/{club.slug}/seasons")
    expect(family.page.get_by_text("Final standings,")).to_be_visible()
    season.refresh_from_db()
    assert season.closed_at is not None


def test_its_pages_are_whole_in_large_letters_and_in_french(hall: Hall, phones: Phones) -> None:
    night = a_played_night(4, club=a_club(owner=hall.owner))
    standings_after(night)
    club = night.club
    phone = phones(locale="fr-CA", width=320)
    phone.sign_in(hall.owner)
    for pixels in (16, 32):
        phone.reads_text_of(pixels)
        for name, path in {
            "front": f"/c/{club.slug}",
            "calendar": f"/c/{club.slug}/calendar",
            "seasons": f"/c/{club.slug}/seasons",
            "new": f"/club/{club.slug}/seasons/new",
        }.items():
            phone.open(path)
            phone.picture(f"{name}-{pixels}")
            is_nothing_cut_off_sideways(phone)
            assert violations(phone) == []
