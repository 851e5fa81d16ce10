"""The starting list, ordered by rating, by lot or by hand, until the event starts."""

from functools import partial
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.audit.log import Actor
from tests.builders import build_event, build_running_night, get_refusal_code
from tests.support.office import Office
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.services.starting_list import WAYS, move_entry, order_entries, place_entries
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.privacy.subject_export.history import export_history

from .test_entry_actions import get_last_action, property_settings, read_event_rows

pytestmark = pytest.mark.django_db


def list_names_in_order(event: Event) -> list[str]:
    return [one.player_1.name for one in event.entries.order_by("number")]


class TestStartingList:
    def build_rated_event(self, *ratings: int | None) -> Event:
        event = build_event(pairs=len(ratings))
        for number, rating in enumerate(ratings, start=1):
            describe_entry(event_id=event.pk, number=number, rating=rating)
        return event

    @pytest.mark.slow
    def test_rating_order_puts_the_highest_first_and_unrated_last(self) -> None:
        event = self.build_rated_event(1200, None, 1800, 1200)
        before = list_names_in_order(event)
        assert order_entries(event_id=event.pk, way="rating").is_seeded
        assert list_names_in_order(event) == [before[2], before[0], before[3], before[1]]

    @pytest.mark.long
    def test_random_order_is_reproducible_for_an_event(self) -> None:
        event = build_event(pairs=8)
        order_entries(event_id=event.pk, way="lot")
        drawn = list_names_in_order(event)
        order_entries(event_id=event.pk, way="typed")
        order_entries(event_id=event.pk, way="lot")
        assert list_names_in_order(event) == drawn
        assert get_last_action().details == {"way": "lot", "lot": event.lot}

    def test_order_as_entered_is_not_a_seeding(self) -> None:
        event = build_event(pairs=5)
        before = list_names_in_order(event)
        order_entries(event_id=event.pk, way="lot")
        assert not order_entries(event_id=event.pk, way="typed").is_seeded
        assert list_names_in_order(event) == before

    @pytest.mark.parametrize(
        ("places", "order"),
        [
            ({5: 2}, [1, 5, 2, 3, 4]),
            ({2: 5}, [1, 3, 4, 5, 2]),
            ({1: 5, 5: 1}, [5, 2, 3, 4, 1]),
            ({3: 0}, [3, 1, 2, 4, 5]),
            ({1: 999}, [2, 3, 4, 5, 1]),
            ({4: 1, 5: 1}, [4, 5, 1, 2, 3]),
            ({9: 1}, [1, 2, 3, 4, 5]),
        ],
    )
    def test_typed_places_set_the_order(self, places: dict[int, int], order: list[int]) -> None:
        event = build_event(pairs=5)
        before = list_names_in_order(event)
        assert place_entries(event_id=event.pk, places=places).is_seeded
        assert list_names_in_order(event) == [before[number - 1] for number in order]

    def test_double_click_moves_an_entry_one_place(self) -> None:
        event = build_event(pairs=3)
        one, two, three = list_names_in_order(event)
        by = Actor(key=uuid4())
        for _ in range(2):
            move_entry(event_id=event.pk, number=3, is_up=True, by=by)
        assert list_names_in_order(event) == [one, three, two]
        move_entry(event_id=event.pk, number=1, is_up=False)
        assert list_names_in_order(event) == [three, one, two]
        for number, is_up in ((1, True), (3, False), (9, True)):
            move_entry(event_id=event.pk, number=number, is_up=is_up)
        assert list_names_in_order(event) == [three, one, two]

    @pytest.mark.long
    def test_waiting_entries_stay_at_the_end_in_their_order(self) -> None:
        event = self.build_rated_event(1200, 1500)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=2)
        for name in ("Anne", "Lise"):
            (late,) = add_entry(event_id=event.pk, players=[f"{name} A", f"{name} B"])
            describe_entry(event_id=event.pk, number=late.number, rating=2000)
        order_entries(event_id=event.pk, way="rating")
        assert list_names_in_order(event)[2:] == ["Anne A", "Lise A"]
        assert [one.is_waiting for one in event.entries.order_by("number")] == [False, False, True, True]

    def test_started_event_refuses_a_new_order(self) -> None:
        event = build_running_night()
        for act in (
            partial(order_entries, way="lot"),
            partial(place_entries, places={1: 2}),
            partial(move_entry, number=1, is_up=False),
        ):
            assert get_refusal_code(act, event_id=event.pk) == "event_started"

    def test_unknown_order_is_refused(self) -> None:
        assert get_refusal_code(order_entries, event_id=build_event().pk, way="beauty") == "no_such_choice"

    @pytest.mark.long
    @property_settings
    @given(st.lists(st.sampled_from(["typed", "lot", "rating", "hand", "up"]), max_size=6))
    def test_reordering_keeps_numbers_consecutive_and_can_be_undone(self, done: list[str]) -> None:
        event = self.build_rated_event(900, None, 1500, 900, 2000)
        before, earlier_pks = read_event_rows(event), set(Action.objects.values_list("pk", flat=True))
        for way in done:
            if way in WAYS:
                order_entries(event_id=event.pk, way=way)
            elif way == "hand":
                place_entries(event_id=event.pk, places={1: 3, 4: 1})
            else:
                move_entry(event_id=event.pk, number=2, is_up=True)
            numbers = list(event.entries.order_by("number").values_list("number", flat=True))
            assert numbers == [1, 2, 3, 4, 5]
        for action in Action.objects.exclude(pk__in=earlier_pks).order_by("-pk"):
            undo_action(event_id=event.pk, action_id=action.pk)
        assert read_event_rows(event) == before


@pytest.mark.long
class TestHistoryAfterReordering:
    """History entries keep naming their original entry after the starting list is reordered."""

    @pytest.fixture
    def office(self) -> Office:
        office = Office(pairs=3)
        describe_entry(event_id=office.event.pk, number=1, rating=1500)
        described = get_last_action()
        place_entries(event_id=office.event.pk, places={1: 3})
        undo_action(event_id=office.event.pk, action_id=described.pk)
        return office

    def list_history_names(self, office: Office) -> list[str]:
        """Return the names of the entries by number, as the history writes them."""
        return [" and ".join(one.name for one in each.players) for each in office.event.entries.order_by("number")]

    def test_history_line_names_the_original_entry(self, office: Office) -> None:
        page = office.browser.open(f"/e/{office.event.short}/desk/history")
        first, _, third = self.list_history_names(office)
        for line in ("{}: details changed", "Undid: {}: details changed"):
            assert line.format(third) in page.text
            assert line.format(first) not in page.text

    def test_history_search_finds_the_original_entry(self, office: Office) -> None:
        first, _, third = (office.event.entries.get(number=number).player_1.name for number in (1, 2, 3))
        found = [
            office.browser.open(f"/e/{office.event.short}/desk/history?search={name}&group=entries").text
            for name in (first, third)
        ]
        assert ["details changed" in text for text in found] == [False, True]

    def test_personal_data_export_includes_the_original_entry(self, office: Office) -> None:
        handed = [
            [line["what"] for line in export_history(office.club, office.event.entries.get(number=number).player_1)]
            for number in (1, 3)
        ]
        assert ["describe_entry" in kinds for kinds in handed] == [False, True]
