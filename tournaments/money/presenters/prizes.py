"""The page of prizes: leaders of the standings, and prizes given."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from clubs.models import Person
from clubs.wording import join_names
from engine.changes import Changes
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full, public_naming
from tournaments.lifecycle import EventState
from tournaments.models import Event, Prize
from tournaments.money.queries.fees import fee_lines, prizes_of, public_prizes_of
from tournaments.standings.presenters import final_snapshot
from tournaments.standings.presenters.publication import changes_since_final
from tournaments.standings.queries.standings import standings_of
from tournaments.standings.queries.validity import changes_since

from .awards import CategoryAwards, awards_now

TOP = 3
"""How many ranks are proposed."""

MOST_PROPOSED = 6
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


def public_prizes(event: Event) -> list[PublicPrize]:
    """List the prizes that everybody may see; none while the standings, which they would reveal, are hidden.
    One query, or none."""
    if not event.visible.has_whole_standings:
        return []
    named = public_naming(event)
    return [
        PublicPrize(prize=prize, names=join_names([named(person) for person in prize.winners]))
        for prize in public_prizes_of(event)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesView:
    """The page of prizes. ``given`` are the prizes given; ``outdated_prizes`` those for a rank that their
    winners no longer have, with the reason. ``proposed`` are the first of the standings without a prize, and
    ``more`` how many others are level with the last one. ``entries`` and ``people`` are everybody who could
    win, together and one by one. ``by_category`` are prizes by category, perhaps by final standings that are
    outdated."""

    given: Sequence[Prize]
    outdated_prizes: Sequence[tuple[Prize, Changes]]
    proposed: Sequence[Winners]
    more: int
    entries: Sequence[Winners]
    people: Sequence[Winners]
    by_category: Sequence[CategoryAwards]
    is_final_outdated: bool

    @property
    def has_awards(self) -> bool:
        return any(found.winners for found in self.by_category)


def prizes_view(event: Event) -> PrizesView:
    """Build the page of prizes. Twelve queries at most; two more where prizes were given for a rank, and one
    where there are final standings; two more for each prize whose winners have another rank now."""
    given = list(prizes_of(event))
    have_one = {frozenset(person.pk for person in prize.winners) for prize in given}
    if any(prize.rank is not None for prize in given):
        prefetch_related_objects([event], "entries")
    entries = entries_of(event)
    by_number = {entry.number: entry for entry in entries if not entry.is_waiting}
    rows = () if event.state == EventState.PREPARING else standings_of(event)
    first = (row for row in rows if row["rank"] <= TOP)
    ahead = [
        Winners(people=by_number[row["entry"]].players, rank=row["rank"])
        for row in first
        if row["entry"] in by_number
    ]
    waiting = [one for one in ahead if frozenset(each.pk for each in one.people) not in have_one]
    return PrizesView(
        given=given,
        outdated_prizes=[(one, changes) for one in given if (changes := changes_since(one)) is not None],
        proposed=waiting[:MOST_PROPOSED],
        more=len(waiting[MOST_PROPOSED:]),
        entries=[Winners(people=entry.players) for entry in by_number.values() if event.entry_size > 1],
        people=[Winners(people=[line.person]) for line in fee_lines(event)],
        by_category=awards_now(event, entries, entries_named_in_full(entries)),
        is_final_outdated=changes_since_final(event, final_snapshot(event)) is not None,
    )
