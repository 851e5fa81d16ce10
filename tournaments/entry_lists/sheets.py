"""A sheet of entries, as spreadsheets save it: French or English column names, and what comes with them.

>>> sheet = "Joueur 1;Joueur 2;Cote\\nJeannine Roy;Marcel Dubé;1500\\n"
>>> read_entry_sheet(sheet, file="list.csv", size=2).entries[0].rating
1500
"""

from collections.abc import Collection, Iterable, Mapping

from clubs import names
from clubs.sheets import by_column, lines_of_sheet, places_of
from rules import Refusal

from .values import (
    MOST_LINES,
    EntryList,
    ListedEntry,
    check_names,
    check_new,
    checked_team,
    read_rating,
    section_named,
)

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "player_1": ("player 1", "player", "name", "joueur 1", "joueuse 1", "joueur", "joueuse", "nom"),
    "player_2": ("player 2", "partner", "joueur 2", "joueuse 2", "partenaire"),
    "section": ("section", "group", "groupe"),
    "team": ("team", "club", "equipe"),
    "rating": ("rating", "cote"),
}


def read_entry_sheet(
    text: str, *, file: str, size: int, sections: Collection[str] = (), taken: Iterable[str] = ()
) -> EntryList:
    """Reads a file of entries of ``size`` names each; ``sections`` are those of the event, ``taken`` are the
    names that take part already. Commas, semicolons or tabs part the columns; empty lines are passed over.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, name_required, too_many_names, strange_character, name_too_long, entered_twice,
    and what ``section_named``, ``checked_team`` and ``read_rating`` refuse.
    """
    seen = {names.folded(name): 0 for name in taken}
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    unread: tuple[str, ...] = ()
    try:
        lines = lines_of_sheet(text, file=file, most=MOST_LINES)
        needed = ("player_1", "player_2")[:size]
        places, unread = places_of(next(lines, (1, []))[1], COLUMNS, needed=needed, file=file)
        for line, values in lines:
            row = by_column(values, places)
            try:
                entries.append(_entry(row, size=size, sections=sections, seen=seen, file=file, line=line))
            except Refusal as refusal:
                refusals.append(refusal)
    except Refusal as refusal:
        refusals.append(refusal)
    return EntryList(entries=tuple(entries), refusals=tuple(refusals), unread=unread)


def _entry(
    row: Mapping[str, str],
    *,
    size: int,
    sections: Collection[str],
    seen: dict[str, int],
    file: str,
    line: int,
) -> ListedEntry:
    named = [(column, row[column]) for column in ("player_1", "player_2")[:size]]
    for column, name in named:
        if not name:
            raise Refusal("name_required", field=column, file=file, line=line)
    more = row.get("player_2", "")
    if size == 1 and more:
        raise Refusal("too_many_names", field="player_2", text=more, size=size, file=file, line=line)
    check_names(named, file=file, line=line)
    try:
        section = section_named(row.get("section", ""), sections)
        team = checked_team(row.get("team", ""))
        rating = read_rating(row.get("rating", ""))
    except Refusal as refusal:
        raise Refusal(refusal.code, field=refusal.field, **refusal.details, file=file, line=line) from None
    check_new(named, seen=seen, line=line, file=file)
    return ListedEntry(players=tuple(name for _, name in named), section=section, team=team, rating=rating)
