"""Events with several clubs: invitations, entries by each club, and what each club sees of the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Club, Person, PublicNames
from clubs.services.people import PersonDetails, add_person, find_or_add_people
from clubs.services.undo import undo_club_action
from jobs.models import Job
from live.revisions import get_revision
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_played_night,
    get_refusal_code,
    play_round,
    start_next_round,
)
from tournaments.entries.queries.known_people import list_known_people
from tournaments.entries.services.merging import merge_people
from tournaments.events.queries import list_returning_entries, shared_events
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.interclub.queries import (
    get_guest_people,
    get_last_round_seats,
    get_visitors,
    list_guest_entries,
    list_invitations,
    search_clubs,
    select_invitations,
)
from tournaments.interclub.services.invitations import (
    InvitationTarget,
    accept_by_link,
    accept_for_club,
    create_invitation_link,
    decline_for_club,
    invite_club,
    withdraw_invitation,
)
from tournaments.interclub.services.visitors import enter_for_club, remove_for_club, replace_for_club
from tournaments.models import Event, InvitationAnswer, InvitedClub, PersonRecord, Visitor
from tournaments.records.services import refresh_ratings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("EXISTS"),
]

INTERCLUB_KINDS = ("invite_club", "club_accepted", "enter_for_club")
OURS = ("Denis Roy", "Lise Roy", "Paul Cyr", "Rita Morin", "Yvon Ross")


class ClubMeeting:
    """An event held by Rimouski with two pairs of its own, and the guest club Matane with five people."""

    def __init__(self) -> None:
        self.host: Club = build_club("Rimouski")
        self.guest: Club = build_club("Matane")
        self.event: Event = build_event(2, club=self.host, tables=4)
        self.to = InvitationTarget(event_id=self.event.pk)
        self.people: list[Person] = find_or_add_people(club=self.guest, full_names=OURS)

    def invite_guest(self) -> InvitedClub:
        return invite_club(target=self.to, club_id=self.guest.pk)

    def accept_invitation(self) -> ClubMeeting:
        accept_for_club(club_id=self.guest.pk, invited_id=self.invite_guest().pk)
        return self

    def enter_pair(self, *places: int, by: Actor | None = None) -> int:
        """Enter these people of the guest club and return the number of their entry."""
        people = [self.people[place].pk for place in places]
        added = enter_for_club(
            club_id=self.guest.pk, event_id=self.event.pk, people=people, by=by or Actor(key=uuid4())
        )
        return added[0].number

    def list_names(self) -> list[str]:
        """Return the guest club's entries, as the host sees them."""
        return [str(entry) for entry in self.list_guest_entries()]

    def list_guest_entries(self) -> list[object]:
        return list(list_guest_entries(self.event, get_visitors(self.event, self.guest)))

    def get_last_kinds(self) -> tuple[str, str]:
        """Return the kinds of the latest actions of the event and of the guest club."""
        return self.event.actions.latest("pk").kind, self.guest.actions.latest("pk").kind


@pytest.fixture
def meeting() -> ClubMeeting:
    return ClubMeeting()


