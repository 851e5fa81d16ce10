"""Lists of people, pasted or as a sheet, parsed with a refusal for each bad line. Plain Python.

>>> [person.name for person in parse_people("Roy, Jeannine\\nMarcel Dubé").people]
['Jeannine Roy', 'Marcel Dubé']
>>> parse_people("Lise Roy, 418 555-0101").people[0].contact
'418 555-0101'
>>> parse_people("Prénom;Nom;Tél\\nLise;ROY;555-0101").people[0].name
'Lise Roy'
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from errors import Refusal
from web import names
from web.sheets.cells import join_full_name, split_cell_names
from web.sheets.columns import Columns, Layout, SheetTable, find_headings, read_table
from web.sheets.vcards import is_vcard, parse_cards

MAX_LINES = 10_000
_SECOND_PERSON_OFFSET = 10_000_000
"""More than the lines a file may have."""
CONTACT_LENGTH = 120
LABEL_LENGTH = 40
MAX_LABELS = 8

COLUMNS: Columns = {
    "name": (
        *("name", "full name", "nom", "pair", "players", "paire", "joueurs", "joueuses"),
        *("nom complet", "nom et prenom", "prenom et nom", "nom prenom", "prenom nom"),
    ),
    "first": ("first name", "given name", "prenom"),
    "last": ("last name", "surname", "family name", "nom de famille"),
    "contact": ("contact", "coordonnees"),
    "phone": (
        *("phone", "home phone", "phone 1 value"),
        *("telephone", "tel", "no de telephone", "numero de telephone", "no de tel"),
        *("telephone maison", "tel maison", "telephone domicile", "tel domicile"),
    ),
    "cell": (
        *("cell", "cellulaire", "mobile", "cell phone", "mobile phone", "phone 2 value"),
        *("telephone cellulaire", "tel cellulaire", "tel cell", "telephone mobile", "tel mobile"),
    ),
    "mail": (
        *("mail", "e mail", "email", "e mail address", "email address", "e mail 1 value"),
        *("courriel", "adresse courriel", "adresse de courriel", "adresse de messagerie"),
    ),
    "family": ("family", "famille", "household", "menage"),
    "guest": ("guest", "visiteur", "visiteuse"),
    "labels": ("group", "groups", "groupe", "groupes"),
}
"""« Nom » is the surname beside a column of first names (``join_full_name``). Telephones and e-mails have the
headings of Google and Forecast, too."""

NO_VALUES = frozenset({"", "0", "n", "no", "non", "false", "faux"})
_LABEL_SEPARATORS = re.compile(r"[,;]|\s/\s")
_CONTACT = re.compile(r"(?<![^\s,;:])[^\s,;:]*[\d@].*")
"""Searched from the beginning of words only: from every letter, a very long line would take forever."""
_LIST_MARKER = re.compile(r"\A\s*(?:\d{1,3}[.)-]|[-*•–—])\s+")
"""A number or a dash before a line copied from a text."""
_TWO_NAMES = re.compile(r"[&/+]|\s(?:et|and)\s", re.IGNORECASE)
_NAME_SEPARATORS = " ,;:\t-–"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPerson:
    """A person on a list, the first or second of a line, with what the list says of them."""

    line: int
    is_second: bool = False
    name: str
    contact: str = ""
    family: str = ""
    is_guest: bool = False
    labels: tuple[str, ...] = ()

    @property
    def key(self) -> int:
        """A number that is unique on the list."""
        return self.line + _SECOND_PERSON_OFFSET if self.is_second else self.line


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleList:
    """The result of reading a list. ``unread`` are the unknown columns, ``above`` the lines over the
    headings, ``nobody`` the contacts that are no person, ``merged`` variant spellings of a family or group,
    each with its replacement."""

    people: tuple[ListedPerson, ...]
    refusals: tuple[Refusal, ...]
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    nobody: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()


def parse_people(text: str, *, file: str = "", layout: Layout | None = None) -> PeopleList:
    """Parse a sheet with headings or assigned columns, contacts (vCard), or one name per line.

    Codes of the refusals, each with its line, and in a sheet with its column, and the ``heading`` of that:
    list_too_long, malformed_csv, column_twice, column_missing, columns_unnamed, name_required,
    two_people_in_a_line, strange_character, name_too_long, contact_too_long, label_too_long, too_many_labels.
    """
    people: list[ListedPerson] = []
    refusals: list[Refusal] = []
    try:
        table, nobody = _read_people_table(text, file, layout)
        rows = list(table.rows)
    except Refusal as refusal:
        return PeopleList(people=(), refusals=(refusal,))
    for line, row in rows:
        try:
            people += _parse_people_of_row(row, line=line)
        except Refusal as refusal:
            location = {"file": file} | dict(refusal.details) | {"line": line}
            location["heading"] = table.headings.get(refusal.field or "")
            refusals.append(Refusal(refusal.code, field=refusal.field, **location))
    return PeopleList(
        people=tuple(people),
        refusals=tuple(refusals),
        unread=table.unread,
        above=table.above,
        nobody=nobody,
    )


_Line = TypeVar("_Line")


def _read_people_table(text: str, file: str, layout: Layout | None) -> tuple[SheetTable, tuple[str, ...]]:
    """Return the values of each line by column, and the contacts that are no person."""
    if is_vcard(text):
        cards = parse_cards(text)
        return SheetTable(rows=iter(_check_line_count(cards.people, file)), headings={}), tuple(cards.nobody)
    if layout is None and find_headings(text, COLUMNS) is None:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
        rows = ((number, _split_contact(line)) for number, line in _check_line_count(lines, file))
        return SheetTable(rows=rows, headings={}), ()
    table = read_table(text, COLUMNS, required_columns=(), file=file, max_rows=MAX_LINES, layout=layout)
    if not {"name", "last"} & table.headings.keys():
        raise Refusal("column_missing", field="name", file=file, line=table.line or 1)
    return table, ()


def _check_line_count(lines: Sequence[tuple[int, _Line]], file: str) -> Sequence[tuple[int, _Line]]:
    if len(lines) > MAX_LINES:
        line, _ = lines[MAX_LINES]
        raise Refusal("list_too_long", file=file, line=line, most=MAX_LINES, lines=len(lines))
    return lines


def _split_contact(line: str) -> dict[str, str]:
    """Split a line at the first word with a digit or an @ into name and contact; names have neither."""
    line = _LIST_MARKER.sub("", line, count=1)
    found = _CONTACT.search(line)
    if found is None or not line[: found.start()].strip(_NAME_SEPARATORS):
        return {"name": line}
    return {"name": line[: found.start()].strip(_NAME_SEPARATORS), "contact": found[0].strip()}


def _parse_people_of_row(row: Mapping[str, str], *, line: int) -> Iterator[ListedPerson]:
    """Yield one person, or two if both have complete names. « Anne et Guy Roy » may be one surname or two."""
    name = _get_name(row)
    full_names = split_cell_names(name) if _TWO_NAMES.search(name) else []
    if len(full_names) != 2 or not all(" " in one for one in full_names):
        full_names = [name]
    for place, one in enumerate(full_names):
        yield _parse_person(row, one, line=line, is_second=place > 0)


def _parse_person(row: Mapping[str, str], name: str, *, line: int, is_second: bool) -> ListedPerson:
    contact = ", ".join(row[column] for column in ("contact", "phone", "cell", "mail") if row.get(column))
    if len(contact) > CONTACT_LENGTH:
        raise Refusal("contact_too_long", field="contact", most=CONTACT_LENGTH)
    labels = parse_labels(row.get("labels", ""))
    if any(len(label) > LABEL_LENGTH for label in labels):
        raise Refusal("label_too_long", field="labels", most=LABEL_LENGTH)
    if len(labels) > MAX_LABELS:
        raise Refusal("too_many_labels", field="labels", most=MAX_LABELS)
    labels = tuple(names.validate_title(label, field="labels") for label in labels)
    family = names.validate_title(row.get("family", ""), field="family")
    if len(family) > names.NAME_LENGTH:
        raise Refusal("name_too_long", field="family", name=family, most=names.NAME_LENGTH)
    return ListedPerson(
        line=line,
        is_second=is_second,
        name=_check_name(name),
        contact=contact,
        family=family,
        is_guest=names.fold_name(row.get("guest", "")) not in NO_VALUES,
        labels=labels,
    )


def parse_labels(text: str) -> tuple[str, ...]:
    """Return the labels of a cell or a field: ``("Women", "50/50")`` from ``Women, 50/50``."""
    return tuple(filter(None, map(names.clean_text, _LABEL_SEPARATORS.split(text))))


def _get_name(row: Mapping[str, str]) -> str:
    name = join_full_name(row.get("name", ""), row.get("first", ""), row.get("last", ""))
    if "\t" in name or ";" in name:
        raise Refusal("columns_unnamed", field="name")
    return name


def _check_name(name: str) -> str:
    name = names.clean_name(name)
    if not name:
        raise Refusal("name_required", field="name")
    if _TWO_NAMES.search(name):
        raise Refusal("two_people_in_a_line", field="name", name=name)
    names.check_person_name(name, field="name")
    return name
