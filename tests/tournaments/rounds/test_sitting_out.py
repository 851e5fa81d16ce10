"""Byes of a round of an entry for which somebody else plays by now."""

import pytest

from clubs.models import Person
from tests.builders import a_running_night, next_round, play_round, standings_after
from tournaments.attendance.queries import attended_gatherings, came_before
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event
from tournaments.public.presenters.own_page import own_page
from tournaments.public.queries.own_page import substitutes_of
from tournaments.rounds.presenters.rounds import round_view
from tournaments.rounds.presenters.seats import seat_rows
from tournaments.rounds.queries.presence import player_in

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("lines of a history are looked through")]


def a_night_with_a_bye() -> tuple[Event, Entry]:
    """Three pairs; the one that sat out the first round, which is closed."""
    event = a_running_night(pairs=3)
    entry = event.entries.get(seatings__table=None)
    play_round(event)
    return event, entry


def replace_first(entry: Entry, name: str = "Zoé Zed") -> Person:
    """Somebody else plays in the first place."""
    return substitute_player(event_id=entry.event_id, number=entry.number, place=1, name=name).player_1


def names_sitting_out(event: Event, number: int = 1) -> str:
    (bye,) = round_view(event.rounds.get(number=number), is_public=False).byes
    return bye.names


class TestTheByeOfARound:
    @pytest.mark.slow
    def test_bears_the_names_of_who_sat_it_out_whoever_plays_for_them_later(self) -> None:
        event, entry = a_night_with_a_bye()
        before = names_sitting_out(event)
        replace_first(entry)
        assert names_sitting_out(event) == before
        rows = seat_rows(event.rounds.get(), lambda person: person.name)
        assert {row.name for row in rows if row.bye} == {person.name for person in entry.players}

    def test_bears_those_of_the_substitutes_who_sat_out_themselves(self) -> None:
        event = a_running_night(pairs=3)
        entry = event.entries.get(seatings__table=None)
        replace_first(entry)
        play_round(event)
        first = names_sitting_out(event)
        assert "Zoé Zed" in first
        replace_first(entry, "Yvon Yale")
        assert names_sitting_out(event) == first

    @pytest.mark.slow
    def test_is_as_it_was_when_the_substitution_is_undone(self) -> None:
        event, entry = a_night_with_a_bye()
        before = names_sitting_out(event)
        replace_first(entry)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert names_sitting_out(event) == before

    @pytest.mark.slow
    def test_knows_who_turned_out_to_be_somebody_else_of_the_club(self) -> None:
        event, entry = a_night_with_a_bye()
        gone = entry.player_1
        replace_first(entry)
        known = Person.objects.create(club=event.club, name="Omer Paradis", folded_name="omer paradis")
        merge_people(club_id=event.club_id, kept_id=known.pk, merged_id=gone.pk)
        assert "Omer Paradis" in names_sitting_out(event)

    @pytest.mark.slow
    def test_stands_on_the_own_page_of_who_sat_it_out_and_of_nobody_else(self) -> None:
        event, entry = a_night_with_a_bye()
        next_round(event)
        play_round(event, 2)
        standings_after(event)
        gone, came = entry.player_1, replace_first(entry)
        assert [one.number for one in own_page(event, gone).rounds if one.bye] == [1]
        assert not [one for one in own_page(event, came).rounds if one.bye]

    def test_leaves_who_sat_out_and_then_made_room_for_somebody_their_own_page(self) -> None:
        event, entry = a_night_with_a_bye()
        gone, came = entry.player_1, replace_first(entry)
        assert player_in(event, gone.pk) == gone
        assert player_in(event, came.pk) == came
        assert substitutes_of(event) == [gone]
        stranger = Person.objects.create(club=event.club, name="Ida Ink", folded_name="ida ink")
        assert player_in(event, stranger.pk) is None


class TestAttendance:
    def test_has_who_sat_out_and_was_replaced_or_left_before_they_played(self) -> None:
        event, entry = a_night_with_a_bye()
        (gone, other) = entry.players
        replace_first(entry)
        withdraw_entry(event_id=event.pk, number=entry.number)
        (night,) = attended_gatherings([event])
        assert {gone.pk, other.pk} <= night.came
        assert came_before(event.club, event.held_on.replace(year=2100), [gone.pk]) == {gone.pk}

    def test_has_nobody_for_a_bye_of_a_round_that_is_still_open(self) -> None:
        assert attended_gatherings([a_running_night(pairs=3)]) == []
