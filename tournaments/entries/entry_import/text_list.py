"""Reading of a typed or pasted list: one entry per line, with a separator between the names of a pair. A club
or team may follow the names.

>>> listed = read_entry_list("Jeannine Roy et Marcel Dubé\\n\\nA. Cyr / N. Roy, Matane", size=2)
>>> [(entry.players, entry.team) for entry in listed.entries]
[(('Jeannine Roy', 'Marcel Dubé'), ''), (('A. Cyr', 'N. Roy'), 'Matane')]
"""

import re
from collections.abc import Collection, Iterable

from errors import Refusal
from web import names
from web.sheets.cells import PARTNER_SEPARATOR, PARTNER_WORDS, join_full_name

from .couples import TypedLines, read_couple
from .values import MOST_LINES, EntryList, ListedEntry, check_names, check_not_entered, clean_team

NAME_SEPARATORS = re.compile("(" + PARTNER_WORDS + r"|[/&;,+\t])", re.IGNORECASE)
"""Separators between names, the comma included."""
LINE_PREFIX = re.compile(
    r"(?:(?:#|(?:n[o°]\.?|no\.?|paire|pair|table)\s*)?\d{1,3}\s?(?:[.):°º-]|(?=\s))|[-*•\u2010-\u2015](?=\s))\s*",
    re.IGNORECASE,
)
"""The number or bullet before a line copied from a document or workbook."""
_TEAM_SEPARATORS = {",", ";", "\t"}
_HEADING_WORDS = frozenset(
    (
        *("nom", "noms", "prenom", "prenoms", "famille", "complet", "complets", "joueur", "joueurs", "joueuse"),
        *("joueuses", "partenaire", "partenaires", "paire", "paires", "equipe", "name", "names", "first", "last"),
        *("full", "given", "family", "surname", "player", "players", "partner", "partners", "pair", "pairs", "team"),
        *("club", "et", "and", "au", "de", "des", "du", "la", "le", "les", "of", "the", "1", "2"),
    )
)
"""Folded words of which nobody's name is made."""


def read_entry_list(text: str, *, size: int, taken_names: Iterable[str] = (), as_typed: TypedLines = None) -> EntryList:
    """Read a list of entries of ``size`` names each; ``taken_names`` are the names already entered, ``as_typed`` the
    lines of couples to keep as typed.

    Empty lines are skipped. Codes of the refusals: list_too_long, one_name_missing, too_many_names,
    strange_character, name_too_long, entered_twice, same_name_twice, team_too_long.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        refusal = Refusal("list_too_long", field="entries", most=MOST_LINES, lines=len(lines))
        return EntryList(entries=(), refusals=(refusal,))
    seen_names: dict[str, int] = {names.fold_name(name): 0 for name in taken_names}
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        prefix = LINE_PREFIX.match(line.strip())
        entry_text = _put_given_names_first(line.strip()[prefix.end() if prefix else 0 :], size=size)
        names_text, team = _split_team(entry_text, size=size)
        if is_heading(NAME_SEPARATORS.split(line)[::2]):
            continue
        clean_names = [names.clean_name(name) for name in NAME_SEPARATORS.split(names_text)[::2] if name.strip()]
        players, couple = read_couple([join_full_name(name) for name in clean_names], number, as_typed)
        try:
            _check_players(players, size=size, line=number, text=line.strip(), seen_names=seen_names)
            team = _clean_team(team, line=number)
            entries.append(ListedEntry(line=number, players=players, couple=couple, team=team))
        except Refusal as refusal:
            refusals.append(refusal)
    return EntryList(entries=tuple(entries), refusals=tuple(refusals))


def is_heading(cells: Iterable[str]) -> bool:
    """Return whether a line names columns, and nobody.

    >>> [is_heading(cells) for cells in (["Nom du joueur", "Partenaire"], ["Luc Roy", "Club"], [""])]
    [True, False, False]
    """
    words = [set(re.findall(r"\w+", names.fold_name(cell))) for cell in cells]
    return any(words) and all(each <= _HEADING_WORDS for each in words)


def extract_list_lines(text: str, lines: Collection[int]) -> str:
    """Return only these lines of a list."""
    return "\n".join(line for number, line in enumerate(text.splitlines(), start=1) if number in lines)


def _put_given_names_first(line: str, *, size: int) -> str:
    """Turn ``ROY, Luc`` into given name first, if the line writes its names so.

    Of a pair, each name has a comma and another separator stands between them, or both surnames are in
    capitals; or the first name only, as of one player. Of one player, a comma follows a single word, or a
    surname in capitals or with a particle.
    """
    first_name, *parts = PARTNER_SEPARATOR.split(line)
    if size == 1:
        return _put_first_given_name_first(line)
    if len(parts) > 1 and first_name.count(",") == 1:
        last, comma, given = parts[1].partition(",")
        is_team = names.is_in_capitals(first_name.partition(",")[0]) and not names.is_in_capitals(last)
        if comma and not is_team:
            given, *team = given.split(",", 1)
            first_name, parts[1] = join_full_name(first_name), ",".join([join_full_name(f"{last},{given}"), *team])
        return "".join([_put_first_given_name_first(first_name), *parts])
    if len(comma_parts := line.split(",", 4)) > 3 and all(map(names.is_in_capitals, comma_parts[:3:2])):
        first, second = (join_full_name(",".join(comma_parts[start : start + 2])) for start in (0, 2))
        return ",".join([first, second, *comma_parts[4:]])
    return line


def _put_first_given_name_first(text: str) -> str:
    last, comma, rest = text.partition(",")
    first, *team = rest.split(",", 1)
    words = names.fold_name(last).split()
    is_surname = names.is_in_capitals(last) and not names.is_in_capitals(first)
    if comma and first.strip() and (is_surname or len(words) == 1 or {*words[:1]} <= names.SURNAME_PARTICLES):
        return ",".join([join_full_name(f"{last},{first}"), *team])
    return text


def _split_team(line: str, *, size: int) -> tuple[str, str]:
    """Split a line into its names and its team; the team is "" if there is none.

    The team follows the last name after a comma, semicolon or tab, and contains none of these itself. For a
    single player, the name before must have two words or more: ``Roy, Jeannine`` is a name.
    """
    *name_parts, team = NAME_SEPARATORS.split(line, maxsplit=size)
    if len(name_parts) < 2 * size or name_parts[-1] not in _TEAM_SEPARATORS or _TEAM_SEPARATORS & set(team):
        return line, ""
    if size == 1 and len(name_parts[0].split()) < 2:
        return line, ""
    return "".join(name_parts[:-1]), names.clean_text(team)


def _clean_team(team: str, *, line: int) -> str:
    """Return the cleaned team name, with errors at the line. Refuses: team_too_long."""
    try:
        return clean_team(team)
    except Refusal as refusal:
        raise Refusal(refusal.code, field="entries", line=line, **refusal.details) from None


def _check_players(players: tuple[str, ...], *, size: int, line: int, text: str, seen_names: dict[str, int]) -> None:
    named_players = [("entries", name) for name in players]
    check_names(named_players or [("entries", text)], line=line)
    if len(players) < size:
        raise Refusal("one_name_missing", field="entries", line=line, text=text)
    if len(players) > size:
        raise Refusal("too_many_names", field="entries", line=line, text=text, size=size)
    check_not_entered(named_players, seen_names=seen_names, line=line)
