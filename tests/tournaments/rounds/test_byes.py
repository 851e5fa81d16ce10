"""Names shown for a bye after a substitution in the entry that had it."""

import pytest

from clubs.models import Person
from tests.builders import build_running_night, compute_standings, play_round, start_next_round
from tournaments.attendance.queries import find_earlier_attendees, list_gatherings
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event
from tournaments.public.presenters.player_page import build_player_page
from tournaments.public.queries.player_page import list_substitutes
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.presenters.seats import list_seat_rows
from tournaments.rounds.queries.presence import find_event_player

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("searches of the history")]


def build_night_with_bye() -> tuple[Event, Entry]:
    """Build three pairs with round 1 closed; return the event and the entry that had the bye."""
    event = build_running_night(pairs=3)
    entry = event.entries.get(seatings__table=None)
    play_round(event)
    return event, entry


def replace_first(entry: Entry, name: str = "Zoé Zed") -> Person:
    return substitute_player(event_id=entry.event_id, number=entry.number, place=1, name=name).player_1


def get_bye_names(event: Event, number: int = 1) -> str:
    (bye,) = build_round_view(event.rounds.get(number=number), is_public=False).byes
    return bye.names


@pytest.mark.slow
class TestRoundBye:
    def test_bye_keeps_the_names_of_its_original_players(self) -> None:
        event, entry = build_night_with_bye()
        before = get_bye_names(event)
        replace_first(entry)
        assert get_bye_names(event) == before
        rows = list_seat_rows(event.rounds.get(), lambda person: person.name)
        assert {row.name for row in rows if row.bye} == {person.name for person in entry.players}

    @pytest.mark.long
    def test_bye_names_a_substitute_who_received_it(self) -> None:
        event = build_running_night(pairs=3)
        entry = event.entries.get(seatings__table=None)
        replace_first(entry)
        play_round(event)
        first = get_bye_names(event)
        assert "Zoé Zed" in first
        replace_first(entry, "Yvon Yale")
        assert get_bye_names(event) == first

    @pytest.mark.long
    def test_undone_substitution_restores_the_bye_names(self) -> None:
        event, entry = build_night_with_bye()
        before = get_bye_names(event)
        replace_first(entry)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert get_bye_names(event) == before

    @pytest.mark.long
    def test_bye_follows_a_merged_person(self) -> None:
        event, entry = build_night_with_bye()
        gone = entry.player_1
        replace_first(entry)
        target = Person.objects.create(club=event.club, name="Omer Paradis", folded_name="omer paradis")
        merge_people(club_id=event.club_id, target_id=target.pk, source_id=gone.pk)
        assert "Omer Paradis" in get_bye_names(event)

    @pytest.mark.long
    def test_bye_appears_only_on_the_original_player_page(self) -> None:
        event, entry = build_night_with_bye()
        start_next_round(event)
        play_round(event, 2)
        compute_standings(event)
        gone, came = entry.player_1, replace_first(entry)
        assert [one.number for one in build_player_page(event, gone).rounds if one.bye] == [1]
        assert not [one for one in build_player_page(event, came).rounds if one.bye]

    @pytest.mark.slow
    def test_replaced_player_with_a_bye_keeps_a_player_page(self) -> None:
        event, entry = build_night_with_bye()
        gone, came = entry.player_1, replace_first(entry)
        assert find_event_player(event, gone.pk) == gone
        assert find_event_player(event, came.pk) == came
        assert list_substitutes(event) == [gone]
        stranger = Person.objects.create(club=event.club, name="Ida Ink", folded_name="ida ink")
        assert find_event_player(event, stranger.pk) is None


class TestAttendance:
    @pytest.mark.slow
    def test_attendance_includes_replaced_players_with_a_bye(self) -> None:
        event, entry = build_night_with_bye()
        (gone, other) = entry.players
        replace_first(entry)
        withdraw_entry(event_id=event.pk, number=entry.number)
        (night,) = list_gatherings([event])
        assert {gone.pk, other.pk} <= night.attendees
        assert find_earlier_attendees(event.club, event.held_on.replace(year=2100), [gone.pk]) == {gone.pk}

    def test_bye_of_an_open_round_is_not_attendance(self) -> None:
        assert list_gatherings([build_running_night(pairs=3)]) == []
