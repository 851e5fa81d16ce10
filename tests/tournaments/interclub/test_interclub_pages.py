"""The pages of clubs that play together: what each may do there, and what neither sees of the other."""

from __future__ import annotations

import re
from itertools import product

import pytest

from clubs.models import Account, Club, Membership, Person, Role
from clubs.services import find_or_add_people
from engine.visibility import Release
from tests.builders import TUESDAY, a_club, an_account, an_event, next_round, play_round, standings_after
from tests.support.browser import Browser, Page
from tests.support.hall import post
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.interclub.queries import entries_for, visitors_in
from tournaments.interclub.services.invitations import To, accept_for_club, invite_by_link, invite_club
from tournaments.models import Event, InvitationAnswer, InvitedClub, Season, SharedNight
from tournaments.publishing.services.publishing import change_release
from tournaments.seasons.services import open_season

pytestmark = pytest.mark.django_db

OURS = ("Denis Roy", "Lise Côté", "Paul Cyr", "Rita Morin")


class Meeting:
    """Rimouski holds an event; Matane has four people, and a director."""

    def __init__(self) -> None:
        self.owner: Account = an_account()
        self.director: Account = an_account()
        self.host: Club = a_club("Rimouski", owner=self.owner)
        self.guest: Club = a_club("Matane", owner=self.director)
        self.event: Event = an_event(2, club=self.host, tables=4)
        self.people: list[Person] = find_or_add_people(club=self.guest, full_names=OURS)
        self.desk, self.phone = Browser(account=self.owner), Browser(account=self.director)
        self.inviting = f"/e/{self.event.short}/desk/interclub"
        self.answering = f"/club/{self.guest.slug}/interclub"
        self.entering = f"{self.answering}/{self.event.short}"

    def invited(self) -> InvitedClub:
        return invite_club(to=To(event_id=self.event.pk), club_id=self.guest.pk)

    def accepted(self) -> Meeting:
        accept_for_club(club_id=self.guest.pk, invited_id=self.invited().pk)
        return self

    def enters(self, *places: int) -> Page:
        first, second = (str(self.people[place].pk) for place in places)
        return post(self.phone, self.entering, {"pair": f"{first}-{second}"})

    def names(self) -> list[str]:
        return [str(entry) for entry in entries_for(self.event, visitors_in(self.event, self.guest))]


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


@pytest.mark.slow
@pytest.mark.snapshot
def test_a_club_is_found_by_its_name_and_nothing_else_of_it_is_shown(meeting: Meeting) -> None:
    page = meeting.desk.open(f"{meeting.inviting}?search=mata")
    assert "Matane" in page.text
    assert not any(name in page.text for name in (*OURS, meeting.director.name))
    page = post(meeting.desk, meeting.inviting, {"invite": meeting.guest.pk})
    assert "no answer yet" in page.text
    assert InvitedClub.objects.get().club == meeting.guest


def test_what_cannot_be_invited_is_said_at_the_field_and_keeps_what_was_typed(meeting: Meeting) -> None:
    page = post(meeting.desk, meeting.inviting, {"invite": meeting.host.pk, "search": "rim"})
    assert page.status == 422
    assert page.said_at("search") == "This is your own club. Choose another one."
    assert page.field("search").value == "rim"


def test_nasty_values_are_refused_in_words(meeting: Meeting) -> None:
    for name, value in product(("invite", "withdraw", "series"), ("", "x", "-1", "9" * 30, "٣")):
        page = post(meeting.desk, meeting.inviting, {name: value})
        assert page.status in (200, 404, 422), (name, value)
    assert not InvitedClub.objects.exists()


