"""Values in a list of entries, and the checks of its names."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from errors import Refusal, get_or_refuse
from rules import Side
from tournaments.models import NOT_ARRIVED, REASON_LENGTH
from web import names
from web.sheets.cells import parse_integer, parse_rounded_number
from web.spellings import SpellingIndex

from .couples import Couple

MOST_LINES = 5_000
MAX_RATING = 9_999
MAX_ROUND = 99
TEAM_LENGTH = 80

SIDES: Mapping[str, Side] = {
    **dict.fromkeys(("a", "blue", "blue side", "bleu", "bleue", "equipe bleue", "camp bleu"), Side.A),
    **dict.fromkeys(("b", "orange", "orange side", "equipe orange", "camp orange"), Side.B),
}
"""Names of the sides in lists."""

STATES: Mapping[str, str] = {
    **dict.fromkeys(("in", "takes part", "participe"), "in"),
    **dict.fromkeys(("waiting", "waiting list", "liste d'attente", "en attente"), "waiting"),
    **dict.fromkeys(("looking", "looking for a partner", "cherche partenaire"), "looking"),
    **dict.fromkeys(("withdrawn", "has withdrawn", "withdrew", "retrait", "retiree", "retire"), "withdrawn"),
    **dict.fromkeys(("disqualified", "disqualification", "disqualifiee", "disqualifie"), "disqualified"),
}
"""States of an entry in lists: in, waiting, looking for a partner, withdrawn or disqualified."""

LEFT_STATES = ("withdrawn", "disqualified")
"""States of an entry that has left."""

_ARRIVAL_WORDS = {"on_arrival", "arrival", "arrivee", "a l'arrivee", "l'arrivee"}
"""Words for an entry that is left out of the draws until it arrives."""

_NO_RATINGS = {"", "na", "nd", "nil", "nc", "so", "none", "unrated", "aucune", "sanscote", "inconnue"}
"""Letters and digits of the cells of players without a rating."""

SHARED_FIELDS = ("team", "family", "car", "labels")
"""Fields whose values several entries may share."""

ENTRY_FIELDS = (
    *("section", "team", "rating", "table", "side", *SHARED_FIELDS[1:]),
    *("is_waiting", "arrives", "leaves_after", "absent", "excused", "withdrawn", "byes_asked"),
    *("disqualification", "is_house"),
)
"""Fields of ``models.Entry`` that a list may give, beside the players."""

FieldNames = Sequence[tuple[str, str]]
"""Names, each after its field or column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntry:
    """One entry of a list, from its ``line``.

    ``number`` is its number in the starting list if no line is held back. ``apart`` uses these numbers, which
    continue those of the entries already in the event. ``couple`` may share a surname. The other fields are
    those of ``models.Entry``.
    """

    line: int = 0
    number: int = 0
    players: tuple[str, ...]
    couple: Couple | None = None
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
    is_house: bool = False
    apart: tuple[int, ...] = ()

    @property
    def is_awaited(self) -> bool:
        return self.arrives == NOT_ARRIVED


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """The entries of a list, and a refusal, with its ``line``, for each bad line. An unreadable list has no
    entries.

    ``doubts`` are refusals of a detail in a good line; its entry is listed without that detail. ``unread``
    are the columns that are ignored, ``above`` the lines above the headings, and ``merged`` the spellings of
    a team, family, car or label, each with the one that replaced it. ``is_numbered`` is true if the entries
    keep the numbers that the program gave them elsewhere.
    """

    entries: tuple[ListedEntry, ...]
    refusals: tuple[Refusal, ...]
    doubts: tuple[Refusal, ...] = ()
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    is_numbered: bool = False

    @property
    def refused_lines(self) -> frozenset[int]:
        """Numbers of the bad lines."""
        return frozenset(refusal.details["line"] for refusal in self.refusals if "line" in refusal.details)


def unify_spellings(entry_list: EntryList, known_entries: Iterable[Any]) -> EntryList:
    """Spell each team, family, car and label as in the ``known_entries``, else as at its first occurrence."""
    known_entries = list(known_entries)
    spellings = {field: SpellingIndex(getattr(entry, field) for entry in known_entries) for field in SHARED_FIELDS}

    def unify_entry(entry: ListedEntry) -> ListedEntry:
        values: dict[str, Any] = {field: spelled.unify(getattr(entry, field)) for field, spelled in spellings.items()}
        return replace(entry, **values)

    entries = tuple(map(unify_entry, entry_list.entries))
    merged = tuple(pair for spelled in spellings.values() for pair in spelled.merged.items())
    return replace(entry_list, entries=entries, merged=merged)


def check_names(names_by_field: FieldNames, **location: Any) -> None:
    """Check that names can be people's. Refuses: nobody_named, strange_character, name_too_long."""
    for field, name in names_by_field:
        names.check_person_name(name, field=field, **location)


