"""The page of fees: one line per person, families together."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clubs.models import Family
from tournaments.fee_rates import fee_totals
from tournaments.models import Event
from tournaments.money.queries.fees import FeeLine, fee_lines
from web.money import Totals
from web.names import clean_text, fold_name

OWING = "owing"
"""Filter of the page: only people who still owe something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyLines:
    """People of a family; ``to_pay`` of them came and owe something, ``owed`` in all."""

    family: Family
    lines: Sequence[FeeLine]

    @property
    def to_pay(self) -> int:
        return len(self._owing)

    @property
    def owed(self) -> int:
        return sum(line.due.owed for line in self._owing)

    @property
    def is_together(self) -> bool:
        """Whether one button for all of them is worth having beside one for each."""
        return len(self.lines) > 1

    @property
    def _owing(self) -> list[FeeLine]:
        return [line for line in self.lines if line.attendee.came and line.due.owed]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeesView:
    """The page of fees as searched: families of several first, then everybody else. ``totals`` covers
    everybody, found or not; ``owing`` people are there and owe something."""

    families: Sequence[FamilyLines]
    others: Sequence[FeeLine]
    totals: Totals
    owing: int

    @property
    def is_empty(self) -> bool:
        return not (self.families or self.others)


def fees_view(event: Event, search: str = "", *, only_owing: bool = False) -> FeesView:
    """Build the page of fees for people whose names contain the search, or who still have to pay."""
    lines = fee_lines(event)
    shown = [line for line in lines if line.is_to_pay or not only_owing]
    together = _families(shown)
    in_a_family = {line.person.pk for family in together for line in family.lines}
    wanted = fold_name(clean_text(search))
    found = [family for family in together if any(_is_sought(line, wanted) for line in family.lines)]
    others = [line for line in shown if line.person.pk not in in_a_family and _is_sought(line, wanted)]
    return _view(event, lines, found, others)


def fees_part(event: Event, people: Collection[int]) -> FeesView:
    """Build the part of the page that a payment changed: lines of these people, their families, and the
    totals."""
    lines = fee_lines(event)
    found = [family for family in _families(lines) if any(line.person.pk in people for line in family.lines)]
    others = [line for line in lines if line.person.pk in people]
    return _view(event, lines, found, others)


def _view(
    event: Event, lines: Sequence[FeeLine], families: Sequence[FamilyLines], others: Sequence[FeeLine]
) -> FeesView:
    return FeesView(
        families=families,
        others=others,
        totals=fee_totals((line.attendee for line in lines), event.rates),
        owing=sum(line.is_to_pay for line in lines),
    )


def _families(lines: Sequence[FeeLine]) -> list[FamilyLines]:
    """List families with several people here, ordered by the name of the first."""
    by_family: dict[int, list[FeeLine]] = defaultdict(list)
    for line in lines:
        if line.person.family_id is not None:
            by_family[line.person.family_id].append(line)
    found = (FamilyLines(family=_family(of_one[0]), lines=of_one) for of_one in by_family.values())
    return [family for family in found if family.is_together]


def _family(line: FeeLine) -> Family:
    assert line.person.family is not None
    return line.person.family


def _is_sought(line: FeeLine, wanted: str) -> bool:
    family = "" if line.person.family is None else fold_name(line.person.family.name)
    return wanted in line.person.folded_name or wanted in family
