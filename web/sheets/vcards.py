"""Contacts from phones and mail programs (vCard: RFC 6350, and 2.1 before it).

>>> parse_cards("BEGIN:VCARD\\nN:Roy;Jeannine\\nTEL;CELL:418 555-0101\\nEND:VCARD").people
[(1, {'name': 'Jeannine Roy', 'phone': '418 555-0101'})]
"""

import quopri
import re
from dataclasses import dataclass, field

_BEGIN = "BEGIN:VCARD"
_PROPERTY = re.compile(r"(?:[\w-]+\.)?([A-Za-z0-9-]+)((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)\Z", re.DOTALL)
_CHARSET = re.compile(r"CHARSET=\"?([\w-]+)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SCHEME = re.compile(r"\A(?:tel|mailto):", re.IGNORECASE)
_EXTENSION = re.compile(r";ext=", re.IGNORECASE)
_COLUMNS = {
    "FN": "name",
    "N": "parts",
    "TEL": "phone",
    "EMAIL": "mail",
    "CATEGORIES": "labels",
    "ORG": "organization",
    "KIND": "kind",
    "X-ADDRESSBOOKSERVER-KIND": "kind",
}
_PERSON_COLUMNS = ("name", "organization", "phone", "mail")
_GOOGLE_LABELS = {"mycontacts", "starred"}
"""Groups that Google puts on cards by itself."""

Card = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """The people and other contacts on cards.

    ``people`` are by the columns of a list, each with the line of their card. ``nobody`` are the names of
    other cards: companies, groups, or a telephone alone.
    """

    people: list[tuple[int, Card]]
    nobody: list[str]


def is_vcard(text: str) -> bool:
    return text.lstrip().upper().startswith(_BEGIN)


def parse_cards(text: str) -> Cards:
    """Return the people in contacts; of several telephones, the first counts."""
    cards: list[tuple[int, Card]] = []
    for number, line in _unfold_lines(text):
        found = _PROPERTY.match(line)
        if found is None:
            continue
        name, parameters, value = found[1].upper(), found[2].upper(), found[3]
        if name == "BEGIN":
            cards.append((number, {}))
        elif cards and name in _COLUMNS:
            column = _COLUMNS[name]
            cards[-1][1].setdefault(column, _parse_value(column, _decode_value(value, parameters)))
    people, nobody = [], []
    for number, card in cards:
        if _is_person(card):
            people.append((number, _build_person(card)))
        else:
            nobody.append(next((card[key] for key in _PERSON_COLUMNS if card.get(key)), "?"))
    return Cards(people=people, nobody=nobody)


def _parse_value(column: str, value: str) -> str:
    if column == "parts":
        last, first, *_ = (*(_unescape(part) for part in re.split(r"(?<!\\);", value)), "")
        return f"{first} {last}".strip()
    value = _unescape(value)
    if column == "labels":
        return ",".join(group for group in value.split(",") if group.strip().lower() not in _GOOGLE_LABELS)
    if column in ("phone", "mail"):
        return _EXTENSION.sub(" # ", _SCHEME.sub("", value))
    return value.strip("; ")


def _is_person(card: Card) -> bool:
    """Return whether the card is of a person. A name equal to the company's does not count:
    phones show that."""
    has_name = card.get("parts") or card.get("name") not in (None, "", card.get("organization"))
    return bool(has_name) and card.get("kind", "individual").lower() == "individual"


def _build_person(card: Card) -> Card:
    """Return the person's columns, with the displayed name or else its parts."""
    name = card.get("name") or card["parts"]
    return {"name": name} | {key: card[key] for key in ("phone", "mail", "labels") if key in card}


@dataclass(slots=True)
class _Line:
    """A line of a file, collected from its folded parts and joined once: there may be a million."""

    number: int
    parts: list[str] = field(default_factory=list)
    is_quoted: bool = False
    has_value: bool = False

    def add(self, part: str) -> None:
        if not self.has_value:
            head, colon, _ = part.partition(":")
            self.is_quoted |= "QUOTED-PRINTABLE" in head.upper()
            self.has_value = bool(colon)
        if part:
            self.parts.append(part)

    @property
    def goes_on(self) -> bool:
        """Whether it ends with the sign for a continuation, in 2.1."""
        return self.is_quoted and bool(self.parts) and self.parts[-1].endswith("=")

    def continue_with(self, part: str) -> None:
        last_part = self.parts.pop()[:-1]
        self.parts += [last_part] if last_part else []
        self.add(part)


def _unfold_lines(text: str) -> list[tuple[int, str]]:
    """Return each line with its number. Lines continued after a space, or in 2.1 after a sign
    for it, are joined."""
    lines: list[_Line] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if lines and line[:1] in (" ", "\t"):
            lines[-1].add(line[1:])
        elif lines and lines[-1].goes_on:
            lines[-1].continue_with(line)
        else:
            lines.append(_Line(number))
            lines[-1].add(line)
    return [(line.number, "".join(line.parts)) for line in lines]


def _decode_value(value: str, parameters: str) -> str:
    if "QUOTED-PRINTABLE" not in parameters:
        return value
    charset = _CHARSET.search(parameters)
    content = quopri.decodestring(value.encode("latin-1", "replace"))
    try:
        return content.decode(charset[1] if charset else "utf-8", "replace")
    except LookupError:
        return content.decode("utf-8", "replace")


def _unescape(value: str) -> str:
    return _ESCAPE.sub(lambda found: " " if found[1] in "nN" else found[1], value).strip()
