"""Amounts as people type them, and as they are shown."""

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from clubs.amounts import NOTHING, OTHER, USUAL, amounts_as_typed
from clubs.money_words import amount_as_typed, amount_in_words
from errors import Refusal
from tests.builders import code_of
from web.money import MOST, Due, read_amount, together, totals

CENTS = st.integers(0, MOST)
DUES = st.lists(st.builds(Due, asked=CENTS, paid=CENTS))


def read(text: str) -> int | None:
    return read_amount(text, field="paid")


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
def test_are_read_as_people_type_them(typed: str, cents: int | None) -> None:
    assert read(typed) == cents


@pytest.mark.parametrize("typed", ["five", "-5", "5,505", "5.5.5", "$", ",", "1e3", "٥", "5 50", "5 euros"])
def test_that_are_none_are_refused(typed: str) -> None:
    assert code_of(read, typed) == "not_an_amount"


@pytest.mark.parametrize("typed", ["10000,01", "99999999999999999999"])
def test_that_no_club_asks_are_refused(typed: str) -> None:
    assert code_of(read, typed) == "amount_too_large"


@pytest.mark.parametrize(
    ("cents", "french", "english"),
    [
        (550, "5,50\u00a0$", "$5.50"),
        (500, "5\u00a0$", "$5"),
        (0, "0\u00a0$", "$0"),
        (123450, "1\u00a0234,50\u00a0$", "$1,234.50"),
    ],
)
def test_are_shown_in_the_readers_language(cents: int, french: str, english: str) -> None:
    with override("fr"):
        assert amount_in_words(cents) == french
    with override("en"):
        assert amount_in_words(cents) == english


@given(CENTS, st.sampled_from(["fr", "en"]))
def test_in_a_field_are_read_as_they_stand_there(cents: int, language: str) -> None:
    with override(language):
        assert read(amount_as_typed(cents)) == cents


@given(CENTS)
def test_can_be_typed_as_they_are_shown_in_french(cents: int) -> None:
    with override("fr"):
        assert read(amount_in_words(cents)) == cents


@given(st.text())
def test_of_any_text_are_read_or_refused(text: str) -> None:
    try:
        cents = read(text)
    except Refusal:
        return
    assert cents is None or 0 <= cents <= MOST


@given(DUES)
def test_of_all_are_the_sums_and_nobody_pays_for_another(dues: list[Due]) -> None:
    found = totals(dues)
    assert (found.asked, found.paid) == (sum(one.asked for one in dues), sum(one.paid for one in dues))
    assert found.owed >= found.asked - found.paid
    assert (found.owed == 0) == (found.settled == found.people)
    assert together(dues).owed == found.owed


@given(DUES, CENTS)
def test_that_are_paid_in_full_are_owed_no_more(dues: list[Due], asked: int) -> None:
    before = totals(dues).owed
    assert totals([*dues, Due(asked=asked, paid=asked)]).owed == before


@pytest.mark.parametrize(("other", "asked"), [(None, USUAL), (0, NOTHING), (350, OTHER)])
def test_a_form_holds_whether_the_usual_amount_nothing_or_another_one_is_asked(
    other: int | None, asked: str
) -> None:
    assert amounts_as_typed(paid=0, other=other)["asked"] == asked


@given(DUES)
def test_paid_too_much_is_what_each_paid_beyond_what_is_asked(dues: list[Due]) -> None:
    assert totals(dues).too_much == sum(max(0, one.paid - one.asked) for one in dues)
