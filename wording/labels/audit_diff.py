"""The rows that a change wrote, in words: what each row is, and its values before and after."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.audit.diff import AuditDiff, ChangeKind, Names, RowDiff
from clubs.name_formats import join_names
from engine.draws.lineups import Difference
from tournaments.history.presenters.history import EventAuditDiff
from wording.labels.audit_values import get_none_label
from wording.labels.field_labels import FieldLabel, get_row_labels
from wording.labels.history import RULINGS

COUNTED_KIND = "player"
"""Kind of row for the seats of matches; they are only counted."""

CHANGE_LABELS: Mapping[ChangeKind, str | Promise] = {
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
    "incident": _("Incident of %(day)s"),
    "season": _("Season “%(name)s”"),
    "round": _("Round %(number)s"),
    "terms": _("Match settings"),
    "adjustment": _("%(name)s: adjustment"),
}
"""Title of a row by its kind; other kinds have their name alone."""

DAYS = {"on", "happened_on"}
"""The columns for the day in a title."""


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


def diff_rows(diff: AuditDiff) -> list[AuditRow]:
    """Return all rows that a change wrote, in order."""
    rows = [_describe_row(row, diff.names) for row in diff.rows if row.kind != COUNTED_KIND]
    seats = sum(row.kind == COUNTED_KIND for row in diff.rows)
    if seats:
        seats_text = ngettext("%(count)s seat", "%(count)s seats", seats)
        rows.append(AuditRow(title=seats_text % {"count": seats}, became=gettext("moved to another person")))
    if isinstance(diff, EventAuditDiff):
        rows += _build_seat_rows(diff)
        rows += [_build_ruling_row(*ruling) for ruling in diff.rulings]
    return [row for row in _merge_rows_by_title(rows) if row.became or row.fields]


def _merge_rows_by_title(rows: Iterable[AuditRow]) -> list[AuditRow]:
    """Merge rows with the same title: people see a round and its seats as one thing."""
    rows_by_title: dict[str, AuditRow] = {}
    for row in rows:
        earlier_row = rows_by_title.get(row.title)
        if earlier_row is None or (row.became and earlier_row.became):
            rows_by_title[row.title if earlier_row is None else f"{row.title} {len(rows_by_title)}"] = row
        else:
            became = earlier_row.became or row.became
            rows_by_title[row.title] = replace(earlier_row, became=became, fields=(*earlier_row.fields, *row.fields))
    return list(rows_by_title.values())


def _describe_row(row: RowDiff, names: Names) -> AuditRow:
    labels = get_row_labels(row.kind)
    fields = []
    for name in {**row.before, **row.after}:
        field_label = labels.get(name)
        if field_label is None:
            continue
        before, after = (
            "" if values is None else _format_value(values.get(name), field_label, names)
            for values in (
                None if row.became is ChangeKind.ADDED else row.before,
                None if row.became is ChangeKind.REMOVED else row.after,
            )
        )
        if before != after:
            fields.append(AuditField(label=str(field_label.label), before=before, after=after))
    return AuditRow(title=build_row_title(row, names), became=str(CHANGE_LABELS[row.became]), fields=tuple(fields))


def _format_value(value: Any, field_label: FieldLabel, names: Names) -> str:
    """Describe a value; None, an empty text and an empty list are "none"."""
    return get_none_label() if value is None or value in ("", [], {}) else field_label.format(value, names)


def build_row_title(row: RowDiff, names: Names) -> str:
    """Return the title of a row."""
    labels = get_row_labels(row.kind)
    texts = {name: labels[name].format(value, names) for name, value in row.identity.items() if value is not None}
    if row.kind == "round":
        return str(TITLES["round"]) % texts if texts else gettext("Round")
    day = "".join(texts.pop(name) for name in DAYS & texts.keys())
    name = (join_names if row.kind == "entry" else ", ".join)(list(texts.values()))
    return str(TITLES.get(row.kind, "%(name)s")) % {"name": name or gettext("no longer listed"), "day": day}


def _build_seat_rows(diff: EventAuditDiff) -> Iterator[AuditRow]:
    """Describe the seats: of a whole draw the number of tables, of a few changes each of them."""
    for number, lineup_diff in diff.lineups.items():
        tables, byes = lineup_diff.get("tables", {}), lineup_diff.get("byes", {})
        pairs = [*tables.values(), *byes.values()]
        is_full_draw = all(before is None for before, _ in pairs) or all(after is None for _, after in pairs)
        fields = _build_seat_counts(lineup_diff) if is_full_draw else _build_seat_changes(tables, byes, diff.entries)
        yield AuditRow(title=str(TITLES["round"]) % {"number": number}, fields=tuple(fields))


def _build_seat_counts(lineup_diff: Difference) -> list[AuditField]:
    sides = [
        [sum(pair[place] is not None for pair in lineup_diff.get(name, {}).values()) for name in ("tables", "byes")]
        for place in (0, 1)
    ]
    before, after = (_format_seat_counts(tables, byes) for tables, byes in sides)
    return [AuditField(label=gettext("Seating"), before=before, after=after)]


def _format_seat_counts(tables: int, byes: int) -> str:
    parts = []
    if tables:
        parts.append(ngettext("%(count)s table", "%(count)s tables", tables) % {"count": tables})
    if byes:
        parts.append(ngettext("%(count)s bye", "%(count)s byes", byes) % {"count": byes})
    return ", ".join(parts) or get_none_label()


def _build_seat_changes(
    tables: Mapping[str, Sequence[Any]], byes: Mapping[str, Sequence[Any]], entries: Mapping[int, str]
) -> Iterator[AuditField]:
    for number, pair in sorted(tables.items(), key=lambda one: int(one[0])):
        before, after = (_format_table(table, entries) for table in pair)
        if before != after:
            yield AuditField(label=gettext("Table %(table)s") % {"table": number}, before=before, after=after)
    for entry, pair in byes.items():
        before, after = (get_none_label() if bye is None else gettext("bye") for bye in pair)
        if before != after:
            yield AuditField(label=_get_entry_name(int(entry), entries), before=before, after=after)


def _format_table(table: Mapping[str, Any] | None, entries: Mapping[int, str]) -> str:
    if table is None:
        return get_none_label()
    return " – ".join(join_names([_get_entry_name(pk, entries) for pk in table[side]]) for side in ("a", "b"))


def _get_entry_name(pk: int, entries: Mapping[int, str]) -> str:
    return entries.get(pk) or gettext("no longer listed")


def _build_ruling_row(number: int, table: int, before: Any, after: Any) -> AuditRow:
    title = gettext("Round %(round)s, table %(table)s") % {"round": number, "table": table}
    texts = [_format_ruling(ruling) for ruling in (before, after)]
    return AuditRow(
        title=title,
        fields=(AuditField(label=gettext("Director’s ruling"), before=texts[0], after=texts[1]),),
    )


def _format_ruling(ruling: Mapping[str, Any] | None) -> str:
    """Describe what counts: the cards, or the director's result, and the winner."""
    if ruling is None:
        return gettext("as played")
    parts = [str(RULINGS[ruling["kind"]])]
    for name, text in (("games_won", _("games %(figures)s")), ("points", _("points %(figures)s"))):
        if name in ruling:
            parts.append(text % {"figures": "–".join(map(str, ruling[name]))})
    if ruling["kind"] == "forfeit":
        winners = {"A": _("first side wins"), "B": _("second side wins"), None: _("no winner")}
        parts.append(str(winners[ruling["winner"]]))
    return ", ".join(parts)
