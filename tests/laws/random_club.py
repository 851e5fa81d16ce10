"""A club whose people, events and payments change at random, for property tests."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services.calendar import NightDetails, add_recurring_night
from clubs.services.dues import PeriodDetails, ask_dues, pay_dues, record_dues
from clubs.services.house_rules import create_house_rules
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.undo import undo_club_action
from engine.visibility import Release
from errors import Refusal
from rules import RULESETS, Side
from scoring.models import Match
from scoring.services.agreement import call_desk, record_agreement
from tests.builders import ONE_GAME, TUESDAY, TWO_GAMES, build_account, build_club, get_next_number, mark, win
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import adjust_entry, substitute_player, withdraw_entry
from tournaments.entries.services.merging import merge_people
from tournaments.entries.services.sign_up import change_sign_up, sign_up
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.money.services.fees import change_rates, pay_family, pay_fee, record_fee
from tournaments.money.services.prizes import PrizeDetails, give_prize, take_back_prize
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table
from tournaments.seasons.services import open_season

Action = Callable[["RandomClub"], object]
Item = TypeVar("Item")

FIRST_NAMES = ("Anne", "Benoît", "Chloé", "Denis", "Ève", "Félix", "Gisèle", "Hugo", "Irène", "Jules")
SURNAMES = ("Roy", "Côté", "O’Neil", "Saint-Amand", "Ouellet", "Żuk")
FORMATS = ("random", "swiss", "round_robin", "knockout", "double_elimination", "open_tables", "progressive")
HANDS = ("A 6 7", "B 7 5", "A mulot made", "B 8 made", "A charlemagne failed", "misdeal")


class NoChoiceError(Exception):
    """Nothing to choose from, such as a player of an event without entries."""


class RandomClub:
    """A club changed at random. ``perform`` does ``count`` random actions, and skips those that are refused."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.owner = build_account()
        self.club: Club = build_club(owner=self.owner)
        for _ in range(4):
            enter_people(self)
        prepare_event(self)

    def perform(self, count: int, among: tuple[Action, ...] = ()) -> None:
        for _ in range(count):
            with suppress(Refusal, NoChoiceError):
                self.dice.choice(among or ACTIONS)(self)

    def build_actor(self) -> Actor:
        return Actor(account=self.owner, key=UUID(int=self.dice.getrandbits(128)), reason=self.choose("", "Asked"))

    def choose(self, *things: Item) -> Item:
        if not things:
            raise NoChoiceError
        return self.dice.choice(things)

    @property
    def name(self) -> str:
        return f"{self.choose(*FIRST_NAMES)} {self.choose(*SURNAMES)}"

    @property
    def cents(self) -> int:
        return self.choose(0, 1, 250, 500, 800, 999_999)

    @property
    def person(self) -> Person:
        return self.choose(*self.club.people.order_by("pk"))

    @property
    def event(self) -> Event:
        return self.choose(*self.club.events.order_by("pk"))

    @property
    def number(self) -> int:
        return self.dice.randint(1, 8)


def perform_one(club: RandomClub, *actions: Callable[[], object]) -> None:
    club.dice.choice(actions)()


def enter_people(club: RandomClub) -> None:
    """Add three people with random names, families and settings."""
    for _ in range(3):
        family = club.choose("", "Roy", "Roy", "Côté")
        more = PersonDetails(
            name=club.name,
            contact=club.choose("", "418 555-0101", "anne@example.org"),
            family=family,
            is_guest=club.choose(True, False, False),
            shows_full_name=club.choose(True, False),
            labels=club.choose((), ("Elite",)),
        )
        add_person(club_id=club.club.pk, details=more, is_namesake=True, by=club.build_actor())


def change_random_person(club: RandomClub) -> None:
    details = PersonDetails(name=club.name, is_guest=club.choose(True, False))
    change_person(
        club_id=club.club.pk, person_id=club.person.pk, details=details, is_namesake=True, by=club.build_actor()
    )


def erase_random_person(club: RandomClub) -> None:
    anonymize_people(club_id=club.club.pk, person_ids=[club.person.pk], by=club.build_actor())


def merge_two(club: RandomClub) -> None:
    target, merged = club.person, club.person
    merge_people(club_id=club.club.pk, target_id=target.pk, source_id=merged.pk, by=club.build_actor())


