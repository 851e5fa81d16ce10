"""Documents of orders, in the language of the person who ordered and the club's time zone."""

from collections.abc import Callable, Mapping

from django.utils import timezone, translation

from clubs.models import Club
from errors import get_or_refuse
from tournaments.models import Event
from tournaments.papers.labels import PAPER_NAMES
from tournaments.papers.orders import CLUB_PAPERS, Order, Paper
from tournaments.papers.typesetting.documents import Document
from web.slugs import build_slug

from . import charts, clubs, lists, names, posters, tables, treasurer

EVENT_DOCUMENTS: Mapping[Paper, Callable[[Event, Order], Document]] = {
    Paper.SHEETS: tables.build_sheets,
    Paper.BLANK: tables.build_blank_sheets,
    Paper.CARDS: tables.build_cards,
    Paper.TABLES: lists.build_table_list,
    Paper.NAMES: lists.build_name_list,
    Paper.STANDINGS: lists.build_standings,
    Paper.CLUBS: lists.build_club_standings,
    Paper.CHARTS: charts.build_charts,
    Paper.ENTRIES: lists.build_check_in_list,
    Paper.BADGES: names.build_badges,
    Paper.PODIUM: names.build_certificates,
    Paper.EVERYBODY: names.build_certificates,
    Paper.POSTER: posters.build_poster,
    Paper.TREASURER: treasurer.build_treasurer_sheet,
}
CLUB_DOCUMENTS: Mapping[Paper, Callable[[Club, Order], Document]] = {
    Paper.MEMBERS: clubs.build_member_list,
    Paper.ATTENDANCE: clubs.build_attendance_list,
}


def document_of(order: Order) -> Document:
    """Build the document of an order. Refuses: nothing_to_print, not_table_numbers, tables_not_in_round."""
    if order.paper in CLUB_PAPERS:
        club = get_or_refuse(Club.objects.filter(pk=order.of).first(), "nothing_to_print")
        with translation.override(order.language), timezone.override(club.time_zone):
            return CLUB_DOCUMENTS[order.paper](club, order)
    event = get_or_refuse(Event.objects.select_related("club", "terms").filter(pk=order.of).first(), "nothing_to_print")
    with translation.override(order.language), timezone.override(event.club.time_zone):
        return EVENT_DOCUMENTS[order.paper](event, order)


def build_file_name(order: Order, subject: str, extension: str = "pdf") -> str:
    """Return the name of a paper as a file, in its language: ``score-sheets-tonight.pdf``."""
    with translation.override(order.language):
        return f"{build_slug(str(PAPER_NAMES[order.paper]))}-{subject}.{extension}"
