"""The rows that a change wrote, in words: what each row is, and its values before and after."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.audit.diff import AuditDiff, ChangeKind, Names, WrittenRow
from clubs.wording import join_names
from engine.draws.lineups import Difference
from tournaments.history.presenters.history import EventWritten

from .audit_fields import FIELDS
from .audit_values import as_day, name_of_value, nothing
from .history import RULINGS

COUNTED = "player"
"""Kind of row for the seats of matches; they are only counted."""

BECAME: Mapping[ChangeKind, str | Promise] = {
    ChangeKind.ADDED: pgettext_lazy("a row of the history", "Added"),
    ChangeKind.CHANGED: "",
    ChangeKind.REMOVED: pgettext_lazy("a row of the history", "Removed"),
}

TITLES: Mapping[str, str | Promise] = {
    "family": _("Family “%(name)s”"),
    "membership": _("%(name)s, role in the club"),
    "usualnight": _("Night template “%(name)s”"),
    "recurringnight": _("Recurring night “%(name)s”"),
    "changeddate": _("“%(name)s”, %(day)s"),
    "season": _("Season “%(name)s”"),
    "round": _("Round %(number)s"),
    "terms": _("Match settings"),
    "adjustment": _("%(name)s: adjustment"),
}
"""Title of a row by its kind; other kinds have their name alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditField:
    """A changed value; "" if there was no such row."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """A row's title, what it ``became`` unless it was only changed, and its changed values."""

    title: str
    became: str = ""
    fields: tuple[AuditField, ...] = ()


def diff_rows(written: AuditDiff) -> list[AuditRow]:
    """Return all rows that a change wrote, in order."""
    rows = [_describe_row(row, written.names) for row in written.rows if row.kind != COUNTED]
    seats = sum(row.kind == COUNTED for row in written.rows)
    if seats:
        told = ngettext("%(count)s seat", "%(count)s seats", seats)
        rows.append(AuditRow(title=told % {"count": seats}, became=gettext("moved to another person")))
    if isinstance(written, EventWritten):
        rows += _rows_of_seats(written)
        rows += [_row_of_ruling(*ruling) for ruling in written.rulings]
    return [row for row in _each_title_once(rows) if row.became or row.fields]


def _each_title_once(rows: Iterable[AuditRow]) -> list[AuditRow]:
    """Merge rows with the same title: people see a round and its seats as one thing."""
    once: dict[str, AuditRow] = {}
    for row in rows:
        known = once.get(row.title)
        if known is None or (row.became and known.became):
            once[row.title if known is None else f"{row.title} {len(once)}"] = row
        else:
            became = known.became or row.became
            once[row.title] = replace(known, became=became, fields=(*known.fields, *row.fields))
    return list(once.values())


def _describe_row(row: WrittenRow, names: Names) -> AuditRow:
    words = FIELDS[row.kind]
    fields = []
    for name in {**row.before, **row.after}:
        word = words.get(name)
        if word is None:
            continue
        before, after = (
            "" if values is None else _value(values.get(name), word.told, names)
            for values in (
                None if row.became is ChangeKind.ADDED else row.before,
                None if row.became is ChangeKind.REMOVED else row.after,
            )
        )
        if before != after:
            fields.append(AuditField(label=str(word.label), before=before, after=after))
    return AuditRow(title=row_title(row, names), became=str(BECAME[row.became]), fields=tuple(fields))


def _value(value: Any, told: Any, names: Names) -> str:
    """Describe a value; None, an empty text and an empty list are "none"."""
    return nothing() if value is None or value in ("", [], {}) else told(value, names)


def row_title(row: WrittenRow, names: Names) -> str:
    """Return the title of a row."""
    known = row.known
    if row.kind == "round":
        return str(TITLES["round"]) % {"number": known["number"]} if "number" in known else gettext("Round")
    told = {"name": _name(row, names), "day": as_day(known["on"], names) if "on" in known else ""}
    return str(TITLES.get(row.kind, "%(name)s")) % told


