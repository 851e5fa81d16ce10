"""The page of prizes: leaders of the standings, and prizes given."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from clubs.models import Person
from clubs.name_formats import join_names
from engine.changes import Changes
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter, build_public_person_formatter
from tournaments.lifecycle import EventState
from tournaments.models import Event, Prize
from tournaments.money.queries.fees import list_fees, select_prizes, select_public_prizes
from tournaments.standings.presenters import get_final_snapshot
from tournaments.standings.presenters.publication import find_changes_since_final
from tournaments.standings.queries.standings import get_standings_rows
from tournaments.standings.queries.validity import find_changes

from .awards import CategoryAwards, get_current_awards

TOP_RANKS = 3
"""How many ranks are proposed."""

MAX_PROPOSED = 6
"""How many of equal rank are proposed at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winners:
    """One winner, or two together; ``key`` names them in a form, ``rank`` is theirs in the standings."""

    people: Sequence[Person]
    rank: int = 0

    @property
    def key(self) -> str:
        return "-".join(str(person.pk) for person in self.people)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPrize:
    """A prize with the public names of its winners."""

    prize: Prize
    names: str


def list_public_prizes(event: Event) -> list[PublicPrize]:
    """List the prizes that everybody may see; none while the standings, which they would reveal, are hidden.
    One query, or none."""
    if not event.visible.has_whole_standings:
        return []
    format_person = build_public_person_formatter(event)
    return [
        PublicPrize(prize=prize, names=join_names([format_person(person) for person in prize.winners]))
        for prize in select_public_prizes(event)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesView:
    """The page of prizes. ``given`` are the prizes given; ``outdated_prizes`` those for a rank that their
    winners no longer have, with the reason. ``proposed`` are the first of the standings without a prize, and
    ``more`` is the number of others tied with the last one. ``entries`` and ``people`` are all possible winners,
    together and one by one. ``category_awards`` are the prizes by category; if ``is_final_outdated`` is true, they
    follow outdated final standings."""

    given: Sequence[Prize]
    outdated_prizes: Sequence[tuple[Prize, Changes]]
    proposed: Sequence[Winners]
    more: int
    entries: Sequence[Winners]
    people: Sequence[Winners]
    category_awards: Sequence[CategoryAwards]
    is_final_outdated: bool

    @property
    def has_awards(self) -> bool:
        return any(awards.winners for awards in self.category_awards)


def build_prizes_view(event: Event) -> PrizesView:
    """Build the page of prizes. Twelve queries at most; two more where prizes were given for a rank, and one
    where there are final standings; two more for each prize whose winners have another rank now."""
    given_prizes = list(select_prizes(event))
    earlier_winners = {frozenset(person.pk for person in prize.winners) for prize in given_prizes}
    entries = get_entries(event)
    entries_by_number = {entry.number: entry for entry in entries if not entry.is_waiting}
    rows = () if event.state == EventState.PREPARING else get_standings_rows(event)
    top_rows = (row for row in rows if row["rank"] <= TOP_RANKS)
    top_winners = [
        Winners(people=entries_by_number[row["entry"]].players, rank=row["rank"])
        for row in top_rows
        if row["entry"] in entries_by_number
    ]
    candidates = [
        winners_or_prize
        for winners_or_prize in top_winners
        if frozenset(each.pk for each in winners_or_prize.people) not in earlier_winners
    ]
    return PrizesView(
        given=given_prizes,
        outdated_prizes=list_outdated_prizes(event, given_prizes),
        proposed=candidates[:MAX_PROPOSED],
        more=len(candidates[MAX_PROPOSED:]),
        entries=[Winners(people=entry.players) for entry in entries_by_number.values() if event.entry_size > 1],
        people=[Winners(people=[line.person]) for line in list_fees(event)],
        category_awards=get_current_awards(event, entries, build_full_entry_formatter(entries)),
        is_final_outdated=is_final_outdated(event),
    )


def list_outdated_prizes(event: Event, given_prizes: Sequence[Prize]) -> list[tuple[Prize, Changes]]:
    """List the prizes for a rank that their winners no longer have, with the reason. Two queries where prizes were
    given for a rank; two more for each one listed."""
    if any(prize.rank is not None for prize in given_prizes):
        prefetch_related_objects([event], "entries")
    return [(prize, changes) for prize in given_prizes if (changes := find_changes(prize)) is not None]


def is_final_outdated(event: Event) -> bool:
    """Whether final standings, and with them the winners by category, would be different now. One query, or none."""
    return find_changes_since_final(event, get_final_snapshot(event)) is not None
