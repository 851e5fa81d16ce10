"""Amounts as people type them, and as pages show them."""

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from clubs.amounts import NOTHING, OTHER, USUAL, build_amount_fields
from errors import Refusal
from tests.builders import get_refusal_code
from web.money import MAX_AMOUNT, Charge, combine_charges, compute_totals, parse_amount
from web.money_words import amount_as_typed, format_amount

CENTS = st.integers(0, MAX_AMOUNT)
DUES = st.lists(st.builds(Charge, amount=CENTS, paid=CENTS))


def read(text: str) -> int | None:
    return parse_amount(text, field="paid")


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("5", 500),
        ("5,50", 550),
        ("5.50 $", 550),
        ("$5.5", 550),
        ("5 $", 500),
        ("5,", 500),
        (",50", 50),
        ("0", 0),
        ("1 234,50 $", 123450),
        ("1\u00a0234", 123400),
        ("$1,234.50", 123450),
        ("  ", None),
        ("", None),
    ],
)
def test_typed_amount_is_parsed(typed: str, cents: int | None) -> None:
    assert read(typed) == cents


@pytest.mark.parametrize("typed", ["five", "-5", "5,505", "5.5.5", "$", ",", "1e3", "٥", "5 50", "5 euros"])
def test_invalid_amount_is_refused(typed: str) -> None:
    assert get_refusal_code(read, typed) == "not_an_amount"


@pytest.mark.parametrize("typed", ["10000,01", "99999999999999999999"])
def test_excessive_amount_is_refused(typed: str) -> None:
    assert get_refusal_code(read, typed) == "amount_too_large"


@pytest.mark.parametrize(
    ("cents", "french", "english"),
    [
        (550, "5,50\u00a0$", "$5.50"),
        (500, "5\u00a0$", "$5"),
        (0, "0\u00a0$", "$0"),
        (-550, "−5,50\u00a0$", "−$5.50"),
        (123450, "1\u00a0234,50\u00a0$", "$1,234.50"),
    ],
)
def test_amount_is_formatted_in_the_readers_language(cents: int, french: str, english: str) -> None:
    with override("fr"):
        assert format_amount(cents) == french
    with override("en"):
        assert format_amount(cents) == english


@given(CENTS, st.sampled_from(["fr", "en"]))
def test_field_value_parses_to_the_same_amount(cents: int, language: str) -> None:
    with override(language):
        assert read(amount_as_typed(cents)) == cents


@given(CENTS)
def test_french_formatted_amount_can_be_typed(cents: int) -> None:
    with override("fr"):
        assert read(format_amount(cents)) == cents


@given(st.text())
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        cents = read(text)
    except Refusal:
        return
    assert cents is None or 0 <= cents <= MAX_AMOUNT


@pytest.mark.slow
@given(DUES)
def test_totals_never_offset_one_person_by_another(dues: list[Charge]) -> None:
    found = compute_totals(dues)
    assert (found.amount, found.paid) == (sum(one.amount for one in dues), sum(one.paid for one in dues))
    assert found.owed >= found.amount - found.paid
    assert (found.owed == 0) == (found.settled == found.people)
    assert combine_charges(dues).owed == found.owed


@given(DUES, CENTS)
def test_settled_charge_leaves_the_amount_owed_unchanged(dues: list[Charge], amount: int) -> None:
    before = compute_totals(dues).owed
    assert compute_totals([*dues, Charge(amount=amount, paid=amount)]).owed == before


@pytest.mark.parametrize(("other", "choice"), [(None, USUAL), (0, NOTHING), (350, OTHER)])
def test_form_tells_usual_waived_and_individual_amounts_apart(other: int | None, choice: str) -> None:
    assert build_amount_fields(paid=0, other=other)["asked"] == choice


@given(DUES)
def test_overpayment_is_summed_per_person(dues: list[Charge]) -> None:
    assert compute_totals(dues).overpaid == sum(max(0, one.paid - one.amount) for one in dues)