class TestClubInvitations:
    def test_accepted_invitation_is_in_both_histories(self, meeting: ClubMeeting) -> None:
        invited = meeting.invite_guest()
        assert meeting.get_last_kinds() == ("invite_club", "invited_elsewhere")
        assert shared_events(meeting.guest, first_day=meeting.event.held_on) == []
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        assert meeting.get_last_kinds() == ("club_accepted", "accept_elsewhere")
        assert shared_events(meeting.guest, first_day=meeting.event.held_on) == [meeting.event]

    def test_history_of_the_other_club_names_no_person(self, meeting: ClubMeeting) -> None:
        ours, theirs = (Actor(account=build_account(), key=uuid4(), origin="192.0.2.1") for _ in range(2))
        invited = invite_club(target=meeting.to, club_id=meeting.guest.pk, by=ours)
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk, by=theirs)
        meeting.enter_pair(0, 1, by=replace(theirs, key=uuid4()))
        invitation, accepted, entered = meeting.event.actions.order_by("pk").filter(kind__in=INTERCLUB_KINDS)
        assert [line.account for line in (invitation, accepted, entered)] == [ours.account, None, None]
        assert [line.origin for line in (invitation, accepted, entered)] == ["192.0.2.1", "", ""]
        guest_actions = meeting.guest.actions.order_by("pk")
        assert [line.account for line in guest_actions] == [None, theirs.account, theirs.account]
        assert meeting.guest.actions.earliest("pk").details == {"club": "Rimouski", "name": "Soirée du mardi"}

    def test_declined_invitation_can_be_sent_again(self, meeting: ClubMeeting) -> None:
        decline_for_club(club_id=meeting.guest.pk, invited_id=meeting.invite_guest().pk)
        assert meeting.get_last_kinds() == ("club_declined", "decline_elsewhere")
        again = meeting.invite_guest()
        assert again.answer == InvitationAnswer.WAITING
        assert InvitedClub.objects.count() == 1

    def test_withdrawn_invitation_cannot_be_accepted(self, meeting: ClubMeeting) -> None:
        invited = meeting.invite_guest()
        withdraw_invitation(target=meeting.to, invited_id=invited.pk)
        assert meeting.get_last_kinds() == ("withdraw_club", "withdrawn_elsewhere")
        assert get_refusal_code(accept_for_club, club_id=meeting.guest.pk, invited_id=invited.pk) == "club_not_invited"
        assert list_invitations(meeting.guest, cutoff=meeting.event.held_on) == []

    def test_third_club_cannot_answer_an_invitation(self, meeting: ClubMeeting) -> None:
        other = build_club("Mont-Joli")
        invited_id = meeting.invite_guest().pk
        for answer in (accept_for_club, decline_for_club):
            assert get_refusal_code(answer, club_id=other.pk, invited_id=invited_id) == "club_not_invited"

    def test_event_can_invite_each_club_once(self, meeting: ClubMeeting) -> None:
        other = build_club("Mont-Joli")
        first, second = meeting.invite_guest(), invite_club(target=meeting.to, club_id=other.pk)
        assert [first.club, second.club] == [meeting.guest, other]
        assert get_refusal_code(invite_club, target=meeting.to, club_id=meeting.guest.pk) == "already_invited"

    @pytest.mark.slow
    def test_impossible_invitations_are_refused(self, meeting: ClubMeeting) -> None:
        assert get_refusal_code(invite_club, target=meeting.to, club_id=meeting.host.pk) == "invites_itself"
        meeting.invite_guest()
        assert get_refusal_code(invite_club, target=meeting.to, club_id=meeting.guest.pk) == "already_invited"
        assert get_refusal_code(invite_club, target=meeting.to, club_id=0) == "no_such_club"
        over = build_played_night(4, club=meeting.host)
        end_event(event_id=over.pk)
        assert (
            get_refusal_code(invite_club, target=InvitationTarget(event_id=over.pk), club_id=meeting.guest.pk)
            == "event_ended"
        )

    def test_resent_invitation_and_answer_count_once(self, meeting: ClubMeeting) -> None:
        by = Actor(key=uuid4())
        for _ in range(2):
            invited = invite_club(target=meeting.to, club_id=meeting.guest.pk, by=by)
        by = Actor(key=uuid4())
        for _ in range(2):
            accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk, by=by)
        assert meeting.guest.actions.count() == 2

    @pytest.mark.slow
    def test_club_cannot_decline_while_its_entries_remain(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        number = meeting.enter_pair(0, 1)
        invited_id = InvitedClub.objects.get().pk
        assert get_refusal_code(decline_for_club, club_id=meeting.guest.pk, invited_id=invited_id) == "entries_stand"
        remove_for_club(club_id=meeting.guest.pk, event_id=meeting.event.pk, number=number)
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
    def test_club_search_matches_the_typed_name(self, meeting: ClubMeeting, typed: str, found: list[str]) -> None:
        for name in ("Club de Mont-Joli", "Édouard"):
            build_club(name)
        assert [club.name for club in search_clubs(typed, excluded_ids={meeting.host.pk})] == found


class TestInvitationLinks:
    def test_invitation_link_works_for_one_club(self, meeting: ClubMeeting) -> None:
        handed = create_invitation_link(target=meeting.to)
        accept_by_link(secret=handed.secret, club_id=meeting.guest.pk)
        accept_by_link(secret=handed.secret, club_id=meeting.guest.pk)
        assert meeting.get_last_kinds() == ("club_accepted", "accept_elsewhere")
        other = build_club("Mont-Joli")
        assert get_refusal_code(accept_by_link, secret=handed.secret, club_id=other.pk) == "invitation_over"

    def test_invitation_link_is_stored_hashed_and_shown_once(self, meeting: ClubMeeting) -> None:
        by = Actor(key=uuid4())
        handed, again = (create_invitation_link(target=meeting.to, by=by) for _ in range(2))
        assert (again.invitation, again.secret) == (handed.invitation, "")
        assert handed.secret not in str(InvitedClub.objects.values().get())

    def test_withdrawn_or_expired_link_is_refused(self, meeting: ClubMeeting) -> None:
        taken, old = create_invitation_link(target=meeting.to), create_invitation_link(target=meeting.to)
        withdraw_invitation(target=meeting.to, invited_id=taken.invitation.pk)
        InvitedClub.objects.filter(pk=old.invitation.pk).update(lasts_until=timezone.now() - timedelta(days=1))
        for handed in (taken, old):
            assert get_refusal_code(accept_by_link, secret=handed.secret, club_id=meeting.guest.pk) == "invitation_over"
        assert list(select_invitations(meeting.event)) == []

    @pytest.mark.slow
    def test_link_answers_a_pending_invitation_but_not_an_accepted_one(self, meeting: ClubMeeting) -> None:
        meeting.invite_guest()
        accept_by_link(secret=create_invitation_link(target=meeting.to).secret, club_id=meeting.guest.pk)
        assert InvitedClub.objects.get().answer == InvitationAnswer.ACCEPTED
        secret = create_invitation_link(target=meeting.to).secret
        assert get_refusal_code(accept_by_link, secret=secret, club_id=meeting.guest.pk) == "already_invited"
        assert get_refusal_code(accept_by_link, secret=secret, club_id=meeting.host.pk) == "invites_itself"


class TestGuestClubEntries:
    def test_guest_entry_uses_host_people_and_names_its_club(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        number = meeting.enter_pair(0, 1)
        entry = meeting.event.entries.get(number=number)
        assert (str(entry), entry.team) == ("Denis Roy / Lise Roy", "Matane")
        assert {person.club for person in entry.players} == {meeting.host}
        assert all(person.is_guest and not person.shows_full_name for person in entry.players)
        assert meeting.get_last_kinds() == ("enter_for_club", "enter_elsewhere")

    @pytest.mark.long
    def test_returning_visitor_is_the_same_person(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        before = meeting.host.people.count()
        meeting.event = build_event(2, club=meeting.host)
        meeting.to = InvitationTarget(event_id=meeting.event.pk)
        meeting.accept_invitation().enter_pair(1, 0)
        assert meeting.host.people.count() == before

    def test_visitor_with_a_known_name_is_a_distinct_person(self, meeting: ClubMeeting) -> None:
        (namesake,) = find_or_add_people(club=meeting.host, full_names=["Denis Roy"])
        meeting.accept_invitation()
        entry = meeting.event.entries.get(number=meeting.enter_pair(0, 1))
        assert entry.player_1 != namesake
        assert entry.player_1.name == "Denis Roy (Matane)"
        assert entry.player_1.get_public_name(meeting.host) == "Denis\u00a0R."

    @pytest.mark.slow
    def test_hidden_person_or_club_stays_hidden_at_the_host(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        for _ in range(2):
            player = meeting.event.entries.get(number=meeting.enter_pair(0, 1)).player_1
            assert not player.is_hidden
            meeting.event = build_event(2, club=meeting.host)
            meeting.to = InvitationTarget(event_id=meeting.event.pk)
            meeting.accept_invitation()
        Club.objects.filter(pk=meeting.people[0].club_id).update(public_names=PublicNames.NONE)
        meeting.enter_pair(0, 1)
        player.refresh_from_db()
        assert player.is_hidden

    def test_private_details_are_not_shared_with_the_host(self, meeting: ClubMeeting) -> None:
        Person.objects.filter(pk=meeting.people[0].pk).update(
            is_rated=False, shows_full_name=True, contact="418 555-0100", labels=["Women"]
        )
        meeting.accept_invitation()
        there = meeting.event.entries.get(number=meeting.enter_pair(0, 1)).player_1
        assert (there.is_rated, there.shows_full_name, there.contact, there.labels) == (False, False, "", [])

    def test_guest_club_enters_only_its_own_people(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        stranger = meeting.host.people.earliest("pk")
        for people, code in (
            ([meeting.people[0].pk, stranger.pk], "no_such_person"),
            ([meeting.people[0].pk], "tick_two"),
            ([meeting.people[0].pk] * 2, "tick_two"),
        ):
            ids = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk, "people": people}
            assert get_refusal_code(enter_for_club, **ids) == code
        meeting.enter_pair(0, 1)
        ids = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        assert get_refusal_code(enter_for_club, **ids, people=[p.pk for p in meeting.people[1:3]]) == "plays_already"

    @pytest.mark.slow
    def test_unaccepted_club_cannot_enter_people(self, meeting: ClubMeeting) -> None:
        invited = meeting.invite_guest()
        ids = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        people = [person.pk for person in meeting.people[:2]]
        assert get_refusal_code(enter_for_club, **ids, people=people) == "club_not_invited"
        accept_for_club(club_id=meeting.guest.pk, invited_id=invited.pk)
        meeting.enter_pair(0, 1)
        withdraw_invitation(target=meeting.to, invited_id=invited.pk)
        assert get_refusal_code(remove_for_club, **ids, number=3) == "club_not_invited"
        assert meeting.event.entries.count() == 3

    def test_guest_club_cannot_change_entries_of_others(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        ids = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk, "number": 1}
        assert get_refusal_code(remove_for_club, **ids) == "no_such_entry_now"
        replaced = {**ids, "place": 1, "person_id": meeting.people[0].pk}
        assert get_refusal_code(replace_for_club, **replaced) == "no_such_entry_now"

    @pytest.mark.slow
    def test_guest_club_replaces_a_player(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        ids: dict[str, Any] = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        ids["number"] = meeting.enter_pair(0, 1)
        replace_for_club(**ids, place=2, person_id=meeting.people[2].pk)
        assert meeting.list_names() == ["Denis Roy / Paul Cyr"]
        assert meeting.get_last_kinds() == ("replace_for_club", "replace_elsewhere")
        assert get_refusal_code(replace_for_club, **ids, place=3, person_id=0) == "no_such_place"
        assert get_refusal_code(replace_for_club, **ids, place=1, person_id=0) == "no_such_person"
        taken = meeting.people[2].pk
        assert get_refusal_code(replace_for_club, **ids, place=1, person_id=taken) == "plays_already"

    @pytest.mark.slow
    def test_resent_guest_entry_is_added_once(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        by = Actor(key=uuid4())
        assert meeting.enter_pair(0, 1, by=by) == meeting.enter_pair(0, 1, by=by)
        assert len(meeting.list_guest_entries()) == 1

    @pytest.mark.slow
    def test_started_draw_locks_guest_entries(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        ids = {"club_id": meeting.guest.pk, "event_id": meeting.event.pk}
        number = meeting.enter_pair(0, 1)
        start_event(event_id=meeting.event.pk)
        people = [person.pk for person in meeting.people[2:4]]
        assert get_refusal_code(enter_for_club, **ids, people=people) == "draw_has_begun"
        assert get_refusal_code(remove_for_club, **ids, number=number) == "draw_has_begun"
        replaced = {**ids, "number": number, "place": 1, "person_id": people[0]}
        assert get_refusal_code(replace_for_club, **replaced) == "draw_has_begun"
        meeting.event.refresh_from_db()
        start_next_round(meeting.event)
        last, places = get_last_round_seats(
            meeting.event, list_guest_entries(meeting.event, get_visitors(meeting.event, meeting.guest))
        )
        (seat,) = places.values()
        assert seat.table is not None
        across = meeting.event.rounds.get().seatings.exclude(side=None).filter(table__number=seat.table)
        entered = {sits.entry.number: sits.side for sits in across}
        assert last == 1
        assert [entered[entry.number] != entered[number] for entry in seat.against] == [True]

    @pytest.mark.long
    def test_host_undoes_and_redoes_a_guest_entry(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        action = meeting.event.actions.latest("pk")
        undone = undo_action(event_id=meeting.event.pk, action_id=action.pk)
        assert meeting.list_guest_entries() == []
        undo_action(event_id=meeting.event.pk, action_id=undone.pk)
        assert meeting.list_names() == ["Denis Roy / Lise Roy"]

    def test_agreements_between_clubs_cannot_be_undone(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        for action in meeting.event.actions.filter(kind__in=("invite_club", "club_accepted")):
            assert get_refusal_code(undo_action, event_id=meeting.event.pk, action_id=action.pk) == "cannot_be_undone"
        for line in meeting.guest.actions.all():
            assert get_refusal_code(undo_club_action, club_id=meeting.guest.pk, action_id=line.pk) == "cannot_be_undone"


class TestClubBoundaries:
    @pytest.mark.long
    def test_host_offers_visitors_only_in_a_search(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        later = build_event(0, club=meeting.host, tables=2)
        assert "Denis Roy" not in {each.person.name for each in list_known_people(later).people}
        assert [each.person.name for each in list_known_people(later, "denis").people] == ["Denis Roy"]

    def test_guest_club_is_offered_its_people_not_yet_entered(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        offered = get_guest_people(meeting.event, meeting.guest)
        assert [each.person.name for each in offered.people] == ["Paul Cyr", "Rita Morin", "Yvon Ross"]
        assert {each.person.club_id for each in offered.people} == {meeting.guest.pk}

    def test_renamed_event_refreshes_the_guest_calendar(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation()
        topics = (meeting.event.topic, meeting.guest.calendar_topic)
        before = [get_revision(topic) for topic in topics]
        rename_event(event_id=meeting.event.pk, name="Coupe", held_on=meeting.event.held_on)
        assert [get_revision(topic) > was for topic, was in zip(topics, before, strict=True)] == [True, True]

    def test_repeated_event_omits_visitors(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        assert [entry.number for entry in list_returning_entries(meeting.event)] == [1, 2]

    @pytest.mark.long
    def test_ratings_count_only_at_the_host_club(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        meeting.enter_pair(2, 3)
        start_event(event_id=meeting.event.pk)
        start_next_round(meeting.event)
        play_round(meeting.event)
        end_event(event_id=meeting.event.pk)
        for club in (meeting.host, meeting.guest):
            refresh_ratings(club_id=club.pk)
        assert PersonRecord.objects.filter(club=meeting.host).count() == 8
        assert not PersonRecord.objects.filter(club=meeting.guest).exists()
        assert not Job.objects.filter(kind="refresh_ratings", key=str(meeting.guest.pk)).exists()


class TestMergedVisitors:
    @pytest.mark.long
    def test_merged_guest_members_keep_their_entry(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        merged, target = meeting.people[0], meeting.people[2]
        merge_people(club_id=meeting.guest.pk, target_id=target.pk, source_id=merged.pk)
        assert target in get_visitors(meeting.event, meeting.guest).values()
        assert meeting.list_names() == ["Denis Roy / Lise Roy"]
        undo_club_action(club_id=meeting.guest.pk, action_id=meeting.guest.actions.latest("pk").pk)
        assert merged in get_visitors(meeting.event, meeting.guest).values()

    def test_people_who_both_played_elsewhere_cannot_be_merged(self, meeting: ClubMeeting) -> None:
        meeting.accept_invitation().enter_pair(0, 1)
        one, other = meeting.people[:2]
        ids = {"club_id": meeting.guest.pk, "target_id": one.pk, "source_id": other.pk}
        assert get_refusal_code(merge_people, **ids) == "both_took_part"

    @pytest.mark.slow
    def test_visitor_merges_with_a_member_of_the_host(self, meeting: ClubMeeting) -> None:
        (member,) = find_or_add_people(club=meeting.host, full_names=["Denis Roy père"])
        meeting.accept_invitation().enter_pair(0, 1)
        visitor = Visitor.objects.get(person=meeting.people[0]).known_as
        merge_people(club_id=meeting.host.pk, target_id=member.pk, source_id=visitor.pk)
        assert Visitor.objects.get(person=meeting.people[0]).known_as == member
        assert len(meeting.list_guest_entries()) == 1

    @pytest.mark.long
    def test_undo_cannot_delete_a_person_who_plays_elsewhere(self, meeting: ClubMeeting) -> None:
        new = add_person(club_id=meeting.guest.pk, details=PersonDetails(name="Zoé Zed"))
        action = meeting.guest.actions.latest("pk")
        meeting.people[0] = new
        meeting.accept_invitation().enter_pair(0, 1)
        refused = get_refusal_code(undo_club_action, club_id=meeting.guest.pk, action_id=action.pk)
        assert refused == "changed_since"
