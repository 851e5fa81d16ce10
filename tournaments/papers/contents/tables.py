"""Papers for the tables: score sheets and table cards."""

from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import override

from clubs.game_words import contract_name
from clubs.wording import join_in_lines
from errors import Refusal
from scoring.models import TableCard
from scoring.qr import card_url
from scoring.table_access import SHEET
from tournaments.models import Event
from tournaments.papers import presenters as printing
from tournaments.papers.orders import Order
from tournaments.papers.typesetting import Document, Values
from web.qr import is_only_here
from wording.labels.places import place_name
from wording.templatetags.words import code_in_two, rules_of_sheet

from .parts import document, draft_note, event_and_day, round_of_order

SHEETS_IN_A_PART = 20
CARDS_IN_A_PART = 100
BETWEEN = "\u00a0· "
"""Separator between two contracts; no line begins with it."""

MOST_LINES = 20
"""Maximum number of lines of a sheet that can still be filled in by hand."""


def sheets_document(event: Event, order: Order) -> Document:
    """Build a score sheet for each table of a round.

    Refuses: nothing_to_print, not_table_numbers, tables_not_in_round.
    """
    drawn = round_of_order(event, order)
    found = printing.sheets_of(event, drawn, printing.chosen_tables(order.tables))
    about = _("%(event)s · round %(number)s") % {"event": event_and_day(event), "number": drawn.number}
    return _sheets(
        event,
        order,
        [
            {
                "table": str(sheet.table),
                "about": " · ".join(filter(None, (draft_note(drawn), about, place_name(sheet.place)))),
                "rules": rules_of_sheet(sheet.terms or event.terms),
                "sides": [join_in_lines([person.name for person in side.people]) for side in sheet.sides],
                "address": card_url(order.origin, sheet.card, **{SHEET: drawn.number}) if sheet.card else "",
            }
            for sheet in found
        ],
        hands=max((sheet.terms or event.terms).match_format.hands or 0 for sheet in found),
    )


def blank_sheets_document(event: Event, order: Order) -> Document:
    """Build blank score sheets, with names to be filled in by hand."""
    about = _("%(event)s · round ____") % {"event": event_and_day(event)}
    blank = {"table": "", "about": about, "rules": rules_of_sheet(event.terms), "sides": ["", ""]}
    return _sheets(event, order, [blank] * order.copies, hands=event.terms.match_format.hands or 0)


def cards_document(event: Event, order: Order) -> Document:
    """Build the card of each table. Refuses: nothing_to_print, not_table_numbers."""
    chosen = printing.chosen_tables(order.tables)
    laid = TableCard.objects.filter(topic=event.topic).order_by("number")
    host = urlsplit(order.origin).netloc
    items = [
        {
            "number": str(card.number),
            "code": code_in_two(card.digits),
            "host": host,
            "letters": card.letters,
            "address": card_url(order.origin, card),
        }
        for card in laid
        if chosen is None or card.number in chosen
    ]
    if not items:
        raise Refusal("nothing_to_print")
    other = "en" if order.language == "fr" else "fr"
    with override(other):
        said = _("Scan to keep score. No app, no account.")
    words = {
        "square": _("Table page"),
        "table": _("Table"),
        "keep": _("Keep score with your phone"),
        "point": _("Scan the QR code with your camera."),
        "none": _("No app, no account."),
        "instead": _("Or:"),
        "code": _("code"),
        "if_asked": _("and, if asked:"),
        "other": said,
    }
    only_here = _("Phones cannot reach this computer. Join the hall’s network and restart without --host.")
    return document(
        event,
        order,
        "cards",
        title=_("Table cards"),
        items=items,
        words=words,
        in_a_part=CARDS_IN_A_PART,
        other=other,
        warning=only_here if is_only_here(order.origin) else "",
    )


def _sheets(event: Event, order: Order, items: list[Values], *, hands: int) -> Document:
    words = {
        "sheet": _("Score sheet"),
        "hand": _("Hand"),
        "contract": _("Contract"),
        "bidder": _("Bid by"),
        "or": _("or"),
        "made": _("Made"),
        "failed": _("Failed"),
        "total": _("Total"),
        "agreed": _("signature"),
        "square": _("Table page"),
    }
    return document(
        event,
        order,
        "sheets",
        title=words["sheet"],
        items=items,
        words=words,
        in_a_part=SHEETS_IN_A_PART,
        lines=min(MOST_LINES, max(len(printing.LINES), hands)),
        brief=_brief(event),
        two=order.per_page == 2,
    )


def _brief(event: Event) -> str:
    """Return the points of the contracts that do not simply score their number."""
    paid = [
        f"{contract_name(contract.key)} "
        + (_("the game") if contract.ends_game else f"{contract.made}\u00a0/\u00a0{contract.failed}")
        for contract in printing.contracts_in_brief(event.terms.ruleset)
    ]
    rule = _("Made: the bidding side scores. Failed: the other side. Number bids score their number.")
    return f"{rule} {BETWEEN.join(paid)}." if paid else rule
