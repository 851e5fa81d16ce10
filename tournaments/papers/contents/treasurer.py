"""The treasurer's sheet: cash to count, prizes to sign for, fees by club and by pair."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.money_words import amount_in_words
from clubs.wording import join_names
from tournaments.models import Event
from tournaments.money.presenters.treasurer import Cash, FeeGroup, TreasurerView, treasurer_view
from tournaments.papers.orders import Order
from tournaments.papers.typesetting import Document, Values
from web.money import Totals
from wording.labels.money import category_title, places_in_words
from wording.labels.standings import departure_in_words

from .parts import document, event_and_day, printed_at

BLANK = "________"
NUMBER = {"kind": "number", "mm": 26}


def treasurer_document(event: Event, order: Order) -> Document:
    """Build the treasurer's sheet: cash, with room for the amounts counted, prizes to sign for, and fees with
    totals."""
    view = treasurer_view(event)
    title, fees = _("Treasurer’s sheet"), view.cash.fees
    of_pairs = (_("Fees by pair"), _("Pair")) if event.entry_size == 2 else (_("Fees by player"), _("Name"))
    parts = [
        _cash(view.cash),
        _prizes(view),
        _fees(_("Fees by club"), _("Club"), view.by_club, fees),
        _fees(*of_pairs, view.by_entry, fees),
    ]
    return document(
        event,
        order,
        "treasurer",
        title=title,
        items=[part for part in parts if part["rows"]],
        words={"page": _("page"), "treasurer": _("Treasurer"), "director": _("Director"), "date": _("Date")},
        heading=title,
        about=event_and_day(event),
        foot=printed_at(),
    )


def _cash(cash: Cash) -> Values:
    """Return the cash expected in the box, with the amounts to fill in by hand."""
    rules, fees = cash.rules, cash.fees
    lines: list[tuple[str, int | None]] = [
        (_("Starting cash"), rules.starting_cash),
        (_("Fees paid"), fees.paid),
        (_("Cash expected in the box"), cash.in_the_box),
        (_("Cash counted"), None),
        *([(_("To refund"), -fees.too_much)] if fees.too_much else []),
        (_("Prizes"), -cash.prizes),
        (_("Left after prizes and refunds"), cash.after_all),
        *([(_("Still owed"), fees.owed)] if fees.owed else []),
    ]
    if rules.prize_share:
        said = {"share": rules.prize_share, "step": amount_in_words(rules.rounding_step)}
        lines.append((_("Prize fund: %(share)s%% of fees, rounded down to %(step)s") % said, cash.fund))
    return {
        "title": _("Cash box"),
        "columns": [{"title": _("Description"), "share": 1}, {"title": _("Amount"), **NUMBER}],
        "rows": [[name, BLANK if amount is None else amount_in_words(amount)] for name, amount in lines],
        "signed": True,
    }


def _prizes(view: TreasurerView) -> Values:
    """Return a line for each prize with an amount, to be signed by its winner."""
    return {
        "title": _("Prizes to hand out"),
        "columns": [
            {"title": _("Prize"), "share": 3},
            {"title": _("Winner"), "share": 4},
            {"title": _("Amount"), **NUMBER},
            {"title": _("Signature"), "mm": 50},
        ],
        "rows": [[*prize, ""] for prize in _prizes_to_hand_out(view)],
    }


def _prizes_to_hand_out(view: TreasurerView) -> Iterator[tuple[str, str, str]]:
    for prize in view.given:
        winners = join_names([person.name for person in prize.winners])
        yield prize.name, winners, amount_in_words(prize.amount)
    for found in view.by_category:
        title = category_title(found.category, found.group)
        for winner in found.winners:
            award = winner.award
            if award.amount:
                where = places_in_words(award.first, award.last)
                yield f"{title} · {where}", winner.name, amount_in_words(award.amount)


def _fees(title: str, what: str, groups: Sequence[FeeGroup], total: Totals) -> Values:
    return {
        "title": title,
        "columns": [
            {"title": what, "share": 1},
            {"title": _("Charged"), **NUMBER},
            {"title": pgettext("in dollars", "Paid"), **NUMBER},
            {"title": _("To pay"), **NUMBER},
        ],
        "rows": [[_name(group), *_amounts(group.totals)] for group in groups],
        "total": [_("Total"), *_amounts(total)],
    }


def _name(group: FeeGroup) -> str:
    if group.has_left:
        return " – ".join(filter(None, (group.name, _("No longer in an entry"))))
    if group.entry is None:
        return group.name
    return ", ".join(filter(None, (f"{group.entry.number}. {group.name}", departure_in_words(group))))


def _amounts(totals: Totals) -> list[str]:
    return [amount_in_words(cents) for cents in (totals.asked, totals.paid, totals.owed)]
