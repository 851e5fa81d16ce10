"""Labels of the columns of imported lists."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from errors import Refusal

COLUMNS: Mapping[str, str | Promise] = {
    "name": pgettext_lazy("a column of a file", "Name"),
    "contact": pgettext_lazy("a column of a file", "Contact"),
    "family": pgettext_lazy("a column of a file", "Family"),
    "labels": pgettext_lazy("a column of a file", "Groups"),
    "player_1": pgettext_lazy("a column of a file", "Player 1"),
    "player_2": pgettext_lazy("a column of a file", "Player 2"),
    "section": pgettext_lazy("a column of a file", "Section"),
    "team": pgettext_lazy("a column of a file", "Team"),
    "rating": pgettext_lazy("a column of a file", "Rating"),
    "apart": pgettext_lazy("a column of a file", "Keep apart from"),
    "guest": _("Guest"),
    "phone": pgettext_lazy("a column of a file", "Phone"),
    "cell": pgettext_lazy("a column of a file", "Cell"),
    "mail": pgettext_lazy("a column of a file", "E-mail"),
    "first": pgettext_lazy("a column of a file", "First name"),
    "last": pgettext_lazy("a column of a file", "Last name"),
    "players": pgettext_lazy("a column of a file", "Both players"),
    "first_1": pgettext_lazy("a column of a file", "First name 1"),
    "last_1": pgettext_lazy("a column of a file", "Last name 1"),
    "first_2": pgettext_lazy("a column of a file", "First name 2"),
    "last_2": pgettext_lazy("a column of a file", "Last name 2"),
    "entry": _("Number"),
    "car": _("Car"),
    "state": _("State"),
    "plays_from": _("Plays from"),
    "left_after": _("Withdrew after round"),
    "absent": _("Absent in rounds"),
    "excused": _("Excused in rounds"),
    "withdrawn": _("Withdrawn in rounds"),
    "disqualification": _("Reason for disqualification"),
    "house": _("House player"),
    "byes": _("Bye requested in rounds"),
    "game": _("Game"),
    "counted": pgettext_lazy("points of a hand", "Counted"),
    "round": pgettext_lazy("a column of a file", "Round"),
    "table": pgettext_lazy("a column of a file", "Table"),
    "hand": pgettext_lazy("a column of a file", "Hand"),
    "side": pgettext_lazy("a column of a file", "Side"),
    "contract": pgettext_lazy("a column of a file", "Contract"),
    "tricks": pgettext_lazy("a column of a file", "Tricks"),
    "side_a": _("Number, blue side"),
    "side_b": _("Number, orange side"),
    "dealer": _("Dealer"),
    "trump": _("Trump"),
    "outcome": _("Result"),
}
"""Names of the columns that a file may use, in the reader's language."""

_ENTRY_COLUMNS: Mapping[str, str | Promise] = {
    "labels": _("Category"),
    "table": _("Always at table"),
    "side": _("Always on side"),
}
"""Columns that have another meaning in a list of entries."""


def column_name(refusal: Refusal) -> str:
    """Return the column that a refusal is about, as the file names it, else by its usual name."""
    heading, name = refusal.details.get("heading"), refusal.field or ""
    return str(heading or COLUMNS.get(name, name))


def column_label(field: str, kind: str) -> str:
    """Return the label of a column in a list of that kind: ``people``, ``entries`` or ``hands``."""
    labels = _ENTRY_COLUMNS if kind == "entries" else {}
    return str(labels.get(field) or COLUMNS[field])
