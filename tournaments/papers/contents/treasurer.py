"""The treasurer's sheet: cash to count, prizes to sign for, fees by club and by pair."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.name_formats import join_names
from tournaments.models import Event
from tournaments.money.labels import format_places, get_category_title
from tournaments.money.presenters.treasurer import Cash, FeeGroup, TreasurerView, build_treasurer_view
from tournaments.papers.orders import Order
from tournaments.papers.typesetting.documents import Document, Values
from tournaments.standings.labels import departure_in_words
from web.money import Totals
from web.money_words import format_amount

from .parts import format_event, format_print_time, make_document

BLANK = "________"
NUMBER = {"kind": "number", "mm": 26}


def build_treasurer_sheet(event: Event, order: Order) -> Document:
    """Build the treasurer's sheet: cash, with room for the amounts counted, prizes to sign for, and fees with
    totals."""
    view = build_treasurer_view(event)
    title, fees = _("Treasurer’s sheet"), view.cash.fees
    entry_titles = (_("Fees by pair"), _("Pair")) if event.entry_size == 2 else (_("Fees by player"), _("Name"))
    parts = [
        _build_cash_part(view.cash),
        _build_prizes_part(view),
        _build_fees_part(_("Fees by club"), _("Club"), view.club_fees, fees),
        _build_fees_part(*entry_titles, view.entry_fees, fees),
    ]
    return make_document(
        event,
        order,
        "treasurer",
        title=title,
        items=[part for part in parts if part["rows"]],
        labels={"page": _("page"), "treasurer": _("Treasurer"), "director": _("Director"), "date": _("Date")},
        heading=title,
        about=format_event(event),
        foot=format_print_time(),
    )


def _build_cash_part(cash: Cash) -> Values:
    """Return the cash expected in the box, with the amounts to fill in by hand."""
    rules, fees = cash.rules, cash.fees
    lines: list[tuple[str, int | None]] = [
        (_("Starting cash"), rules.starting_cash),
        (_("Fees paid"), fees.paid),
        (_("Cash expected in the box"), cash.expected_cash),
        (_("Cash counted"), None),
        *([(_("To refund"), -fees.overpaid)] if fees.overpaid else []),
        (_("Prizes"), -cash.prizes),
        (_("Left after prizes and refunds"), cash.final_cash),
        *([(_("Still owed"), fees.owed)] if fees.owed else []),
    ]
    if rules.prize_share:
        values = {"share": rules.prize_share, "step": format_amount(rules.rounding_step)}
        lines.append((_("Prize fund: %(share)s%% of fees, rounded down to %(step)s") % values, cash.fund))
    return {
        "title": _("Cash box"),
        "columns": [{"title": _("Description"), "share": 1}, {"title": _("Amount"), **NUMBER}],
        "rows": [[name, BLANK if amount is None else format_amount(amount)] for name, amount in lines],
        "signed": True,
    }


def _build_prizes_part(view: TreasurerView) -> Values:
    """Return a line for each prize with an amount, to be signed by its winner."""
    return {
        "title": _("Prizes to hand out"),
        "columns": [
            {"title": _("Prize"), "share": 3},
            {"title": _("Winner"), "share": 4},
            {"title": _("Amount"), **NUMBER},
            {"title": _("Signature"), "mm": 50},
        ],
        "rows": [[*prize, ""] for prize in _iter_prizes(view)],
    }


def _iter_prizes(view: TreasurerView) -> Iterator[tuple[str, str, str]]:
    for prize in view.given:
        winners = join_names([person.name for person in prize.winners])
        yield prize.name, winners, format_amount(prize.amount)
    for awards in view.category_awards:
        title = get_category_title(awards.category, awards.group)
        for winner in awards.winners:
            award = winner.award
            if award.amount:
                places = format_places(award.first_place, award.last_place)
                yield f"{title} · {places}", winner.name, format_amount(award.amount)


def _build_fees_part(title: str, column_title: str, groups: Sequence[FeeGroup], total: Totals) -> Values:
    return {
        "title": title,
        "columns": [
            {"title": column_title, "share": 1},
            {"title": _("Charged"), **NUMBER},
            {"title": pgettext("in dollars", "Paid"), **NUMBER},
            {"title": _("To pay"), **NUMBER},
        ],
        "rows": [[_format_name(group), *_format_amounts(group.totals)] for group in groups],
        "total": [_("Total"), *_format_amounts(total)],
    }


def _format_name(group: FeeGroup) -> str:
    number = "" if group.entry is None else f"{group.entry.number}. "
    departure = _("No longer in an entry") if group.has_left else departure_in_words(group)
    overpaid = group.totals.overpaid
    refund = _("%(amount)s to refund") % {"amount": format_amount(overpaid)} if overpaid else ""
    return ", ".join(filter(None, (number + group.name, departure, refund)))


def _format_amounts(totals: Totals) -> list[str]:
    return [format_amount(cents) for cents in (totals.amount, totals.paid, totals.owed)]
