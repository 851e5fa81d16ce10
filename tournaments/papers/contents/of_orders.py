"""From an order to the document: in the language of who asked, at the hour of the club."""

from collections.abc import Callable, Mapping

from django.utils import timezone, translation

from clubs.models import Club
from rules import Refusal
from tournaments.models import Event
from tournaments.papers.orders import OF_A_CLUB, Order, Paper
from tournaments.papers.typesetting import Document

from . import charts, clubs, lists, names, posters, tables

OF_AN_EVENT: Mapping[Paper, Callable[[Event, Order], Document]] = {
    Paper.SHEETS: tables.sheets,
    Paper.BLANK: tables.blank_sheets,
    Paper.CARDS: tables.cards,
    Paper.TABLES: lists.round_by_table,
    Paper.NAMES: lists.round_by_name,
    Paper.STANDINGS: lists.standings,
    Paper.CLUBS: lists.clubs,
    Paper.CHARTS: charts.charts,
    Paper.ENTRIES: lists.check_in,
    Paper.BADGES: names.badges,
    Paper.PODIUM: names.certificates,
    Paper.EVERYBODY: names.certificates,
    Paper.POSTER: posters.poster,
}
OF_CLUBS: Mapping[Paper, Callable[[Club, Order], Document]] = {
    Paper.MEMBERS: clubs.members,
    Paper.ATTENDANCE: clubs.attendance,
}


def document_of(order: Order) -> Document:
    """What is to be printed. Refuses: nothing_to_print, not_table_numbers, tables_not_in_round."""
    if order.paper in OF_A_CLUB:
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
