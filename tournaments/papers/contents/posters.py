"""Poster of an event: its public details, to be hung up or passed on."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import get_script_prefix
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.date_formats import day_in_words, days_and_year_in_words, describe_calling_off, hour_in_words
from tournaments.events.labels import match_in_words, stages_in_words
from tournaments.models import Event
from tournaments.papers.orders import Order
from tournaments.papers.typesetting.documents import Document
from web.money_words import format_amount
from web.qr import is_loopback

from .parts import make_document


def build_poster(event: Event, order: Order) -> Document:
    """Build a poster of one page. Details not given are left out, and so is the QR code if phones cannot
    reach the page."""
    announcement, takes_sign_ups = event.announcement, event.is_sign_up_open
    return make_document(
        event,
        order,
        "poster",
        title=_("Poster"),
        items=[_build_page_link(event, order)],
        labels={
            "square": _("Event page"),
            "time": _("Time"),
            "place": _("Place"),
            "scan": _("Scan to sign up") if takes_sign_ups else _("Scan for details"),
        },
        club=event.club.name,
        heading=event.name,
        day=capfirst(days_and_year_in_words(event.days)),
        hours=_format_hours(event),
        places=[part for part in (event.place, event.address) if part],
        off=describe_calling_off(announcement.reason_off) if announcement.is_called_off else "",
        about=announcement.about,
        facts=list(_build_facts(event)),
    )


def _build_page_link(event: Event, order: Order) -> dict[str, str]:
    """Return the address for the QR code, and its text to type; empty if the event has no public page."""
    origin = (settings.ADDRESS or order.origin).rstrip("/")
    if not event.public_page or is_loopback(origin):
        return {}
    path = event.public_page.removeprefix(get_script_prefix())  # the path without a language prefix
    address = f"{origin}/{path}"
    parts = urlsplit(address)
    return {"address": address, "typed": parts.netloc + parts.path}


def _format_hours(event: Event) -> str:
    """Return the times of the event: ``7:00 PM to 11:00 PM``, ``7:00 PM``, or "" if not given."""
    begin, end = (hour and hour_in_words(hour) for hour in event.hours)
    return _("%(begin)s to %(end)s") % {"begin": begin, "end": end} if end else begin or ""


def _build_facts(event: Event) -> Iterator[dict[str, str]]:
    """Yield the details given, each with its label, in the order of the event's page."""
    announcement = event.announcement
    deadline = announcement.sign_up_until if event.is_sign_up_open else None
    match = match_in_words(event.terms.match_format, event.terms.ruleset)
    facts = {
        _("How it is played"): " ".join(filter(None, [*stages_in_words(event.plan), match])),
        _("Price"): _format_price(event),
        _("Prizes"): announcement.prizes,
        _("Please bring"): announcement.bring,
        _("Sign-up deadline"): day_in_words(deadline) if deadline else "",
        _("Contact person"): announcement.contact,
    }
    return ({"name": name, "text": text} for name, text in facts.items() if text)


def _format_price(event: Event) -> str:
    member, guest = event.member_fee, event.guest_fee
    if not member and not guest:
        return ""
    if member == guest:
        return format_amount(member)
    amounts = {"member": format_amount(member), "guest": format_amount(guest)}
    return _("members %(member)s, guests %(guest)s") % amounts
