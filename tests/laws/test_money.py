"""Money adds up: every sum that a page, a file or a paper says is that of its lines, whatever was paid, given
back, corrected or undone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from clubs.calendar import today_in
from clubs.dues import period_at
from clubs.models import DuesPeriod, Person
from tests.laws.random_club import (
    ABOUT_MONEY,
    UNDOING,
    RandomClub,
    change_somebody,
    check_in,
    correct_a_payment,
    go_on,
    merge_two,
    pay_for_the_year,
    prepare_event,
)
from tests.long import WORD, often
from tests.support.browser import Browser, Page
from tournaments.models import Event
from tournaments.papers.contents.documents import document_of
from tournaments.papers.orders import Order, Paper

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CLUBS = [f"{WORD}{number}" for number in range(often(2, long=60))]
AMOUNT = r"\$([\d,]+(?:\.\d\d)?)"


def a_club_that_was_paid(seed: str) -> tuple[RandomClub, Browser]:
    club = RandomClub(Random(seed))
    club.live(14, (prepare_event, *[check_in] * 8, go_on))
    club.live(
        60, (*[correct_a_payment] * 6, *ABOUT_MONEY, pay_for_the_year, *UNDOING, change_somebody, merge_two)
    )
    return club, Browser(account=club.owner)


def cents(said: str) -> int:
    """Of an amount as English writes it."""
    return round(100 * float(said.replace(",", "")))


def amounts(page: Page, sentence: str) -> list[int]:
    """The amounts of a sentence, in which ``_`` stands for each; none where the page does not say it."""
    found = re.search(re.escape(sentence).replace("_", AMOUNT), page.text)
    return [] if found is None else [cents(each) for each in found.groups()]


def rows_of(browser: Browser, path: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(browser.client.get(path).content)["rows"]
    return rows


def total(rows: Iterable[dict[str, Any]], column: str) -> int:
    return sum(round(100 * float(row[column] or 0)) for row in rows)


def noted(event: Event) -> int:
    return sum(event.fees.values_list("paid", flat=True))


@pytest.mark.parametrize("seed", CLUBS)
def test_of_an_evening_on_the_page_in_the_file_and_for_each_family(seed: str) -> None:
    club, browser = a_club_that_was_paid(seed)
    for event in club.club.events.order_by("pk"):
        at = f"/e/{event.short}/desk/fees"
        page, lines = browser.open(at), rows_of(browser, f"{at}.json")
        assert total(lines, "paid") == noted(event)
        for line in lines:
            assert total([line], "owed") == max(0, total([line], "asked") - total([line], "paid"))
        there = [line for line in lines if line["present"] or total([line], "paid")]
        if not (paid := amounts(page, "_ of _ paid")):
            assert event.rates.is_free
            continue
        assert paid == [total(there, "paid"), total(there, "asked")]
        assert sum(amounts(page, "_ owed")) == total(there, "owed")
        treasurer = browser.open(f"{at}/treasurer")
        totals = f"Total ${total(there, 'asked') / 100:,.2f} "  # as the page says it, but for ".00"
        assert treasurer.text.count(totals.replace(".00 ", " ")) == 2, "by club and by pair"
        for family in page.every("li", class_="whole"):
            name = family.one("b").text
            owing = [line for line in lines if line["family"] == name and line["present"]]
            said = re.search(AMOUNT, family.text)
            assert (cents(said[1]) if said else 0) == total(owing, "owed")


@pytest.mark.parametrize("seed", CLUBS)
def test_of_a_year_on_the_page_and_for_each_member(seed: str) -> None:
    club, browser = a_club_that_was_paid(seed)
    period = period_at(club.club, today_in(club.club))
    if period is None:
        return
    page = browser.open(f"/club/{club.club.slug}/dues")
    assert amounts(page, "Paid: _. Unpaid: _.") == [paid_for(period), owed_for(club, period)]


def paid_for(period: DuesPeriod) -> int:
    return sum(period.dues.values_list("paid", flat=True))


def owed_for(club: RandomClub, period: DuesPeriod) -> int:
    """Of each member who still comes, the amount of the year or what was said instead, less what was paid."""
    owed = 0
    for person in Person.objects.filter(club=club.club, is_active=True, is_guest=False):
        row = person.dues.filter(period=period).first()
        asked = period.amount if row is None or row.other is None else row.other
        owed += max(0, asked - (0 if row is None else row.paid))
    return owed


@pytest.mark.parametrize("seed", CLUBS)
def test_of_each_pair_on_the_check_in_list(seed: str) -> None:
    """The paper asks of two at the door what the page still asks of both."""
    club, browser = a_club_that_was_paid(seed)
    for event in club.club.events.order_by("pk"):
        if event.rates.is_free:
            continue
        owed: dict[str, list[int]] = defaultdict(list)
        for row in rows_of(browser, f"/e/{event.short}/desk/fees.json"):
            owed[row["name"]].append(total([row], "owed"))
        paper = document_of(Order(paper=Paper.ENTRIES, of=event.pk, language="en"))
        columns = [column["title"] for column in paper.shared["table"]]
        for item in paper.items:
            line = dict(zip(columns, item["cells"], strict=True))
            theirs = [owed[name] for name in line["Pair"].split(" & ")]
            if all(len(each) == 1 for each in theirs):  # namesakes look alike
                assert cents(line["To pay"].lstrip("$")) == sum(each[0] for each in theirs), line
