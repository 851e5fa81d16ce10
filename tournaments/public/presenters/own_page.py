"""One's own page of an event: where one sits, what one played, and how one stands; all of it only as far as
everybody may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from clubs.day_words import day_and_year_in_words
from clubs.models import Person
from clubs.wording import join_names
from engine.draws import EntryId
from engine.draws.stages import rounds_of_plan
from engine.results import ByeReason, why_sat_out
from engine.visibility import Names, Results
from rules import Side
from scoring.queries import matches_with_hands
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in, named_in
from tournaments.lifecycle import OPEN
from tournaments.models import Entry, Event, Round, Table
from tournaments.public.queries.own_page import byes_of, people_at, substitutes_of, tables_of_person
from tournaments.rounds.presenters.rounds import RoundReader, TableSide, table_side
from tournaments.rounds.presenters.tables import GameHands, games_of
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.sharing.link_previews import Picture, PictureLine
from tournaments.standings.presenters import StandingsRow, StandingsSnapshot, kept_publicly, standings_view

from .find_my_table import MOST_FOUND, MOST_TYPED, is_called


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """A round of somebody: at a table, on a side, with whom and against whom; or without a table, which then
    ``waits`` where the bracket goes on without them."""

    number: int
    is_playing: bool
    results_seen: Results
    table: int | None = None
    waits: bool = False
    own: TableSide | None = None
    other: TableSide | None = None
    partners: str = ""
    is_over: bool = False
    ruling: str = ""
    games: tuple[GameHands, ...] = ()

    @property
    def is_kept_back(self) -> bool:
        return self.table is not None and self.results_seen is Results.NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTotals:
    """Over the matches that are over, and whose results are seen."""

    matches: int
    won: int
    points_for: int
    points_against: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlace:
    """How one of somebody's entries stands, in its section where there are some, among ``total``."""

    row: StandingsRow
    section: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """``next_round`` is the number of the round that is waited for, None where one is under way, or all are
    played; ``has_left`` where nothing is waited for any more."""

    name: str
    rounds: tuple[OwnRound, ...]
    totals: OwnTotals
    places: tuple[OwnPlace, ...]
    kept: StandingsSnapshot
    is_round_open: bool
    next_round: int | None
    has_left: bool

    @property
    def now(self) -> list[OwnRound]:
        """The rounds under way."""
        return [one for one in self.rounds if one.is_playing]

    @property
    def has_standings(self) -> bool:
        return bool(self.places) and not self.kept.is_kept_back


def own_page(event: Event, person: Person) -> OwnPage:
    """What the person may send to anybody: nothing of it is kept back from everybody. Eleven queries; two
    more where people are numbers."""
    entrants = entries_of(event)
    published = list(rounds_of(event))
    own = [entry for entry in entrants if person in entry.players]
    rounds = _rounds(event, person, entrants, own) if event.visible.draw else ()
    kept = kept_publicly(event)
    last = published[-1].number if published else 0
    is_round_open = any(one.state in OPEN for one in published)
    planned = rounds_of_plan(event.plan, sum(not entry.is_waiting for entry in entrants))
    waits = not is_round_open and (planned is None or last < planned)
    return OwnPage(
        name=named_in(event)(person),
        rounds=rounds,
        totals=_totals(rounds),
        places=_places(event, kept, entrants, own, published),
        kept=kept,
        is_round_open=is_round_open,
        next_round=last + 1 if waits else None,
        has_left=all(entry.has_left(last + (not is_round_open)) for entry in own),
    )


def _rounds(
    event: Event, person: Person, entrants: Sequence[Entry], own: Sequence[Entry]
) -> tuple[OwnRound, ...]:
    """The last one first."""
    seen = event.visible
    numbers = [entry.pk for entry in own]
    tables = tables_of_person(event, person, numbers)
    shown = [
        table.match_id
        for table in tables
        if table.match_id is not None and seen.results_in(table.round.number) is Results.HANDS
    ]
    games = {pk: games_of(match) for pk, match in matches_with_hands(shown).items()} if shown else {}
    reader = RoundReader(
        event=event,
        entries={entry.pk: entry for entry in entrants},
        named=named_in(event),
        entry_named=entries_named_in(event, entrants),
        tells=lambda _: False,
    )
    found = [_at_table(table, person, numbers, reader, games) for table in tables]
    found += [
        OwnRound(
            number=bye.round.number,
            is_playing=bye.round.state in OPEN,
            results_seen=seen.results_in(bye.round.number),
            waits=why_sat_out({reason["code"] for reason in bye.reasons}) is ByeReason.WAITS,
        )
        for bye in byes_of(event, numbers)
    ]
    return tuple(sorted(found, key=lambda one: -one.number))


