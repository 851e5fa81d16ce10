"""Presenters of ratings and records: public names for everyone, full names at the desk."""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clubs.game_words import CONTRACTS
from clubs.models import Club, Person
from clubs.name_formats import join_names
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
from engine.records.plots import RatingPlot, build_rating_plot
from tournaments.entries.queries.entries import map_entry_numbers
from tournaments.events.presenters.names import (
    PersonFormatter,
    build_club_person_formatter,
    build_unique_person_names,
    get_full_name,
)
from tournaments.models import ClubRecord, Event, PersonRecord
from web.paging import ListPage, get_list_page

from .queries import select_ranked_people

PAGE = 100
"""Number of ranks on a page."""
MAX_NIGHTS = 40
"""Number of nights below a plot, the newest ones."""
CONTRACT_KINDS = tuple(CONTRACTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsPage(ListPage):
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
class OpponentLine:
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
    record: PersonRecord | None
    figures: PersonFigures
    charlemagnes: ContractCount
    contracts: tuple[ContractLine, ...]
    own: tuple[ContractLine, ...]
    partners: tuple[OpponentLine, ...]
    opponents: tuple[OpponentLine, ...]
    plot: RatingPlot | None
    nights: tuple[RecordNight, ...]
    night_count: int
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


def build_ratings_page(club: Club, number: int) -> RatingsPage:
    """Return a page of ratings. Two queries."""
    records = select_ranked_people(club)
    part = get_list_page(records.count(), number=number, size=PAGE)
    return RatingsPage(**part.get_values(), lines=tuple(iter_with_public_names(club, records[part.places])))


def iter_with_public_names(club: Club, records: Iterable[PersonRecord]) -> Iterator[tuple[PersonRecord, str]]:
    """Yield each rating with a public name that tells namesakes apart. One query."""
    records = list(records)
    names = build_unique_person_names(build_club_person_formatter(club), [record.person for record in records])
    return ((record, names[record.person_id]) for record in records)


def build_person_view(
    club: Club, record: PersonRecord, *, is_public: bool, max_nights: int | None = None
) -> PersonView:
    """Present a person's record, with all nights or the last ``max_nights``. The public view has public
    names, without people who are unrated or hidden. Three queries."""
    figures, steps = person_record_from_json(record.record), steps_from_json(record.history)
    name = (build_club_person_formatter(club) if is_public else get_full_name)(record.person)
    recent_steps = steps if max_nights is None else steps[-max_nights:]
    entries = map_entry_numbers(record.person_id, [step.event for step in recent_steps])
    view = _build_view(club, name, figures, recent_steps, entries, is_public=is_public)
    return replace(view, record=record, plot=build_rating_plot([step.rating for step in steps]), night_count=len(steps))


def build_pair_view(club: Club, pair: Sequence[Person], figures: PersonFigures, *, is_public: bool) -> PersonView:
    """Present the joint record of two people, given its ``figures``. Two queries."""
    names = build_unique_person_names(build_club_person_formatter(club) if is_public else get_full_name, pair)
    name = join_names([names[person.pk] for person in pair])
    return _build_view(club, name, replace(figures, partners=()), (), {}, is_public=is_public)


def _build_view(
    club: Club,
    name: str,
    figures: PersonFigures,
    steps: Sequence[RatingStep],
    entries: Mapping[int, int],
    *,
    is_public: bool,
) -> PersonView:
    people = _get_names_by_id(
        club,
        [company.person for company in (*figures.partners, *figures.opponents)],
        is_public=is_public,
    )
    events = Event.objects.in_bulk({step.event for step in steps} | {figures.streak.event})
    return PersonView(
        name=name,
        record=None,
        figures=figures,
        charlemagnes=_sum_counts(figures.contracts.get(kind, ContractCount()) for kind in CHARLEMAGNES),
        contracts=_build_contract_lines(figures.contracts),
        own=_build_contract_lines(figures.own),
        partners=_build_opponent_lines(figures.partners, people),
        opponents=_build_opponent_lines(figures.opponents, people),
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
        night_count=len(steps),
        streak_event=events.get(figures.streak.event or 0),
    )


def build_club_view(club: Club, record: ClubRecord, year: int | None) -> ClubView:
    """Present the records of all years, or of one, with public names. Two queries. Raises LookupError if
    there is no such year."""
    figures = club_record_from_json((record.everything or {}) if year is None else record.years[str(year)])
    feats = {name: getattr(figures, name) for name in ("highest", "charlemagnes", "streak", "most_nights")}
    holders = [holder for feat in feats.values() if feat is not None for holder in feat.holders]
    best = () if figures.best_pair is None else figures.best_pair.players
    people = _get_names_by_id(
        club, [person for holder in holders for person in holder.players] + list(best), is_public=True
    )
    events = Event.objects.only("name", "short", "held_on").in_bulk(
        {holder.event for holder in holders if holder.event is not None}
    )
    return ClubView(
        figures=figures,
        feats=tuple(_build_feat_view(kind, feat, people, events) for kind, feat in feats.items() if feat is not None),
        best_pair=_format_players(best, people),
        years=tuple(sorted(map(int, record.years), reverse=True)),
        computed_at=record.computed_at,
    )


def _get_names_by_id(club: Club, ids: Iterable[PersonId], *, is_public: bool) -> Mapping[int, str]:
    people = Person.objects.filter(club=club, pk__in=set(ids))
    if is_public:
        people = people.filter(is_rated=True, is_hidden=False)
    name: PersonFormatter = build_club_person_formatter(club) if is_public else get_full_name
    return build_unique_person_names(name, people)


def _format_players(players: Players, people: Mapping[int, str]) -> str:
    return join_names([people.get(person, "–") for person in players])


def _build_feat_view(kind: str, feat: Feat, people: Mapping[int, str], events: Mapping[Any, Event]) -> FeatView:
    return FeatView(
        kind=kind,
        number=feat.number,
        holders=tuple(
            HolderView(names=_format_players(holder.players, people), event=events.get(holder.event))
            for holder in feat.holders
        ),
        more=feat.shared - len(feat.holders),
    )


def _build_opponent_lines(opponents: Iterable[Company], people: Mapping[int, str]) -> tuple[OpponentLine, ...]:
    return tuple(
        OpponentLine(name=people[company.person], pk=company.person, balance=company.balance)
        for company in opponents
        if company.person in people
    )


def _sum_counts(counts: Iterable[ContractCount]) -> ContractCount:
    return ContractCount(*map(sum, zip(*counts, strict=True)))


def _build_contract_lines(counts: Mapping[str, ContractCount]) -> tuple[ContractLine, ...]:
    """Return the contracts in order: number bids from low to high, then the others."""
    max_bids = max((count.bid for count in counts.values()), default=1)
    return tuple(
        ContractLine(
            contract=contract,
            count=counts[contract],
            width=100 * counts[contract].bid // max_bids,
            made_width=100 * counts[contract].made // max_bids,
            over=counts[contract].over / counts[contract].counted if counts[contract].counted else None,
        )
        for contract in sorted(counts, key=_sort_key)
    )


def _sort_key(contract: str) -> tuple[bool, int]:
    return (True, CONTRACT_KINDS.index(contract)) if contract in CONTRACT_KINDS else (False, int(contract))
