"""Before the event: the poster, sign-up, and withdrawal without an account."""

from datetime import time, timedelta

from playwright.sync_api import expect

from clubs.calendar import get_club_today
from tests.builders import build_account, build_club, build_event
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.announcement import Announcement
from tournaments.entries.badge_codes import build_player_link
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.events.services.announcements import announce_event
from tournaments.models import Event

LONGEST = "Club de l’âge d’or de Notre-Dame-du-Bon-Secours-de-la-Bruère"


def build_upcoming_event() -> Event:
    club = build_club(LONGEST, owner=build_account())
    event = build_event(1, club=club)
    event.held_on = get_club_today(club) + timedelta(days=9)
    event.save()
    announcement = Announcement(
        starts_at=time(18, 30),
        place="Salle des Chevaliers",
        contact="Jeannine, 418 555-0112",
        sign_up_until=event.held_on - timedelta(days=1),
    )
    announce_event(event_id=event.pk, announcement=announcement)
    return change_sign_up(event_id=event.pk, is_open=True, most_entries=2)


def test_poster_reader_signs_up_and_withdraws_without_an_account(hall: Hall, phones: Phones) -> None:
    event = build_upcoming_event()
    phone = phones(locale="fr-CA")
    phone.open(f"/e/{event.short}")
    phone.take_picture("event")
    is_nothing_cut_off_sideways(phone)
    assert find_violations(phone) == []
    poster = phone.page.request.get(f"/fr/e/{event.short}/poster.png")
    assert poster.headers["content-type"] == "image/png"
    for names in (("Lise Côté", "Paul Côté"), ("Anne Roy", "Marc Roy")):
        phone.open(f"/e/{event.short}/sign-up")
        for field, name in zip(("player_1", "player_2"), names, strict=True):
            phone.page.locator(f"[name={field}]").fill(name)
        phone.tap(phone.find_button("^S’inscrire$"))
        phone.take_picture("signed-up")
    expect(phone.page.locator("h2").first).to_contain_text("attente")
    first = event.entries.get(player_1__name="Lise Côté")
    phone.open(build_player_link(event, first.players[1].pk))
    phone.take_picture("own-page")
    phone.tap(phone.page.get_by_text("Je ne peux pas venir"))
    phone.take_picture("cannot-come")
    is_nothing_cut_off_sideways(phone)
    assert find_violations(phone) == []
    phone.tap(phone.find_button("^Annuler notre inscription$"))
    expect(phone.page.get_by_role("status")).to_contain_text("Vous n’êtes plus sur la liste")
    phone.take_picture("off-the-list")
    assert find_violations(phone) == []
    came_in = event.entries.get(player_1__name="Anne Roy")
    assert not came_in.is_waiting
