"""Documents of orders, in the language of the person who ordered and the club's time zone."""

from collections.abc import Callable, Mapping

from django.utils import timezone, translation

from clubs.models import Club
from errors import Refusal
from tournaments.models import Event
from tournaments.papers.orders import CLUB_PAPERS, Order, Paper
from tournaments.papers.typesetting import Document

from . import charts, clubs, lists, names, posters, tables, treasurer

OF_AN_EVENT: Mapping[Paper, Callable[[Event, Order], Document]] = {
    Paper.SHEETS: tables.sheets_document,
    Paper.BLANK: tables.blank_sheets_document,
    Paper.CARDS: tables.cards_document,
    Paper.TABLES: lists.tables_document,
    Paper.NAMES: lists.names_document,
    Paper.STANDINGS: lists.standings_document,
    Paper.CLUBS: lists.club_standings_document,
    Paper.CHARTS: charts.charts_document,
    Paper.ENTRIES: lists.check_in_document,
    Paper.BADGES: names.badges_document,
    Paper.PODIUM: names.certificates_document,
    Paper.EVERYBODY: names.certificates_document,
    Paper.POSTER: posters.poster,
    Paper.TREASURER: treasurer.treasurer_document,
}
OF_CLUBS: Mapping[Paper, Callable[[Club, Order], Document]] = {
    Paper.MEMBERS: clubs.members_document,
    Paper.ATTENDANCE: clubs.attendance_document,
}


def document_of(order: Order) -> Document:
    """Build the document of an order. Refuses: nothing_to_print, not_table_numbers, tables_not_in_round."""
    if order.paper in CLUB_PAPERS:
        club = Club.objects.filter(pk=order.of).first()
        if club is None:
            raise Refusal("nothing_to_print")
        with translation.override(order.language), timezone.override(club.time_zone):
            return OF_CLUBS[order.paper](club, order)
    event = Event.objects.select_related("club", "terms").filter(pk=order.of).first()
    if event is None:
        raise Refusal("nothing_to_print")
    with translation.override(order.language), timezone.override(event.club.time_zone):
        return OF_AN_EVENT[order.paper](event, order)
