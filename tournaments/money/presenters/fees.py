"""The page of fees: one line per person, families together."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clubs.models import Family
from tournaments.models import Event
from tournaments.money.attendees import compute_fee_totals
from tournaments.money.queries.fees import FeeLine, list_fees
from web.money import Totals
from web.names import clean_text, fold_name

UNPAID = "owing"
"""Filter of the page: only people who still owe something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyFees:
    """People of a family; ``unpaid_count`` of them came and owe something, ``owed`` in total."""

    family: Family
    lines: Sequence[FeeLine]

    @property
    def unpaid_count(self) -> int:
        return len(self._unpaid_lines)

    @property
    def owed(self) -> int:
        return sum(line.due.owed for line in self._unpaid_lines)

    @property
    def has_family_button(self) -> bool:
        """Whether one button for all of them is worth having beside one for each."""
        return len(self.lines) > 1

    @property
    def _unpaid_lines(self) -> list[FeeLine]:
        return [line for line in self.lines if line.attendee.came and line.due.owed]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeesView:
    """The page of fees as searched: families of several people first, then everybody else. ``totals`` covers
    everybody, found or not; ``unpaid_count`` is the number of people who came and owe something."""

    families: Sequence[FamilyFees]
    others: Sequence[FeeLine]
    totals: Totals
    unpaid_count: int

    @property
    def is_empty(self) -> bool:
        return not (self.families or self.others)


def build_fees_view(event: Event, search: str = "", *, only_unpaid: bool = False) -> FeesView:
    """Build the page of fees for people whose names contain the search, or who still have to pay."""
    lines = list_fees(event)
    listed = [line for line in lines if line.is_unpaid or not only_unpaid]
    all_families = _group_families(listed)
    family_member_ids = {line.person.pk for family in all_families for line in family.lines}
    query = fold_name(clean_text(search))
    families = [family for family in all_families if any(_matches_search(line, query) for line in family.lines)]
    others = [line for line in listed if line.person.pk not in family_member_ids and _matches_search(line, query)]
    return _build_view(event, lines, families, others)


def build_fees_part(event: Event, people: Collection[int]) -> FeesView:
    """Build the part of the page that a payment changed: lines of these people, their families, and the
    totals."""
    lines = list_fees(event)
    families = [family for family in _group_families(lines) if any(line.person.pk in people for line in family.lines)]
    others = [line for line in lines if line.person.pk in people]
    return _build_view(event, lines, families, others)


def _build_view(
    event: Event, lines: Sequence[FeeLine], families: Sequence[FamilyFees], others: Sequence[FeeLine]
) -> FeesView:
    return FeesView(
        families=families,
        others=others,
        totals=compute_fee_totals((line.attendee for line in lines), event.rates),
        unpaid_count=sum(line.is_unpaid for line in lines),
    )


def _group_families(lines: Sequence[FeeLine]) -> list[FamilyFees]:
    """List families with several people here, ordered by the name of the first."""
    lines_by_family: dict[int, list[FeeLine]] = defaultdict(list)
    for line in lines:
        if line.person.family_id is not None:
            lines_by_family[line.person.family_id].append(line)
    families = (
        FamilyFees(family=_get_family(family_lines[0]), lines=family_lines) for family_lines in lines_by_family.values()
    )
    return [family for family in families if family.has_family_button]


def _get_family(line: FeeLine) -> Family:
    assert line.person.family is not None
    return line.person.family


def _matches_search(line: FeeLine, query: str) -> bool:
    family = "" if line.person.family is None else fold_name(line.person.family.name)
    return query in line.person.folded_name or query in family
