"""Titles of standings on pages, in pictures and in files, by their reliability."""

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .presenters import StandingsStatus, StandingsView

STATUS_TITLES: dict[StandingsStatus, str | Promise] = {
    StandingsStatus.RUNNING: _("Standings"),
    StandingsStatus.PROVISIONAL: _("Provisional standings"),
    StandingsStatus.FINAL: _("Final standings"),
    StandingsStatus.CORRECTED: _("Final standings, corrected"),
}

_FILE_STATUSES: dict[StandingsStatus, str | Promise] = {
    StandingsStatus.PROVISIONAL: pgettext_lazy("standings", "provisional"),
    StandingsStatus.FINAL: pgettext_lazy("standings", "final"),
    StandingsStatus.CORRECTED: pgettext_lazy("standings", "corrected"),
}


def get_standings_title(view: StandingsView) -> str:
    """Return the title: ``Standings after round 3``, ``Final standings``; outdated ones say so."""
    if view.status is StandingsStatus.RUNNING and view.rows:
        if view.during_round:
            return gettext("Standings during round %(number)s") % {"number": view.during_round}
        if view.after_round:
            return gettext("Standings after round %(number)s") % {"number": view.after_round}
    return _add_validity(str(STATUS_TITLES[view.status]), view)


def get_file_status(view: StandingsView) -> str:
    """Return the status for a file, such as ``final · changed since``; "" while results still come in."""
    return _add_validity(str(_FILE_STATUSES.get(view.status, "")), view)


def _add_validity(title: str, view: StandingsView) -> str:
    return gettext("%(title)s · changed since") % {"title": title} if view.is_outdated else title
