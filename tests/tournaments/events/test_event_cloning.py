"""Copying a night: its name, settings and entries are copied, and nobody is checked in."""

import datetime
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Account
from engine.ranking import RankingRules
from rules import BAS_SAINT_LAURENT
from tests.builders import (
    TUESDAY,
    TWO_GAMES,
    build_account,
    build_club,
    build_event,
    build_running_night,
    get_refusal_code,
    play_round,
)
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.event_naming import derive_next_name
from tournaments.events.event_settings import (
    EventSettings,
    event_settings_from_json,
    event_settings_to_json,
    read_event_settings,
)
from tournaments.events.queries import last_time, tonights
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.events.services.settings import change_ranking, change_sections
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category, set_prizes_add_up
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.slots import read_copied_parts

NEXT_TUESDAY = TUESDAY + datetime.timedelta(days=7)


def repeat_event(event: Event, **other: Any) -> Event:
    values: dict[str, Any] = {
        "club": event.club,
        "settings": read_event_settings(event),
        "like": event.name,
        "name": event.name,
        "held_on": NEXT_TUESDAY,
        "people_of": event,
    }
    return make_event(**values | other)


def list_names(event: Event) -> list[str]:
    return [str(entry) for entry in event.entries.all()]


def build_night_with_settings() -> Event:
    event = build_event(
        4,
        ruleset=BAS_SAINT_LAURENT,
        match_format=TWO_GAMES,
        details=["trump"],
        draw_format="swiss",
        tables=5,
    )
    change_ranking(event_id=event.pk, rules=RankingRules(order=("difference", "match_wins"), dropped=1))
    change_sections(event_id=event.pk, sections=[{"name": "Beginners", "first_table": 4, "last_table": 5}])
    event = Event.objects.get(pk=event.pk)
    event.is_seeded = True
    event.save()
    return event


@pytest.mark.django_db
class TestRepeatedEvent:
    @pytest.mark.long
    def test_repeated_event_copies_all_settings(self) -> None:
        event = build_night_with_settings()
        made = Event.objects.get(pk=repeat_event(event).pk)
        assert read_event_settings(made) == read_event_settings(event)
        assert made.terms_id != event.terms_id
        assert (made.held_on, made.state, made.rounds.count()) == (NEXT_TUESDAY, "preparing", 0)

    @pytest.mark.slow
    def test_repeated_event_uses_byes_without_two_player_rules(self) -> None:
        alone = {"format": "rotation", "settings": {"odd": "two_player_table", "rounds": 3}}
        event = build_event(0)
        Event.objects.filter(pk=event.pk).update(stages=[alone])
        without = Event.objects.get(pk=repeat_event(Event.objects.get(pk=event.pk)).pk)
        assert without.stages == [{**alone, "settings": {"odd": "bye", "rounds": 3}}]
        of_rules = Event.objects.get(pk=repeat_event(build_event(0, stages=[alone], ruleset=BAS_SAINT_LAURENT)).pk)
        assert of_rules.stages == [alone]

    @pytest.mark.long
    def test_repeated_event_copies_entries_without_their_check_in(self) -> None:
        event = build_running_night(5)
        mark_present(event_id=event.pk, number=1, is_present=True)
        withdraw_entry(event_id=event.pk, number=2)
        Entry.objects.filter(event=event, number=3).update(section="Beginners", team="Rimouski", rating=7)
        made = repeat_event(event)
        assert list_names(made) == list_names(event)
        assert set(made.entries.values_list("present_at", "leaves_after", "arrives")) == {(None, None, 1)}
        third = made.entries.get(number=3)
        assert (third.section, third.team, third.rating) == ("Beginners", "Rimouski", 7)

    @pytest.mark.long
    def test_repeated_event_copies_prizes_without_winners(self) -> None:
        event = build_running_night(4)
        juniors = CategoryDetails(name="Juniors", among="label", group="junior", places=2, amounts=(2000,))
        clubs = CategoryDetails(name="Clubs", among="club", prize="A ham", is_public=False)
        rated = CategoryDetails(name="B", among="rating", lowest=1, highest=900, shows_amount=True)
        for details in (juniors, clubs, rated):
            add_prize_category(event_id=event.pk, details=details)
        set_prizes_add_up(event_id=event.pk, add_up=True)
        winner = event.entries.get(number=1).player_1_id
        give_prize(event_id=event.pk, winners=[winner], details=PrizeDetails(name="The most points"))
        event = Event.objects.get(pk=event.pk)
        made = Event.objects.get(pk=repeat_event(event, parts=read_copied_parts(event)).pk)
        now, then = (
            [row | {"id": 0, "event_id": 0} for row in night.prize_categories.values()] for night in (made, event)
        )
        assert now == then != []
        assert made.prizes_add_up
        assert not made.prizes.exists()

    def test_repeated_event_skips_inactive_and_waiting_people(self) -> None:
        event = build_event(4)
        gone = event.entries.get(number=2).player_2
        assert gone is not None
        gone.is_active = False
        gone.save()
        Entry.objects.filter(event=event, number=3).update(is_waiting=True)
        Entry.objects.filter(event=event, number=4).update(is_house=True)
        made = repeat_event(event)
        assert list_names(made) == [list_names(event)[0], list_names(event)[3]]
        assert [(entry.number, entry.is_house) for entry in made.entries.all()] == [(1, False), (2, True)]

    def test_repeated_event_can_omit_the_entries(self) -> None:
        made = repeat_event(build_event(4), people_of=None)
        assert not made.entries.exists()

    def test_resent_form_repeats_an_event_once(self) -> None:
        event, by = build_event(4), Actor(key=uuid4())
        made = [repeat_event(event, by=by).pk for _ in range(2)]
        assert made[0] == made[1]
        assert Event.objects.count() == 2
        assert Event.objects.get(pk=made[0]).entries.count() == 4

    @pytest.mark.long
    def test_repeated_event_history_names_its_source_and_undoes_entries(self) -> None:
        account: Account = build_account()
        made = repeat_event(build_event(4), by=Actor(account=account, key=uuid4(), origin="192.0.2.1, iPhone"))
        people, beginning = made.actions.all()
        assert (beginning.kind, beginning.details) == ("make_event", {"like": "Soirée du mardi"})
        assert {each.origin for each in (people, beginning)} == {"192.0.2.1, iPhone"}
        undo_action(event_id=made.pk, action_id=people.pk)
        assert not made.entries.exists()

    def test_pairs_are_not_copied_into_a_singles_event(self) -> None:
        event, other = build_event(4), build_event(4, draw_format="rotation")
        assert get_refusal_code(repeat_event, event, people_of=other) == "entries_of_other_size"
        assert Event.objects.count() == 2

    def test_repeated_event_can_start(self) -> None:
        made = repeat_event(build_running_night(4))
        start_event(event_id=made.pk)
        assert Event.objects.get(pk=made.pk).state == "running"


