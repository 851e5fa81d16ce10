"""The treasurer's page: fees by pair and by club, the prize fund, and the cash that must be in the box."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tournaments.cash_rules import CashRules
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import (
    club_played_for,
    entries_named_in_full,
    full_name,
    people_told_apart,
)
from tournaments.fee_rates import fee_totals
from tournaments.models import Entry, Event, Prize
from tournaments.money.queries.fees import FeeLine, fee_lines, prizes_of
from web.money import Totals
from web.names import group_key, one_spelling

from .awards import CategoryAwards, awards_now

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeGroup:
    """Fees of an entry or a club together, or of people who are in no entry any more. The latter come one by
    one with their names, or all together without a name."""

    name: str
    totals: Totals
    entry: Entry | None = None
    has_left: bool = False

    @property
    def left_after(self) -> int | None:
        return None if self.entry is None else self.entry.leaves_after

    @property
    def is_disqualified(self) -> bool:
        return self.entry is not None and bool(self.entry.disqualification)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cash:
    """The money of an event in cents: its ``fees``, and the total of its ``prizes``."""

    rules: CashRules
    fees: Totals
    prizes: int

    @property
    def came_in(self) -> int:
        """Fees paid, without those to be refunded."""
        return self.fees.paid - self.fees.too_much

    @property
    def fund(self) -> int:
        return self.rules.prize_fund(self.came_in)

    @property
    def left_of_fund(self) -> int:
        return max(0, self.fund - self.prizes)

    @property
    def beyond_fund(self) -> int:
        """Prizes beyond the prize fund, 0 where there is no fund."""
        return max(0, self.prizes - self.fund) if self.rules.prize_share else 0

    @property
    def in_the_box(self) -> int:
        """Cash in the box before prizes and refunds."""
        return self.rules.starting_cash + self.fees.paid

    @property
    def after_all(self) -> int:
        """Cash after prizes and refunds; below 0 where cash is missing."""
        return self.in_the_box - self.fees.too_much - self.prizes


@dataclass(frozen=True, slots=True, kw_only=True)
class TreasurerView:
    """Fees by entry and by club, which both add up to those of ``cash``. ``given`` are the prizes given by
    hand, ``by_category`` those by category as of now."""

    by_entry: Sequence[FeeGroup]
    by_club: Sequence[FeeGroup]
    cash: Cash
    given: Sequence[Prize]
    by_category: Sequence[CategoryAwards]

    @property
    def has_prizes(self) -> bool:
        return bool(self.given or self.by_category)


def treasurer_view(event: Event) -> TreasurerView:
    """Build the treasurer's page. Twelve queries at most."""
    lines = fee_lines(event)
    entries = [entry for entry in entries_of(event) if not entry.is_waiting]
    given = [prize for prize in prizes_of(event) if prize.amount]
    by_category = awards_now(event, entries, entries_named_in_full(entries))
    return TreasurerView(
        by_entry=fees_by_entry(event, entries, lines),
        by_club=fees_by_club(event, entries, lines),
        cash=Cash(
            rules=event.cash_rules,
            fees=fee_totals((line.attendee for line in lines), event.rates),
            prizes=sum(prize.amount for prize in given) + prizes_by_category(by_category),
        ),
        given=given,
        by_category=[found for found in by_category if any(found.category.amounts)],
    )


def cash_of(event: Event) -> Cash:
    """Return the money of an event, without prizes. Five queries, as ``fee_lines``."""
    fees = fee_totals((line.attendee for line in fee_lines(event)), event.rates)
    return Cash(rules=event.cash_rules, fees=fees, prizes=0)


def prizes_by_category(found: Sequence[CategoryAwards]) -> int:
    """Return the total of prizes by category: those won, or all before anybody has won any."""
    won = [winner.award.amount for each in found for winner in each.winners]
    return sum(won) if won else sum(sum(each.category.amounts) for each in found)


def fees_by_entry(event: Event, entries: Sequence[Entry], lines: Sequence[FeeLine]) -> tuple[FeeGroup, ...]:
    """Group fees by entry, in the order of entries. People who are in none any more, but played or paid,
    follow one by one."""
    named = entries_named_in_full(entries)
    by_entry = _lines_by(lines, lambda line: line.entry)
    others = by_entry.pop(None, [])
    names = people_told_apart(full_name, [line.person for line in others])
    return (
        *(
            FeeGroup(name=named(one), entry=one, totals=_totals(event, by_entry.get(one.number, ())))
            for one in entries
        ),
        *(
            FeeGroup(name=names[line.person.pk], has_left=True, totals=_totals(event, [line]))
            for line in others
        ),
    )


def fees_by_club(event: Event, entries: Sequence[Entry], lines: Sequence[FeeLine]) -> tuple[FeeGroup, ...]:
    """Group fees by club, by name in any spelling; people who are in no entry any more come last."""
    clubs: dict[int | None, str] = {
        entry.number: club_played_for(event, entry) or event.club.name for entry in entries
    }
    names = one_spelling((event.club.name, *clubs.values()))
    by_club = _lines_by(lines, lambda line: group_key(clubs.get(line.entry, "")))
    in_order = sorted(by_club, key=lambda key: (not key, key))
    return tuple(
        FeeGroup(name=names.get(key, ""), has_left=not key, totals=_totals(event, by_club[key]))
        for key in in_order
    )


def _lines_by(lines: Iterable[FeeLine], key: Callable[[FeeLine], _Key]) -> dict[_Key, list[FeeLine]]:
    found: defaultdict[_Key, list[FeeLine]] = defaultdict(list)
    for line in lines:
        found[key(line)].append(line)
    return found


def _totals(event: Event, lines: Iterable[FeeLine]) -> Totals:
    return fee_totals((line.attendee for line in lines), event.rates)
