"""Texts of alerts: a seat, a place in the event, or a cancelled or moved event."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, override

from clubs.date_formats import day_in_words, describe_calling_off, hour_in_words
from clubs.emails import can_receive_email
from clubs.models import Person
from rules import Side
from tournaments.models import AlertSubscription, Event
from tournaments.rounds.byes import ByeKind

from .channels import AlertMessage
from .queries import AlertDay, AlertNews, AlertPlace, AlertSeat, find_mail_subscription
from .stop_links import get_stop_path

BYE_TEXTS = {
    ByeKind.WAITS: gettext_lazy("Round %(round)s: you wait for the next match."),
    ByeKind.WALKOVER: gettext_lazy("Round %(round)s: you advance by walkover."),
    ByeKind.UNOPPOSED: gettext_lazy("Round %(round)s: you win your board without play."),
    ByeKind.SUBSTITUTE: gettext_lazy("Round %(round)s: you are a substitute."),
    ByeKind.BYE: gettext_lazy("Round %(round)s: you have a bye."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailOffer:
    """Offer of alerts by e-mail to a person whose address the club has. The address is partly masked;
    ``is_asked`` if the person already gets them."""

    address: str
    is_asked: bool


def build_mail_offer(event: Event, person: Person) -> MailOffer | None:
    """Return the offer; None if the installation sends no e-mail, or the club has no address. One query, or
    none."""
    if not can_receive_email(person.contact):
        return None
    name, _, host = person.contact.partition("@")
    return MailOffer(address=f"{name[0]}…@{host}", is_asked=find_mail_subscription(event, person) is not None)


def build_message(subscription: AlertSubscription, event: Event, news: AlertNews) -> AlertMessage:
    """Write the alert in the language of the subscription. It names nobody, as others may see the phone's
    screen."""
    with override(subscription.language):
        return AlertMessage(
            club=event.club,
            title=event.name,
            text=_format_news(news),
            page=reverse("own-page", args=[event.short]),
            stop=get_stop_path(subscription),
            language=subscription.language,
            topic=f"{event.topic}:{news.subject}",
        )


def _format_news(news: AlertNews) -> str:
    match news:
        case AlertDay():
            return _format_day(news)
        case AlertPlace(has_place=True):
            return gettext("You have a place now.")
        case AlertPlace():
            return gettext("You no longer have a place: see your page.")
        case AlertSeat():
            return _format_seat(news)


def _format_day(news: AlertDay) -> str:
    if news.is_off:
        return describe_calling_off(news.reason)
    values = {"day": day_in_words(news.day)}
    if news.hour is None:
        return gettext("The event takes place on %(day)s.") % values
    return gettext("The event takes place on %(day)s, at %(hour)s.") % {**values, "hour": hour_in_words(news.hour)}


def _format_seat(seat: AlertSeat) -> str:
    if seat.call is not None:
        return gettext("Table %(table)s: please send one player to the desk.") % {"table": seat.table}
    if seat.table is not None:
        side = gettext("blue side") if seat.side is Side.A else gettext("orange side")
        values = {"round": seat.round, "table": seat.table, "side": side}
        return gettext("Round %(round)s, table %(table)s, %(side)s") % values
    assert seat.bye is not None, "who is at no table sits out"
    return format_bye(seat.bye, seat.round)


def format_bye(bye: ByeKind, number: int) -> str:
    """Return the text for a person without a table in a round, for the alert and for their own page."""
    return str(BYE_TEXTS[bye]) % {"round": number}
