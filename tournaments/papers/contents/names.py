"""Papers with one name on each: badges and certificates."""

from collections.abc import Hashable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from clubs.date_formats import format_days
from clubs.models import Person
from clubs.name_formats import join_names
from engine.draws.stages import list_blocks
from engine.standings import rank_by_section
from errors import Refusal
from tournaments.entries.badge_codes import build_player_link, get_badge_letters
from tournaments.entries.queries.entries import get_entries
from tournaments.models import Entry, Event, PrizeScope
from tournaments.money.labels import get_category_title
from tournaments.money.presenters.awards import get_final_awards
from tournaments.papers.orders import Order, Paper
from tournaments.papers.typesetting.documents import Document
from tournaments.rounds.place_labels import stage_title
from tournaments.standings.presenters import map_final_stages
from tournaments.standings.queries.standings import get_standings_rows
from web.qr import is_loopback

from .parts import (
    build_signature,
    format_event,
    format_progress,
    get_section,
    get_surname_key,
    list_entries,
    make_document,
)

BADGES_PER_PART = 160
CERTIFICATES_PER_PART = 100

PLACE_TEXTS: Mapping[int, str | Promise] = {
    1: pgettext_lazy("a certificate", "First place"),
    2: pgettext_lazy("a certificate", "Second place"),
    3: pgettext_lazy("a certificate", "Third place"),
}
"""Text of a certificate by rank; other ranks get a certificate of participation."""


def build_badges(event: Event, order: Order) -> Document:
    """Build a badge for each player in the event, by surname. Refuses: nothing_to_print."""
    entries = list_entries(event, order)
    people = [(person, entry) for entry in entries for person in entry.players]
    people.sort(key=lambda one: get_surname_key(one[0]))
    if not people:
        raise Refusal("nothing_to_print")
    has_links = bool(event.public_page) and not is_loopback(order.origin)
    items = [
        {"name": person.name, "below": entry.team or entry.section or event.club.name}
        | (_build_player_link(event, order, person) if has_links else {})
        for person, entry in people
    ]
    return make_document(
        event,
        order,
        "badges",
        title=_("Name badges"),
        items=items,
        labels={"square": _("My page"), "page": _("My page")},
        items_per_part=BADGES_PER_PART,
        about=format_event(event),
    )


def _build_player_link(event: Event, order: Order, person: Person) -> dict[str, str]:
    """Return the QR code's address and the letters that open the person's own page."""
    return {
        "address": build_player_link(event, person.pk, order.origin),
        "letters": get_badge_letters(event, person.pk),
    }


def build_certificates(event: Event, order: Order) -> Document:
    """Build a certificate for each person of the first three ranks, also if they have gone home, or for everyone,
    best first, one final after the other; then for the winners of public prize categories, while the standings
    are final. Refuses: nothing_to_print."""
    ranks, finals = _get_ranks(event, order)

    def get_place(entry: Entry) -> tuple[int, int, int]:
        number = entry.number
        return finals.get(number, len(event.plan)), ranks.get(number, len(ranks) + 1), number

    rules = event.ranking_rules
    winners = [
        entry
        for entry in get_entries(event)
        if ranks.get(entry.number) in PLACE_TEXTS and rules.keeps_rank(is_disqualified=bool(entry.disqualification))
    ]
    participants = [] if order.paper is Paper.PODIUM else list_entries(event, order)
    entries = sorted({*winners, *participants}, key=get_place)
    awards = [
        *((entry, _describe_award(event, ranks.get(entry.number, 0), finals.get(entry.number))) for entry in entries),
        *_iter_category_prizes(event, get_section(event, order)),
    ]
    items = [
        {
            "names": person.name,
            "with_whom": _("with %(names)s") % {"names": join_names(others)} if others else "",
            "for_what": for_what,
        }
        for entry, for_what in awards
        for person, others in _iter_people(entry)
    ]
    if not items:
        raise Refusal("nothing_to_print")
    labels = {
        "certificate": _("Certificate"),
        "awarded": _("awarded to"),
        "signed": _("For the club"),
        "on": _("Date"),
    }
    section = get_section(event, order)
    return make_document(
        event,
        order,
        "certificates",
        title=_("Certificates"),
        items=items,
        labels=labels,
        items_per_part=CERTIFICATES_PER_PART,
        heading=f"{event.name} · {section}" if section else event.name,
        about=" · ".join(filter(None, (f"{event.club.name}, {format_days(event.days)}", format_progress(event)))),
        **build_signature(event, order),
    )


def _iter_category_prizes(event: Event, section: str) -> Iterator[tuple[Entry, str]]:
    """Yield the winners of each public category among some entries, in this section, with its title."""
    entries = get_entries(event)
    entries_by_number: Mapping[Hashable, Entry] = {
        entry.number: entry for entry in entries if section in ("", entry.section)
    }
    for awards in get_final_awards(event, entries):
        category = awards.category
        if category.among == PrizeScope.EVERYBODY:
            continue
        for winner in awards.winners:
            entry = entries_by_number.get(winner.award.winner)  # none for a club
            if entry is not None:
                place = PLACE_TEXTS.get(winner.award.first_place, "") if len(category.amounts) > 1 else ""
                yield entry, " · ".join(filter(None, (get_category_title(category, awards.group), str(place))))


def _iter_people(entry: Entry) -> Iterator[tuple[Person, list[str]]]:
    """Yield each person of the entry, with the names of the others."""
    for person in entry.players:
        yield person, [other.name for other in entry.players if other.pk != person.pk]


def _describe_award(event: Event, rank: int, final: int | None) -> str:
    """Return the text of a certificate, with the final that was played for the rank."""
    if rank not in PLACE_TEXTS:
        return _("Participation")
    return " · ".join(filter(None, (str(PLACE_TEXTS[rank]), "" if final is None else stage_title(event.plan, final))))


def _get_ranks(event: Event, order: Order) -> tuple[dict[int, int], dict[int, int]]:
    """Return the rank of each entry by its number, among all, in its section, or in its final if several were
    played at the same time, and nothing after them; and these finals, by entry."""
    rows = get_standings_rows(event)
    stages = map_final_stages(event.plan, rows)
    best_stage = stages.get(rows[0]["entry"]) if rows else None
    last_stages = next((block for block in list_blocks(event.plan) if best_stage in block), range(0))
    finals = {entry: stage for entry, stage in stages.items() if stage in last_stages}
    section = get_section(event, order)
    if section:
        sections = {entry.number: entry.section for entry in get_entries(event)}
        rows = list(rank_by_section(rows, sections, event.ranking_rules.order).get(section, []))
    first_ranks: dict[int, int] = {}
    for row in rows:
        first_ranks.setdefault(finals.get(row["entry"], -1), row["rank"])
    ranks = {
        row["entry"]: row["rank"] - first_ranks[finals[row["entry"]]] + 1 if row["entry"] in finals else row["rank"]
        for row in rows
    }
    return ranks, finals
