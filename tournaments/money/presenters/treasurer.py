"""The treasurer's page: fees by pair and by club, the prize fund, and the cash that must be in the box."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.changes import Changes
from tournaments.cash_rules import CashRules
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import (
    build_full_entry_formatter,
    build_unique_person_names,
    get_entry_club,
    get_full_name,
)
from tournaments.models import Entry, Event, Prize
from tournaments.money.attendees import compute_fee_totals
from tournaments.money.queries.fees import FeeLine, list_fees, select_prizes
from web.money import Totals
from web.names import get_group_key, unify_spellings

from .awards import CategoryAwards, get_current_awards
from .prizes import is_final_outdated, list_outdated_prizes

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
    def income(self) -> int:
        """Fees paid, without those to be refunded."""
        return self.fees.paid - self.fees.overpaid

    @property
    def fund(self) -> int:
        return self.rules.compute_prize_fund(self.income)

    @property
    def remaining_fund(self) -> int:
        return max(0, self.fund - self.prizes)

    @property
    def fund_overrun(self) -> int:
        """Prizes beyond the prize fund, 0 where there is no fund."""
        return max(0, self.prizes - self.fund) if self.rules.prize_share else 0

    @property
    def expected_cash(self) -> int:
        """Cash in the box before prizes and refunds."""
        return self.rules.starting_cash + self.fees.paid

    @property
    def final_cash(self) -> int:
        """Cash after prizes and refunds; below 0 where cash is missing."""
        return self.expected_cash - self.fees.overpaid - self.prizes


@dataclass(frozen=True, slots=True, kw_only=True)
class TreasurerView:
    """Fees by entry and by club, which both add up to those of ``cash``. ``given`` are the prizes given by
    hand, ``category_awards`` those by category as of now; ``outdated_prizes`` and ``is_final_outdated`` tell which
    of them no longer follow from the results."""

    entry_fees: Sequence[FeeGroup]
    club_fees: Sequence[FeeGroup]
    cash: Cash
    given: Sequence[Prize]
    category_awards: Sequence[CategoryAwards]
    outdated_prizes: Sequence[tuple[Prize, Changes]]
    is_final_outdated: bool

    @property
    def has_prizes(self) -> bool:
        return bool(self.given or self.category_awards)


def build_treasurer_view(event: Event) -> TreasurerView:
    """Build the treasurer's page. Fourteen queries at most; two more where prizes were given for a rank, and two for
    each prize whose winners have another rank now."""
    lines = list_fees(event)
    entries = [entry for entry in get_entries(event) if not entry.is_waiting]
    given_prizes = [prize for prize in select_prizes(event) if prize.amount]
    category_awards = get_current_awards(event, entries, build_full_entry_formatter(entries))
    return TreasurerView(
        entry_fees=group_fees_by_entry(event, entries, lines),
        club_fees=group_fees_by_club(event, entries, lines),
        cash=Cash(
            rules=event.cash_rules,
            fees=compute_fee_totals((line.attendee for line in lines), event.rates),
            prizes=sum(prize.amount for prize in given_prizes) + sum_category_prizes(category_awards),
        ),
        given=given_prizes,
        category_awards=[awards for awards in category_awards if any(awards.category.amounts)],
        outdated_prizes=list_outdated_prizes(event, given_prizes),
        is_final_outdated=bool(category_awards) and is_final_outdated(event),
    )


def get_cash(event: Event) -> Cash:
    """Return the money of an event, without prizes. Five queries, as ``list_fees``."""
    fees = compute_fee_totals((line.attendee for line in list_fees(event)), event.rates)
    return Cash(rules=event.cash_rules, fees=fees, prizes=0)


def sum_category_prizes(category_awards: Sequence[CategoryAwards]) -> int:
    """Return the total of prizes by category: those won, or all before anybody has won any."""
    amounts_won = [winner.award.amount for awards in category_awards for winner in awards.winners]
    return sum(amounts_won) if amounts_won else sum(sum(awards.category.amounts) for awards in category_awards)


def group_fees_by_entry(event: Event, entries: Sequence[Entry], lines: Sequence[FeeLine]) -> tuple[FeeGroup, ...]:
    """Group fees by entry, in the order of entries. People who are in none any more, but played or paid,
    follow one by one."""
    format_entry = build_full_entry_formatter(entries)
    lines_by_entry = _group_lines(lines, lambda line: line.entry)
    others = lines_by_entry.pop(None, [])
    names = build_unique_person_names(get_full_name, [line.person for line in others])
    return (
        *(
            FeeGroup(
                name=format_entry(entry), entry=entry, totals=_sum_fees(event, lines_by_entry.get(entry.number, ()))
            )
            for entry in entries
        ),
        *(FeeGroup(name=names[line.person.pk], has_left=True, totals=_sum_fees(event, [line])) for line in others),
    )


def group_fees_by_club(event: Event, entries: Sequence[Entry], lines: Sequence[FeeLine]) -> tuple[FeeGroup, ...]:
    """Group fees by club, by name in any spelling; people who are in no entry any more come last."""
    clubs: dict[int | None, str] = {entry.number: get_entry_club(event, entry) or event.club.name for entry in entries}
    names = unify_spellings((event.club.name, *clubs.values()))
    lines_by_club = _group_lines(lines, lambda line: get_group_key(clubs.get(line.entry, "")))
    sorted_keys = sorted(lines_by_club, key=lambda key: (not key, key))
    return tuple(
        FeeGroup(name=names.get(key, ""), has_left=not key, totals=_sum_fees(event, lines_by_club[key]))
        for key in sorted_keys
    )


def _group_lines(lines: Iterable[FeeLine], key: Callable[[FeeLine], _Key]) -> dict[_Key, list[FeeLine]]:
    groups: defaultdict[_Key, list[FeeLine]] = defaultdict(list)
    for line in lines:
        groups[key(line)].append(line)
    return groups


def _sum_fees(event: Event, lines: Iterable[FeeLine]) -> Totals:
    return compute_fee_totals((line.attendee for line in lines), event.rates)
