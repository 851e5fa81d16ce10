"""Parts that papers share: headings, footers, signatures, and the round or section that they are about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.date_formats import format_date, hour_in_words, name_and_days
from clubs.models import Club, Person
from engine.charts import MatchPlace
from errors import Refusal
from tournaments.entries.queries.entries import get_entries
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import Entry, Event, Round
from tournaments.papers import presenters as printing
from tournaments.papers.orders import Order
from tournaments.papers.typesetting.documents import Document, Values
from tournaments.rounds.place_labels import round_title
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.signing.presenters import get_standings_signature
from tournaments.standings.presenters import (
    get_counted_rounds,
    get_latest_snapshot,
    get_standings_status,
)
from tournaments.standings.presenters.publication import get_current_snapshot
from tournaments.standings.titles import STATUS_TITLES
from web.names import fold_name, get_surname
from web.qr import is_loopback

Column = Mapping[str, Any]


def make_document(
    subject: Event | Club,
    order: Order,
    layout: str,
    *,
    title: str,
    items: Sequence[Values],
    labels: Mapping[str, str],
    items_per_part: int = 0,
    **common: Any,
) -> Document:
    return Document(
        layout=layout,
        title=f"{title} · {subject.name}",
        author=subject.name if isinstance(subject, Club) else subject.club.name,
        language=order.language,
        size=order.size,
        labels=labels,
        common=common,
        items=items,
        items_per_part=items_per_part,
    )


def make_list(
    subject: Event | Club,
    order: Order,
    *,
    title: str,
    subtitle: str = "",
    columns: Sequence[Column],
    items: Sequence[Values],
    **extra: Any,
) -> Document:
    """Build a list that flows from page to page. The name of the event or club and the ``subtitle`` are next to
    its title."""
    return make_document(
        subject,
        order,
        "lists",
        title=title,
        heading=title,
        about=" · ".join(
            filter(None, (subject.name if isinstance(subject, Club) else format_event(subject), subtitle))
        ),
        foot=format_print_time(),
        labels={"page": _("page")},
        table=columns,
        items=items,
        empty=_("This list is empty."),
        **extra,
    )


def format_event(event: Event) -> str:
    """Return the name and date of an event."""
    return name_and_days(event.name, event.days)


def format_print_time() -> str:
    now = timezone.localtime()
    return _("Printed %(day)s, %(hour)s") % {"day": format_date(now.date()), "hour": hour_in_words(now)}


def get_ordered_round(event: Event, order: Order) -> Round:
    """Return the round of the order, if this reader may still see it. Refuses: nothing_to_print."""
    round_row = printing.find_printable_round(event, str(order.round), drafts=order.drafts)
    if round_row is None or round_row.number != order.round:
        raise Refusal("nothing_to_print")
    return round_row


def format_round(round_row: Round, places: Iterable[MatchPlace | None]) -> str:
    """Return the name of a round, ``Semifinals · Round 5``, marked if it is a draft."""
    number = _("Round %(number)s") % {"number": round_row.number}
    return " · ".join(filter(None, (round_title(places), number, get_draft_note(round_row))))


def get_draft_note(round_row: Round) -> str:
    """Return the note that a round is a draft; "" for others."""
    return _("draft, not published yet") if round_row.state == RoundState.DRAFT else ""


def format_progress(event: Event) -> str:
    """Return the round after or during which the standings were counted. "" before the first round, if the
    event has ended, or if final standings count all of its rounds."""
    if event.state == EventState.ENDED:
        return ""
    counts = get_counted_rounds(event, get_latest_snapshot(event), list(get_published_rounds(event)))
    last_round = counts.after_round
    published = event.published_standings
    if event.final is not None and published.filter(number=event.final, rounds=last_round).exists():
        return ""
    if counts.during_round is not None:
        return _("not final: during round %(number)s") % {"number": counts.during_round}
    if not last_round:
        return ""
    template = ngettext("not final: after %(rounds)s round", "not final: after %(rounds)s rounds", last_round)
    return template % {"rounds": last_round}


def format_standings_title(event: Event) -> str:
    """Return the title: final standings until results change, and provisional ones once the event has ended."""
    return str(STATUS_TITLES[get_standings_status(event, get_current_snapshot(event))])


def build_signature(event: Event, order: Order) -> dict[str, Values]:
    """Return the signature of the standings on this paper, as the value ``signed``. It has a sentence, and
    the address of the log entry. Empty if the standings are unsigned, or have changed since."""
    signature = get_standings_signature(event)
    if signature is None or get_current_snapshot(event).number is None:
        return {}
    template = _(
        "Signed by the club: results log, line %(number)s. Key: %(key)s. Checksum: %(sum)s. Signature: %(signature)s…"
    )
    values = {name: getattr(signature, name) for name in ("number", "key", "sum", "signature")}
    signed = {"text": template % values}
    if order.origin and not is_loopback(order.origin):
        signed["address"] = order.origin.rstrip("/") + signature.path
    return {"signed": signed}


def get_surname_key(person: Person) -> tuple[str, str, int]:
    """Return the sort key of a person in a printed list."""
    return fold_name(get_surname(person.name)), fold_name(person.name), person.pk


def get_section(event: Event, order: Order) -> str:
    """Return the name of the section of the order; "" for all of them."""
    names = [section["name"] for section in event.sections]
    return names[order.place] if 0 <= order.place < len(names) else ""


def list_entries(event: Event, order: Order) -> list[Entry]:
    """List the entries that take part, of the section of the order. One query."""
    section = get_section(event, order)
    return [
        entry
        for entry in get_entries(event)
        if not entry.is_waiting and entry.leaves_after is None and section in ("", entry.section)
    ]