def _at_table(
    table: Table,
    person: Person,
    own_entries: Sequence[int],
    reader: RoundReader,
    games: Mapping[int, tuple[GameHands, ...]],
) -> OwnRound:
    seen = reader.event.visible.results_in(table.round.number)
    a, b = (
        table_side(
            side,
            tuple(EntryId(one.entry_id) for one in table.seatings.all() if one.side == side),
            reader,
            table,
            seen,
        )
        for side in Side
    )
    own, other = (a, b) if person.pk in {one.pk for one in a.people} else (b, a)
    is_seen = seen is not Results.NOTHING
    ruling = table.ruling if is_seen else None
    return OwnRound(
        number=table.round.number,
        is_playing=table.round.state in OPEN,
        results_seen=seen,
        table=table.number,
        own=own,
        other=other,
        partners=join_names([one.name for one in own.people if one.pk != person.pk]),
        is_over=is_seen and (ruling is not None or (table.match is not None and table.match.is_over)),
        ruling=ruling["kind"] if ruling else "",
        games=() if table.match_id is None else games.get(table.match_id, ()),
    )


def _totals(rounds: Sequence[OwnRound]) -> OwnTotals:
    over = [(one.own, one.other) for one in rounds if one.is_over and one.own and one.other]
    return OwnTotals(
        matches=len(over),
        won=sum(own.has_won for own, _ in over),
        points_for=sum(own.points or 0 for own, _ in over),
        points_against=sum(other.points or 0 for _, other in over),
    )


def _places(
    event: Event,
    kept: StandingsSnapshot,
    entrants: Sequence[Entry],
    own: Sequence[Entry],
    published: Sequence[Round],
) -> tuple[OwnPlace, ...]:
    """Of each entry of somebody; none while nobody has a result."""
    found = []
    for entry in own:
        view = standings_view(event, kept, entrants, published, section=entry.section)
        if view.has_results:
            found += [
                OwnPlace(row=row, section=view.section, total=view.total)
                for row in view.rows
                if row.entry == entry.number
            ]
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoice:
    """Somebody who may say that this page is theirs; ``known_as`` tells namesakes apart, and
    ``is_substitute`` somebody who is in no entry."""

    person: Person
    name: str
    known_as: str = ""
    is_substitute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoices:
    """Who may be meant: those ``at_table``, from where somebody comes, and who is called as was ``asked``,
    where one may ask."""

    at_table: tuple[OwnChoice, ...]
    may_ask: bool
    asked: str
    called: tuple[OwnChoice, ...]
    more: int


def own_choices(event: Event, *, match_id: int | None, asked: str) -> OwnChoices:
    """By name, nobody is found by more of a name than everybody reads, and nobody who is hidden. At a table
    names are in full, as on its screen. Four queries at most."""
    seated = [] if match_id is None else people_at(event, match_id)
    seen = event.visible
    may_ask = seen.draw and seen.names is not Names.NUMBERS and rounds_of(event).exists()
    asked = " ".join(asked.split())[:MOST_TYPED]
    called = _called(event, asked) if may_ask and asked else []
    return OwnChoices(
        at_table=tuple(
            OwnChoice(person=person, name=person.name) for person in seated if person.anonymized_at is None
        ),
        may_ask=may_ask,
        asked=asked,
        called=tuple(called[:MOST_FOUND]),
        more=max(0, len(called) - MOST_FOUND),
    )


def _called(event: Event, asked: str) -> list[OwnChoice]:
    named = named_in(event)
    entrants = entries_of(event)
    entry_named = entries_named_in(event, entrants)
    entries_with: dict[Person, list[str]] = {}
    for entry in entrants:
        for person in entry.players:
            entries_with.setdefault(person, []).append(entry_named(entry))

    def is_meant(person: Person) -> bool:
        is_found = not person.is_hidden and person.anonymized_at is None
        return is_found and is_called(named(person), asked)

    found = [
        OwnChoice(person=person, name=named(person), known_as=" · ".join(entries))
        for person, entries in entries_with.items()
        if is_meant(person)
    ]
    found += [
        OwnChoice(person=person, name=named(person), is_substitute=True)
        for person in substitutes_of(event)
        if is_meant(person)
    ]
    return found


def own_picture(event: Event, page: OwnPage) -> Picture:
    """What somebody sends of it. No query."""
    day = day_and_year_in_words(event.held_on)
    return Picture(
        club=f"{event.club.name} · {event.name}",
        title=page.name,
        below=f"{day} · {event.place}" if event.place else day,
        kicker=_kicker(page),
        lines=tuple(_picture_lines(page)),
    )


def _kicker(page: OwnPage) -> str:
    if not page.places:
        return gettext("My matches") if page.totals.matches else gettext("Takes part")
    place = page.places[-1]
    return gettext("Rank %(rank)s of %(total)s") % {"rank": place.row.rank, "total": place.total}


def _picture_lines(page: OwnPage) -> list[PictureLine]:
    totals = page.totals
    if not totals.matches:
        return []
    lines = [
        PictureLine(
            mark=gettext("Matches"),
            text=ngettext("%(won)s won of %(number)s", "%(won)s won of %(number)s", totals.matches)
            % {"won": totals.won, "number": totals.matches},
        ),
        PictureLine(
            mark=gettext("Points"),
            text=gettext("%(own)s for, %(theirs)s against")
            % {"own": totals.points_for, "theirs": totals.points_against},
        ),
    ]
    partners = list(dict.fromkeys(one.partners for one in page.rounds if one.partners))
    if partners:
        label = ngettext("Partner", "Partners", len(partners))
        lines.append(PictureLine(mark=label, text=join_names(partners)))
    return lines
