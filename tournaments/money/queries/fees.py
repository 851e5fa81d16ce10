"""Queries about fees, payments and prizes."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from clubs.models import Person
from tournaments.fee_rates import Attendee, Rates, due_of
from tournaments.models import Event, Fee, Prize, PrizeCategory
from tournaments.rounds.queries.presence import those_who_played, those_who_sat_out
from web.money import AmountsNoted, Due


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeLine:
    """A person's fee and payment, and the number of their ``entry``, None once they are in none."""

    person: Person
    attendee: Attendee
    rates: Rates
    entry: int | None

    @property
    def due(self) -> Due:
        return due_of(self.attendee, self.rates)

    @property
    def usual(self) -> int:
        return self.rates.of(is_guest=self.person.is_guest)

    @property
    def is_excused(self) -> bool:
        return self.attendee.other == 0 and self.usual > 0

    @property
    def is_off_the_list(self) -> bool:
        return not (self.attendee.in_it or self.attendee.came)

    @property
    def after_refund(self) -> AmountsNoted:
        """Amounts noted after a refund: of the overpayment, else of everything. Nothing more is due from
        people who came; the others owe nothing anyway."""
        if self.due.paid > self.due.asked:
            return AmountsNoted(self.due.asked, self.attendee.other)
        return AmountsNoted(0, 0 if self.attendee.came else self.attendee.other)

    @property
    def refund(self) -> int:
        return self.due.paid - self.after_refund.paid

    @property
    def waives_fee(self) -> bool:
        """Whether a refund also waives the fee, which is the director's decision."""
        return self.after_refund.other != self.attendee.other

    @property
    def is_to_pay(self) -> bool:
        """Whether they are there, and owe something."""
        return self.attendee.is_there and self.due.owed > 0


def fee_lines(event: Event) -> list[FeeLine]:
    """List everybody who takes part or did, and everybody who has paid, by name. A person who withdrew and
    entered again belongs to the entry that plays; a house player who has paid nothing is left out. Five
    queries; two more where somebody had a bye in a round that is closed, and was replaced since."""
    came = set(players_seated(event)) | {person for _, person in those_who_sat_out([event])}
    entry_of: dict[int, int] = {}
    house: set[int] = set()
    playing_first = F("leaves_after").asc(nulls_first=True)
    entries = event.entries.filter(is_waiting=False).order_by(playing_first, "number")
    columns = ("number", "player_1", "player_2", "present_at", "is_house")
    for number, one, other, present_at, is_house in entries.values_list(*columns):
        for person in filter(None, (one, other)):
            if is_house:
                house.add(person)
            entry_of.setdefault(person, number)
            if present_at is not None:
                came.add(person)
    fees = {fee.person_id: fee for fee in event.fees.all() if fee.paid or fee.other is not None}
    there = ((entry_of.keys() | came) - house) | fees.keys()
    people_by_id = Person.objects.select_related("family").in_bulk(there)
    rates = event.rates
    return [
        FeeLine(
            person=person,
            attendee=_attendee(person, fees.get(person.pk), entry_of.keys(), came),
            rates=rates,
            entry=entry_of.get(person.pk),
        )
        for person in sorted(people_by_id.values(), key=lambda person: (person.folded_name, person.pk))
    ]


def fee_line(event: Event, person_id: int) -> FeeLine | None:
    """Return the line of one person, by the queries of all lines."""
    return next((line for line in fee_lines(event) if line.person.pk == person_id), None)


def players_seated(event: Event) -> Iterable[int]:
    """List the people who played, or won by a forfeit. One query."""
    played = those_who_played().filter(match__terms=event.terms_id)
    return played.values_list("person", flat=True).distinct()


def dues_by_person(lines: Iterable[FeeLine]) -> dict[int, Due]:
    return {line.person.pk: line.due for line in lines}


def families_to_pay(lines: Iterable[FeeLine]) -> dict[int, list[FeeLine]]:
    """Return the people who came and owe something, by family."""
    found: dict[int, list[FeeLine]] = defaultdict(list)
    for line in lines:
        if line.person.family_id is not None and line.attendee.came and line.due.owed:
            found[line.person.family_id].append(line)
    return dict(found)


def prizes_of(event: Event) -> QuerySet[Prize]:
    """Select the prizes as they were given. One query."""
    return event.prizes.select_related("winner_1", "winner_2")


def public_prizes_of(event: Event) -> QuerySet[Prize]:
    """Select the prizes that everybody may see. One query."""
    return prizes_of(event).filter(is_public=True)


PRIZE_FIELDS = (
    *("name", "among", "group", "lowest", "highest", "prize", "amounts", "is_public", "shows_amount"),
)


def prizes_to_json(event: Event) -> dict[str, Any]:
    """Serialize the prizes by category; their winners follow from the standings. Empty where there are none.
    One query.

    ``{"add_up": false, "categories": [{"name": "Juniors", "among": "label", "group": "junior", ...}]}``
    """
    categories = list(event.prize_categories.values(*PRIZE_FIELDS))
    return {"add_up": event.prizes_add_up, "categories": categories} if categories else {}


def prize_categories_of(event: Event) -> QuerySet[PrizeCategory]:
    """Select the event's prize categories, as they were added. One query."""
    return event.prize_categories.all()


def _attendee(person: Person, fee: Fee | None, in_it: Collection[int], came: Collection[int]) -> Attendee:
    return Attendee(
        is_guest=person.is_guest,
        in_it=person.pk in in_it,
        came=person.pk in came,
        other=None if fee is None else fee.other,
        paid=0 if fee is None else fee.paid,
    )
