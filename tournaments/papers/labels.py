"""Names of papers, of the tasks that make them, and of their files."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .orders import Paper

PAPER_NAMES: Mapping[Paper, Promise] = {
    Paper.SHEETS: _("Score sheets"),
    Paper.BLANK: _("Blank score sheets"),
    Paper.CARDS: _("Table cards"),
    Paper.TABLES: _("List by table"),
    Paper.NAMES: _("List by name"),
    Paper.STANDINGS: _("Standings"),
    Paper.CLUBS: _("Standings by club"),
    Paper.CHARTS: _("Brackets and cross tables"),
    Paper.ENTRIES: _("Check-in list"),
    Paper.BADGES: _("Name badges"),
    Paper.PODIUM: _("Podium certificates"),
    Paper.EVERYBODY: _("Certificates for all"),
    Paper.POSTER: _("Poster"),
    Paper.TREASURER: _("Treasurer’s sheet"),
    Paper.MEMBERS: _("List of people"),
    Paper.ATTENDANCE: _("Attendance list"),
}