def prepare_event(club: RandomClub) -> None:
    """Prepare an event of random format and ruleset, with some of the club's people and a fee."""
    event = create_event(
        club=club.club,
        name=club.choose("Soirée du mardi", "Tournoi « d’hiver »"),
        held_on=TUESDAY + datetime.timedelta(days=club.dice.randrange(30)),
        ruleset=club.choose(*(each for each in RULESETS.values() if each.seats == 4)),
        match_format=club.choose(ONE_GAME, TWO_GAMES),
        table_count=4,
        details=(),
        stages=[{"format": club.choose(*FORMATS)}],
    )
    for _ in range(club.dice.randint(3, 7)):
        players = (club.person.name, club.person.name)
        with suppress(Refusal):
            add_entry(event_id=event.pk, players=players, by=club.build_actor())
    rates = Rates(member=club.cents, guest=club.cents)
    change_rates(event_id=event.pk, rates=rates, by=club.build_actor())


def enter_late(club: RandomClub) -> None:
    add_entry(event_id=club.event.pk, players=(club.name, club.name), by=club.build_actor())


def take_sign_ups(club: RandomClub) -> None:
    event = club.event
    change_sign_up(event_id=event.pk, is_open=True, most_entries=club.choose(None, 5), by=club.build_actor())
    sign_up(event_id=event.pk, players=(club.name, club.name), by=club.build_actor())


def check_in(club: RandomClub) -> None:
    mark_present(event_id=club.event.pk, number=club.number, is_present=True, by=club.build_actor())


def advance_event(club: RandomClub) -> None:
    """Advance an event: start it, then draw, publish, play and close a round, as far as possible."""
    event = club.event
    last = event.rounds.order_by("number").last()
    with suppress(Refusal):
        start_event(event_id=event.pk, by=club.build_actor())
    if last is None or last.state == RoundState.CLOSED:
        last = draw_round(event_id=event.pk, seed=club.dice.getrandbits(16), by=club.build_actor())
    if last.state == RoundState.DRAFT:
        publish_round(event_id=event.pk, number=last.number, by=club.build_actor())
    for match in Match.objects.filter(table__round__event=event, closed_at=None).order_by("pk"):
        with suppress(Refusal):
            mark_something(club, match)
    with suppress(Refusal):
        close_round(event_id=event.pk, number=last.number, by=club.build_actor())


def mark_something(club: RandomClub, match: Match) -> None:
    """Mark some hands, and in most cases play the match to its end."""
    for _ in range(club.dice.randrange(3)):
        mark(match, club.choose(*HANDS), number=get_next_number(match))
    if club.choose(True, True, False):
        win(match, club.choose("A", "B"))
    if club.choose(True, False, False):
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        call_desk(match_id=match.pk)


def rule_on_a_table(club: RandomClub) -> None:
    at: dict[str, Any] = {"event_id": club.event.pk, "number": club.choose(1, 2), "table": club.choose(1, 2)}
    if club.choose(True, False):
        forfeit_table(**at, winner=club.choose(Side.A, Side.B, None), by=club.build_actor())
    else:
        adjust_table(**at, games=(1, 0), points=(33, 4), by=club.build_actor())


def change_an_entry(club: RandomClub) -> None:
    at: dict[str, Any] = {"event_id": club.event.pk, "number": club.number}
    perform_one(
        club,
        lambda: withdraw_entry(**at, by=club.build_actor()),
        lambda: substitute_player(**at, place=1, name=club.name, by=club.build_actor()),
        lambda: adjust_entry(**at, metric="points_for", amount=club.dice.randint(-9, 9), by=club.build_actor()),
    )


def publish(club: RandomClub) -> None:
    event = club.event
    release = club.choose(Release(), Release(silent_from=1), Release(is_public=False))
    change_release(event_id=event.pk, release=release, by=club.build_actor())
    end_event(event_id=event.pk, by=club.build_actor())
    publish_final(event_id=event.pk, by=club.build_actor())


def undo_something(club: RandomClub) -> None:
    event = club.event
    action = club.choose(*event.actions.order_by("pk"))
    undo_action(event_id=event.pk, action_id=action.pk, by=club.build_actor())


