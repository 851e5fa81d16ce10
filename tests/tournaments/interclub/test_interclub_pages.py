"""Pages of events with several clubs: each club's permissions, and what neither sees of the other."""

from __future__ import annotations

import re
from itertools import product

import pytest

from clubs.models import Account, Club, Membership, Person, Role
from clubs.services.people import find_or_add_people
from engine.visibility import Release
from tests.builders import (
    TUESDAY,
    build_account,
    build_club,
    build_event,
    compute_standings,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser, Page
from tests.support.hall import post_form
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.teams import set_team
from tournaments.events.services.lifecycle import start_event
from tournaments.interclub.queries import get_visitors, list_guest_entries
from tournaments.interclub.services.invitations import (
    InvitationTarget,
    accept_for_club,
    create_invitation_link,
    invite_club,
)
from tournaments.models import Event, InvitationAnswer, InvitedClub, Season, SharedNight
from tournaments.publishing.services.publishing import change_release
from tournaments.seasons.services import open_season

pytestmark = pytest.mark.django_db

OURS = ("Denis Roy", "Lise Côté", "Paul Cyr", "Rita Morin")


class ClubMeeting:
    """An event held by Rimouski, and the guest club Matane with four people and a director."""

    def __init__(self) -> None:
        self.owner: Account = build_account()
        self.director: Account = build_account()
        self.host: Club = build_club("Rimouski", owner=self.owner)
        self.guest: Club = build_club("Matane", owner=self.director)
        self.event: Event = build_event(2, club=self.host, tables=4)
        self.people: list[Person] = find_or_add_people(club=self.guest, full_names=OURS)
        self.desk, self.phone = Browser(account=self.owner), Browser(account=self.director)
        self.inviting = f"/e/{self.event.short}/desk/interclub"
        self.answering = f"/club/{self.guest.slug}/interclub"
        self.entering = f"{self.answering}/{self.event.short}"

    def invite_guest(self) -> InvitedClub:
        return invite_club(target=InvitationTarget(event_id=self.event.pk), club_id=self.guest.pk)

    def accept_invitation(self) -> ClubMeeting:
        accept_for_club(club_id=self.guest.pk, invited_id=self.invite_guest().pk)
        return self

    def enter_pair(self, *places: int) -> Page:
        first, second = (str(self.people[place].pk) for place in places)
        return post_form(self.phone, self.entering, {"pair": f"{first}-{second}"})

    def list_names(self) -> list[str]:
        return [str(entry) for entry in list_guest_entries(self.event, get_visitors(self.event, self.guest))]


@pytest.fixture
def meeting() -> ClubMeeting:
    return ClubMeeting()


@pytest.mark.slow
@pytest.mark.snapshot
def test_club_search_reveals_only_the_club_name(meeting: ClubMeeting) -> None:
    page = meeting.desk.open(f"{meeting.inviting}?search=mata")
    assert "Matane" in page.text
    assert not any(name in page.text for name in (*OURS, meeting.director.name))
    page = post_form(meeting.desk, meeting.inviting, {"invite": meeting.guest.pk})
    assert "no answer yet" in page.text
    assert InvitedClub.objects.get().club == meeting.guest


def test_refused_invitation_shows_an_error_and_keeps_the_search(meeting: ClubMeeting) -> None:
    page = post_form(meeting.desk, meeting.inviting, {"invite": meeting.host.pk, "search": "rim"})
    assert page.status == 422
    assert page.get_field_error("search") == "This is your own club. Choose another one."
    assert page.find_field("search").value == "rim"


@pytest.mark.slow
def test_nonsense_invitation_values_are_refused(meeting: ClubMeeting) -> None:
    for name, value in product(("invite", "withdraw", "series"), ("", "x", "-1", "9" * 30, "٣")):
        page = post_form(meeting.desk, meeting.inviting, {name: value})
        assert page.status in (200, 404, 422), (name, value)
    assert not InvitedClub.objects.exists()


@pytest.mark.slow
@pytest.mark.snapshot
def test_club_page_shows_the_invitation_to_directors(meeting: ClubMeeting) -> None:
    meeting.invite_guest()
    helper = build_account()
    Membership.objects.create(club=meeting.guest, account=helper, role=Role.DESK)
    assert "Rimouski invites your club" in meeting.phone.open(f"/club/{meeting.guest.slug}").text
    assert "invites your club" not in Browser(account=helper).open(f"/club/{meeting.guest.slug}").text
    page = post_form(meeting.phone, meeting.answering, {"accept": InvitedClub.objects.get().pk})
    assert page.find_link("Enter our people") == meeting.entering
    assert InvitedClub.objects.get().answer == InvitationAnswer.ACCEPTED


@pytest.mark.slow
@pytest.mark.snapshot
def test_other_club_cannot_accept_an_invitation(meeting: ClubMeeting) -> None:
    stranger = build_account()
    club = build_club("Mont-Joli", owner=stranger)
    path, pk = f"/club/{club.slug}/interclub", meeting.invite_guest().pk
    assert post_form(Browser(account=stranger), path, {"accept": pk}).status == 404
    assert InvitedClub.objects.get().answer == InvitationAnswer.WAITING


@pytest.mark.slow
@pytest.mark.snapshot
def test_two_taps_enter_a_pair_of_guests(meeting: ClubMeeting) -> None:
    meeting.accept_invitation()
    one, other = meeting.people[:2]
    page = post_form(meeting.phone, meeting.entering, {"person": one.pk})
    assert "Tap a partner for Denis Roy" in page.text
    page = post_form(meeting.phone, meeting.entering, {"person": other.pk, "first": one.pk})
    assert meeting.list_names() == ["Denis Roy / Lise Côté"]
    assert "1 of our pairs" in page.text
    page = post_form(meeting.phone, meeting.entering, {"person": one.pk, "first": one.pk})
    assert page.status == 200
    assert len(meeting.list_names()) == 1


@pytest.mark.slow
@pytest.mark.snapshot
def test_guest_page_replaces_a_player_and_removes_a_pair(meeting: ClubMeeting) -> None:
    meeting.accept_invitation().enter_pair(0, 1)
    page = meeting.phone.open(meeting.entering)
    page = meeting.phone.open(page.find_link("Replace Denis Roy").partition("#")[0])
    assert re.search(r"Who replaces Denis Roy ?\?", page.text), page.text
    form_data = {"entry": 3, "place": 1, "instead": meeting.people[2].pk}
    post_form(meeting.phone, meeting.entering, form_data)
    assert meeting.list_names() == ["Paul Cyr / Lise Côté"]
    post_form(meeting.phone, meeting.entering, {"take_out": 3})
    assert meeting.list_names() == []


@pytest.mark.long
def test_invalid_guest_requests_change_nothing(meeting: ClubMeeting) -> None:
    meeting.accept_invitation()
    every: tuple[dict[str, str], ...] = (
        *({}, {"pair": "1-x"}, {"pair": "1"}, {"person": ""}, {"person": "9" * 30}, {"take_out": "1"}),
        {"entry": "1", "place": "1", "instead": "1"},
    )
    for form_data in every:
        page = post_form(meeting.phone, meeting.entering, form_data)
        assert page.status in (200, 404, 422), form_data
        assert meeting.event.entries.count() == 2, form_data


@pytest.mark.long
def test_clubs_see_entries_but_not_each_others_people(meeting: ClubMeeting) -> None:
    meeting.accept_invitation().enter_pair(0, 1)
    host = meeting.desk.open(f"/e/{meeting.event.short}/desk/entries").text
    assert "Denis Roy" in host
    assert "Matane" in host
    for path in ("desk/entries", "desk/entries/people", "desk/entries/check-in", "desk/history"):
        text = meeting.desk.open(f"/e/{meeting.event.short}/{path}").text
        assert not any(name in text for name in ("Paul Cyr", "Rita Morin", meeting.director.name))
    add_entry(event_id=meeting.event.pk, players=("Anne Gagné", "Luc Gagné"))  # so that nobody sits out
    start_event(event_id=meeting.event.pk)
    start_next_round(meeting.event)
    theirs = [person.name for person in meeting.host.people.filter(is_guest=False)]
    pages = (meeting.entering, meeting.answering, f"/club/{meeting.guest.slug}/history")
    for path in pages:
        text = meeting.phone.open(path).text
        assert not any(name in text for name in (*theirs, meeting.owner.name))
    assert re.search(r"Table \d", meeting.phone.open(meeting.entering).text)


@pytest.mark.slow
@pytest.mark.snapshot
def test_guest_club_sees_its_byes(meeting: ClubMeeting) -> None:
    meeting.accept_invitation().enter_pair(0, 1)
    start_event(event_id=meeting.event.pk)
    sat_out = 0
    for number in (1, 2, 3):  # of three entries, each sits out once
        start_next_round(meeting.event)
        places = [place.text for place in meeting.phone.open(meeting.entering).find_all("span", class_="secondary")]
        sat_out += "bye" in places
        play_round(meeting.event, number)
    assert sat_out == 1


@pytest.mark.long
@pytest.mark.parametrize("release", [Release(draw=False), Release(is_public=False)])
def test_guest_club_sees_pairings_only_when_public(meeting: ClubMeeting, release: Release) -> None:
    meeting.accept_invitation().enter_pair(0, 1)
    add_entry(event_id=meeting.event.pk, players=("Anne Gagné", "Luc Gagné"))  # so that nobody sits out
    start_event(event_id=meeting.event.pk)
    start_next_round(meeting.event)
    before = meeting.phone.open(meeting.entering)
    change_release(event_id=meeting.event.pk, release=release)
    page = meeting.phone.open(meeting.entering)
    assert "against" in before.text
    assert "against" not in page.text
    assert not re.search(r"Table \d", page.text)


@pytest.mark.long
def test_event_desk_is_closed_to_the_guest_club(meeting: ClubMeeting) -> None:
    meeting.accept_invitation()
    for path in ("desk", "desk/entries", "desk/interclub"):
        assert meeting.phone.open(f"/e/{meeting.event.short}/{path}").status == 404
    assert meeting.desk.open(meeting.entering).status == 404


def test_unanswered_club_has_no_entries_page(meeting: ClubMeeting) -> None:
    meeting.invite_guest()
    assert meeting.phone.open(meeting.entering).status == 404


@pytest.mark.slow
@pytest.mark.snapshot
def test_invitation_link_is_shown_once_and_opened_by_a_director(meeting: ClubMeeting) -> None:
    page = post_form(meeting.desk, meeting.inviting, {"link": "1"})
    secret = page.find_one("textarea", id="address").text.rpartition("/")[2]
    assert page.status == 200
    path = f"/interclub/{secret}"
    assert Browser().open(path).find_link("Sign in").startswith("/sign-in?next=")
    assert "You direct no other club" in meeting.desk.open(path).text
    assert "Accept for Matane" in meeting.phone.open(path).text
    assert post_form(meeting.desk, path, {"club": meeting.guest.pk}).status == 404
    page = post_form(meeting.phone, path, {"club": meeting.guest.pk})
    assert page.path == meeting.answering
    assert meeting.phone.open(path).path == meeting.answering
    assert "This link no longer works" in meeting.desk.open(path).text


def test_desk_helper_cannot_open_an_invitation_link(meeting: ClubMeeting) -> None:
    helper = build_account()
    Membership.objects.create(club=meeting.guest, account=helper, role=Role.DESK)
    path = f"/interclub/{create_invitation_link(target=InvitationTarget(event_id=meeting.event.pk)).secret}"
    assert post_form(Browser(account=helper), path, {"club": meeting.guest.pk}).status == 404
    assert InvitedClub.objects.get().club is None


@pytest.mark.long
def test_event_page_shows_standings_by_club(meeting: ClubMeeting) -> None:
    meeting.accept_invitation().enter_pair(0, 1)
    meeting.enter_pair(2, 3)
    start_event(event_id=meeting.event.pk)
    start_next_round(meeting.event)
    play_round(meeting.event)
    compute_standings(meeting.event)
    for path in ("", "/standings"):
        page = Browser().open(f"/e/{meeting.event.short}{path}")
        section = page.find_one("section", **{"aria-labelledby": "clubs-title"}).text
        assert "Rimouski" in section
        assert "Matane" in section
    assert "Denis Roy" not in page.text
    other = build_event(4, club=meeting.host)
    assert "Standings by club" not in Browser().open(f"/e/{other.short}").text


@pytest.mark.long
@pytest.mark.parametrize(("draw_format", "comes_first"), [("random", False), ("teams", True)])
def test_standings_by_club_come_first_only_if_clubs_meet(*, draw_format: str, comes_first: bool) -> None:
    event = build_event(4, draw_format=draw_format)
    set_team(event_id=event.pk, numbers=(1, 2), team="Amqui")
    start_next_round(start_event(event_id=event.pk))
    play_round(event)
    compute_standings(event)
    for path in ("", "/standings"):
        titles = [title.text for title in Browser().open(f"/e/{event.short}{path}").find_all("h2")]
        (clubs,) = (place for place, title in enumerate(titles) if title.startswith("Standings by"))
        (entries,) = (place for place, title in enumerate(titles) if title.startswith("Standings after"))
        assert (clubs < entries) == comes_first


@pytest.mark.long
@pytest.mark.snapshot
def test_guest_club_calendar_links_to_the_event(meeting: ClubMeeting) -> None:
    Event.objects.filter(pk=meeting.event.pk).update(held_on="2099-11-17")
    path = f"/c/{meeting.guest.slug}/calendar"
    meeting.invite_guest()
    before = Browser().open(path)
    assert meeting.event.name not in before.text
    accept_for_club(club_id=meeting.guest.pk, invited_id=InvitedClub.objects.get().pk)
    assert (
        Browser().open(path, **{"If-None-Match": before.revision}).find_link(meeting.event.name)
        == f"/e/{meeting.event.short}"
    )


@pytest.mark.slow
class TestSeriesPages:
    def open_series(self, meeting: ClubMeeting) -> Season:
        page = meeting.desk.open(f"/club/{meeting.host.slug}/seasons/new?shared=1")
        meeting.desk.send(page, page.find_form(control_name="starts"), name="Coupe du fleuve")
        return Season.objects.get()

    @pytest.mark.snapshot
    def test_series_is_opened_by_one_club_and_shown_to_participants(self, meeting: ClubMeeting) -> None:
        season = self.open_series(meeting)
        assert season.is_shared
        assert [ladder["unit"] for ladder in season.ladders] == ["club", "pair"]
        clubs = f"/club/{meeting.host.slug}/seasons/{season.pk}/clubs"
        post_form(meeting.desk, clubs, {"invite": meeting.guest.pk})
        post_form(meeting.phone, meeting.answering, {"accept": InvitedClub.objects.get().pk})
        listed = meeting.phone.open(f"/club/{meeting.guest.slug}/seasons")
        assert listed.find_link("Coupe du fleuve") == f"/c/{meeting.host.slug}/seasons/{season.pk}"
        assert meeting.phone.open(clubs).status == 404

    @pytest.mark.long
    def test_participating_club_lists_the_series_publicly(self, meeting: ClubMeeting) -> None:
        season = self.open_series(meeting)
        invited = invite_club(target=InvitationTarget(season_id=season.pk), club_id=meeting.guest.pk)
        seasons, ladder = f"/c/{meeting.guest.slug}/seasons", f"/c/{meeting.host.slug}/seasons/{season.pk}"
        assert "No season yet" in Browser().open(seasons).text
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        assert Browser().client.get(seasons).headers["Location"] == ladder
        ladders = ({"name": "Pairs", "unit": "pair", "counts": "match_wins"},)
        open_season(club=meeting.guest, name="Autumn", starts=TUESDAY, ends=TUESDAY, ladders=ladders)
        page = Browser().open(seasons)
        assert page.find_link("Coupe du fleuve") == ladder
        assert "Rimouski · " in page.text

    def test_either_club_assigns_its_event_to_the_series(self, meeting: ClubMeeting) -> None:
        season = self.open_series(meeting)
        invited = invite_club(target=InvitationTarget(season_id=season.pk), club_id=meeting.guest.pk)
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        away = build_event(4, club=meeting.guest)
        post_form(meeting.phone, f"/e/{away.short}/desk/interclub", {"series": season.pk})
        assert SharedNight.objects.get().event == away
        post_form(meeting.phone, f"/e/{away.short}/desk/interclub", {"series": ""})
        assert not SharedNight.objects.exists()

    @pytest.mark.long
    def test_ordinary_season_has_no_clubs_page(self, meeting: ClubMeeting) -> None:
        page = meeting.desk.open(f"/club/{meeting.host.slug}/seasons/new")
        assert "Each club" not in page.text
        meeting.desk.send(page, page.find_form(control_name="starts"), name="Autumn")
        path = f"/club/{meeting.host.slug}/seasons/{Season.objects.get().pk}/clubs"
        assert meeting.desk.open(path).status == 404