@pytest.mark.django_db
def test_event_settings_survive_a_json_round_trip() -> None:
    settings: EventSettings = read_event_settings(build_night_with_settings())
    assert event_settings_from_json(event_settings_to_json(settings)) == settings


@pytest.mark.django_db
class TestLastNight:
    def build_night(self, held_on: datetime.date, *, is_played: bool = True) -> Event:
        event = build_event(4, club=self.club)
        Event.objects.filter(pk=event.pk).update(held_on=held_on, state="ended" if is_played else "preparing")
        return event

    @pytest.fixture(autouse=True)
    def club_of_two_evenings_a_week(self) -> None:
        self.club = build_club()
        self.tuesday = self.build_night(TUESDAY)
        self.thursday = self.build_night(TUESDAY + datetime.timedelta(days=2))

    def find_last_before(self, day: datetime.date) -> Event | None:
        return last_time(self.club.events.all(), day)

    def test_last_night_is_on_the_same_weekday(self) -> None:
        assert self.find_last_before(NEXT_TUESDAY) == self.tuesday
        assert self.find_last_before(NEXT_TUESDAY + datetime.timedelta(days=2)) == self.thursday

    def test_last_night_falls_back_to_the_latest_night(self) -> None:
        assert self.find_last_before(NEXT_TUESDAY + datetime.timedelta(days=3)) == self.thursday
        assert self.find_last_before(TUESDAY + datetime.timedelta(weeks=6)) == self.thursday

    def test_first_night_has_no_predecessor(self) -> None:
        assert self.find_last_before(TUESDAY) is None

    def test_night_that_never_started_is_not_the_last_night(self) -> None:
        self.build_night(NEXT_TUESDAY - datetime.timedelta(days=1), is_played=False)
        assert self.find_last_before(NEXT_TUESDAY) == self.tuesday


@pytest.mark.long
@pytest.mark.django_db
def test_running_night_is_tonight_until_after_midnight() -> None:
    event = build_running_night(2)
    after_midnight = TUESDAY + datetime.timedelta(days=1)
    for day in (TUESDAY, after_midnight):
        assert tonights([event], day) == [event]
    assert tonights([event], after_midnight + datetime.timedelta(days=1)) == []
    play_round(event)
    event = end_event(event_id=event.pk)
    assert tonights([event], TUESDAY) == []


@pytest.mark.parametrize(
    ("name", "renewed"),
    [
        ("Soirée de cartes du 17 novembre 2026", "Soirée de cartes du 1er décembre 2026"),
        ("Mardi 17 novembre", "Mardi 1er décembre"),
        ("Card night of November 17, 2026", "Card night of December 1, 2026"),
        ("Tuesday, November 17", "Tuesday, December 1"),
        ("2026-11-17", "2026-12-01"),
        ("Mardi no 12", "Mardi no 13"),
        ("Soirée 9", "Soirée 10"),
        ("Night #99", "Night #100"),
        ("Maine 32", "Maine 32"),
        ("Coupe 2026", "Coupe 2026"),
        ("Soirée du mardi", "Soirée du mardi"),
        ("Les 17 novembres", "Les 17 novembres"),
    ],
)
def test_repeated_event_name_gets_the_new_date_or_number(name: str, renewed: str) -> None:
    assert derive_next_name(name, old_day=TUESDAY, new_day=TUESDAY + datetime.timedelta(weeks=2)) == renewed


def test_first_of_the_month_is_recognized_in_a_name() -> None:
    first, next_week = datetime.date(2026, 12, 1), datetime.date(2026, 12, 8)
    for name in ("Soirée du 1er décembre", "Soirée du 1 décembre"):
        assert derive_next_name(name, old_day=first, new_day=next_week) == "Soirée du 8 décembre"
