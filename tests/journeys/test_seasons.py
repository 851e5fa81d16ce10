"""A season on real screens: the owner opens and closes it, and anybody reads it down to the match."""

from playwright.sync_api import expect

from tests.builders import TUESDAY, build_club, build_played_night, compute_standings
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tournaments.models import Season
from tournaments.seasons.services import refresh_seasons


def test_season_total_opens_into_nights_and_matches(hall: Hall, phones: Phones) -> None:
    club = build_club(owner=hall.owner)
    for _ in range(2):
        night = build_played_night(4, club=club)
        compute_standings(night)
    owner = phones("owner")
    owner.sign_in(hall.owner)
    owner.open(f"/club/{club.slug}/seasons/new")
    owner.page.get_by_label("Season name").fill("Autumn")
    owner.page.get_by_label("First day").fill(TUESDAY.isoformat())
    owner.page.get_by_label("Last day").fill(TUESDAY.isoformat())
    owner.tap(owner.find_button("^Create the season$"))
    owner.take_picture("opened")
    refresh_seasons(club_id=club.pk)
    season = Season.objects.get(club=club)

    family = phones("family")
    family.open(f"/c/{club.slug}")
    family.take_picture("front")
    family.tap(family.link("See all"))
    expect(family.page.get_by_role("heading", name="General")).to_be_visible()
    family.tap(family.page.locator("summary").first)
    nights = family.page.locator("details[open]").get_by_role("link", name=night.name)
    expect(nights).to_have_count(2)
    family.take_picture("nights")
    third = build_played_night(4, club=club)
    compute_standings(third)
    refresh_seasons(club_id=club.pk)
    family.poll_for_updates()
    expect(nights).to_have_count(3)  # the open line stays open, and lists the third night too
    family.tap(nights.first)
    expect(family.page.get_by_role("heading", name="Rank 1 of 4")).to_be_visible()
    family.take_picture("matches")

    owner.tap(owner.find_button("Close the season"))
    expect(owner.find_button("Reopen the season")).to_be_visible()
    family.open(f"/c/{club.slug}/seasons")
    expect(family.page.get_by_text("Final standings,")).to_be_visible()
    season.refresh_from_db()
    assert season.closed_at is not None