@pytest.mark.slow
@pytest.mark.snapshot
def test_the_invitation_waits_on_the_clubs_page_for_its_directors(meeting: Meeting) -> None:
    meeting.invited()
    helper = an_account()
    Membership.objects.create(club=meeting.guest, account=helper, role=Role.DESK)
    assert "Rimouski invites your club" in meeting.phone.open(f"/club/{meeting.guest.slug}").text
    assert "invites your club" not in Browser(account=helper).open(f"/club/{meeting.guest.slug}").text
    page = post(meeting.phone, meeting.answering, {"accept": InvitedClub.objects.get().pk})
    assert page.link("Enter our people") == meeting.entering
    assert InvitedClub.objects.get().answer == InvitationAnswer.ACCEPTED


@pytest.mark.snapshot
def test_an_invitation_of_another_club_is_answered_by_nobody_else(meeting: Meeting) -> None:
    stranger = an_account()
    club = a_club("Mont-Joli", owner=stranger)
    path, pk = f"/club/{club.slug}/interclub", meeting.invited().pk
    assert post(Browser(account=stranger), path, {"accept": pk}).status == 404
    assert InvitedClub.objects.get().answer == InvitationAnswer.WAITING


@pytest.mark.slow
@pytest.mark.snapshot
def test_two_taps_make_a_pair_without_scripts(meeting: Meeting) -> None:
    meeting.accepted()
    one, other = meeting.people[:2]
    page = post(meeting.phone, meeting.entering, {"person": one.pk})
    assert "Tap a partner for Denis Roy" in page.text
    page = post(meeting.phone, meeting.entering, {"person": other.pk, "first": one.pk})
    assert meeting.names() == ["Denis Roy / Lise Côté"]
    assert "1 of our pairs" in page.text
    page = post(meeting.phone, meeting.entering, {"person": one.pk, "first": one.pk})
    assert page.status == 200
    assert len(meeting.names()) == 1


@pytest.mark.slow
@pytest.mark.snapshot
def test_somebody_is_replaced_and_a_pair_taken_out(meeting: Meeting) -> None:
    meeting.accepted().enters(0, 1)
    page = meeting.phone.open(meeting.entering)
    page = meeting.phone.open(page.link("Replace Denis Roy").partition("#")[0])
    assert re.search(r"Who replaces Denis Roy ?\?", page.text), page.text
    said = {"entry": 3, "place": 1, "instead": meeting.people[2].pk}
    post(meeting.phone, meeting.entering, said)
    assert meeting.names() == ["Paul Cyr / Lise Côté"]
    post(meeting.phone, meeting.entering, {"take_out": 3})
    assert meeting.names() == []


@pytest.mark.slow
def test_what_is_not_theirs_changes_nothing(meeting: Meeting) -> None:
    meeting.accepted()
    every: tuple[dict[str, str], ...] = (
        *({}, {"pair": "1-x"}, {"pair": "1"}, {"person": ""}, {"person": "9" * 30}, {"take_out": "1"}),
        {"entry": "1", "place": "1", "instead": "1"},
    )
    for said in every:
        page = post(meeting.phone, meeting.entering, said)
        assert page.status in (200, 404, 422), said
        assert meeting.event.entries.count() == 2, said


@pytest.mark.slow
def test_each_sees_who_plays_and_neither_sees_the_others_list(meeting: Meeting) -> None:
    meeting.accepted().enters(0, 1)
    host = meeting.desk.open(f"/e/{meeting.event.short}/desk/entries").text
    assert "Denis Roy" in host
    assert "Matane" in host
    for path in ("desk/entries", "desk/entries/people", "desk/entries/check-in", "desk/history"):
        text = meeting.desk.open(f"/e/{meeting.event.short}/{path}").text
        assert not any(name in text for name in ("Paul Cyr", "Rita Morin", meeting.director.name))
    add_entry(event_id=meeting.event.pk, players=("Anne Gagné", "Luc Gagné"))  # so that nobody sits out
    start_event(event_id=meeting.event.pk)
    next_round(meeting.event)
    theirs = [person.name for person in meeting.host.people.filter(is_guest=False)]
    pages = (meeting.entering, meeting.answering, f"/club/{meeting.guest.slug}/history")
    for path in pages:
        text = meeting.phone.open(path).text
        assert not any(name in text for name in (*theirs, meeting.owner.name))
    assert re.search(r"Table \d", meeting.phone.open(meeting.entering).text)


