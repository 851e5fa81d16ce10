"""Money adds up: each total on a page, in a file or on paper equals the sum of its lines.

Payments, prizes, corrections and undos are random.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from clubs.calendar import get_club_today
from clubs.dues import find_current_period
from clubs.models import DuesPeriod, Person
from tests.laws.random_club import (
    MONEY_ACTIONS,
    UNDO_ACTIONS,
    RandomClub,
    advance_event,
    change_random_person,
    check_in,
    correct_a_payment,
    merge_two,
    pay_for_the_year,
    prepare_event,
)
from tests.long_runs import RUN_SEED, choose_count
from tests.support.browser import Browser, Page
from tournaments.models import Event
from tournaments.papers.contents.documents import document_of
from tournaments.papers.orders import Order, Paper

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CLUBS = [f"{RUN_SEED}{number}" for number in range(choose_count(1, long=60))]
AMOUNT = r"\$([\d,]+(?:\.\d\d)?)"


def build_paid_club(seed: str) -> tuple[RandomClub, Browser]:
    club = RandomClub(Random(seed))
    club.perform(14, (prepare_event, *[check_in] * 8, advance_event))
    club.perform(
        60, (*[correct_a_payment] * 6, *MONEY_ACTIONS, pay_for_the_year, *UNDO_ACTIONS, change_random_person, merge_two)
    )
    return club, Browser(account=club.owner)


def parse_cents(amount: str) -> int:
    """Return the cents of an amount in English notation, such as 1,234.50."""
    return round(100 * float(amount.replace(",", "")))


def parse_amounts(page: Page, sentence: str) -> list[int]:
    """Return the amounts at each ``_`` in a sentence of the page, or [] if the page lacks it."""
    found = re.search(re.escape(sentence).replace("_", AMOUNT), page.text)
    return [] if found is None else [parse_cents(each) for each in found.groups()]


def read_rows(browser: Browser, path: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(browser.client.get(path).content)["rows"]
    return rows


def total(rows: Iterable[dict[str, Any]], column: str) -> int:
    return sum(round(100 * float(row[column] or 0)) for row in rows)


def get_recorded_total(event: Event) -> int:
    return sum(event.fees.values_list("paid", flat=True))


@pytest.mark.parametrize("seed", CLUBS)
def test_night_fees_add_up_on_page_file_and_family(seed: str) -> None:
    club, browser = build_paid_club(seed)
    for event in club.club.events.order_by("pk"):
        at = f"/e/{event.short}/desk/fees"
        page, lines = browser.open(at), read_rows(browser, f"{at}.json")
        assert total(lines, "paid") == get_recorded_total(event)
        for line in lines:
            assert total([line], "owed") == max(0, total([line], "asked") - total([line], "paid"))
        there = [line for line in lines if line["present"] or total([line], "paid")]
        if not (paid := parse_amounts(page, "_ of _ paid")):
            assert event.rates.is_free
            continue
        assert paid == [total(there, "paid"), total(there, "asked")]
        assert sum(parse_amounts(page, "_ owed")) == total(there, "owed")
        treasurer = browser.open(f"{at}/treasurer")
        totals = f"Total ${total(there, 'asked') / 100:,.2f} "  # the page omits ".00"
        assert treasurer.text.count(totals.replace(".00 ", " ")) == 2, "by club and by pair"
        for family in page.find_all("li", class_="whole"):
            name = family.find_one("b").text
            owing = [line for line in lines if line["family"] == name and line["present"]]
            amount_match = re.search(AMOUNT, family.text)
            assert (parse_cents(amount_match[1]) if amount_match else 0) == total(owing, "owed")


@pytest.mark.parametrize("seed", CLUBS)
def test_yearly_dues_add_up_on_page_and_member(seed: str) -> None:
    club, browser = build_paid_club(seed)
    period = find_current_period(club.club, get_club_today(club.club))
    if period is None:
        return
    page = browser.open(f"/club/{club.club.slug}/dues")
    assert parse_amounts(page, "Paid: _. Unpaid: _.") == [get_paid_total(period), get_owed_total(club, period)]


def get_paid_total(period: DuesPeriod) -> int:
    return sum(period.dues.values_list("paid", flat=True))


def get_owed_total(club: RandomClub, period: DuesPeriod) -> int:
    """Return the unpaid dues of all active members; an amount set for a member replaces that of the year."""
    owed = 0
    for person in Person.objects.filter(club=club.club, is_active=True, is_guest=False):
        row = person.dues.filter(period=period).first()
        amount = period.amount if row is None or row.other is None else row.other
        owed += max(0, amount - (0 if row is None else row.paid))
    return owed


@pytest.mark.parametrize("seed", CLUBS)
def test_check_in_list_amounts_match_the_fees_page(seed: str) -> None:
    """The amount to pay on the printed list equals the sum of what both players owe on the fees page."""
    club, browser = build_paid_club(seed)
    for event in club.club.events.order_by("pk"):
        if event.rates.is_free:
            continue
        owed: dict[str, list[int]] = defaultdict(list)
        for row in read_rows(browser, f"/e/{event.short}/desk/fees.json"):
            owed[row["name"]].append(total([row], "owed"))
        paper = document_of(Order(paper=Paper.ENTRIES, of=event.pk, language="en"))
        columns = [column["title"] for column in paper.common["table"]]
        for item in paper.items:
            line = dict(zip(columns, item["cells"], strict=True))
            theirs = [owed[name] for name in line["Pair"].split(" & ")]
            if all(len(each) == 1 for each in theirs):  # skip names that two people have
                assert parse_cents(line["To pay"].lstrip("$")) == sum(each[0] for each in theirs), line
