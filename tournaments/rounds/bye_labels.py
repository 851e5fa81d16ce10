"""Reasons for being at no table in a round, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.rounds.byes import ByeKind

BYES: Mapping[ByeKind, str | Promise] = {
    ByeKind.WAITS: _("waits for the next match"),
    ByeKind.WALKOVER: _("advances by walkover"),
    ByeKind.UNOPPOSED: _("wins the board without play"),
    ByeKind.SUBSTITUTE: pgettext_lazy("team match", "substitute"),
    ByeKind.BYE: _("bye"),
}
SHORT_BYES: Mapping[ByeKind, str | Promise] = {
    ByeKind.WAITS: pgettext_lazy("in a list, for the table", "waiting"),
    ByeKind.WALKOVER: pgettext_lazy("in a list, for the table", "advances"),
    ByeKind.UNOPPOSED: pgettext_lazy("in a list, for the table", "unopposed"),
    ByeKind.SUBSTITUTE: BYES[ByeKind.SUBSTITUTE],
    ByeKind.BYE: BYES[ByeKind.BYE],
}
"""Words for a narrow column, where others have the number of their table."""
PAST_BYES: Mapping[ByeKind, str | Promise] = {
    ByeKind.WAITS: pgettext_lazy("round", "waited"),
    ByeKind.WALKOVER: pgettext_lazy("round", "walkover"),
    ByeKind.UNOPPOSED: pgettext_lazy("round", "won without play"),
    ByeKind.SUBSTITUTE: BYES[ByeKind.SUBSTITUTE],
    ByeKind.BYE: pgettext_lazy("round", "bye"),
}
"""Words in a list of past rounds."""


def bye_words(kind: ByeKind) -> str:
    return str(BYES[kind])


def bye_in_list(kind: ByeKind) -> str:
    return str(SHORT_BYES[kind])


def bye_in_past(kind: ByeKind) -> str:
    return str(PAST_BYES[kind])
