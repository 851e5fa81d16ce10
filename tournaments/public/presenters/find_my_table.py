"""Search for a player's table by name, as far as everybody may see it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clubs.wording import join_names
from engine.visibility import Names
from tournaments.events.presenters.names import entries_named_in, public_naming
from tournaments.lifecycle import OPEN, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.byes import ByeKind
from tournaments.rounds.presenters.rounds import RoundView, TableSide, TableView, round_view
from tournaments.rounds.queries.rounds import places_in
from web.names import group_key

MOST_FOUND = 8
"""How many namesakes are shown; with more, the page asks for a longer name."""
MOST_TYPED = 80


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
class FoundEntry:
    """An entry found by name, and its seats in the rounds under way, or else in the last round."""

    names: str
    places: tuple[TablePlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The name ``asked`` for, the entries found, and how many more there are."""

    asked: str
    found: tuple[FoundEntry, ...] = ()
    more: int = 0


def where_in(event: Event, asked: str, entrants: Sequence[Entry], rounds: Sequence[Round]) -> Where | None:
    """Find the entries of this name and their seats in the published ``rounds``. None where nothing can be
    asked: the draw is hidden, names are numbers, or the event is over. Hidden people are never found, and
    others only by the name that everybody sees. No query without a name or a result; else one, and five a
    round."""
    seen = event.visible
    is_over = event.state == EventState.ENDED
    if not seen.draw or seen.names is Names.NUMBERS or is_over or not rounds:
        return None
    where = Where(asked=" ".join(asked.split())[:MOST_TYPED])
    named = public_naming(event)
    called = [
        entry
        for entry in entrants
        if any(not person.is_hidden and is_called(named(person), where.asked) for person in entry.players)
    ]
    if not called:
        return where
    found = called[:MOST_FOUND]
    shown = [one for one in rounds if one.state in OPEN] or rounds[-1:]
    seated = places_in(shown, [entry.pk for entry in found])
    tables = {
        one: round_view(
            one,
            is_public=True,
            tables=[t for (r, _), t in seated.items() if r == one.pk and t],
            entrants=entrants,
        )
        for one in shown
    }
    entry_named = entries_named_in(event, entrants)
    return replace(
        where,
        found=tuple(
            FoundEntry(
                names=entry_named(entry),
                places=tuple(
                    _place(entry, view, seated[one.pk, entry.pk])
                    for one, view in tables.items()
                    if (one.pk, entry.pk) in seated
                ),
            )
            for entry in found
        ),
        more=len(called) - len(found),
    )


def is_called(name: str, asked: str) -> bool:
    """Return whether each word asked for begins a word of the name, or was shortened to an initial in it.

    >>> is_called("Édith R.", "edith roy"), is_called("Édith R.", "roy"), is_called("Jean-Guy Roy", "guy")
    (True, False, True)
    """
    words = group_key(name).split()
    typed = group_key(asked).replace(".", "").split()
    whole = [word for word in words if not word.endswith(".")]
    return any(word.startswith(one) for one in typed for word in whole) and all(
        any(word.startswith(one) or (word.endswith(".") and one.startswith(word[:-1])) for word in words)
        for one in typed
    )


def _place(entry: Entry, view: RoundView, number: int | None) -> TablePlace:
    if number is None:
        # An entry seated between the two queries is in none of the round's byes.
        kinds = [bye.kind for bye in view.byes if bye.entry == entry.number]
        bye = kinds[0] if kinds else ByeKind.BYE
        return TablePlace(round=view.number, is_over=not view.is_playing, bye=bye)
    table = next(table for table in view.tables if table.number == number)
    own, other = _from_side_of(entry.number, table)
    people = {person.pk for person in entry.players}
    return TablePlace(
        round=view.number,
        is_over=not view.is_playing,
        table=number,
        colour=own.colour,
        partners=join_names([one.name for one in own.people if one.pk not in people]),
        opponents=other.names,
    )


def _from_side_of(number: int, table: TableView) -> tuple[TableSide, TableSide]:
    a, b = table.sides
    return (a, b) if number in a.entries else (b, a)
