"""Form fields, read as values of their types."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import RequestFactory

from errors import Refusal
from tests.builders import get_refusal_code
from web.forms import AmountField, CheckboxField, ChoiceField, DayField, Form, TextField, parse_day


@pytest.mark.parametrize("typed", ["1900-01-01", "2199-12-31"])
def test_plausible_day_is_parsed(typed: str) -> None:
    assert parse_day(typed, field="day") == date.fromisoformat(typed)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("1899-12-31", "day_out_of_range"),
        ("2200-01-01", "day_out_of_range"),
        ("2026-02-30", "not_a_date"),
        ("tomorrow", "not_a_date"),
    ],
)
def test_implausible_day_is_refused(typed: str, code: str) -> None:
    assert get_refusal_code(parse_day, typed, field="day") == code


class PrizeForm(Form):
    name = TextField("Name", required="name_required")
    amount = AmountField("Amount", empty=0)
    until = DayField("Until")
    kind = ChoiceField("Kind", [("cash", "Cash"), ("ham", "Ham")])
    is_public = CheckboxField("Public")


@dataclass
class Prize:
    name: str = "First"
    amount: int = 550
    until: date | None = date(2026, 11, 17)
    kind: str = "ham"
    is_public: bool = True


def get_values(form: Form) -> dict[str, Any]:
    return {field.name: field.value() for field in form}


def test_a_form_shows_a_stored_object_as_text_and_reads_it_back() -> None:
    form = PrizeForm.from_request(RequestFactory().get("/"), stored=Prize())
    shown = {"name": "First", "amount": "5.50", "until": "2026-11-17", "kind": "ham", "is_public": True}
    assert get_values(form) == shown
    assert Prize(**PrizeForm.from_request(RequestFactory().post("/", shown)).read()) == Prize()


def test_a_form_refuses_every_invalid_field_and_shows_what_was_typed() -> None:
    typed = {"name": " ", "amount": "five", "until": "soon", "kind": "car"}
    form = PrizeForm({f"prizes.{name}": text for name, text in typed.items()}, prefix="prizes")
    with pytest.raises(Refusal) as refused:
        form.read()
    assert [(each.code, each.field) for each in refused.value.details["refusals"]] == [
        ("name_required", "prizes.name"),
        ("not_an_amount", "prizes.amount"),
        ("not_a_date", "prizes.until"),
        ("no_such_choice", "prizes.kind"),
    ]
    assert get_values(form) == typed | {"is_public": False}


def test_an_empty_field_has_the_value_that_it_declares() -> None:
    typed = {"name": "First", "kind": "ham"}
    assert PrizeForm(typed).read() == typed | {"amount": 0, "until": None, "is_public": False}
