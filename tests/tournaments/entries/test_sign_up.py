"""Public sign-up: each form makes one entry, confirmed while there are places, then on the waiting list."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from clubs.audit.log import Actor
from clubs.services.people import find_or_add_people
from rules import TWO_PLAYER
from tests.builders import build_event, get_refusal, get_refusal_code
from tests.tournaments.test_concurrent_writes import TIMES, run_concurrently
from tournaments.entries.queries.entries import place_of, sign_up_of
from tournaments.entries.queries.name_matches import list_unidentified_namesakes
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.identities import recognize_players
from tournaments.entries.services.sign_up import change_sign_up, sign_off, sign_up
from tournaments.events.services.lifecycle import start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, Event
from tournaments.money.queries.fees import list_fees
from tournaments.money.services.fees import change_rates


def open_event(pairs: int = 0, *, places: int | None = None, **settings: Any) -> Event:
    event = build_event(pairs, **settings)
    return change_sign_up(event_id=event.pk, is_open=True, most_entries=places)


def sign_up_entry(event: Event, *players: str, key: UUID | None = None) -> Entry:
    entry = sign_up(event_id=event.pk, players=players, by=Actor(key=key or uuid4()))
    assert entry is not None
    return entry


def make_name(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:02}").title()


def pair(number: int) -> tuple[str, str]:
    return f"Anne {make_name(number)}", f"Paul {make_name(number)}"


@pytest.mark.django_db
class TestSignUp:
    def test_sign_up_takes_two_names(self) -> None:
        entry = sign_up_entry(open_event(pairs=2), " Lise  Côté ", "Paul Côté")
        assert (str(entry), entry.number, entry.is_waiting) == ("Lise Côté / Paul Côté", 3, False)
        assert entry.signed_up_at is not None

    @pytest.mark.long
    def test_singles_sign_up_takes_one_name(self) -> None:
        assert str(sign_up_entry(open_event(ruleset=TWO_PLAYER), "Lise Côté", "")) == "Lise Côté"

    def test_resent_sign_up_form_returns_the_same_entry(self) -> None:
        event, key = open_event(places=2), uuid4()
        first, again = (sign_up_entry(event, *pair(1), key=key) for _ in range(2))
        assert first == again
        assert sign_up_of(event, key) == (Action.objects.get(kind="sign_up"), first)

    @pytest.mark.long
    def test_sign_up_to_a_full_event_joins_the_waiting_list(self) -> None:
        event = open_event(places=2)
        entries = [sign_up_entry(event, *pair(number)) for number in range(4)]
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
    def test_sign_up_with_invalid_names_is_refused(self, players: tuple[str, str], field: str, code: str) -> None:
        event = open_event(pairs=3)
        refusal = get_refusal(sign_up, event_id=event.pk, players=players, by=Actor(key=uuid4()))
        assert (refusal.field, refusal.code) == (field, code)
        assert event.entries.count() == 3

    @pytest.mark.long
    def test_sign_up_with_an_entered_person_is_refused(self) -> None:
        event = open_event(places=2)
        for number in range(3):
            sign_up_entry(event, *pair(number))
        for number in range(3):
            players = ("Lise Côté", pair(number)[0].upper())
            refusal = get_refusal(sign_up, event_id=event.pk, players=players, by=Actor(key=uuid4()))
            assert (refusal.field, refusal.code) == ("player_2", "entered_twice")

    def test_closed_sign_up_refuses_entries(self) -> None:
        event = build_event()
        signs_up = partial(sign_up, event_id=event.pk, players=pair(1), by=Actor(key=uuid4()))
        assert get_refusal_code(signs_up) == "sign_up_closed"
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        start_event(event_id=event.pk)
        assert get_refusal_code(signs_up) == "sign_up_closed"

    @pytest.mark.slow
    def test_namesake_sign_up_is_a_new_person_until_matched(self) -> None:
        event = open_event()
        (person,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
        entry = sign_up_entry(event, "Lise Côté", "Paul Côté")
        assert entry.player_1 != person
        assert [one.name for one in list_unidentified_namesakes(event)] == ["Lise Côté"]
        recognize_players(event_id=event.pk, identities={"lise cote": person.pk})
        entry.refresh_from_db()
        assert entry.player_1 == person
        assert event.club.people.filter(name="Lise Côté").count() == 1
        assert list_unidentified_namesakes(event) == ()
        person.refresh_from_db()
        assert not person.is_guest

    def test_person_declared_new_is_not_asked_about_again(self) -> None:
        event, by = open_event(), Actor(key=uuid4())
        (person,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
        entry = sign_up_entry(event, "Lise Côté", "Paul Côté")
        for _ in range(2):
            recognize_players(event_id=event.pk, identities={"lise cote": None}, by=by)
        entry.refresh_from_db()
        assert entry.player_1 != person
        assert list_unidentified_namesakes(event) == ()
        assert event.actions.filter(kind="recognize_players").count() == 1

    @pytest.mark.slow
    def test_undone_sign_off_restores_the_entry_without_duplicate_people(self) -> None:
        event, key = open_event(), uuid4()
        find_or_add_people(club=event.club, full_names=["Lise Côté"])
        sign_up_entry(event, "Lise Côté", "Paul Côté", key=key)
        sign_off(event_id=event.pk, key=key)
        assert event.club.people.filter(name="Lise Côté").count() == 1
        undo_action(event_id=event.pk, action_id=event.actions.get(kind="sign_off").pk)
        assert str(event.entries.get()) == "Lise Côté / Paul Côté"
        assert [one.name for one in list_unidentified_namesakes(event)] == ["Lise Côté"]

    @pytest.mark.parametrize("are_known", [False, True])
    def test_signed_up_people_are_guests_whatever_their_name(self, are_known: bool) -> None:
        event = open_event()
        if are_known:
            find_or_add_people(club=event.club, full_names=["Lise Côté"])
        entry = sign_up_entry(event, "Lise Côté", "Paul Côté")
        assert [one.is_guest for one in entry.players] == [True, True]
        change_rates(event_id=event.pk, rates=Rates(member=500, guest=800))
        event.refresh_from_db()
        assert [line.usual for line in list_fees(event)] == [800, 800]

    def test_unknown_names_raise_no_namesake_question(self) -> None:
        event = open_event()
        sign_up_entry(event, "Lise Côté", "Paul Côté")
        assert list_unidentified_namesakes(event) == ()

    def test_resent_form_is_recognized_after_the_sign_up_closes(self) -> None:
        event, key = open_event(), uuid4()
        entry = sign_up_entry(event, *pair(1), key=key)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        assert sign_up_entry(event, *pair(1), key=key) == entry

    @pytest.mark.slow
    def test_form_of_another_event_is_refused(self) -> None:
        key = uuid4()
        sign_up_entry(open_event(), *pair(1), key=key)
        other = open_event()
        assert get_refusal_code(sign_up, event_id=other.pk, players=pair(2), by=Actor(key=key)) == "form_used"

    @pytest.mark.long
    def test_director_can_undo_a_sign_up(self) -> None:
        event, key = open_event(), uuid4()
        sign_up_entry(event, *pair(1), key=key)
        undo_action(event_id=event.pk, action_id=Action.objects.latest("pk").pk)
        assert sign_up(event_id=event.pk, players=pair(1), by=Actor(key=key)) is None
        assert not event.entries.exists()


@pytest.mark.django_db
class TestFreedPlaces:
    @pytest.mark.long
    def test_freed_place_goes_to_the_first_waiting(self) -> None:
        event, key = open_event(places=2), uuid4()
        sign_up_entry(event, *pair(0), key=key)
        for number in (1, 2, 3):
            sign_up_entry(event, *pair(number))
        sign_off(event_id=event.pk, key=key)
        assert list(event.entries.filter(is_waiting=False).values_list("number", flat=True)) == [2, 3]
        assert Action.objects.latest("pk").details["let_in"] == [3]
        remove_entry(event_id=event.pk, number=2)
        assert not event.entries.filter(is_waiting=True).exists()

    def test_repeated_sign_off_counts_once(self) -> None:
        event, key = open_event(places=1 + 1), uuid4()
        sign_up_entry(event, *pair(0), key=key)
        for _ in range(2):
            sign_off(event_id=event.pk, key=key)
        assert Action.objects.filter(kind="sign_off").count() == 1

    @pytest.mark.long
    def test_more_places_admit_as_many_waiting_entries(self) -> None:
        event = open_event(places=2)
        for number in range(5):
            sign_up_entry(event, *pair(number))
        change_sign_up(event_id=event.pk, is_open=True, most_entries=4)
        assert Action.objects.latest("pk").details["let_in"] == [3, 4]
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        assert not event.entries.filter(is_waiting=True).exists()

    @pytest.mark.long
    def test_fewer_places_remove_no_confirmed_entry(self) -> None:
        event = open_event(places=4)
        for number in range(4):
            sign_up_entry(event, *pair(number))
        change_sign_up(event_id=event.pk, is_open=True, most_entries=2)
        assert event.entries.filter(is_waiting=False).count() == 4
        remove_entry(event_id=event.pk, number=1)
        assert sign_up_entry(event, *pair(5)).is_waiting

    @pytest.mark.long
    def test_sign_off_after_the_start_is_refused(self) -> None:
        event, key = open_event(places=2), uuid4()
        sign_up_entry(event, *pair(0), key=key)
        sign_up_entry(event, *pair(1))
        start_event(event_id=event.pk)
        assert get_refusal_code(sign_off, event_id=event.pk, key=key) == "event_started"


@pytest.mark.django_db
@pytest.mark.parametrize("places", [0, 1, 10_000])
def test_impossible_number_of_places_is_refused(places: int) -> None:
    event = build_event()
    change_call = partial(change_sign_up, event_id=event.pk, is_open=True, most_entries=places)
    assert get_refusal_code(change_call) == "places_out_of_range"


@pytest.mark.django_db
def test_started_event_locks_the_sign_up_settings() -> None:
    event = start_event(event_id=build_event().pk)
    change_call = partial(change_sign_up, event_id=event.pk, is_open=True, most_entries=None)
    assert get_refusal_code(change_call) == "event_started"


@pytest.mark.django_db
def test_unchanged_sign_up_settings_add_no_history_line() -> None:
    event = open_event(places=4)
    change_sign_up(event_id=event.pk, is_open=True, most_entries=4)
    assert Action.objects.filter(kind="change_sign_up").count() == 1


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
class TestConcurrentSignUps:
    def test_concurrent_sign_ups_never_exceed_the_places(self) -> None:
        for _ in range(TIMES):
            event = open_event(places=3)
            entries = run_concurrently(*(partial(sign_up_entry, event, *pair(number)) for number in range(6)))
            assert sorted(entry.number for entry in entries) == [1, 2, 3, 4, 5, 6]
            assert sum(not entry.is_waiting for entry in entries) == 3
            assert event.entries.filter(is_waiting=False).count() == 3

    def test_concurrent_copies_of_one_form_make_one_entry(self) -> None:
        for _ in range(TIMES):
            event, key = open_event(places=3), uuid4()
            entries = run_concurrently(*[partial(sign_up_entry, event, *pair(1), key=key)] * 4)
            assert len(set(entries)) == 1
            assert event.entries.count() == 1

    def test_concurrent_sign_ups_of_one_person_make_one_entry(self) -> None:
        event = open_event()
        done = run_concurrently(*(partial(sign_up_entry, event, "Lise Côté", f"Paul {make_name(n)}") for n in range(3)))
        assert sum(isinstance(each, Entry) for each in done) == 1
        assert event.entries.count() == 1

    def test_concurrent_sign_offs_and_sign_ups_fill_every_place(self) -> None:
        for _ in range(TIMES):
            event, keys = open_event(places=2), [uuid4(), uuid4()]
            for number, key in enumerate(keys):
                sign_up_entry(event, *pair(number), key=key)
            run_concurrently(
                *(partial(sign_off, event_id=event.pk, key=key) for key in keys),
                *(partial(sign_up_entry, event, *pair(number)) for number in range(2, 6)),
            )
            assert event.entries.filter(is_waiting=False).count() == 2
            assert event.entries.filter(is_waiting=True).count() == 2
