"""The public list: in, or waiting, once for each form, and never more than there are places."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from clubs.audit.log import Actor
from clubs.services import find_or_add_people
from rules import TWO_PLAYER
from tests.builders import an_event, code_of, refusal_of
from tests.tournaments.test_two_writers import TIMES, at_once
from tournaments.entries.queries.entries import place_of, sign_up_of
from tournaments.entries.queries.name_matches import namesakes_to_recognize
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.guest_identities import recognize_players
from tournaments.entries.services.sign_up import change_sign_up, sign_off, sign_up
from tournaments.events.services.lifecycle import start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, Event
from tournaments.money.queries.fees import fee_lines
from tournaments.money.services.fees import change_rates


def open_event(pairs: int = 0, *, places: int | None = None, **settings: Any) -> Event:
    event = an_event(pairs, **settings)
    return change_sign_up(event_id=event.pk, is_open=True, most_entries=places)


def signed_up(event: Event, *players: str, key: UUID | None = None) -> Entry:
    entry = sign_up(event_id=event.pk, players=players, by=Actor(key=key or uuid4()))
    assert entry is not None
    return entry


def letters(number: int) -> str:
    """A different name for every number."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:02}").title()


def pair(number: int) -> tuple[str, str]:
    return f"Anne {letters(number)}", f"Paul {letters(number)}"


