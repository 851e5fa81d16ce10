"""Clubs that play together: invitations, who plays for whom, and what each club knows of the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Club, Person, PublicNames
from clubs.services import PersonDetails, add_person, find_or_add_people, undo_club_action
from jobs.models import Job
from live.revisions import revision_of
from tests.builders import a_club, a_played_night, an_account, an_event, code_of, next_round, play_round
from tournaments.entries.queries.known_people import known_people
from tournaments.entries.services.merging import merge_people
from tournaments.events.queries import entries_again, shared_events
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.interclub.queries import (
    clubs_named,
    entries_for,
    invitations_to,
    invited_clubs_of,
    known_people_of_guest,
    seats_of_entries,
    visitors_in,
)
from tournaments.interclub.services.invitations import (
    To,
    accept_by_link,
    accept_for_club,
    decline_for_club,
    invite_by_link,
    invite_club,
    withdraw_club,
)
from tournaments.interclub.services.visitors import enter_for_club, replace_for_club, take_out_for_club
from tournaments.models import Event, InvitationAnswer, InvitedClub, PersonRecord, Visitor
from tournaments.records.services import refresh_ratings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("whether there is a row is asked within a question"),
]

BETWEEN = ("invite_club", "club_accepted", "enter_for_club")
OURS = ("Denis Roy", "Lise Roy", "Paul Cyr", "Rita Morin", "Yvon Ross")


class Meeting:
    """Rimouski holds an event with two pairs of its own, and Matane has five people."""

    def __init__(self) -> None:
        self.host: Club = a_club("Rimouski")
        self.guest: Club = a_club("Matane")
        self.event: Event = an_event(2, club=self.host, tables=4)
        self.to = To(event_id=self.event.pk)
        self.people: list[Person] = find_or_add_people(club=self.guest, full_names=OURS)

    def invited(self) -> InvitedClub:
        return invite_club(to=self.to, club_id=self.guest.pk)

    def accepted(self) -> Meeting:
        accept_for_club(club_id=self.guest.pk, invited_id=self.invited().pk)
        return self

    def enters(self, *places: int, by: Actor | None = None) -> int:
        """The number of the entry of these people of the guest."""
        people = [self.people[place].pk for place in places]
        added = enter_for_club(
            club_id=self.guest.pk, event_id=self.event.pk, people=people, by=by or Actor(key=uuid4())
        )
        return added[0].number

    def names(self) -> list[str]:
        """The entries of the guest, as the host has them."""
        return [str(entry) for entry in self.theirs()]

    def theirs(self) -> list[object]:
        return list(entries_for(self.event, visitors_in(self.event, self.guest)))

    def kinds(self) -> tuple[str, str]:
        """The last lines of the histories of the event and of the guest."""
        return self.event.actions.latest("pk").kind, self.guest.actions.latest("pk").kind


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


class TestInvitations:
    def test_are_accepted_and_stand_in_both_histories(self, meeting: Meeting) -> None:
        invited = meeting.invited()
        assert meeting.kinds() == ("invite_club", "invited_elsewhere")
        assert shared_events(meeting.guest, since=meeting.event.held_on) == []
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        assert meeting.kinds() == ("club_accepted", "accept_elsewhere")
        assert shared_events(meeting.guest, since=meeting.event.held_on) == [meeting.event]

    def test_name_clubs_in_the_history_of_the_other_one_and_nobody(self, meeting: Meeting) -> None:
        ours, theirs = (Actor(account=an_account(), key=uuid4(), origin="192.0.2.1") for _ in range(2))
        invited = invite_club(to=meeting.to, club_id=meeting.guest.pk, by=ours)
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk, by=theirs)
        meeting.enters(0, 1, by=replace(theirs, key=uuid4()))
        asked, accepted, entered = meeting.event.actions.order_by("pk").filter(kind__in=BETWEEN)
        assert [line.account for line in (asked, accepted, entered)] == [ours.account, None, None]
        assert [line.origin for line in (asked, accepted, entered)] == ["192.0.2.1", "", ""]
        told = meeting.guest.actions.order_by("pk")
        assert [line.account for line in told] == [None, theirs.account, theirs.account]
        assert meeting.guest.actions.earliest("pk").details == {"club": "Rimouski", "name": "Soirée du mardi"}

    def test_are_declined_and_made_again(self, meeting: Meeting) -> None:
        decline_for_club(club_id=meeting.guest.pk, invited_id=meeting.invited().pk)
        assert meeting.kinds() == ("club_declined", "decline_elsewhere")
        again = meeting.invited()
        assert again.answer == InvitationAnswer.WAITING
        assert InvitedClub.objects.count() == 1

    def test_are_withdrawn_and_then_accepted_by_nobody(self, meeting: Meeting) -> None:
        invited = meeting.invited()
        withdraw_club(to=meeting.to, invited_id=invited.pk)
        assert meeting.kinds() == ("withdraw_club", "withdrawn_elsewhere")
        assert code_of(accept_for_club, club_id=meeting.guest.pk, invited_id=invited.pk) == "club_not_invited"
        assert invitations_to(meeting.guest, since=meeting.event.held_on) == []

    def test_are_for_one_club_alone(self, meeting: Meeting) -> None:
        other = a_club("Mont-Joli")
        invited_id = meeting.invited().pk
        for answer in (accept_for_club, decline_for_club):
            assert code_of(answer, club_id=other.pk, invited_id=invited_id) == "club_not_invited"

    def test_of_one_event_are_for_as_many_clubs_as_are_asked_each_once(self, meeting: Meeting) -> None:
        other = a_club("Mont-Joli")
        first, second = meeting.invited(), invite_club(to=meeting.to, club_id=other.pk)
        assert [first.club, second.club] == [meeting.guest, other]
        assert code_of(invite_club, to=meeting.to, club_id=meeting.guest.pk) == "already_invited"

    @pytest.mark.slow
    def test_are_not_for_oneself_nor_made_twice_nor_to_what_is_over(self, meeting: Meeting) -> None:
        assert code_of(invite_club, to=meeting.to, club_id=meeting.host.pk) == "invites_itself"
        meeting.invited()
        assert code_of(invite_club, to=meeting.to, club_id=meeting.guest.pk) == "already_invited"
        assert code_of(invite_club, to=meeting.to, club_id=0) == "no_such_club"
        over = a_played_night(4, club=meeting.host)
        end_event(event_id=over.pk)
        assert code_of(invite_club, to=To(event_id=over.pk), club_id=meeting.guest.pk) == "event_ended"

    def test_a_form_sent_twice_does_it_once(self, meeting: Meeting) -> None:
        by = Actor(key=uuid4())
        for _ in range(2):
            invited = invite_club(to=meeting.to, club_id=meeting.guest.pk, by=by)
        by = Actor(key=uuid4())
        for _ in range(2):
            accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk, by=by)
        assert meeting.guest.actions.count() == 2

    @pytest.mark.slow
    def test_a_club_goes_once_its_people_are_out(self, meeting: Meeting) -> None:
        meeting.accepted()
        number = meeting.enters(0, 1)
        invited_id = InvitedClub.objects.get().pk
        assert code_of(decline_for_club, club_id=meeting.guest.pk, invited_id=invited_id) == "entries_stand"
        take_out_for_club(club_id=meeting.guest.pk, event_id=meeting.event.pk, number=number)
        decline_for_club(club_id=meeting.guest.pk, invited_id=invited_id)
        assert InvitedClub.objects.get().answer == InvitationAnswer.DECLINED

    @pytest.mark.parametrize(
        ("typed", "found"),
        [
            ("mat", ["Matane"]),
            ("CLUB de m", ["Club de Mont-Joli"]),
            ("de mont", ["Club de Mont-Joli"]),
            ("joli", ["Club de Mont-Joli"]),
            ("mont-joli", ["Club de Mont-Joli"]),
            ("m", []),
            ("éd", ["Édouard"]),
            ("rim", []),
        ],
    )
    def test_a_club_is_found_as_its_name_is_typed(
        self, meeting: Meeting, typed: str, found: list[str]
    ) -> None:
        for name in ("Club de Mont-Joli", "Édouard"):
            a_club(name)
        assert [club.name for club in clubs_named(typed, but={meeting.host.pk})] == found


class TestLinks:
    def test_open_once_for_the_club_of_whoever_opens_it(self, meeting: Meeting) -> None:
        handed = invite_by_link(to=meeting.to)
        accept_by_link(secret=handed.secret, club_id=meeting.guest.pk)
        accept_by_link(secret=handed.secret, club_id=meeting.guest.pk)
        assert meeting.kinds() == ("club_accepted", "accept_elsewhere")
        other = a_club("Mont-Joli")
        assert code_of(accept_by_link, secret=handed.secret, club_id=other.pk) == "invitation_over"

    def test_are_kept_as_a_digest_and_shown_once(self, meeting: Meeting) -> None:
        by = Actor(key=uuid4())
        handed, again = (invite_by_link(to=meeting.to, by=by) for _ in range(2))
        assert (again.invited, again.secret) == (handed.invited, "")
        assert handed.secret not in str(InvitedClub.objects.values().get())

    def test_are_taken_back_or_get_old(self, meeting: Meeting) -> None:
        taken, old = invite_by_link(to=meeting.to), invite_by_link(to=meeting.to)
        withdraw_club(to=meeting.to, invited_id=taken.invited.pk)
        InvitedClub.objects.filter(pk=old.invited.pk).update(lasts_until=timezone.now() - timedelta(days=1))
        for handed in (taken, old):
            assert (
                code_of(accept_by_link, secret=handed.secret, club_id=meeting.guest.pk) == "invitation_over"
            )
        assert list(invited_clubs_of(meeting.event)) == []

    @pytest.mark.slow
    def test_answer_an_invitation_that_waits_and_are_not_for_who_takes_part(self, meeting: Meeting) -> None:
        meeting.invited()
        accept_by_link(secret=invite_by_link(to=meeting.to).secret, club_id=meeting.guest.pk)
        assert InvitedClub.objects.get().answer == InvitationAnswer.ACCEPTED
        secret = invite_by_link(to=meeting.to).secret
        assert code_of(accept_by_link, secret=secret, club_id=meeting.guest.pk) == "already_invited"
        assert code_of(accept_by_link, secret=secret, club_id=meeting.host.pk) == "invites_itself"


class TestEntries:
    def test_are_the_hosts_by_its_own_rows_and_carry_the_club(self, meeting: Meeting) -> None:
        meeting.accepted()
        number = meeting.enters(0, 1)
        entry = meeting.event.entries.get(number=number)
        assert (str(entry), entry.team) == ("Denis Roy / Lise Roy", "Matane")
        assert {person.club for person in entry.players} == {meeting.host}
        assert all(person.is_guest and not person.shows_full_name for person in entry.players)
        assert meeting.kinds() == ("enter_for_club", "enter_elsewhere")

    @pytest.mark.slow
    def test_the_same_person_is_the_same_the_next_time(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        before = meeting.host.people.count()
        meeting.event = an_event(2, club=meeting.host)
        meeting.to = To(event_id=meeting.event.pk)
        meeting.accepted().enters(1, 0)
        assert meeting.host.people.count() == before

    def test_a_name_that_the_host_knows_is_another_person_told_apart(self, meeting: Meeting) -> None:
        (namesake,) = find_or_add_people(club=meeting.host, full_names=["Denis Roy"])
        meeting.accepted()
        entry = meeting.event.entries.get(number=meeting.enters(0, 1))
        assert entry.player_1 != namesake
        assert entry.player_1.name == "Denis Roy (Matane)"
        assert entry.player_1.name_in_public(meeting.host) == "Denis\u00a0R."

    @pytest.mark.slow
    def test_who_is_hidden_at_home_or_in_a_club_without_names_is_so_here(self, meeting: Meeting) -> None:
        meeting.accepted()
        for _ in range(2):
            known = meeting.event.entries.get(number=meeting.enters(0, 1)).player_1
            assert not known.is_hidden
            meeting.event = an_event(2, club=meeting.host)
            meeting.to = To(event_id=meeting.event.pk)
            meeting.accepted()
        Club.objects.filter(pk=meeting.people[0].club_id).update(public_names=PublicNames.NONE)
        meeting.enters(0, 1)
        known.refresh_from_db()
        assert known.is_hidden

    def test_what_was_kept_private_at_home_stays_so(self, meeting: Meeting) -> None:
        Person.objects.filter(pk=meeting.people[0].pk).update(
            is_rated=False, shows_full_name=True, contact="418 555-0100", labels=["Women"]
        )
        meeting.accepted()
        there = meeting.event.entries.get(number=meeting.enters(0, 1)).player_1
        assert (there.is_rated, there.shows_full_name, there.contact, there.labels) == (False, False, "", [])

    def test_are_of_own_people_alone(self, meeting: Meeting) -> None:
        meeting.accepted()
        stranger = meeting.host.people.earliest("pk")
        for people, code in (
            ([meeting.people[0].pk, stranger.pk], "no_such_person"),
            ([meeting.people[0].pk], "tick_two"),
            ([meeting.people[0].pk] * 2, "tick_two"),
        ):
            said = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk, "people": people}
            assert code_of(enter_for_club, **said) == code
        meeting.enters(0, 1)
        said = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        assert code_of(enter_for_club, **said, people=[p.pk for p in meeting.people[1:3]]) == "plays_already"

    @pytest.mark.slow
    def test_are_not_made_by_a_club_that_has_not_accepted(self, meeting: Meeting) -> None:
        invited = meeting.invited()
        said = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        people = [person.pk for person in meeting.people[:2]]
        assert code_of(enter_for_club, **said, people=people) == "club_not_invited"
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        meeting.enters(0, 1)
        withdraw_club(to=meeting.to, invited_id=invited.pk)
        assert code_of(take_out_for_club, **said, number=3) == "club_not_invited"
        assert meeting.event.entries.count() == 3

    def test_of_others_are_out_of_reach(self, meeting: Meeting) -> None:
        meeting.accepted()
        said = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk, "number": 1}
        assert code_of(take_out_for_club, **said) == "no_such_entry_now"
        replaced = {**said, "place": 1, "person_id": meeting.people[0].pk}
        assert code_of(replace_for_club, **replaced) == "no_such_entry_now"

    @pytest.mark.slow
    def test_somebody_else_plays(self, meeting: Meeting) -> None:
        meeting.accepted()
        said: dict[str, Any] = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        said["number"] = meeting.enters(0, 1)
        replace_for_club(**said, place=2, person_id=meeting.people[2].pk)
        assert meeting.names() == ["Denis Roy / Paul Cyr"]
        assert meeting.kinds() == ("replace_for_club", "replace_elsewhere")
        assert code_of(replace_for_club, **said, place=3, person_id=0) == "no_such_place"
        assert code_of(replace_for_club, **said, place=1, person_id=0) == "no_such_person"
        taken = meeting.people[2].pk
        assert code_of(replace_for_club, **said, place=1, person_id=taken) == "plays_already"

    @pytest.mark.slow
    def test_a_form_sent_twice_enters_once(self, meeting: Meeting) -> None:
        meeting.accepted()
        by = Actor(key=uuid4())
        assert meeting.enters(0, 1, by=by) == meeting.enters(0, 1, by=by)
        assert len(meeting.theirs()) == 1

    @pytest.mark.slow
    def test_are_the_hosts_alone_once_the_draw_has_begun(self, meeting: Meeting) -> None:
        meeting.accepted()
        said = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        number = meeting.enters(0, 1)
        start_event(event_id=meeting.event.pk)
        people = [person.pk for person in meeting.people[2:4]]
        assert code_of(enter_for_club, **said, people=people) == "draw_has_begun"
        assert code_of(take_out_for_club, **said, number=number) == "draw_has_begun"
        replaced = {**said, "number": number, "place": 1, "person_id": people[0]}
        assert code_of(replace_for_club, **replaced) == "draw_has_begun"
        meeting.event.refresh_from_db()
        next_round(meeting.event)
        last, places = seats_of_entries(
            meeting.event, entries_for(meeting.event, visitors_in(meeting.event, meeting.guest))
        )
        (seat,) = places.values()
        assert seat.table is not None
        across = meeting.event.rounds.get().seatings.exclude(side=None).filter(table__number=seat.table)
        entered = {sits.entry.number: sits.side for sits in across}
        assert last == 1
        assert [entered[entry.number] != entered[number] for entry in seat.against] == [True]

    @pytest.mark.slow
    def test_the_host_undoes_them_and_does_them_again(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        action = meeting.event.actions.latest("pk")
        undone = undo_action(event_id=meeting.event.pk, action_id=action.pk)
        assert meeting.theirs() == []
        undo_action(event_id=meeting.event.pk, action_id=undone.pk)
        assert meeting.names() == ["Denis Roy / Lise Roy"]

    def test_what_clubs_agreed_on_has_no_undo_but_its_opposite(self, meeting: Meeting) -> None:
        meeting.accepted()
        for action in meeting.event.actions.filter(kind__in=("invite_club", "club_accepted")):
            assert code_of(undo_action, event_id=meeting.event.pk, action_id=action.pk) == "cannot_be_undone"
        for line in meeting.guest.actions.all():
            assert (
                code_of(undo_club_action, club_id=meeting.guest.pk, action_id=line.pk) == "cannot_be_undone"
            )


class TestWhatEachClubKnows:
    def test_the_host_is_offered_no_visitor_until_it_looks_for_one(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        later = an_event(0, club=meeting.host, tables=2)
        assert "Denis Roy" not in {each.person.name for each in known_people(later).people}
        assert [each.person.name for each in known_people(later, "denis").people] == ["Denis Roy"]

    def test_the_guest_is_offered_its_own_people_who_do_not_play_yet(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        offered = known_people_of_guest(meeting.event, meeting.guest)
        assert [each.person.name for each in offered.people] == ["Paul Cyr", "Rita Morin", "Yvon Ross"]
        assert {each.person.club_id for each in offered.people} == {meeting.guest.pk}

    def test_another_name_of_the_event_is_news_on_its_pages_and_on_the_calendar_of_the_guest(
        self, meeting: Meeting
    ) -> None:
        meeting.accepted()
        topics = (meeting.event.topic, meeting.guest.calendar_topic)
        before = [revision_of(topic) for topic in topics]
        rename_event(event_id=meeting.event.pk, name="Coupe", held_on=meeting.event.held_on)
        assert [revision_of(topic) > was for topic, was in zip(topics, before, strict=True)] == [True, True]

    def test_an_evening_like_that_one_begins_without_the_visitors(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        assert [entry.number for entry in entries_again(meeting.event)] == [1, 2]

    @pytest.mark.slow
    def test_matches_count_for_the_club_that_holds_the_event(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        meeting.enters(2, 3)
        start_event(event_id=meeting.event.pk)
        next_round(meeting.event)
        play_round(meeting.event)
        end_event(event_id=meeting.event.pk)
        for club in (meeting.host, meeting.guest):
            refresh_ratings(club_id=club.pk)
        assert PersonRecord.objects.filter(club=meeting.host).count() == 8
        assert not PersonRecord.objects.filter(club=meeting.guest).exists()
        assert not Job.objects.filter(kind="refresh_ratings", key=str(meeting.guest.pk)).exists()


class TestMerging:
    @pytest.mark.slow
    def test_two_of_the_guest_are_one_and_still_play(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        merged, kept = meeting.people[0], meeting.people[2]
        merge_people(club_id=meeting.guest.pk, kept_id=kept.pk, merged_id=merged.pk)
        assert kept in visitors_in(meeting.event, meeting.guest).values()
        assert meeting.names() == ["Denis Roy / Lise Roy"]
        undo_club_action(club_id=meeting.guest.pk, action_id=meeting.guest.actions.latest("pk").pk)
        assert merged in visitors_in(meeting.event, meeting.guest).values()

    def test_two_who_met_elsewhere_are_two(self, meeting: Meeting) -> None:
        meeting.accepted().enters(0, 1)
        one, other = meeting.people[:2]
        said = {"club_id": meeting.guest.pk, "kept_id": one.pk, "merged_id": other.pk}
        assert code_of(merge_people, **said) == "both_took_part"

    @pytest.mark.slow
    def test_a_visitor_who_is_a_member_of_the_host_is_one(self, meeting: Meeting) -> None:
        (member,) = find_or_add_people(club=meeting.host, full_names=["Denis Roy père"])
        meeting.accepted().enters(0, 1)
        visitor = Visitor.objects.get(person=meeting.people[0]).known_as
        merge_people(club_id=meeting.host.pk, kept_id=member.pk, merged_id=visitor.pk)
        assert Visitor.objects.get(person=meeting.people[0]).known_as == member
        assert len(meeting.theirs()) == 1

    def test_somebody_who_plays_elsewhere_does_not_vanish_by_an_undo(self, meeting: Meeting) -> None:
        new = add_person(club_id=meeting.guest.pk, details=PersonDetails(name="Zoé Zed"))
        action = meeting.guest.actions.latest("pk")
        meeting.people[0] = new
        meeting.accepted().enters(0, 1)
        refused = code_of(undo_club_action, club_id=meeting.guest.pk, action_id=action.pk)
        assert refused == "changed_since"
