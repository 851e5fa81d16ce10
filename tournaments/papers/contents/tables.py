"""Papers for the tables: score sheets and table cards."""

from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import override

from clubs.game_words import contract_name
from clubs.name_formats import join_on_lines
from errors import Refusal
from scoring.card_secrets import split_code
from scoring.models import TableCard
from scoring.qr import build_card_url
from scoring.table_access import SHEET_PARAM
from tournaments.events.labels import describe_terms
from tournaments.models import Event
from tournaments.papers import presenters as printing
from tournaments.papers.orders import Order
from tournaments.papers.typesetting.documents import Document, Values
from tournaments.rounds.place_labels import place_name
from web.qr import is_loopback

from .parts import format_event, get_draft_note, get_ordered_round, make_document

SHEETS_PER_PART = 20
CARDS_PER_PART = 100
CONTRACT_SEPARATOR = "\u00a0· "
"""Separator between two contracts; no line begins with it."""

MAX_LINES = 20
"""Maximum number of lines of a sheet that can still be filled in by hand."""


def build_sheets(event: Event, order: Order) -> Document:
    """Build a score sheet for each table of a round.

    Refuses: nothing_to_print, not_table_numbers, tables_not_in_round.
    """
    round_row = get_ordered_round(event, order)
    sheets = printing.sheets_of(event, round_row, printing.parse_table_numbers(order.tables))
    subtitle = _("%(event)s · round %(number)s") % {"event": format_event(event), "number": round_row.number}
    return _make_sheets(
        event,
        order,
        [
            {
                "table": str(sheet.table),
                "about": " · ".join(filter(None, (get_draft_note(round_row), subtitle, place_name(sheet.place)))),
                "rules": describe_terms(sheet.terms or event.terms),
                "sides": [join_on_lines([person.name for person in side.people]) for side in sheet.sides],
                "address": build_card_url(order.origin, sheet.card, **{SHEET_PARAM: round_row.number})
                if sheet.card
                else "",
            }
            for sheet in sheets
        ],
        hands=max((sheet.terms or event.terms).match_format.hands or 0 for sheet in sheets),
    )


def build_blank_sheets(event: Event, order: Order) -> Document:
    """Build blank score sheets, with names to be filled in by hand."""
    subtitle = _("%(event)s · round ____") % {"event": format_event(event)}
    blank = {"table": "", "about": subtitle, "rules": describe_terms(event.terms), "sides": ["", ""]}
    return _make_sheets(event, order, [blank] * order.copies, hands=event.terms.match_format.hands or 0)


def build_cards(event: Event, order: Order) -> Document:
    """Build the card of each table. Refuses: nothing_to_print, not_table_numbers."""
    chosen = printing.parse_table_numbers(order.tables)
    cards = TableCard.objects.filter(topic=event.topic).order_by("number")
    host = urlsplit(order.origin).netloc
    items = [
        {
            "number": str(card.number),
            "code": split_code(card.digits),
            "host": host,
            "letters": card.letters,
            "address": build_card_url(order.origin, card),
        }
        for card in cards
        if chosen is None or card.number in chosen
    ]
    if not items:
        raise Refusal("nothing_to_print")
    other_language = "en" if order.language == "fr" else "fr"
    with override(other_language):
        translated_hint = _("Scan to keep score. No app, no account.")
    labels = {
        "square": _("Table page"),
        "table": _("Table"),
        "keep": _("Keep score with your phone"),
        "point": _("Scan the QR code with your camera."),
        "none": _("No app, no account."),
        "instead": _("Or:"),
        "code": _("code"),
        "if_asked": _("letters (if asked):"),
        "other": translated_hint,
    }
    warning = _("Phones cannot reach this computer. Join the hall’s network and restart without --host.")
    return make_document(
        event,
        order,
        "cards",
        title=_("Table cards"),
        items=items,
        labels=labels,
        items_per_part=CARDS_PER_PART,
        other=other_language,
        warning=warning if is_loopback(order.origin) else "",
    )


def _make_sheets(event: Event, order: Order, items: list[Values], *, hands: int) -> Document:
    labels = {
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
    return make_document(
        event,
        order,
        "sheets",
        title=labels["sheet"],
        items=items,
        labels=labels,
        items_per_part=SHEETS_PER_PART,
        lines=min(MAX_LINES, max(len(printing.SHEET_LINES), hands)),
        brief=_format_contract_points(event),
        two=order.per_page == 2,
    )


def _format_contract_points(event: Event) -> str:
    """Return the points of the contracts that do not simply score their number."""
    points = [
        _("%(contract)s: the game") % {"contract": contract_name(contract.key)}
        if contract.ends_game
        else f"{contract_name(contract.key)} {contract.made}\u00a0/\u00a0{contract.failed}"
        for contract in printing.list_special_contracts(event.terms.ruleset)
    ]
    rule = _("Made: the bidding side scores. Failed: the other side. Number bids score their number.")
    return f"{rule} {CONTRACT_SEPARATOR.join(points)}." if points else rule
