"""Reading of posted forms, with all refusals collected so that they show at once."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, time
from typing import Any

from errors import Refusal

from .money import read_amount

LANGUAGES = ("fr", "en")


def last_values(typed: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the value of each field, the last one if it has several."""
    return {name: values[-1] for name, values in typed.items() if values}


def digits_in(text: str, *, most: int) -> int | None:
    """Return the number in a text of at most ``most`` digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else None


def posted_reason(data: Mapping[str, Any], name: str) -> str:
    """Return the chosen standard reason, the text written beside it, or both."""
    parts = (" ".join(str(data.get(each) or "").split()) for each in ("ready", name))
    return ": ".join(filter(None, parts))


FIRST_YEAR, LAST_YEAR = 1900, 2199
"""The years accepted for a date: others are typing errors."""


def read_day(text: str, *, field: str) -> date:
    """Parse a date as browsers send it. Refuses: not_a_date, day_out_of_range."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal("not_a_date", field=field, value=text) from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise Refusal("day_out_of_range", field=field, first=FIRST_YEAR, last=LAST_YEAR)
    return day


class FormReader:
    """A reader of a form's fields; ``finish`` refuses them all together: form_refused, with ``refusals``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = {name: value for name, value in data.items() if isinstance(value, str)}
        self._refusals: list[Refusal] = []

    def text(self, name: str, *, required: str) -> str:
        """Read a text; ``required`` is the code to refuse an empty field."""
        value = " ".join(self._data.get(name, "").split())
        if not value:
            self.refuse(Refusal(required, field=name))
        return value

    def secret(self, name: str) -> str:
        """Read a password as typed."""
        return self._data.get(name, "")

    def choice(self, name: str, choices: Collection[str]) -> str:
        value = self._data.get(name, "")
        if value not in choices:
            self.refuse(Refusal("no_such_choice", field=name, value=value, choices=tuple(choices)))
        return value

    def number(self, name: str, *, required: str = "") -> int | None:
        """Read an integer; None for an empty field, which is refused if ``required`` is a code."""
        value = self._optional(name, required)
        if not value:
            return None
        digits = value.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 10:
            return int(value)
        self.refuse(Refusal("not_a_number", field=name, value=value))
        return None

    def amount(self, name: str, *, required: str = "") -> int | None:
        """Read an amount in dollars as cents (``web.money.read_amount``); None for an empty
        field, as for ``number``."""
        value = self._optional(name, required)
        try:
            return read_amount(value, field=name)
        except Refusal as refusal:
            self.refuse(refusal)
            return None

    def day(self, name: str, *, required: str = "") -> date | None:
        """Read a date as browsers send it; None for an empty field, which is refused if
        ``required`` is a code."""
        value = self._optional(name, required)
        try:
            return read_day(value, field=name) if value else None
        except Refusal as refusal:
            self.refuse(refusal)
            return None

    def hour(self, name: str, *, required: str = "") -> time | None:
        """Read a time as browsers send it; None for an empty field, as for ``day``."""
        value = self._optional(name, required)
        try:
            return time.fromisoformat(value).replace(microsecond=0, tzinfo=None) if value else None
        except ValueError:
            self.refuse(Refusal("not_an_hour", field=name, value=value))
            return None

    def _optional(self, name: str, required: str) -> str:
        value = self._data.get(name, "").strip()
        if not value and required:
            self.refuse(Refusal(required, field=name))
        return value

    def refuse(self, refusal: Refusal) -> None:
        self._refusals.append(refusal)

    def has_refused(self, name: str) -> bool:
        """Return whether the field has a refusal already."""
        return any(refusal.field == name for refusal in self._refusals)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """All refusals so far."""
        return tuple(self._refusals)

    def finish(self) -> None:
        """Check that no field was refused.

        Refuses: form_refused, if any field was refused.
        """
        if self._refusals:
            raise Refusal("form_refused", refusals=tuple(self._refusals))
