"""Texts of alerts: a seat, a place in the event, or a cancelled or moved event."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, override

from clubs.day_words import day_in_words, describe_calling_off, hour_in_words
from clubs.emails import is_mailed_at
from clubs.models import Person
from rules import Side
from tournaments.models import AlertSubscription, Event
from tournaments.rounds.byes import ByeKind

from .channels import AlertMessage
from .queries import AlertDay, AlertNews, AlertPlace, AlertSeat, mailed_alert
from .stop_links import stop_path

SITTING_OUT = {
    ByeKind.WAITS: gettext_lazy("Round %(round)s: you wait for the next match."),
    ByeKind.WALKOVER: gettext_lazy("Round %(round)s: you advance by walkover."),
    ByeKind.BYE: gettext_lazy("Round %(round)s: you have a bye."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailOffer:
    """Offer of alerts by e-mail to a person whose address the club has. The address is partly masked;
    ``is_asked`` if the person already gets them."""

    address: str
    is_asked: bool


def mail_offer(event: Event, person: Person) -> MailOffer | None:
    """Return the offer; None if the installation sends no e-mail, or the club has no address. One query, or
    none."""
    if not is_mailed_at(person.contact):
        return None
    name, _, host = person.contact.partition("@")
    return MailOffer(address=f"{name[0]}…@{host}", is_asked=mailed_alert(event, person) is not None)


def message_of(subscription: AlertSubscription, event: Event, news: AlertNews) -> AlertMessage:
    """Write the alert in the language of the subscription. It names nobody, as others may see the phone's
    screen."""
    with override(subscription.language):
        return AlertMessage(
            title=event.name,
            text=_text(news),
            page=reverse("own-page", args=[event.short]),
            stop=stop_path(subscription),
            language=subscription.language,
            topic=f"{event.topic}:{news.subject}",
        )


def _text(news: AlertNews) -> str:
    match news:
        case AlertDay():
            return _when(news)
        case AlertPlace(has_place=True):
            return gettext("You have a place now.")
        case AlertPlace():
            return gettext("You no longer have a place: see your page.")
        case AlertSeat():
            return _where(news)


def _when(held: AlertDay) -> str:
    if held.is_off:
        return describe_calling_off(held.reason)
    told = {"day": day_in_words(held.day)}
    if held.hour is None:
        return gettext("Takes place on %(day)s.") % told
    return gettext("Takes place on %(day)s, at %(hour)s.") % {**told, "hour": hour_in_words(held.hour)}


def _where(seat: AlertSeat) -> str:
    if seat.call is not None:
        return gettext("Table %(table)s: to the desk, please.") % {"table": seat.table}
    if seat.table is not None:
        side = gettext("blue side") if seat.side is Side.A else gettext("orange side")
        told = {"round": seat.round, "table": seat.table, "side": side}
        return gettext("Round %(round)s, table %(table)s, %(side)s") % told
    assert seat.bye is not None, "who is at no table sits out"
    return sitting_out(seat.bye, seat.round)


def sitting_out(bye: ByeKind, number: int) -> str:
    """Return the text for a person without a table in a round, for the alert and for their own page."""
    return str(SITTING_OUT[bye]) % {"round": number}