@pytest.mark.slow
@pytest.mark.snapshot
def test_a_guest_sees_how_its_own_sit_out(meeting: Meeting) -> None:
    meeting.accepted().enters(0, 1)
    start_event(event_id=meeting.event.pk)
    sat_out = 0
    for number in (1, 2, 3):  # of three entries, each sits out once
        next_round(meeting.event)
        places = [place.text for place in meeting.phone.open(meeting.entering).every("span", class_="second")]
        sat_out += "bye" in places
        play_round(meeting.event, number)
    assert sat_out == 1


@pytest.mark.slow
@pytest.mark.parametrize("release", [Release(draw=False), Release(is_public=False)])
def test_a_guest_learns_who_plays_whom_only_where_everybody_may(meeting: Meeting, release: Release) -> None:
    meeting.accepted().enters(0, 1)
    add_entry(event_id=meeting.event.pk, players=("Anne Gagné", "Luc Gagné"))  # so that nobody sits out
    start_event(event_id=meeting.event.pk)
    next_round(meeting.event)
    before = meeting.phone.open(meeting.entering)
    change_release(event_id=meeting.event.pk, release=release)
    page = meeting.phone.open(meeting.entering)
    assert "against" in before.text
    assert "against" not in page.text
    assert not re.search(r"Table \d", page.text)


@pytest.mark.slow
def test_the_desk_of_the_event_stays_closed_to_the_guest(meeting: Meeting) -> None:
    meeting.accepted()
    for path in ("desk", "desk/entries", "desk/interclub"):
        assert meeting.phone.open(f"/e/{meeting.event.short}/{path}").status == 404
    assert meeting.desk.open(meeting.entering).status == 404


def test_a_club_that_has_not_accepted_has_no_page_at_the_event(meeting: Meeting) -> None:
    meeting.invited()
    assert meeting.phone.open(meeting.entering).status == 404


@pytest.mark.slow
@pytest.mark.snapshot
def test_a_link_is_made_once_and_opened_by_a_director_of_another_club(meeting: Meeting) -> None:
    page = post(meeting.desk, meeting.inviting, {"link": "1"})
    secret = page.one("textarea", id="address").text.rpartition("/")[2]
    assert page.status == 200
    path = f"/interclub/{secret}"
    assert Browser().open(path).link("Sign in").startswith("/sign-in?next=")
    assert "You direct no other club" in meeting.desk.open(path).text
    assert "Accept for Matane" in meeting.phone.open(path).text
    assert post(meeting.desk, path, {"club": meeting.guest.pk}).status == 404
    page = post(meeting.phone, path, {"club": meeting.guest.pk})
    assert page.path == meeting.answering
    assert "This link no longer works" in meeting.phone.open(path).text


def test_a_link_is_no_way_in_for_a_helper(meeting: Meeting) -> None:
    helper = an_account()
    Membership.objects.create(club=meeting.guest, account=helper, role=Role.DESK)
    path = f"/interclub/{invite_by_link(to=To(event_id=meeting.event.pk)).secret}"
    assert post(Browser(account=helper), path, {"club": meeting.guest.pk}).status == 404
    assert InvitedClub.objects.get().club is None


@pytest.mark.slow
def test_everybody_reads_the_clubs_and_how_they_stand(meeting: Meeting) -> None:
    meeting.accepted().enters(0, 1)
    meeting.enters(2, 3)
    start_event(event_id=meeting.event.pk)
    next_round(meeting.event)
    play_round(meeting.event)
    standings_after(meeting.event)
    for path in ("", "/standings"):
        page = Browser().open(f"/e/{meeting.event.short}{path}")
        section = page.one("section", **{"aria-labelledby": "clubs-title"}).text
        assert "Rimouski" in section
        assert "Matane" in section
    assert "Denis Roy" not in page.text
    other = an_event(4, club=meeting.host)
    assert "Standings by club" not in Browser().open(f"/e/{other.short}").text


