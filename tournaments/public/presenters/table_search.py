"""Search for a player's table by name, as far as everybody may see it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clubs.name_formats import join_names
from engine.visibility import Names
from tournaments.events.presenters.names import build_public_entry_formatter, build_public_person_formatter
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.byes import ByeKind
from tournaments.rounds.presenters.rounds import RoundView, TableSide, TableView, build_round_view
from tournaments.rounds.queries.rounds import map_table_places
from web.names import get_group_key

MAX_FOUND = 8
"""How many namesakes are shown; with more, the page asks for a longer name."""
MAX_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """The seat of an entry in a round: its table and side, ``partners`` beside its own people, and
    ``opponents``. Without a table, ``bye`` says why."""

    round: int
    is_over: bool
    table: int | None = None
    colour: str = ""
    partners: str = ""
    opponents: str = ""
    bye: ByeKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingEntry:
    """An entry found by name, and its seats in the rounds under way, or else in the last round."""

    names: str
    places: tuple[TablePlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSearch:
    """The name ``asked`` for, the entries found, and how many more there are."""

    query: str
    found: tuple[MatchingEntry, ...] = ()
    more: int = 0


def search_tables(event: Event, query: str, entrants: Sequence[Entry], rounds: Sequence[Round]) -> TableSearch | None:
    """Find the entries of this name and their seats in the published ``rounds``. None where nothing can be
    asked: the draw is hidden, names are numbers, or the event is over. Hidden people are never found, and
    others only by the name that everybody sees. No query without a name or a result; else one, and five a
    round."""
    visible = event.visible
    is_over = event.state == EventState.ENDED
    if not visible.draw or visible.names is Names.NUMBERS or is_over or not rounds:
        return None
    search = TableSearch(query=" ".join(query.split())[:MAX_NAME_LENGTH])
    format_person = build_public_person_formatter(event)
    matching = [
        entry
        for entry in entrants
        if any(not person.is_hidden and matches_name(format_person(person), search.query) for person in entry.players)
    ]
    if not matching:
        return search
    listed = matching[:MAX_FOUND]
    shown_rounds = [round_row for round_row in rounds if round_row.state in OPEN_STATES] or rounds[-1:]
    tables_by_seat = map_table_places(shown_rounds, [entry.pk for entry in listed])
    tables = {
        round_row: build_round_view(
            round_row,
            is_public=True,
            tables=[t for (r, _), t in tables_by_seat.items() if r == round_row.pk and t],
            entrants=entrants,
        )
        for round_row in shown_rounds
    }
    format_entry = build_public_entry_formatter(event, entrants)
    return replace(
        search,
        found=tuple(
            MatchingEntry(
                names=format_entry(entry),
                places=tuple(
                    _build_place(entry, view, tables_by_seat[round_row.pk, entry.pk])
                    for round_row, view in tables.items()
                    if (round_row.pk, entry.pk) in tables_by_seat
                ),
            )
            for entry in listed
        ),
        more=len(matching) - len(listed),
    )


def matches_name(name: str, query: str) -> bool:
    """Return whether each word asked for begins a word of the name, or was shortened to an initial in it.

    >>> matches_name("Édith R.", "edith roy"), matches_name("Édith R.", "roy"), matches_name("Jean-Guy Roy", "guy")
    (True, False, True)
    """
    name_words = get_group_key(name).split()
    query_words = get_group_key(query).replace(".", "").split()
    full_words = [name_word for name_word in name_words if not name_word.endswith(".")]
    return any(name_word.startswith(prefix) for prefix in query_words for name_word in full_words) and all(
        any(
            name_word.startswith(prefix) or (name_word.endswith(".") and prefix.startswith(name_word[:-1]))
            for name_word in name_words
        )
        for prefix in query_words
    )


def _build_place(entry: Entry, view: RoundView, number: int | None) -> TablePlace:
    if number is None:
        # An entry seated between the two queries is in none of the round's byes.
        kinds = [bye.kind for bye in view.byes if bye.entry == entry.number]
        bye = kinds[0] if kinds else ByeKind.BYE
        return TablePlace(round=view.number, is_over=not view.is_playing, bye=bye)
    table = next(table for table in view.tables if table.number == number)
    own_side, other_side = _order_sides(entry.number, table)
    people = {person.pk for person in entry.players}
    return TablePlace(
        round=view.number,
        is_over=not view.is_playing,
        table=number,
        colour=own_side.colour,
        partners=join_names([player.name for player in own_side.people if player.pk not in people]),
        opponents=other_side.names,
    )


def _order_sides(number: int, table: TableView) -> tuple[TableSide, TableSide]:
    a, b = table.sides
    return (a, b) if number in a.entries else (b, a)
