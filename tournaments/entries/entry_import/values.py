"""What a list of entries says, and what its names may be."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules import Refusal, Side
from tournaments.models import NOT_YET
from web import names
from web.sheets import rounded_number, whole_number
from web.spellings import Spellings

MOST_LINES = 5_000
MOST_RATING = 9_999
LAST_ROUND = 99
TEAM_LENGTH = 80

SIDES: Mapping[str, Side] = {
    **dict.fromkeys(("a", "blue", "blue side", "bleu", "bleue", "equipe bleue", "camp bleu"), Side.A),
    **dict.fromkeys(("b", "orange", "orange side", "equipe orange", "camp orange"), Side.B),
}
"""The sides as lists call them."""

STATES: Mapping[str, str] = {
    **dict.fromkeys(("in", "takes part", "participe"), "in"),
    **dict.fromkeys(("waiting", "waiting list", "liste d'attente", "en attente"), "waiting"),
    **dict.fromkeys(("looking", "looking for a partner", "cherche partenaire"), "looking"),
    **dict.fromkeys(("withdrawn", "has withdrawn", "withdrew", "retrait", "retiree", "retire"), "withdrawn"),
}
"""Whether an entry takes part, waits or has withdrawn, as lists call it."""

_ON_ARRIVAL = {"on_arrival", "arrival", "arrivee", "a l'arrivee", "l'arrivee"}
"""When an entry plays that is in no draw until it comes."""

SHARED = ("team", "family", "car", "labels")
"""What several entries may share."""

NOTED = (
    *("section", "team", "rating", "table", "side", *SHARED[1:]),
    *("is_waiting", "arrives", "leaves_after", "absent", "withdrawn", "byes_asked"),
)
"""What a list may say of an entry beside its players, as ``models.Entry`` has it."""

Named = Sequence[tuple[str, str]]
"""Names, each after the field or the column in which it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntry:
    """One entry of a list, at its ``line``: the names of its players, and what else the list says of it.

    ``number`` is that of the starting list, were no line held back; by such numbers it names the entries from
    which it is kept ``apart``, those that take part already among them. The rest is as in ``models.Entry``;
    nobody is ``excused`` or disqualified by a list.
    """

    line: int = 0
    number: int = 0
    players: tuple[str, ...]
    section: str = ""
    team: str = ""
    rating: int | None = None
    family: str = ""
    car: str = ""
    labels: str = ""
    side: Side | None = None
    table: int | None = None
    is_waiting: bool = False
    arrives: int = 1
    leaves_after: int | None = None
    absent: tuple[int, ...] = ()
    excused: tuple[int, ...] = ()
    withdrawn: tuple[int, ...] = ()
    byes_asked: tuple[int, ...] = ()
    disqualification: str = ""
    apart: tuple[int, ...] = ()

    @property
    def is_awaited(self) -> bool:
        return self.arrives == NOT_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """What a list says: its entries; and a refusal, with its ``line``, for each bad line. A list that cannot
    be read as one has no entries. ``doubts`` are refusals of something that a good line says: its entry is
    there without it.

    ``unread`` are the columns of a file that say nothing here, ``above`` the lines over its headings,
    ``merged`` spellings of a team, family, car or label, each with the one that it became. It ``is_numbered``
    where the entries keep the numbers that the program gave them elsewhere.
    """

    entries: tuple[ListedEntry, ...]
    refusals: tuple[Refusal, ...]
    doubts: tuple[Refusal, ...] = ()
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    is_numbered: bool = False

    @property
    def held_back(self) -> frozenset[int]:
        """The bad lines."""
        return frozenset(refusal.details["line"] for refusal in self.refusals if "line" in refusal.details)


def unify_spellings(listed: EntryList, known: Iterable[Any]) -> EntryList:
    """The list with each team, family, car and label spelled as in ``known`` entries, or as it is first."""
    known = list(known)
    spellings = {field: Spellings(getattr(entry, field) for entry in known) for field in SHARED}

    def unify(entry: ListedEntry) -> ListedEntry:
        said: dict[str, Any] = {
            field: spelled.unify(getattr(entry, field)) for field, spelled in spellings.items()
        }
        return replace(entry, **said)

    entries = tuple(map(unify, listed.entries))
    merged = tuple(pair for spelled in spellings.values() for pair in spelled.merged.items())
    return replace(listed, entries=entries, merged=merged)


