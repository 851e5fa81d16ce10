"""Amounts of money in the reader's language: 5,50 $, or $5.50."""

from decimal import Decimal

from babel import Locale
from babel.numbers import format_currency, format_decimal
from django.utils.translation import get_language

from .money import CENTS

CURRENCY = "CAD"
_CENT = Decimal(1) / CENTS


def format_amount(cents: int) -> str:
    """Format an amount: ``5 $``, ``5,50 $``, ``−1 234,50 $``; in English ``$5.50``. Zero cents
    are left out."""
    locale = _get_locale()
    pattern = locale.currency_formats["standard"].pattern
    number_pattern = pattern.replace(".00", "") if cents % CENTS == 0 else pattern
    amount = str(format_currency(cents * _CENT, CURRENCY, number_pattern, locale=locale, currency_digits=False))
    return amount.replace("-", "−")


def amount_as_typed(cents: int | None) -> str:
    """Format an amount for a field of a form: ``5``, ``5,50``; "" for None."""
    if cents is None:
        return ""
    pattern = "0" if cents % CENTS == 0 else "0.00"
    return str(format_decimal(cents * _CENT, pattern, locale=_get_locale()))


def _get_locale() -> Locale:
    return Locale("fr" if (get_language() or "").startswith("fr") else "en", "CA")
