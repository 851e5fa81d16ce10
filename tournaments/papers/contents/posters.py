"""Poster of an event: its public details, to be hung up or passed on."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import get_script_prefix
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.day_words import day_in_words, days_and_year_in_words, describe_calling_off, hour_in_words
from clubs.money_words import amount_in_words
from tournaments.models import Event
from tournaments.papers.orders import Order
from tournaments.papers.typesetting import Document
from web.qr import is_only_here
from wording.labels.tournaments import match_in_words, stages_in_words

from .parts import document


def poster(event: Event, order: Order) -> Document:
    """Build a poster of one page. Details not given are left out, and so is the QR code if phones cannot
    reach the page."""
    said, signs_up = event.announcement, event.takes_sign_ups
    return document(
        event,
        order,
        "poster",
        title=_("Poster"),
        items=[_way_to_its_page(event, order)],
        words={
            "square": _("Event page"),
            "scan": _("Scan to sign up") if signs_up else _("Scan for details"),
        },
        club=event.club.name,
        heading=event.name,
        day=capfirst(days_and_year_in_words(event.days)),
        hours=_hours(event),
        places=[each for each in (event.place, event.address) if each],
        off=describe_calling_off(said.reason_off) if said.is_called_off else "",
        about=said.about,
        facts=list(_facts(event)),
    )


def _way_to_its_page(event: Event, order: Order) -> dict[str, str]:
    """Return the address for the QR code, and its text to type; empty if the event has no public page."""
    origin = (settings.ADDRESS or order.origin).rstrip("/")
    if not event.public_page or is_only_here(origin):
        return {}
    path = event.public_page.removeprefix(get_script_prefix())  # the path without a language prefix
    address = f"{origin}/{path}"
    whole = urlsplit(address)
    return {"address": address, "typed": whole.netloc + whole.path}


def _hours(event: Event) -> str:
    """Return the times of the event: ``7:00 PM to 11:00 PM``, ``7:00 PM``, or "" if not given."""
    begin, end = (hour and hour_in_words(hour) for hour in event.hours)
    return _("%(begin)s to %(end)s") % {"begin": begin, "end": end} if end else begin or ""


def _facts(event: Event) -> Iterator[dict[str, str]]:
    """Yield the details given, each with its label, in the order of the event's page."""
    said = event.announcement
    last = said.sign_up_until if event.takes_sign_ups else None
    match = match_in_words(event.terms.match_format, event.terms.ruleset)
    facts = {
        _("How it is played"): " ".join(filter(None, [*stages_in_words(event.plan), match])),
        _("Price"): _price(event),
        _("Prizes"): said.prizes,
        _("Please bring"): said.bring,
        _("Sign-up deadline"): day_in_words(last) if last else "",
        _("Contact person"): said.contact,
    }
    return ({"name": name, "text": text} for name, text in facts.items() if text)


def _price(event: Event) -> str:
    member, guest = event.member_fee, event.guest_fee
    if not member and not guest:
        return ""
    if member == guest:
        return amount_in_words(member)
    amounts = {"member": amount_in_words(member), "guest": amount_in_words(guest)}
    return _("members %(member)s, guests %(guest)s") % amounts
