"""Queries about fees, payments and prizes."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Coalesce

from clubs.models import Person
from tournaments.fee_rates import Rates
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import Event, Fee, Prize, PrizeCategory
from tournaments.money.attendees import Attendee, compute_due
from tournaments.rounds.queries.presence import list_people_on_bye, list_substitutes, query_present_players
from web.money import Charge, RecordedAmounts


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeLine:
    """A person's fee and payment, and the number of their ``entry``, None once they are in none."""

    person: Person
    attendee: Attendee
    rates: Rates
    entry: int | None

    @property
    def due(self) -> Charge:
        return compute_due(self.attendee, self.rates)

    @property
    def usual(self) -> int:
        return self.rates.of(is_guest=self.person.is_guest)

    @property
    def is_excused(self) -> bool:
        return self.attendee.other == 0 and self.usual > 0

    @property
    def is_unlisted(self) -> bool:
        return not (self.attendee.is_taking_part or self.attendee.came)

    @property
    def amounts_after_refund(self) -> RecordedAmounts:
        """Amounts noted after a refund: of the overpayment, else of everything. Nothing more is due from
        people who came; the others owe nothing anyway."""
        if self.due.paid > self.due.amount:
            return RecordedAmounts(self.due.amount, self.attendee.other)
        return RecordedAmounts(0, 0 if self.attendee.came else self.attendee.other)

    @property
    def refund(self) -> int:
        return self.due.paid - self.amounts_after_refund.paid

    @property
    def waives_fee(self) -> bool:
        """Whether a refund also waives the fee, which is the director's decision."""
        return self.amounts_after_refund.other != self.attendee.other

    @property
    def is_unpaid(self) -> bool:
        """Whether they are there, and owe something."""
        return self.attendee.is_there and self.due.owed > 0


def list_fees(event: Event) -> list[FeeLine]:
    """List everybody who takes part or did, and everybody who has paid, by name. A person who withdrew and
    entered again belongs to the entry that plays; a house player who has paid nothing is left out. Five
    queries; two more where somebody had a bye in a round that is closed, and was replaced since; one more for teams,
    whose substitutes are not expected."""
    present_ids = set(list_player_ids(event)) | {person for _, person in list_people_on_bye([event])}
    entry_numbers: dict[int, int] = {}
    house_players: set[int] = set()
    expected_ids: set[int] = set()
    active_first = F("leaves_after").asc(nulls_first=True)
    published = event.rounds.exclude(state=RoundState.DRAFT).order_by("-number").values("number")[:1]
    substitutes = list_substitutes(event) if event.has_team_matches else ()
    entries = event.entries.filter(is_waiting=False).alias(last=Subquery(published))
    for entry in entries.annotate(current_round=Coalesce("last", 1)).order_by(active_first, "number"):
        for person in filter(None, (entry.player_1_id, entry.player_2_id)):
            if entry.is_house:
                house_players.add(person)
            entry_numbers.setdefault(person, entry.number)
            if entry.present_at is not None:
                present_ids.add(person)
            is_expected = entry.plays_in(entry.current_round) and (entry.current_round, entry.pk) not in substitutes
            if event.state != EventState.ENDED and is_expected:
                expected_ids.add(person)
    fees = {fee.person_id: fee for fee in event.fees.all() if fee.paid or fee.other is not None}
    person_ids = ((entry_numbers.keys() | present_ids) - house_players) | fees.keys()
    people_by_id = Person.objects.select_related("family").in_bulk(person_ids)
    rates = event.rates
    return [
        FeeLine(
            person=person,
            attendee=_build_attendee(person, fees.get(person.pk), entry_numbers.keys(), present_ids, expected_ids),
            rates=rates,
            entry=entry_numbers.get(person.pk),
        )
        for person in sorted(people_by_id.values(), key=lambda person: (person.folded_name, person.pk))
    ]


def find_fee(event: Event, person_id: int) -> FeeLine | None:
    """Return the line of one person, by the queries of all lines."""
    return next((line for line in list_fees(event) if line.person.pk == person_id), None)


def list_player_ids(event: Event) -> Iterable[int]:
    """List the people who played, or won by a forfeit. One query."""
    players = query_present_players().filter(match__terms=event.terms_id)
    return players.values_list("person", flat=True).distinct()


def get_dues_by_person(lines: Iterable[FeeLine]) -> dict[int, Charge]:
    return {line.person.pk: line.due for line in lines}


def group_unpaid_by_family(lines: Iterable[FeeLine]) -> dict[int, list[FeeLine]]:
    """Return the people who came and owe something, by family."""
    unpaid: dict[int, list[FeeLine]] = defaultdict(list)
    for line in lines:
        if line.person.family_id is not None and line.attendee.came and line.due.owed:
            unpaid[line.person.family_id].append(line)
    return dict(unpaid)


def select_prizes(event: Event) -> QuerySet[Prize]:
    """Select the prizes as they were given. One query."""
    return event.prizes.select_related("winner_1", "winner_2")


def select_public_prizes(event: Event) -> QuerySet[Prize]:
    """Select the prizes that everybody may see. One query."""
    return select_prizes(event).filter(is_public=True)


PRIZE_FIELDS = (*("name", "among", "group", "lowest", "highest", "prize", "amounts", "is_public", "shows_amount"),)


def prizes_to_json(event: Event) -> dict[str, Any]:
    """Serialize the prizes by category; their winners follow from the standings. Empty where there are none.
    One query.

    ``{"add_up": false, "categories": [{"name": "Juniors", "among": "label", "group": "junior", ...}]}``
    """
    categories = list(event.prize_categories.values(*PRIZE_FIELDS))
    return {"add_up": event.prizes_add_up, "categories": categories} if categories else {}


def select_prize_categories(event: Event) -> QuerySet[PrizeCategory]:
    """Select the event's prize categories, as they were added. One query."""
    return event.prize_categories.all()


def _build_attendee(
    person: Person,
    fee: Fee | None,
    entered_ids: Collection[int],
    present_ids: Collection[int],
    expected_ids: Collection[int],
) -> Attendee:
    return Attendee(
        is_guest=person.is_guest,
        is_taking_part=person.pk in entered_ids,
        came=person.pk in present_ids,
        is_expected=person.pk in expected_ids,
        other=None if fee is None else fee.other,
        paid=0 if fee is None else fee.paid,
    )
