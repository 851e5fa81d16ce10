"""Forms: each declares its fields once, reads them, and shows them again as typed, with all refusals at once."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, time
from typing import Any, ClassVar, Self

from django import forms
from django.core.exceptions import ValidationError
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest

from errors import Refusal

from .money import parse_amount
from .money_words import amount_as_typed
from .names import clean_text

LANGUAGES = ("fr", "en")


def get_last_values(form_data: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the value of each field, the last one if it has several."""
    return {name: values[-1] for name, values in form_data.items() if values}


def parse_digits(text: str, *, max_digits: int) -> int | None:
    """Return the number in a text of at most ``max_digits`` digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= max_digits else None


def read_reason(data: Mapping[str, Any], name: str) -> str:
    """Return the chosen standard reason, the text written beside it, or both."""
    parts = (" ".join(str(data.get(each) or "").split()) for each in ("ready", name))
    return ": ".join(filter(None, parts))


FIRST_YEAR, LAST_YEAR = 1900, 2199
"""The years accepted for a date: others are typing errors."""


def parse_day(text: str, *, field: str = "") -> date:
    """Parse a date as browsers send it. Refuses: not_a_date, day_out_of_range."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal("not_a_date", field=field, value=text) from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise Refusal("day_out_of_range", field=field, first=FIRST_YEAR, last=LAST_YEAR)
    return day


class FieldError(ValidationError):
    """The refusal of a field, as Django collects it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class BoundField(forms.BoundField):
    """A field with its value, as the template of its kind shows it."""

    field: "Field"

    def get_context(self) -> dict[str, Any]:
        return {
            "name": self.html_name,
            "label": self.label,
            "help": self.help_text,
            self.field.value_name: self.value(),
            **self.field.attributes,
        }


class Form(forms.Form):
    """A form of Django's whose errors are refusals."""

    default_renderer = TemplatesSetting
    bound_field_class = BoundField

    @classmethod
    def from_request(cls, request: HttpRequest, *, stored: object = None, **initial: Any) -> Self:
        """Return the form as posted, or as ``from_stored`` does."""
        return cls(request.POST) if request.method == "POST" else cls.from_stored(stored, **initial)

    @classmethod
    def from_stored(cls, stored: object, *, prefix: str | None = None, **initial: Any) -> Self:
        """Return the form with the values of an object; ``initial`` has those that it lacks or has in another form."""
        values = {name: getattr(stored, name) for name in cls.base_fields if hasattr(stored, name)}
        return cls(initial=values | initial, prefix=prefix)

    def add_prefix(self, field_name: str) -> str:
        return f"{self.prefix}.{field_name}" if self.prefix else field_name

    def read(self) -> dict[str, Any]:
        """Return the value of each field by its name. Refuses: form_refused, with a refusal for each invalid field."""
        if refusals := self.list_refusals():
            raise Refusal("form_refused", refusals=tuple(refusals))
        return self.cleaned_data

    def list_refusals(self) -> list[Refusal]:
        """Return the refusal of each invalid field."""
        refusals = []
        for name, errors in self.errors.as_data().items():
            for error in errors:
                assert isinstance(error, FieldError)
                refusal = error.refusal
                refusals.append(Refusal(refusal.code, field=self.add_prefix(name), **refusal.details))
        return refusals


class Field(forms.Field):
    """A field whose errors are refusals.

    ``required`` is the code that refuses an empty field, and ``empty`` the value of one that may be empty.
    ``attributes`` are values for the template.
    """

    template = "partials/field.html"
    value_name = "value"
    empty: Any = None
    defaults: ClassVar[Mapping[str, Any]] = {}

    def __init__(
        self,
        label: Any = "",
        *,
        help_text: Any = "",
        required: str = "",
        empty: Any = None,
        template: str = "",
        **attributes: Any,
    ) -> None:
        super().__init__(label=label, help_text=help_text, template_name=template or self.template)
        self.required_code = required
        self.empty = self.empty if empty is None else empty
        self.attributes = {**self.defaults, **attributes}

    def clean(self, value: Any) -> Any:
        try:
            return self.read(value or "")
        except Refusal as refusal:
            raise FieldError(refusal) from None

    def read(self, text: str) -> Any:
        """Return the value of the text. Refuses: ``required_code``, and what ``parse`` does."""
        text = text.strip()
        value = self.parse(text) if text else self.empty
        if value == self.empty and self.required_code:
            raise Refusal(self.required_code)
        return value

    def parse(self, text: str) -> Any:
        """Return the value of a text that is not empty: by default, the text in one line."""
        return clean_text(text)

    def prepare_value(self, value: Any) -> Any:
        """Return the value as a text of the field; a text as typed."""
        if isinstance(value, str):
            return value
        return "" if value is None or value == self.empty else self.format(value)

    def format(self, value: Any) -> str:
        """Return the text of a value that is not empty."""
        return str(value)