@pytest.mark.django_db
class TestSigningUp:
    def test_takes_two_names_and_nothing_else(self) -> None:
        entry = signed_up(open_event(pairs=2), " Lise  Côté ", "Paul Côté")
        assert (str(entry), entry.number, entry.is_waiting) == ("Lise Côté / Paul Côté", 3, False)
        assert entry.signed_up_at is not None

    def test_takes_one_name_where_people_play_alone(self) -> None:
        assert str(signed_up(open_event(ruleset=TWO_PLAYER), "Lise Côté", "")) == "Lise Côté"

    def test_by_the_same_form_is_done_once_and_gives_the_same_place(self) -> None:
        event, key = open_event(places=2), uuid4()
        first, again = (signed_up(event, *pair(1), key=key) for _ in range(2))
        assert first == again
        assert sign_up_of(event, key) == (Action.objects.get(kind="sign_up"), first)

    def test_once_all_places_are_taken_is_waiting(self) -> None:
        event = open_event(places=2)
        entries = [signed_up(event, *pair(number)) for number in range(4)]
        assert [(entry.is_waiting, place_of(entry)) for entry in entries] == [
            (False, 1),
            (False, 2),
            (True, 1),
            (True, 2),
        ]

    @pytest.mark.parametrize(
        ("players", "field", "code"),
        [
            (("", "Paul"), "player_1", "name_required"),
            (("Anne", ""), "player_2", "name_required"),
            (("Anne", "🎉"), "player_2", "strange_character"),
            (("x" * 81, "Paul"), "player_1", "name_too_long"),
            (("Anne", "anne"), "player_2", "same_name_twice"),
        ],
    )
    def test_with_names_that_cannot_be_is_refused(
        self, players: tuple[str, str], field: str, code: str
    ) -> None:
        event = open_event(pairs=3)
        refusal = refusal_of(sign_up, event_id=event.pk, players=players, by=Actor(key=uuid4()))
        assert (refusal.field, refusal.code) == (field, code)
        assert event.entries.count() == 3

    def test_with_somebody_who_takes_part_or_waits_already_is_refused(self) -> None:
        event = open_event(places=2)
        for number in range(3):
            signed_up(event, *pair(number))
        for number in range(3):
            players = ("Lise Côté", pair(number)[0].upper())
            refusal = refusal_of(sign_up, event_id=event.pk, players=players, by=Actor(key=uuid4()))
            assert (refusal.field, refusal.code) == ("player_2", "entered_twice")

    def test_is_for_as_long_as_it_is_open(self) -> None:
        event = an_event()
        signs_up = partial(sign_up, event_id=event.pk, players=pair(1), by=Actor(key=uuid4()))
        assert code_of(signs_up) == "sign_up_closed"
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        start_event(event_id=event.pk)
        assert code_of(signs_up) == "sign_up_closed"

    def test_under_a_name_that_the_club_knows_is_somebody_new_until_the_organizer_says_who(self) -> None:
        event = open_event()
        (known,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
        entry = signed_up(event, "Lise Côté", "Paul Côté")
        assert entry.player_1 != known
        assert [one.name for one in namesakes_to_recognize(event)] == ["Lise Côté"]
        recognize_players(event_id=event.pk, identities={"lise cote": known.pk})
        entry.refresh_from_db()
        assert entry.player_1 == known
        assert event.club.people.filter(name="Lise Côté").count() == 1
        assert namesakes_to_recognize(event) == ()
        known.refresh_from_db()
        assert not known.is_guest

    def test_is_not_asked_about_twice_by_somebody_who_is_new(self) -> None:
        event, by = open_event(), Actor(key=uuid4())
        (known,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
        entry = signed_up(event, "Lise Côté", "Paul Côté")
        for _ in range(2):
            recognize_players(event_id=event.pk, identities={"lise cote": None}, by=by)
        entry.refresh_from_db()
        assert entry.player_1 != known
        assert namesakes_to_recognize(event) == ()
        assert event.actions.filter(kind="recognize_players").count() == 1

    def test_taken_off_leaves_nobody_twice_and_comes_back_whole(self) -> None:
        event, key = open_event(), uuid4()
        find_or_add_people(club=event.club, full_names=["Lise Côté"])
        signed_up(event, "Lise Côté", "Paul Côté", key=key)
        sign_off(event_id=event.pk, key=key)
        assert event.club.people.filter(name="Lise Côté").count() == 1
        undo_action(event_id=event.pk, action_id=event.actions.get(kind="sign_off").pk)
        assert str(event.entries.get()) == "Lise Côté / Paul Côté"
        assert [one.name for one in namesakes_to_recognize(event)] == ["Lise Côté"]

    @pytest.mark.parametrize("are_known", [False, True])
    def test_makes_nobody_a_member_whoever_they_say_they_are(self, are_known: bool) -> None:
        event = open_event()
        if are_known:
            find_or_add_people(club=event.club, full_names=["Lise Côté"])
        entry = signed_up(event, "Lise Côté", "Paul Côté")
        assert [one.is_guest for one in entry.players] == [True, True]
        change_rates(event_id=event.pk, rates=Rates(member=500, guest=800))
        event.refresh_from_db()
        assert [line.usual for line in fee_lines(event)] == [800, 800]

    def test_under_names_that_nobody_has_asks_nothing(self) -> None:
        event = open_event()
        signed_up(event, "Lise Côté", "Paul Côté")
        assert namesakes_to_recognize(event) == ()

    def test_once_done_is_still_known_after_it_has_closed(self) -> None:
        event, key = open_event(), uuid4()
        entry = signed_up(event, *pair(1), key=key)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        assert signed_up(event, *pair(1), key=key) == entry

    def test_by_a_form_of_another_event_is_refused(self) -> None:
        key = uuid4()
        signed_up(open_event(), *pair(1), key=key)
        other = open_event()
        assert code_of(sign_up, event_id=other.pk, players=pair(2), by=Actor(key=key)) == "form_used"

    def test_may_be_undone_by_the_director(self) -> None:
        event, key = open_event(), uuid4()
        signed_up(event, *pair(1), key=key)
        undo_action(event_id=event.pk, action_id=Action.objects.latest("pk").pk)
        assert sign_up(event_id=event.pk, players=pair(1), by=Actor(key=key)) is None
        assert not event.entries.exists()


@pytest.mark.django_db
class TestAPlaceThatGetsFree:
    @pytest.mark.slow
    def test_goes_to_the_first_who_waits(self) -> None:
        event, key = open_event(places=2), uuid4()
        signed_up(event, *pair(0), key=key)
        for number in (1, 2, 3):
            signed_up(event, *pair(number))
        sign_off(event_id=event.pk, key=key)
        assert list(event.entries.filter(is_waiting=False).values_list("number", flat=True)) == [2, 3]
        assert Action.objects.latest("pk").details["let_in"] == [3]
        remove_entry(event_id=event.pk, number=2)
        assert not event.entries.filter(is_waiting=True).exists()

    def test_by_signing_off_twice_is_one(self) -> None:
        event, key = open_event(places=1 + 1), uuid4()
        signed_up(event, *pair(0), key=key)
        for _ in range(2):
            sign_off(event_id=event.pk, key=key)
        assert Action.objects.filter(kind="sign_off").count() == 1

    @pytest.mark.slow
    def test_because_there_are_more_of_them_goes_to_all_who_find_room(self) -> None:
        event = open_event(places=2)
        for number in range(5):
            signed_up(event, *pair(number))
        change_sign_up(event_id=event.pk, is_open=True, most_entries=4)
        assert Action.objects.latest("pk").details["let_in"] == [3, 4]
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        assert not event.entries.filter(is_waiting=True).exists()

    @pytest.mark.slow
    def test_is_none_where_there_are_fewer_places_than_before_and_nobody_is_thrown_out(self) -> None:
        event = open_event(places=4)
        for number in range(4):
            signed_up(event, *pair(number))
        change_sign_up(event_id=event.pk, is_open=True, most_entries=2)
        assert event.entries.filter(is_waiting=False).count() == 4
        remove_entry(event_id=event.pk, number=1)
        assert signed_up(event, *pair(5)).is_waiting

    def test_after_the_start_is_for_the_director_to_give(self) -> None:
        event, key = open_event(places=2), uuid4()
        signed_up(event, *pair(0), key=key)
        signed_up(event, *pair(1))
        start_event(event_id=event.pk)
        assert code_of(sign_off, event_id=event.pk, key=key) == "event_started"


@pytest.mark.django_db
@pytest.mark.parametrize("places", [0, 1, 10_000])
def test_places_are_a_number_of_entries_that_can_play(places: int) -> None:
    event = an_event()
    said = partial(change_sign_up, event_id=event.pk, is_open=True, most_entries=places)
    assert code_of(said) == "places_out_of_range"


@pytest.mark.django_db
def test_sign_up_changes_no_more_once_the_evening_has_begun() -> None:
    event = start_event(event_id=an_event().pk)
    said = partial(change_sign_up, event_id=event.pk, is_open=True, most_entries=None)
    assert code_of(said) == "event_started"


@pytest.mark.django_db
def test_the_same_answer_given_twice_is_one_line_of_the_history() -> None:
    event = open_event(places=4)
    change_sign_up(event_id=event.pk, is_open=True, most_entries=4)
    assert Action.objects.filter(kind="change_sign_up").count() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
class TestManyAtOnce:
    def test_never_get_more_places_than_there_are(self) -> None:
        for _ in range(TIMES):
            event = open_event(places=3)
            entries = at_once(*(partial(signed_up, event, *pair(number)) for number in range(6)))
            assert sorted(entry.number for entry in entries) == [1, 2, 3, 4, 5, 6]
            assert sum(not entry.is_waiting for entry in entries) == 3
            assert event.entries.filter(is_waiting=False).count() == 3

    def test_by_one_form_are_one(self) -> None:
        for _ in range(TIMES):
            event, key = open_event(places=3), uuid4()
            entries = at_once(*[partial(signed_up, event, *pair(1), key=key)] * 4)
            assert len(set(entries)) == 1
            assert event.entries.count() == 1

    def test_of_one_name_are_in_once(self) -> None:
        event = open_event()
        done = at_once(*(partial(signed_up, event, "Lise Côté", f"Paul {letters(n)}") for n in range(3)))
        assert sum(isinstance(each, Entry) for each in done) == 1
        assert event.entries.count() == 1

    def test_taking_places_off_and_signing_up_leave_no_place_empty_while_somebody_waits(self) -> None:
        for _ in range(TIMES):
            event, keys = open_event(places=2), [uuid4(), uuid4()]
            for number, key in enumerate(keys):
                signed_up(event, *pair(number), key=key)
            at_once(
                *(partial(sign_off, event_id=event.pk, key=key) for key in keys),
                *(partial(signed_up, event, *pair(number)) for number in range(2, 6)),
            )
            assert event.entries.filter(is_waiting=False).count() == 2
            assert event.entries.filter(is_waiting=True).count() == 2
