"""A club with a past that nobody knows beforehand: anything that its people do, in any order."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services import (
    NightDetails,
    PeriodDetails,
    PersonDetails,
    add_person,
    add_recurring_night,
    ask_dues,
    change_person,
    create_house_rules,
    pay_dues,
    record_dues,
    undo_club_action,
)
from engine.visibility import Release
from errors import Refusal
from rules import RULESETS, Side
from scoring.models import Match
from scoring.services import agree, dispute
from tests.builders import ONE_GAME, TUESDAY, TWO_GAMES, a_club, an_account, mark, next_place, win
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import adjust_entry, substitute_player, withdraw_entry
from tournaments.entries.services.merging import merge_people
from tournaments.entries.services.sign_up import change_sign_up, sign_up
from tournaments.events.services.lifecycle import create_event, end_event, start_event
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

Deed = Callable[["RandomClub"], object]
Thing = TypeVar("Thing")

FIRST_NAMES = ("Anne", "Benoît", "Chloé", "Denis", "Ève", "Félix", "Gisèle", "Hugo", "Irène", "Jules")
SURNAMES = ("Roy", "Côté", "O’Neil", "Saint-Amand", "Ouellet", "Żuk")
FORMATS = ("random", "swiss", "round_robin", "knockout", "double_elimination", "open_tables", "progressive")
HANDS = ("A 6 7", "B 7 5", "A mulot made", "B 8 made", "A charlemagne failed", "misdeal")


class NothingToChooseError(Exception):
    """An event without an entry has nobody who could pay."""


class RandomClub:
    """``live`` does so many deeds, each by lot; one that is refused at that moment has not happened."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.owner = an_account()
        self.club: Club = a_club(owner=self.owner)
        for _ in range(4):
            enter_people(self)
        prepare_event(self)

    def live(self, deeds: int, among: tuple[Deed, ...] = ()) -> None:
        for _ in range(deeds):
            with suppress(Refusal, NothingToChooseError):
                self.dice.choice(among or DEEDS)(self)

    def by(self) -> Actor:
        return Actor(
            account=self.owner, key=UUID(int=self.dice.getrandbits(128)), reason=self.lot("", "Asked")
        )

    def lot(self, *things: Thing) -> Thing:
        if not things:
            raise NothingToChooseError
        return self.dice.choice(things)

    @property
    def name(self) -> str:
        return f"{self.lot(*FIRST_NAMES)} {self.lot(*SURNAMES)}"

    @property
    def cents(self) -> int:
        return self.lot(0, 1, 250, 500, 800, 999_999)

    @property
    def person(self) -> Person:
        return self.lot(*self.club.people.order_by("pk"))

    @property
    def event(self) -> Event:
        return self.lot(*self.club.events.order_by("pk"))

    @property
    def number(self) -> int:
        return self.dice.randint(1, 8)


def one_of(club: RandomClub, *deeds: Callable[[], object]) -> None:
    club.dice.choice(deeds)()


def enter_people(club: RandomClub) -> None:
    """A few come to the club, some of one family, some with the name of another."""
    for _ in range(3):
        family = club.lot("", "Roy", "Roy", "Côté")
        more = PersonDetails(
            name=club.name,
            contact=club.lot("", "418 555-0101", "anne@example.org"),
            family=family,
            is_guest=club.lot(True, False, False),
            shows_full_name=club.lot(True, False),
            labels=club.lot((), ("Elite",)),
        )
        add_person(club_id=club.club.pk, details=more, is_namesake=True, by=club.by())


def change_somebody(club: RandomClub) -> None:
    details = PersonDetails(name=club.name, is_guest=club.lot(True, False))
    change_person(
        club_id=club.club.pk, person_id=club.person.pk, details=details, is_namesake=True, by=club.by()
    )


def forget_somebody(club: RandomClub) -> None:
    anonymize_people(club_id=club.club.pk, person_ids=[club.person.pk], by=club.by())