def check_names(named: Named, **where: Any) -> None:
    """Looks at the characters of names. Refuses: strange_character, name_too_long."""
    for field, name in named:
        strange = names.strange_character(name)
        if strange is not None:
            raise Refusal("strange_character", field=field, name=name, character=strange, **where)
        if len(name) > names.NAME_LENGTH:
            raise Refusal("name_too_long", field=field, name=name, most=names.NAME_LENGTH, **where)


def check_new(named: Named, *, seen: dict[str, int], line: int, **where: Any) -> None:
    """Looks whether somebody is there already: ``seen`` tells the line of each folded name, 0 for who takes
    part, and learns these names. Refuses: entered_twice; same_name_twice, of one entry."""
    together: set[str] = set()
    for field, name in named:
        folded = names.fold_name(name)
        first = seen.setdefault(folded, line)
        if first != line:
            raise Refusal("entered_twice", field=field, name=name, line=line, first=first, **where)
        if folded in together:
            raise Refusal("same_name_twice", field=field, name=name, line=line, **where)
        together.add(folded)


def section_named(name: str, sections: Collection[str]) -> str:
    """The section that is meant, however it is written; "" for none.

    Refuses: no_sections, no_such_section.
    """
    if not name:
        return ""
    if not sections:
        raise Refusal("no_sections", field="section", value=name)
    spelled = names.one_spelling(sections)
    if names.group_key(name) not in spelled:
        raise Refusal("no_such_section", field="section", value=name, choices=tuple(sections))
    return spelled[names.group_key(name)]


def checked_team(name: str) -> str:
    """The name as it is kept. Refuses: team_too_long."""
    team = names.clean_text(name)
    if len(team) > TEAM_LENGTH:
        raise Refusal("team_too_long", field="team", most=TEAM_LENGTH)
    return team


def is_of_others(team: str, club: str) -> bool:
    """Whether who plays for that team is a guest of the club of that name, and not one of its members.

    >>> is_of_others("Matane", "Les Joyeux Atouts"), is_of_others("les joyeux atouts", "Les Joyeux Atouts")
    (True, False)
    """
    return bool(team) and names.group_key(team) != names.group_key(club)


def checked_label(field: str, text: str) -> str:
    """A label that entries share, such as a car, as it is kept. Refuses: entry_label_too_long."""
    label = names.clean_text(text)
    if len(label) > TEAM_LENGTH:
        raise Refusal("entry_label_too_long", field=field, most=TEAM_LENGTH)
    return label


def read_side(text: str) -> Side | None:
    """The side on which an entry has to sit; None where nothing is written. Refuses: no_such_colour."""
    if not text:
        return None
    side = SIDES.get(names.fold_name(text))
    if side is None:
        raise Refusal("no_such_colour", field="side", value=text)
    return side


def read_rating(text: str) -> int | None:
    """The nearest whole number; None where nothing is written. Refuses: rating_out_of_range."""
    rating = rounded_number(text)
    if text and (rating is None or rating > MOST_RATING):
        raise Refusal("rating_out_of_range", field="rating", value=text, most=MOST_RATING)
    return rating


def read_table_number(text: str, most: int | None) -> int | None:
    """The table of an event of so many; None where nothing is written. Refuses: no_table_of_that_number."""
    if not text:
        return None
    number = whole_number(text, most=4)
    if not number or (most is not None and number > most):
        raise Refusal("no_table_of_that_number", field="table", most=most or 0)
    return number


def read_rounds(field: str, text: str) -> tuple[int, ...]:
    """The rounds that a cell names: ``(2, 3)`` of ``2, 3``. Refuses: round_out_of_range."""
    return tuple(sorted({_round(field, part, least=1) for part in re.split(r"[,;/\s]+", text) if part}))


def read_withdrawal(state: str, left_after: str) -> int | None:
    """The round after which an entry is gone; 0 where it is, and no round is named. Refuses:
    round_out_of_range."""
    if left_after:
        return _round("left_after", left_after, least=0)
    return 0 if STATES.get(names.fold_name(state)) == "withdrawn" else None


def read_arrival(text: str) -> int:
    """The first round in which an entry plays. Refuses: round_out_of_range."""
    if names.fold_name(text) in _ON_ARRIVAL:
        return NOT_YET
    return _round("plays_from", text, least=1) if text else 1


def _round(field: str, text: str, *, least: int) -> int:
    number = whole_number(text, most=2)
    if number is None or not least <= number <= LAST_ROUND:
        raise Refusal("round_out_of_range", field=field, most=LAST_ROUND)
    return number
