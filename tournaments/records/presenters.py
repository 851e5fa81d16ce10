"""Presenters of ratings and records: public names for everyone, full names at the desk."""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clubs.game_words import CONTRACTS
from clubs.models import Club, Person
from clubs.wording import join_names
from engine.ratings import RatingStep, steps_from_json
from engine.records import (
    CHARLEMAGNES,
    Balance,
    Company,
    ContractCount,
    Feat,
    PersonId,
    Players,
    club_record_from_json,
    person_record_from_json,
)
from engine.records import ClubRecord as ClubFigures
from engine.records import PersonRecord as PersonFigures
from engine.records.plots import RatingPlot, rating_plot
from tournaments.entries.queries.entries import entries_of_person
from tournaments.events.presenters.names import Named, full_name, named_publicly, people_told_apart
from tournaments.models import ClubRecord, Event, PersonRecord
from web.paging import PageOfList, part_of

from .queries import ranked_people

PAGE = 100
"""Number of ranks on a page."""
MOST_NIGHTS = 40
"""Number of nights below a plot, the newest ones."""
KINDS = tuple(CONTRACTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsPage(PageOfList):
    """A page of a club's ranks, each with a public name that tells namesakes apart."""

    lines: tuple[tuple[PersonRecord, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractLine:
    """A contract with the number of times it was bid and made. ``width`` is the bar of the bids and
    ``made_width`` that of those made, in hundredths of the longest. ``over`` is tricks per hand above
    the bid, if counted."""

    contract: str
    count: ContractCount
    width: int
    made_width: int
    over: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyLine:
    """Balance with a partner or against an opponent; ``pk`` is set if that person's record may be opened."""

    name: str
    pk: int
    balance: Balance


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordNight:
    """A night, with the person's ``entry`` in it if everyone may read the reasons for its rank."""

    event: Event
    step: RatingStep
    entry: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """Record of one person, or of two together, who have no rating in ``kept``."""

    name: str
    kept: PersonRecord | None
    figures: PersonFigures
    charlemagnes: ContractCount
    contracts: tuple[ContractLine, ...]
    own: tuple[ContractLine, ...]
    partners: tuple[CompanyLine, ...]
    opponents: tuple[CompanyLine, ...]
    plot: RatingPlot | None
    nights: tuple[RecordNight, ...]
    nights_in_all: int
    streak_event: Event | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderView:
    names: str
    event: Event | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatView:
    """A club record: its number, its holders, and how many more there are."""

    kind: str
    number: int
    holders: tuple[HolderView, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubView:
    figures: ClubFigures
    feats: tuple[FeatView, ...]
    best_pair: str
    years: tuple[int, ...]
    computed_at: datetime.datetime | None


def ratings_page(club: Club, number: int) -> RatingsPage:
    """Return a page of ratings. Two queries."""
    ranked = ranked_people(club)
    part = part_of(ranked.count(), number=number, size=PAGE)
    return RatingsPage(**part.as_values(), lines=tuple(with_public_names(club, ranked[part.places])))


def with_public_names(club: Club, ranked: Iterable[PersonRecord]) -> Iterator[tuple[PersonRecord, str]]:
    """Yield each rating with a public name that tells namesakes apart. One query."""
    ranked = list(ranked)
    names = people_told_apart(named_publicly(club), [kept.person for kept in ranked])
    return ((kept, names[kept.person_id]) for kept in ranked)


def person_view(
    club: Club, kept: PersonRecord, *, is_public: bool, most_nights: int | None = None
) -> PersonView:
    """Present a person's record, with all nights or the last ``most_nights``. The public view has public
    names, without people who are unrated or hidden. Three queries."""
    figures, steps = person_record_from_json(kept.record), steps_from_json(kept.history)
    name = (named_publicly(club) if is_public else full_name)(kept.person)
    shown = steps if most_nights is None else steps[-most_nights:]
    entries = entries_of_person(kept.person_id, [step.event for step in shown])
    view = _view(club, name, figures, shown, entries, is_public=is_public)
    return replace(
        view, kept=kept, plot=rating_plot([step.rating for step in steps]), nights_in_all=len(steps)
    )


def pair_view(club: Club, pair: Sequence[Person], figures: PersonFigures, *, is_public: bool) -> PersonView:
    """Present the joint record of two people, given its ``figures``. Two queries."""
    names = people_told_apart(named_publicly(club) if is_public else full_name, pair)
    name = join_names([names[person.pk] for person in pair])
    return _view(club, name, replace(figures, partners=()), (), {}, is_public=is_public)


def _view(
    club: Club,
    name: str,
    figures: PersonFigures,
    steps: Sequence[RatingStep],
    entries: Mapping[int, int],
    *,
    is_public: bool,
) -> PersonView:
    people = _people(
        club,
        [company.person for company in (*figures.partners, *figures.opponents)],
        is_public=is_public,
    )
    events = Event.objects.in_bulk({step.event for step in steps} | {figures.streak.event})
    return PersonView(
        name=name,
        kept=None,
        figures=figures,
        charlemagnes=_total(figures.contracts.get(kind, ContractCount()) for kind in CHARLEMAGNES),
        contracts=_contract_lines(figures.contracts),
        own=_contract_lines(figures.own),
        partners=_company(figures.partners, people),
        opponents=_company(figures.opponents, people),
        plot=None,
        nights=tuple(
            RecordNight(
                event=events[step.event],
                step=step,
                entry=entries.get(step.event) if events[step.event].visible.has_reasons else None,
            )
            for step in reversed(steps)
            if step.event in events
        ),
        nights_in_all=len(steps),
        streak_event=events.get(figures.streak.event or 0),
    )


def club_view(club: Club, kept: ClubRecord, year: int | None) -> ClubView:
    """Present the records of all years, or of one, with public names. Two queries. Raises LookupError if
    there is no such year."""
    figures = club_record_from_json((kept.everything or {}) if year is None else kept.years[str(year)])
    feats = {name: getattr(figures, name) for name in ("highest", "charlemagnes", "streak", "most_nights")}
    holders = [holder for feat in feats.values() if feat is not None for holder in feat.holders]
    best = () if figures.best_pair is None else figures.best_pair.players
    people = _people(
        club, [person for holder in holders for person in holder.players] + list(best), is_public=True
    )
    events = Event.objects.only("name", "short", "held_on").in_bulk(
        {holder.event for holder in holders if holder.event is not None}
    )
    return ClubView(
        figures=figures,
        feats=tuple(
            _feat_view(kind, feat, people, events) for kind, feat in feats.items() if feat is not None
        ),
        best_pair=_names(best, people),
        years=tuple(sorted(map(int, kept.years), reverse=True)),
        computed_at=kept.computed_at,
    )


def _people(club: Club, ids: Iterable[PersonId], *, is_public: bool) -> Mapping[int, str]:
    found = Person.objects.filter(club=club, pk__in=set(ids))
    if is_public:
        found = found.filter(is_rated=True, is_hidden=False)
    name: Named = named_publicly(club) if is_public else full_name
    return people_told_apart(name, found)


def _names(players: Players, people: Mapping[int, str]) -> str:
    return join_names([people.get(person, "–") for person in players])


def _feat_view(kind: str, feat: Feat, people: Mapping[int, str], events: Mapping[Any, Event]) -> FeatView:
    return FeatView(
        kind=kind,
        number=feat.number,
        holders=tuple(
            HolderView(names=_names(holder.players, people), event=events.get(holder.event))
            for holder in feat.holders
        ),
        more=feat.shared - len(feat.holders),
    )


def _company(met: Iterable[Company], people: Mapping[int, str]) -> tuple[CompanyLine, ...]:
    return tuple(
        CompanyLine(name=people[one.person], pk=one.person, balance=one.balance)
        for one in met
        if one.person in people
    )


def _total(counts: Iterable[ContractCount]) -> ContractCount:
    return ContractCount(*map(sum, zip(*counts, strict=True)))


def _contract_lines(counts: Mapping[str, ContractCount]) -> tuple[ContractLine, ...]:
    """Return the contracts in order: number bids from low to high, then the others."""
    most = max((count.bid for count in counts.values()), default=1)
    return tuple(
        ContractLine(
            contract=contract,
            count=counts[contract],
            width=100 * counts[contract].bid // most,
            made_width=100 * counts[contract].made // most,
            over=counts[contract].over / counts[contract].counted if counts[contract].counted else None,
        )
        for contract in sorted(counts, key=_place)
    )


def _place(contract: str) -> tuple[bool, int]:
    return (True, KINDS.index(contract)) if contract in KINDS else (False, int(contract))