@pytest.mark.slow
@pytest.mark.snapshot
def test_the_public_calendar_of_the_guest_leads_to_the_event(meeting: Meeting) -> None:
    Event.objects.filter(pk=meeting.event.pk).update(held_on="2099-11-17")
    path = f"/c/{meeting.guest.slug}/calendar"
    meeting.invited()
    before = Browser().open(path)
    assert meeting.event.name not in before.text
    accept_for_club(club_id=meeting.guest.pk, invited_id=InvitedClub.objects.get().pk)
    assert (
        Browser().open(path, **{"If-None-Match": before.revision}).link(meeting.event.name)
        == f"/e/{meeting.event.short}"
    )


@pytest.mark.slow
class TestASeries:
    def opened(self, meeting: Meeting) -> Season:
        page = meeting.desk.open(f"/club/{meeting.host.slug}/seasons/new?shared=1")
        meeting.desk.send(page, page.form(having="starts"), name="Coupe du fleuve")
        return Season.objects.get()

    @pytest.mark.snapshot
    def test_is_opened_by_a_club_and_shown_to_those_that_take_part(self, meeting: Meeting) -> None:
        season = self.opened(meeting)
        assert season.is_shared
        assert [ladder["unit"] for ladder in season.ladders] == ["club", "pair"]
        clubs = f"/club/{meeting.host.slug}/seasons/{season.pk}/clubs"
        post(meeting.desk, clubs, {"invite": meeting.guest.pk})
        post(meeting.phone, meeting.answering, {"accept": InvitedClub.objects.get().pk})
        listed = meeting.phone.open(f"/club/{meeting.guest.slug}/seasons")
        assert listed.link("Coupe du fleuve") == f"/c/{meeting.host.slug}/seasons/{season.pk}"
        assert meeting.phone.open(clubs).status == 404

    def test_is_among_the_public_seasons_of_a_club_once_it_takes_part(self, meeting: Meeting) -> None:
        season = self.opened(meeting)
        invited = invite_club(to=To(season_id=season.pk), club_id=meeting.guest.pk)
        seasons, ladder = f"/c/{meeting.guest.slug}/seasons", f"/c/{meeting.host.slug}/seasons/{season.pk}"
        assert "No season yet" in Browser().open(seasons).text
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        assert Browser().client.get(seasons).headers["Location"] == ladder
        ladders = ({"name": "Pairs", "unit": "pair", "counts": "match_wins"},)
        open_season(club=meeting.guest, name="Autumn", starts=TUESDAY, ends=TUESDAY, ladders=ladders)
        page = Browser().open(seasons)
        assert page.link("Coupe du fleuve") == ladder
        assert "Rimouski · " in page.text

    def test_is_chosen_at_the_event_of_either_club(self, meeting: Meeting) -> None:
        season = self.opened(meeting)
        invited = invite_club(to=To(season_id=season.pk), club_id=meeting.guest.pk)
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        away = an_event(4, club=meeting.guest)
        post(meeting.phone, f"/e/{away.short}/desk/interclub", {"series": season.pk})
        assert SharedNight.objects.get().event == away
        post(meeting.phone, f"/e/{away.short}/desk/interclub", {"series": ""})
        assert not SharedNight.objects.exists()

    def test_of_a_usual_season_there_are_no_clubs(self, meeting: Meeting) -> None:
        page = meeting.desk.open(f"/club/{meeting.host.slug}/seasons/new")
        assert "Each club" not in page.text
        meeting.desk.send(page, page.form(having="starts"), name="Autumn")
        path = f"/club/{meeting.host.slug}/seasons/{Season.objects.get().pk}/clubs"
        assert meeting.desk.open(path).status == 404