def merge_two(club: RandomClub) -> None:
    kept, merged = club.person, club.person
    merge_people(club_id=club.club.pk, kept_id=kept.pk, merged_id=merged.pk, by=club.by())


def prepare_event(club: RandomClub) -> None:
    """An event of some format and system, with some of the club's people in it, and a fee."""
    event = create_event(
        club=club.club,
        name=club.lot("Soirée du mardi", "Tournoi « d’hiver »"),
        held_on=TUESDAY + datetime.timedelta(days=club.dice.randrange(30)),
        ruleset=club.lot(*(each for each in RULESETS.values() if each.seats == 4)),
        match_format=club.lot(ONE_GAME, TWO_GAMES),
        table_count=4,
        details=(),
        stages=[{"format": club.lot(*FORMATS)}],
    )
    for _ in range(club.dice.randint(3, 7)):
        players = (club.person.name, club.person.name)
        with suppress(Refusal):
            add_entry(event_id=event.pk, players=players, by=club.by())
    rates = Rates(member=club.cents, guest=club.cents)
    change_rates(event_id=event.pk, rates=rates, by=club.by())


def enter_late(club: RandomClub) -> None:
    add_entry(event_id=club.event.pk, players=(club.name, club.name), by=club.by())


def take_sign_ups(club: RandomClub) -> None:
    event = club.event
    change_sign_up(event_id=event.pk, is_open=True, most_entries=club.lot(None, 5), by=club.by())
    sign_up(event_id=event.pk, players=(club.name, club.name), by=club.by())


def check_in(club: RandomClub) -> None:
    mark_present(event_id=club.event.pk, number=club.number, is_present=True, by=club.by())


def go_on(club: RandomClub) -> None:
    """The next step of an evening: it starts, a round is drawn, published, played, closed."""
    event = club.event
    last = event.rounds.order_by("number").last()
    with suppress(Refusal):
        start_event(event_id=event.pk, by=club.by())
    if last is None or last.state == RoundState.CLOSED:
        last = draw_round(event_id=event.pk, seed=club.dice.getrandbits(16), by=club.by())
    if last.state == RoundState.DRAFT:
        publish_round(event_id=event.pk, number=last.number, by=club.by())
    for match in Match.objects.filter(table__round__event=event, closed_at=None).order_by("pk"):
        with suppress(Refusal):
            mark_something(club, match)
    with suppress(Refusal):
        close_round(event_id=event.pk, number=last.number, by=club.by())


def mark_something(club: RandomClub, match: Match) -> None:
    """Some hands, and most often the match to its end."""
    for _ in range(club.dice.randrange(3)):
        mark(match, club.lot(*HANDS), number=next_place(match))
    if club.lot(True, True, False):
        win(match, club.lot("A", "B"))
    if club.lot(True, False, False):
        agree(match_id=match.pk, side=Side.A, game=1)
        dispute(match_id=match.pk)


def rule_on_a_table(club: RandomClub) -> None:
    at: dict[str, Any] = {"event_id": club.event.pk, "number": club.lot(1, 2), "table": club.lot(1, 2)}
    if club.lot(True, False):
        forfeit_table(**at, winner=club.lot(Side.A, Side.B, None), by=club.by())
    else:
        adjust_table(**at, games=(1, 0), points=(33, 4), by=club.by())


def change_an_entry(club: RandomClub) -> None:
    at: dict[str, Any] = {"event_id": club.event.pk, "number": club.number}
    one_of(
        club,
        lambda: withdraw_entry(**at, by=club.by()),
        lambda: substitute_player(**at, place=1, name=club.name, by=club.by()),
        lambda: adjust_entry(**at, metric="points_for", amount=club.dice.randint(-9, 9), by=club.by()),
    )


def publish(club: RandomClub) -> None:
    event = club.event
    release = club.lot(Release(), Release(silent_from=1), Release(is_public=False))
    change_release(event_id=event.pk, release=release, by=club.by())
    end_event(event_id=event.pk, by=club.by())
    publish_final(event_id=event.pk, by=club.by())