class TextField(Field):
    """A text of one line."""

    empty = ""
    defaults = {"autocomplete": "off"}


class AreaField(TextField):
    """A text of several lines."""

    template = "partials/area.html"

    def parse(self, text: str) -> str:
        return text


class NumberField(Field):
    """An integer."""

    defaults = {"autocomplete": "off", "inputmode": "numeric"}

    def parse(self, text: str) -> int:
        digits = text.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 10:
            return int(text)
        raise Refusal("not_a_number", value=text)


class AmountField(Field):
    """An amount in dollars; its value is in cents."""

    defaults = {"autocomplete": "off", "inputmode": "decimal"}

    def parse(self, text: str) -> int | None:
        return parse_amount(text, field="")

    def format(self, value: int) -> str:
        return amount_as_typed(value)


class DayField(Field):
    """A date."""

    defaults = {"type": "date"}

    def parse(self, text: str) -> date:
        return parse_day(text)

    def format(self, value: date) -> str:
        return value.isoformat()


class HourField(Field):
    """A time of the day."""

    defaults = {"type": "time"}

    def parse(self, text: str) -> time:
        try:
            return time.fromisoformat(text).replace(microsecond=0, tzinfo=None)
        except ValueError:
            raise Refusal("not_an_hour", value=text) from None

    def format(self, value: time) -> str:
        return f"{value:%H:%M}"


class ChoiceField(Field):
    """One of several values: ``values``, or those of ``options``, which are value, label and perhaps an
    example."""

    template = "partials/choices.html"

    def __init__(
        self, label: Any = "", options: Sequence[tuple[Any, ...]] = (), *, values: Collection[str] = (), **others: Any
    ) -> None:
        super().__init__(label, options=options, **others)
        self.values = tuple(values or (option[0] for option in options))

    def read(self, text: str) -> Any:
        for value in self.values:
            if value == text:
                return value
        raise Refusal("no_such_choice", value=text, choices=tuple(self.values))


class TickInput(forms.CheckboxInput):
    """A box that is checked if the form has its name, whatever its value."""

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> bool:
        return name in data


class TickField(Field):
    """A box to tick."""

    widget = TickInput
    template = "partials/tick.html"
    value_name = "is_ticked"

    def read(self, text: Any) -> bool:
        return bool(text)

    def prepare_value(self, value: Any) -> bool:
        return bool(value)


class FormReader:
    """A reader of fields whose names depend on the form, such as those of a list; ``raise_refusals`` refuses them all
    together: form_refused, with ``refusals``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = {name: value for name, value in data.items() if isinstance(value, str)}
        self._refusals: list[Refusal] = []

    def read_text(self, name: str, *, required: str) -> str:
        """Read a text; ``required`` is the code to refuse an empty field."""
        return self._read(name, TextField(required=required)) or ""

    def read_secret(self, name: str) -> str:
        """Read a password as typed."""
        return self._data.get(name, "")

    def read_choice(self, name: str, choices: Collection[str]) -> str:
        self._read(name, ChoiceField(values=choices))
        return self._data.get(name, "")

    def read_number(self, name: str, *, required: str = "") -> int | None:
        """Read an integer; None for an empty field, which is refused if ``required`` is a code."""
        number: int | None = self._read(name, NumberField(required=required))
        return number

    def read_amount_field(self, name: str, *, required: str = "") -> int | None:
        """Read an amount in dollars as cents; None for an empty field, as for ``read_number``."""
        cents: int | None = self._read(name, AmountField(required=required))
        return cents

    def read_day(self, name: str, *, required: str = "") -> date | None:
        """Read a date as browsers send it; None for an empty field, as for ``read_number``."""
        day: date | None = self._read(name, DayField(required=required))
        return day

    def _read(self, name: str, field: Field) -> Any:
        try:
            return field.read(self._data.get(name, ""))
        except Refusal as refusal:
            self.refuse(Refusal(refusal.code, field=name, **refusal.details))
            return None

    def refuse(self, refusal: Refusal) -> None:
        self._refusals.append(refusal)

    def has_refused(self, name: str) -> bool:
        """Return whether the field has a refusal already."""
        return any(refusal.field == name for refusal in self._refusals)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """All refusals so far."""
        return tuple(self._refusals)

    def raise_refusals(self) -> None:
        """Check that no field was refused.

        Refuses: form_refused, if any field was refused.
        """
        if self._refusals:
            raise Refusal("form_refused", refusals=tuple(self._refusals))
