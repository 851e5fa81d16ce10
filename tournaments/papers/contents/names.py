"""Papers with one name on each: badges and certificates."""

from collections.abc import Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from clubs.day_words import days_written
from clubs.models import Person
from clubs.wording import join_names
from engine.standings import within
from errors import Refusal
from tournaments.entries.badge_codes import own_letters, own_link
from tournaments.entries.queries.entries import entries_of
from tournaments.models import Entry, Event
from tournaments.papers.orders import Order, Paper
from tournaments.papers.typesetting import Document
from tournaments.standings.presenters import finals_of
from tournaments.standings.queries.standings import standings_of
from web.qr import is_only_here
from wording.labels.places import stage_title

from .parts import document, entries_on, event_and_day, section_of, signature_on, so_far, surname_key

BADGES_IN_A_PART = 160
CERTIFICATES_IN_A_PART = 100

PLACES: Mapping[int, str | Promise] = {
    1: pgettext_lazy("a certificate", "First place"),
    2: pgettext_lazy("a certificate", "Second place"),
    3: pgettext_lazy("a certificate", "Third place"),
}
"""Text of a certificate by rank; other ranks get a certificate of participation."""


def badges_document(event: Event, order: Order) -> Document:
    """Build a badge for each player in the event, by surname. Refuses: nothing_to_print."""
    entries = entries_on(event, order)
    people = [(person, entry) for entry in entries for person in entry.players]
    people.sort(key=lambda one: surname_key(one[0]))
    if not people:
        raise Refusal("nothing_to_print")
    has_links = bool(event.public_page) and not is_only_here(order.origin)
    items = [
        {"name": person.name, "below": entry.team or entry.section or event.club.name}
        | (_way_in(event, order, person) if has_links else {})
        for person, entry in people
    ]
    return document(
        event,
        order,
        "badges",
        title=_("Name badges"),
        items=items,
        words={"square": _("My page"), "page": _("My page")},
        in_a_part=BADGES_IN_A_PART,
        about=event_and_day(event),
    )


def _way_in(event: Event, order: Order, person: Person) -> dict[str, str]:
    """Return the QR code's address and the letters that open the person's own page."""
    return {
        "address": own_link(event, person.pk, order.origin),
        "letters": own_letters(event, person.pk),
    }


def certificates_document(event: Event, order: Order) -> Document:
    """Build a certificate for each person of the first three ranks, or for everyone, best first. Refuses:
    nothing_to_print."""
    ranks, finals = _ranks(event, order)
    last = len(ranks) + 1
    entries = sorted(entries_on(event, order), key=lambda one: (ranks.get(one.number, last), one.number))
    if order.paper is Paper.PODIUM:
        entries = [entry for entry in entries if ranks.get(entry.number) in PLACES]
    items = [
        {
            "names": person.name,
            "with_whom": _("with %(names)s") % {"names": join_names(others)} if others else "",
            "for_what": _for_what(event, ranks.get(entry.number, 0), finals.get(entry.number)),
        }
        for entry in entries
        for person, others in _each(entry)
    ]
    if not items:
        raise Refusal("nothing_to_print")
    words = {
        "certificate": _("Certificate"),
        "awarded": _("awarded to"),
        "signed": _("For the club"),
        "on": _("Date"),
    }
    section = section_of(event, order)
    return document(
        event,
        order,
        "certificates",
        title=_("Certificates"),
        items=items,
        words=words,
        in_a_part=CERTIFICATES_IN_A_PART,
        heading=f"{event.name} · {section}" if section else event.name,
        about=" · ".join(filter(None, (f"{event.club.name}, {days_written(event.days)}", so_far(event)))),
        **signature_on(event, order),
    )


def _each(entry: Entry) -> Iterator[tuple[Person, list[str]]]:
    """Yield each person of the entry, with the names of the others."""
    for person in entry.players:
        yield person, [other.name for other in entry.players if other.pk != person.pk]


def _for_what(event: Event, rank: int, final: int | None) -> str:
    """Return the text of a certificate, with the final that was played for the rank."""
    if rank not in PLACES:
        return _("Participation")
    return " · ".join(
        filter(None, (str(PLACES[rank]), "" if final is None else stage_title(event.plan, final)))
    )


def _ranks(event: Event, order: Order) -> tuple[dict[int, int], dict[int, int]]:
    """Return the rank of each entry by its number, among all, in its section, or in its final if several were
    played at the same time; and these finals, by entry."""
    rows = standings_of(event)
    section = section_of(event, order)
    if section:
        sections = {entry.number: entry.section for entry in entries_of(event)}
        rows = list(within(rows, sections, event.ranking_rules.order).get(section, []))
    finals = finals_of(event.plan, rows)
    first: dict[int, int] = {}
    for row in rows:
        first.setdefault(finals.get(row["entry"], -1), row["rank"])
    ranks = {
        row["entry"]: row["rank"] - first[finals[row["entry"]]] + 1 if row["entry"] in finals else row["rank"]
        for row in rows
    }
    return ranks, finals