def undo_something(club: RandomClub) -> None:
    event = club.event
    action = club.lot(*event.actions.order_by("pk"))
    undo_action(event_id=event.pk, action_id=action.pk, by=club.by())


def undo_at_the_club(club: RandomClub) -> None:
    action = club.lot(*club.club.actions.order_by("pk"))
    undo_club_action(club_id=club.club.pk, action_id=action.pk, by=club.by())


def somebody_at(club: RandomClub, event: Event) -> Person:
    return club.lot(*club.lot(*event.entries.order_by("number")).players)


def pay_for_an_event(club: RandomClub) -> None:
    """Somebody pays, or their family does; or it costs something else now."""
    event = club.event
    at: dict[str, Any] = {"event_id": event.pk, "by": club.by()}
    person = somebody_at(club, event)
    one_of(
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
        person_id=somebody_at(club, event).pk,
        paid=club.cents,
        other=club.lot(None, club.cents),
        by=club.by(),
    )


def ask_for_the_year(club: RandomClub) -> None:
    day = TUESDAY + datetime.timedelta(days=club.lot(-400, -10, 0))
    details = PeriodDetails(
        name="L’année", amount=1 + club.cents, starts=day, ends=day + datetime.timedelta(300)
    )
    ask_dues(club_id=club.club.pk, details=details, by=club.by())


def pay_for_the_year(club: RandomClub) -> None:
    periods = list(club.club.dues_periods.order_by("pk"))
    if not periods:
        ask_for_the_year(club)
        return
    at: dict[str, Any] = {"club_id": club.club.pk, "period_id": club.lot(*periods).pk, "by": club.by()}
    person = club.person
    if club.lot(True, False):
        pay_dues(**at, person_id=person.pk)
    else:
        record_dues(**at, person_id=person.pk, paid=club.cents, other=club.lot(None, 0, club.cents))


def give_or_take_a_prize(club: RandomClub) -> None:
    event = club.event
    given = list(event.prizes.order_by("pk"))
    if given and club.dice.random() < 0.3:
        take_back_prize(event_id=event.pk, prize_id=club.lot(*given).pk, by=club.by())
        return
    entry = club.lot(*event.entries.order_by("number"))
    winners = [person.pk for person in entry.players][: club.lot(1, 2)]
    details = PrizeDetails(name=club.lot("Jambon", "Panier"), amount=club.cents, is_public=True)
    give_prize(event_id=event.pk, winners=winners, details=details, by=club.by())


def keep_the_office(club: RandomClub) -> None:
    """Rules of the house, a night of the calendar, a season."""
    night = NightDetails(
        name="Mardis", pattern="weekly", first_on=TUESDAY, starts_at=datetime.time(19), place="Salle 2"
    )
    one_of(
        club,
        lambda: create_house_rules(club=club.club, name=club.name, base="maine", difference={"target": 25}),
        lambda: add_recurring_night(club_id=club.club.pk, details=night, by=club.by()),
        lambda: open_season(
            club=club.club,
            name="Automne",
            starts=TUESDAY,
            ends=TUESDAY + datetime.timedelta(days=30),
            ladders=[{"name": "Général"}],
        ),
    )


ABOUT_PEOPLE: tuple[Deed, ...] = (enter_people, change_somebody, merge_two, forget_somebody)
ABOUT_EVENTS: tuple[Deed, ...] = (
    *(prepare_event, enter_late, take_sign_ups, check_in, go_on, go_on, go_on),
    *(rule_on_a_table, change_an_entry, publish),
)
ABOUT_MONEY: tuple[Deed, ...] = (
    pay_for_an_event,
    correct_a_payment,
    pay_for_the_year,
    give_or_take_a_prize,
)
UNDOING: tuple[Deed, ...] = (undo_something, undo_at_the_club)
DEEDS = (*ABOUT_PEOPLE, *ABOUT_EVENTS, *ABOUT_MONEY, *UNDOING, keep_the_office)
