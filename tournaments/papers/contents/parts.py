"""Parts that papers share: headings, footers, signatures, and the round or section that they are about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.day_words import day_written, days_written, hour_in_words
from clubs.models import Club, Person
from engine.charts import MatchPlace
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import Entry, Event, Round
from tournaments.papers import presenters as printing
from tournaments.papers.orders import Order
from tournaments.papers.typesetting import Document, Values
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.signing.presenters import standings_signature
from tournaments.standings.presenters import final_snapshot, latest_snapshot, rounds_counted
from tournaments.standings.presenters.publication import changes_since_final
from web.names import fold_name, surname
from web.qr import is_only_here
from wording.labels.places import round_title

Column = Mapping[str, Any]


def document(
    of: Event | Club,
    order: Order,
    layout: str,
    *,
    title: str,
    items: Sequence[Values],
    words: Mapping[str, str],
    in_a_part: int = 0,
    **shared: Any,
) -> Document:
    return Document(
        layout=layout,
        title=f"{title} · {of.name}",
        author=of.name if isinstance(of, Club) else of.club.name,
        language=order.language,
        size=order.size,
        words=words,
        shared=shared,
        items=items,
        in_a_part=in_a_part,
    )


def list_of(
    of: Event | Club,
    order: Order,
    *,
    title: str,
    about: str = "",
    columns: Sequence[Column],
    items: Sequence[Values],
    **more: Any,
) -> Document:
    """Build a list that flows from page to page. Next to its title it names the event or club, and
    ``about``."""
    return document(
        of,
        order,
        "lists",
        title=title,
        heading=title,
        about=" · ".join(filter(None, (of.name if isinstance(of, Club) else event_and_day(of), about))),
        foot=printed_at(),
        words={"page": _("page")},
        table=columns,
        items=items,
        empty=_("This list is empty."),
        **more,
    )


def event_and_day(event: Event) -> str:
    """Return the name and date of an event: ``Soirée du mardi, 17 novembre 2026``."""
    return f"{event.name}, {days_written(event.days)}"


def printed_at() -> str:
    now = timezone.localtime()
    return _("Printed %(day)s, %(hour)s") % {"day": day_written(now.date()), "hour": hour_in_words(now)}


def round_of_order(event: Event, order: Order) -> Round:
    """Return the round of the order, if this reader may still see it. Refuses: nothing_to_print."""
    drawn = printing.printed_round(event, str(order.round), drafts=order.drafts)
    if drawn is None or drawn.number != order.round:
        raise Refusal("nothing_to_print")
    return drawn


def round_name(drawn: Round, places: Iterable[MatchPlace | None]) -> str:
    """Return the name of a round, ``Semifinals · Round 5``, marked if it is a draft."""
    number = _("Round %(number)s") % {"number": drawn.number}
    return " · ".join(filter(None, (round_title(places), number, draft_note(drawn))))


def draft_note(drawn: Round) -> str:
    """Return the note that a round is a draft; "" for others."""
    return _("draft, not published yet") if drawn.state == RoundState.DRAFT else ""


def so_far(event: Event) -> str:
    """Return the round after or during which the standings were counted. "" if the event has ended, or if
    final standings count all of its rounds."""
    if event.state == EventState.ENDED:
        return ""
    counted = rounds_counted(event, latest_snapshot(event), list(rounds_of(event)))
    last = counted.after_round
    published = event.published_standings
    if event.final is not None and published.filter(number=event.final, rounds=last).exists():
        return ""
    if counted.during_round is not None:
        return _("not final: during round %(number)s") % {"number": counted.during_round}
    said = ngettext("not final: after %(rounds)s round", "not final: after %(rounds)s rounds", last)
    return said % {"rounds": last}


def signature_on(event: Event, order: Order) -> dict[str, Values]:
    """Return the signature of the standings on this paper, as the value ``signed``. It has a sentence, and
    the address of the log entry. Empty if the standings are unsigned, or have changed since."""
    signature = standings_signature(event)
    if signature is None or changes_since_final(event, final_snapshot(event)) is not None:
        return {}
    told = _(
        "Signed by the club: results log, line %(number)s. Key: %(key)s. Checksum: %(sum)s. "
        "Signature: %(signature)s…"
    )
    says = {name: getattr(signature, name) for name in ("number", "key", "sum", "signature")}
    signed = {"text": told % says}
    if order.origin and not is_only_here(order.origin):
        signed["address"] = order.origin.rstrip("/") + signature.path
    return {"signed": signed}


def surname_key(person: Person) -> tuple[str, str, int]:
    """Return the sort key of a person in a printed list."""
    return fold_name(surname(person.name)), fold_name(person.name), person.pk


def section_of(event: Event, order: Order) -> str:
    """Return the name of the section of the order; "" for all of them."""
    names = [section["name"] for section in event.sections]
    return names[order.place] if 0 <= order.place < len(names) else ""


def entries_on(event: Event, order: Order) -> list[Entry]:
    """List the entries that take part, of the section of the order. One query."""
    section = section_of(event, order)
    return [
        entry
        for entry in entries_of(event)
        if not entry.is_waiting and entry.leaves_after is None and section in ("", entry.section)
    ]
