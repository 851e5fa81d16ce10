"""The starting list: by rating, by lot, by hand, until the start."""

from functools import partial
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.audit.log import Actor
from tests.builders import a_running_night, an_event, code_of
from tests.support.office import Office
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.services.starting_list import WAYS, move_entry, order_entries, place_entries
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.privacy.subject_export.history import subject_history

from .test_entry_actions import last_action, laws, rows_of

pytestmark = pytest.mark.django_db


def in_order(event: Event) -> list[str]:
    return [one.player_1.name for one in event.entries.order_by("number")]


class TestTheStartingList:
    def rated(self, *ratings: int | None) -> Event:
        event = an_event(pairs=len(ratings))
        for number, rating in enumerate(ratings, start=1):
            describe_entry(event_id=event.pk, number=number, rating=rating)
        return event

    def test_goes_by_rating_the_highest_first_and_those_without_last(self) -> None:
        event = self.rated(1200, None, 1800, 1200)
        before = in_order(event)
        assert order_entries(event_id=event.pk, way="rating").is_seeded
        assert in_order(event) == [before[2], before[0], before[3], before[1]]

    def test_goes_by_the_lot_of_the_event_which_is_the_same_however_often(self) -> None:
        event = an_event(pairs=8)
        order_entries(event_id=event.pk, way="lot")
        drawn = in_order(event)
        order_entries(event_id=event.pk, way="typed")
        order_entries(event_id=event.pk, way="lot")
        assert in_order(event) == drawn
        assert last_action().details == {"way": "lot", "lot": event.lot}

    def test_as_entered_is_no_seeding(self) -> None:
        event = an_event(pairs=5)
        before = in_order(event)
        order_entries(event_id=event.pk, way="lot")
        assert not order_entries(event_id=event.pk, way="typed").is_seeded
        assert in_order(event) == before

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
    def test_goes_by_the_numbers_that_are_typed(self, places: dict[int, int], order: list[int]) -> None:
        event = an_event(pairs=5)
        before = in_order(event)
        assert place_entries(event_id=event.pk, places=places).is_seeded
        assert in_order(event) == [before[number - 1] for number in order]

    def test_is_moved_by_one_at_a_time_and_by_a_double_click_once(self) -> None:
        event = an_event(pairs=3)
        one, two, three = in_order(event)
        by = Actor(key=uuid4())
        for _ in range(2):
            move_entry(event_id=event.pk, number=3, is_up=True, by=by)
        assert in_order(event) == [one, three, two]
        move_entry(event_id=event.pk, number=1, is_up=False)
        assert in_order(event) == [three, one, two]
        for number, is_up in ((1, True), (3, False), (9, True)):
            move_entry(event_id=event.pk, number=number, is_up=is_up)
        assert in_order(event) == [three, one, two]

    @pytest.mark.slow
    def test_keeps_those_who_wait_at_its_end_in_their_order(self) -> None:
        event = self.rated(1200, 1500)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=2)
        for name in ("Anne", "Lise"):
            (late,) = add_entry(event_id=event.pk, players=[f"{name} A", f"{name} B"])
            describe_entry(event_id=event.pk, number=late.number, rating=2000)
        order_entries(event_id=event.pk, way="rating")
        assert in_order(event)[2:] == ["Anne A", "Lise A"]
        assert [one.is_waiting for one in event.entries.order_by("number")] == [False, False, True, True]

    def test_stands_once_the_evening_has_begun(self) -> None:
        event = a_running_night()
        for act in (
            partial(order_entries, way="lot"),
            partial(place_entries, places={1: 2}),
            partial(move_entry, number=1, is_up=False),
        ):
            assert code_of(act, event_id=event.pk) == "event_started"

    def test_goes_by_no_other_way(self) -> None:
        assert code_of(order_entries, event_id=an_event().pk, way="beauty") == "no_such_choice"

    @pytest.mark.slow
    @laws
    @given(st.lists(st.sampled_from(["typed", "lot", "rating", "hand", "up"]), max_size=6))
    def test_has_the_numbers_from_1_whatever_was_done_to_it_and_all_of_it_can_be_undone(
        self, done: list[str]
    ) -> None:
        event = self.rated(900, None, 1500, 900, 2000)
        before, known = rows_of(event), set(Action.objects.values_list("pk", flat=True))
        for way in done:
            if way in WAYS:
                order_entries(event_id=event.pk, way=way)
            elif way == "hand":
                place_entries(event_id=event.pk, places={1: 3, 4: 1})
            else:
                move_entry(event_id=event.pk, number=2, is_up=True)
            numbers = list(event.entries.order_by("number").values_list("number", flat=True))
            assert numbers == [1, 2, 3, 4, 5]
        for action in Action.objects.exclude(pk__in=known).order_by("-pk"):
            undo_action(event_id=event.pk, action_id=action.pk)
        assert rows_of(event) == before


class TestALineOfTheHistory:
    """Written before the list was put in another order, it names whom it was about."""

    @pytest.fixture
    def office(self) -> Office:
        office = Office(pairs=3)
        describe_entry(event_id=office.event.pk, number=1, rating=1500)
        described = last_action()
        place_entries(event_id=office.event.pk, places={1: 3})
        undo_action(event_id=office.event.pk, action_id=described.pk)
        return office

    def names(self, office: Office) -> list[str]:
        """By number, as lines of the history say them."""
        return [
            " and ".join(one.name for one in each.players) for each in office.event.entries.order_by("number")
        ]

    def test_is_said_by_their_name(self, office: Office) -> None:
        page = office.browser.open(f"/e/{office.event.short}/desk/history")
        first, _, third = self.names(office)
        for line in ("{}: details changed", "Undid: {}: details changed"):
            assert line.format(third) in page.text
            assert line.format(first) not in page.text

    def test_is_found_by_their_name(self, office: Office) -> None:
        first, _, third = (office.event.entries.get(number=number).player_1.name for number in (1, 2, 3))
        found = [
            office.browser.open(f"/e/{office.event.short}/desk/history?search={name}&group=entries").text
            for name in (first, third)
        ]
        assert ["details changed" in text for text in found] == [False, True]

    def test_is_in_what_they_are_handed_of_themselves(self, office: Office) -> None:
        handed = [
            [
                line["what"]
                for line in subject_history(office.club, office.event.entries.get(number=number).player_1)
            ]
            for number in (1, 3)
        ]
        assert ["describe_entry" in kinds for kinds in handed] == [False, True]
