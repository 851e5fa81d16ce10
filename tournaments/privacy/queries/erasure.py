"""Queries for people whose data the club could erase, and the effects of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from clubs.models import Account, Club, Person
from scoring.models import Player
from tournaments.entries.queries.people import list_entries_of_person
from tournaments.models import Entry, Visitor
from tournaments.privacy.erasure.histories import get_all_names
from tournaments.privacy.erasure.texts import find_titles
from web.names import fold_name


@dataclass(frozen=True, slots=True, kw_only=True)
class IdlePerson:
    """A person who has not played for a long time, with the last day, if any, and its season."""

    person: Person
    played_on: date | None
    season: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePreview:
    """Effects of erasing a person. ``entries`` is how many stay, ``other_names`` are removed, ``titles`` of
    the club keep the name, ``elsewhere`` are other clubs that have it; ``signs_in`` if an account has the
    name."""

    person: Person
    entries: int
    other_names: tuple[str, ...]
    titles: tuple[str, ...]
    elsewhere: tuple[str, ...]
    signs_in: bool


def list_idle_people(club: Club, today: date) -> list[IdlePerson]:
    """List people who have not played for the club's number of years, guests first, then by time of absence.
    Empty if the club has not set a number. Two queries."""
    if club.forget_after is None:
        return []
    cutoff = _subtract_years(today, club.forget_after)
    zone = ZoneInfo(club.time_zone)
    idle = []
    seasons = list(club.seasons.values_list("starts", "ends", "name"))
    for person in _annotate_last_days(club).exclude(kept_until__gt=today):
        last_day: date | None = vars(person)["played_on"]
        if (last_day or person.added_at.astimezone(zone).date()) < cutoff:
            season = next((name for starts, ends, name in seasons if last_day and starts <= last_day <= ends), "")
            idle.append(IdlePerson(person=person, played_on=last_day, season=season))
    return sorted(idle, key=lambda one: (not one.person.is_guest, one.played_on or date.min, one.person.pk))


def _annotate_last_days(club: Club) -> QuerySet[Person, Person]:
    """Return people who are not erased, with the last day on which they were entered or sat at a table."""

    def get_last_day(place: str) -> Subquery:
        entries = Entry.objects.filter(**{place: OuterRef("pk")}).order_by("-event__held_on")
        return Subquery(entries.values("event__held_on")[:1])

    seats_taken = Player.objects.filter(person=OuterRef("pk")).values("person")
    seats = Subquery(seats_taken.annotate(last=Max("match__table__round__event__held_on")).values("last"))
    people = club.people.filter(anonymized_at=None).alias(
        first=get_last_day("player_1"), second=get_last_day("player_2"), seat=seats
    )
    return people.annotate(
        played_on=_get_latest(_get_latest(F("first"), F("second")), F("seat")),
    )


def _get_latest(first_day: F | Coalesce, second_day: F) -> Coalesce:
    """Return the later of two days, of which one may be missing."""
    return Coalesce(Greatest(first_day, second_day), first_day, second_day)


def build_erasure_previews(club: Club, person_ids: Collection[int]) -> list[ErasurePreview]:
    """Return the effects of erasing each of these people, unless already erased, by name. A few queries for
    each."""
    people = club.people.select_related("family").filter(pk__in=person_ids, anonymized_at=None)
    return [_build_preview(club, person) for person in people.order_by("folded_name", "pk")]


def _build_preview(club: Club, person: Person) -> ErasurePreview:
    names = get_all_names(club, [person])
    return ErasurePreview(
        person=person,
        entries=list_entries_of_person(person).count(),
        other_names=tuple(sorted(names.keys() - {person.name})),
        titles=tuple(find_titles(club, person.name)),
        elsewhere=tuple(
            Visitor.objects.filter(person=person)
            .order_by("known_as__club__name")
            .values_list("known_as__club__name", flat=True)
        ),
        signs_in=Account.objects.filter(folded_name=fold_name(person.name), memberships__club=club).exists(),
    )


def _subtract_years(today: date, years: int) -> date:
    """Return the same day some years before, or March 1 for a missing February 29."""
    try:
        return today.replace(year=today.year - years)
    except ValueError:
        return today.replace(year=today.year - years, month=3, day=1)