_OF: Mapping[str, str] = {
    "account_id": "account",
    "night_id": "recurringnight",
    "entry_id": "entry",
    "player_1_id": "person",
    "player_2_id": "person",
}
"""Fields of a row that point to the row with its name."""


def _name(row: WrittenRow, names: Names) -> str:
    if "name" in row.known:
        return str(row.known["name"])
    parts = [
        name_of_value(kind)(row.known[field], names)
        for field, kind in _OF.items()
        if row.known.get(field) is not None
    ]
    return join_names(parts) or gettext("no longer listed")


def _rows_of_seats(written: EventWritten) -> Iterator[AuditRow]:
    """Describe the seats: of a whole draw the number of tables, of a few changes each of them."""
    for number, done in written.lineups.items():
        tables, byes = done.get("tables", {}), done.get("byes", {})
        pairs = [*tables.values(), *byes.values()]
        is_whole = all(before is None for before, _ in pairs) or all(after is None for _, after in pairs)
        fields = _as_a_whole(done) if is_whole else _one_by_one(tables, byes, written.entries)
        yield AuditRow(title=str(TITLES["round"]) % {"number": number}, fields=tuple(fields))


def _as_a_whole(done: Difference) -> list[AuditField]:
    sides = [
        [sum(pair[place] is not None for pair in done.get(name, {}).values()) for name in ("tables", "byes")]
        for place in (0, 1)
    ]
    before, after = (_count_seats(tables, byes) for tables, byes in sides)
    return [AuditField(label=gettext("Seating"), before=before, after=after)]


def _count_seats(tables: int, byes: int) -> str:
    parts = []
    if tables:
        parts.append(ngettext("%(count)s table", "%(count)s tables", tables) % {"count": tables})
    if byes:
        parts.append(ngettext("%(count)s bye", "%(count)s byes", byes) % {"count": byes})
    return ", ".join(parts) or nothing()


def _one_by_one(
    tables: Mapping[str, Sequence[Any]], byes: Mapping[str, Sequence[Any]], entries: Mapping[int, str]
) -> Iterator[AuditField]:
    for number, pair in sorted(tables.items(), key=lambda one: int(one[0])):
        before, after = (_table(table, entries) for table in pair)
        if before != after:
            yield AuditField(label=gettext("Table %(table)s") % {"table": number}, before=before, after=after)
    for entry, pair in byes.items():
        before, after = (nothing() if bye is None else gettext("bye") for bye in pair)
        if before != after:
            yield AuditField(label=_entry(int(entry), entries), before=before, after=after)


def _table(table: Mapping[str, Any] | None, entries: Mapping[int, str]) -> str:
    if table is None:
        return nothing()
    return " – ".join(join_names([_entry(pk, entries) for pk in table[side]]) for side in ("a", "b"))


def _entry(pk: int, entries: Mapping[int, str]) -> str:
    return entries.get(pk) or gettext("no longer listed")


def _row_of_ruling(number: int, table: int, before: Any, after: Any) -> AuditRow:
    title = gettext("Round %(round)s, table %(table)s") % {"round": number, "table": table}
    told = [_ruling(ruling) for ruling in (before, after)]
    return AuditRow(
        title=title,
        fields=(AuditField(label=gettext("Director’s ruling"), before=told[0], after=told[1]),),
    )


def _ruling(ruling: Mapping[str, Any] | None) -> str:
    """Describe what counts: the cards, or the director's result, and the winner."""
    if ruling is None:
        return gettext("as played")
    parts = [str(RULINGS[ruling["kind"]])]
    for name, told in (("games_won", _("games %(figures)s")), ("points", _("points %(figures)s"))):
        if name in ruling:
            parts.append(told % {"figures": "–".join(map(str, ruling[name]))})
    if ruling["kind"] == "forfeit":
        winners = {"A": _("first side wins"), "B": _("second side wins"), None: _("no winner")}
        parts.append(str(winners[ruling["winner"]]))
    return ", ".join(parts)