def check_not_entered(names_by_field: FieldNames, *, seen_names: dict[str, int], line: int, **location: Any) -> None:
    """Check that the names are not entered yet, and add them to ``seen_names``.

    ``seen_names`` maps each folded name to its line, 0 for players already entered. Refuses: entered_twice;
    same_name_twice, of one entry.
    """
    own_names: set[str] = set()
    for field, name in names_by_field:
        folded_name = names.fold_name(name)
        first_line = seen_names.setdefault(folded_name, line)
        if first_line != line:
            raise Refusal("entered_twice", field=field, name=name, line=line, first=first_line, **location)
        if folded_name in own_names:
            raise Refusal("same_name_twice", field=field, name=name, line=line, **location)
        own_names.add(folded_name)


def find_section(name: str, sections: Collection[str]) -> str:
    """Return the section with this name in any spelling; "" for none.

    Refuses: no_sections, no_such_section.
    """
    if not name:
        return ""
    if not sections:
        raise Refusal("no_sections", field="section", value=name)
    spellings = names.unify_spellings(sections)
    if names.get_group_key(name) not in spellings:
        raise Refusal("no_such_section", field="section", value=name, choices=tuple(sections))
    return spellings[names.get_group_key(name)]


def clean_team(name: str) -> str:
    """Return the cleaned team name. Refuses: team_too_long, strange_character."""
    team = names.validate_title(name, field="team")
    if len(team) > TEAM_LENGTH:
        raise Refusal("team_too_long", field="team", most=TEAM_LENGTH)
    return team


def is_guest_team(team: str, club: str) -> bool:
    """Check whether players of that team are guests of the club with this name, not its members.

    >>> is_guest_team("Matane", "Les Joyeux Atouts"), is_guest_team("les joyeux atouts", "Les Joyeux Atouts")
    (True, False)
    """
    return bool(team) and names.get_group_key(team) != names.get_group_key(club)


def clean_label(field: str, text: str) -> str:
    """Return a cleaned label that entries share, such as a car. Refuses: entry_label_too_long,
    strange_character."""
    label = names.validate_title(text, field=field)
    if len(label) > TEAM_LENGTH:
        raise Refusal("entry_label_too_long", field=field, most=TEAM_LENGTH)
    return label


def read_side(text: str) -> Side | None:
    """Read the side where an entry must sit; None if empty. Refuses: no_such_colour."""
    if not text:
        return None
    return get_or_refuse(SIDES.get(names.fold_name(text)), "no_such_colour", field="side", value=text)


def read_rating(text: str) -> int | None:
    """Read a rating, rounded to a whole number; None for none. Refuses: rating_out_of_range."""
    if re.sub(r"[\W_]", "", names.fold_name(text)) in _NO_RATINGS:
        return None
    rating = parse_rounded_number(text)
    if rating is None or rating > MAX_RATING:
        raise Refusal("rating_out_of_range", field="rating", value=text, most=MAX_RATING)
    return rating


def read_table_number(text: str, max_number: int | None) -> int | None:
    """Read a table number up to ``max_number``; None if empty. Refuses: no_table_of_that_number."""
    if not text:
        return None
    number = parse_integer(text, max_digits=4)
    if not number or (max_number is not None and number > max_number):
        raise Refusal("no_table_of_that_number", field="table", most=max_number or 0)
    return number


def read_rounds(field: str, text: str) -> tuple[int, ...]:
    """Read the rounds in a cell: ``(2, 3)`` from ``2, 3``. Refuses: round_out_of_range."""
    return tuple(sorted({_read_round(field, part, min_round=1) for part in re.split(r"[,;/\s]+", text) if part}))


def read_withdrawal(state: str, last_round: str) -> int | None:
    """Read the round after which an entry left; 0 if it left without a round, None if it has not left.
    Refuses: round_out_of_range."""
    if last_round:
        return _read_round("left_after", last_round, min_round=0)
    return 0 if state in LEFT_STATES else None


def read_disqualification(state: str, reason: str) -> str:
    """Read the reason of a disqualification, which disqualifies; "" for none. Refuses: reason_required,
    reason_too_long."""
    text = names.clean_text(reason)
    if state == "disqualified" and not text:
        raise Refusal("reason_required", field="disqualification")
    if len(text) > REASON_LENGTH:
        raise Refusal("reason_too_long", field="disqualification", most=REASON_LENGTH)
    return text


def read_arrival(text: str) -> int:
    """Read the first round in which an entry plays. Refuses: round_out_of_range."""
    if names.fold_name(text) in _ARRIVAL_WORDS:
        return NOT_ARRIVED
    return _read_round("plays_from", text, min_round=1) if text else 1


def _read_round(field: str, text: str, *, min_round: int) -> int:
    number = parse_integer(text, max_digits=2)
    if number is None or not min_round <= number <= MAX_ROUND:
        raise Refusal("round_out_of_range", field=field, most=MAX_ROUND)
    return number