def undo_at_the_club(club: RandomClub) -> None:
    action = club.choose(*club.club.actions.order_by("pk"))
    undo_club_action(club_id=club.club.pk, action_id=action.pk, by=club.build_actor())


def choose_player(club: RandomClub, event: Event) -> Person:
    return club.choose(*club.choose(*event.entries.order_by("number")).players)


def pay_for_an_event(club: RandomClub) -> None:
    """Pay the fee of a player or of a family, or change the rates of the event."""
    event = club.event
    at: dict[str, Any] = {"event_id": event.pk, "by": club.build_actor()}
    person = choose_player(club, event)
    perform_one(
        club,
        lambda: pay_fee(**at, person_id=person.pk),
        lambda: pay_family(**at, family_id=person.family_id or 0),
        lambda: change_rates(**at, rates=Rates(member=club.cents, guest=club.cents)),
    )


def correct_a_payment(club: RandomClub) -> None:
    """Correct a payment that was too much or too little, give it back, or change the fee."""
    event = club.event
    record_fee(
        event_id=event.pk,
        person_id=choose_player(club, event).pk,
        paid=club.cents,
        other=club.choose(None, club.cents),
        by=club.build_actor(),
    )


def charge_year_dues(club: RandomClub) -> None:
    day = TUESDAY + datetime.timedelta(days=club.choose(-400, -10, 0))
    details = PeriodDetails(name="L’année", amount=1 + club.cents, starts=day, ends=day + datetime.timedelta(300))
    ask_dues(club_id=club.club.pk, details=details, by=club.build_actor())


def pay_for_the_year(club: RandomClub) -> None:
    periods = list(club.club.dues_periods.order_by("pk"))
    if not periods:
        charge_year_dues(club)
        return
    at: dict[str, Any] = {"club_id": club.club.pk, "period_id": club.choose(*periods).pk, "by": club.build_actor()}
    person = club.person
    if club.choose(True, False):
        pay_dues(**at, person_id=person.pk)
    else:
        record_dues(**at, person_id=person.pk, paid=club.cents, other=club.choose(None, 0, club.cents))


def give_or_take_a_prize(club: RandomClub) -> None:
    event = club.event
    given = list(event.prizes.order_by("pk"))
    if given and club.dice.random() < 0.3:
        take_back_prize(event_id=event.pk, prize_id=club.choose(*given).pk, by=club.build_actor())
        return
    entry = club.choose(*event.entries.order_by("number"))
    winners = [person.pk for person in entry.players][: club.choose(1, 2)]
    details = PrizeDetails(name=club.choose("Jambon", "Panier"), amount=club.cents, is_public=True)
    give_prize(event_id=event.pk, winners=winners, details=details, by=club.build_actor())


def keep_the_office(club: RandomClub) -> None:
    """Create house rules, a recurring night or a season."""
    night = NightDetails(
        name="Mardis", pattern="weekly", first_on=TUESDAY, starts_at=datetime.time(19), place="Salle 2"
    )
    perform_one(
        club,
        lambda: create_house_rules(club=club.club, name=club.name, base="maine", difference={"target": 25}),
        lambda: add_recurring_night(club_id=club.club.pk, details=night, by=club.build_actor()),
        lambda: open_season(
            club=club.club,
            name="Automne",
            starts=TUESDAY,
            ends=TUESDAY + datetime.timedelta(days=30),
            ladders=[{"name": "Général"}],
        ),
    )


PEOPLE_ACTIONS: tuple[Action, ...] = (enter_people, change_random_person, merge_two, erase_random_person)
EVENT_ACTIONS: tuple[Action, ...] = (
    *(prepare_event, enter_late, take_sign_ups, check_in, advance_event, advance_event, advance_event),
    *(rule_on_a_table, change_an_entry, publish),
)
MONEY_ACTIONS: tuple[Action, ...] = (
    pay_for_an_event,
    correct_a_payment,
    pay_for_the_year,
    give_or_take_a_prize,
)
UNDO_ACTIONS: tuple[Action, ...] = (undo_something, undo_at_the_club)
ACTIONS = (*PEOPLE_ACTIONS, *EVENT_ACTIONS, *MONEY_ACTIONS, *UNDO_ACTIONS, keep_the_office)
