"""A phone that knows whose it is: it is led to their table, and marks at no other by mistake."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Person
from clubs.services.rate_limit import ALLOWED as MISSES_ALLOWED
from scoring.models import Match, TableCard
from tests.builders import matches_of, next_round, play_round
from tests.scoring.test_table_codes import codes_nobody_has
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, tap
from tests.tournaments.public.test_own_pages import own_address, page_of
from tournaments.rounds.services.rounds import publish_round, unpublish_round

pytestmark = pytest.mark.django_db

STAY = "Stay at this table"


def table(hall: Hall, number: int) -> str:
    card = TableCard.objects.get(topic=hall.event.topic, number=number)
    return reverse("scoring:table", args=[card.code])


def people_at(hall: Hall, number: int, table: int) -> set[Person]:
    match = matches_of(hall.event, number)[table - 1]
    return {player.person for player in match.players.select_related("person")}


def who_moved(hall: Hall) -> Person:
    """Somebody who plays round 1 at table 1 and round 2 at table 2, once both are published."""
    play_round(hall.event)
    next_round(hall.event)
    return min(people_at(hall, 1, 1) & people_at(hall, 2, 2), key=lambda person: person.pk)


def is_marking(page: Page) -> bool:
    return "Who bid, and what?" in page.text


def heading(page: Page) -> str:
    return page.one("section", class_="move").one("h2").text


@pytest.mark.slow
class TestAtAnotherTable:
    def test_the_phone_shows_its_persons_table_and_offers_no_key(self) -> None:
        hall, phone = Hall(), Browser()
        person = who_moved(hall)
        page_of(hall.event, person, phone)
        page = phone.open(table(hall, 1))
        assert heading(page) == f"{person.name}, your table for round 2 Table 2"
        assert not is_marking(page)
        assert not page.every("button", name="said")

    def test_one_tap_opens_the_right_table_although_many_wrong_codes_were_typed(self) -> None:
        hall = Hall()
        phone = hall.phone(address="192.0.2.9")
        page_of(hall.event, who_moved(hall), phone)
        page = phone.open(table(hall, 1))
        for code in codes_nobody_has(MISSES_ALLOWED):
            hall.phone(address="192.0.2.9").open(f"/t/{code}")
        assert is_marking(phone.open(page.link("Open table 2")))

    def test_whoever_stays_says_so_once(self) -> None:
        hall, phone = Hall(), Browser()
        page_of(hall.event, who_moved(hall), phone)
        page = phone.open(table(hall, 1))
        page = tap(phone, phone.open(page.link(STAY)), "A-6-7")
        assert is_marking(page)
        assert is_marking(phone.open(table(hall, 1)))

    def test_staying_is_for_one_match(self) -> None:
        hall, phone = Hall(), Browser()
        page_of(hall.event, who_moved(hall), phone)
        phone.open(phone.open(table(hall, 1)).link(STAY))
        unpublish_round(event_id=hall.event.pk, number=2)
        publish_round(event_id=hall.event.pk, number=2)
        assert not is_marking(phone.open(table(hall, 1)))

    def test_the_open_page_hears_of_it_when_the_round_is_published(self) -> None:
        hall, phone = Hall(), Browser()
        person = min(people_at(hall, 1, 1), key=lambda person: person.pk)
        page_of(hall.event, person, phone)
        before = phone.open(table(hall, 1)).response.headers["ETag"]
        play_round(hall.event)
        next_round(hall.event)
        assert phone.open(table(hall, 1)).response.headers["ETag"] != before

    def test_the_wrong_card_leads_to_the_right_table_in_the_first_round(self) -> None:
        hall, phone = Hall(), Browser()
        person = min(people_at(hall, 1, 1), key=lambda person: person.pk)
        page_of(hall.event, person, phone)
        page = phone.open(table(hall, 2))
        assert heading(page) == f"{person.name}, your table for round 1 Table 1"

    def test_the_own_table_asks_nothing(self) -> None:
        hall, phone = Hall(), Browser()
        page_of(hall.event, min(people_at(hall, 1, 1), key=lambda person: person.pk), phone)
        assert is_marking(phone.open(table(hall, 1)))

    def test_a_forged_cookie_and_one_of_another_event_say_nothing(self) -> None:
        hall, other = Hall(), Hall()
        phone = Browser()
        page_of(other.event, min(people_at(other, 1, 1), key=lambda person: person.pk), phone)
        assert is_marking(phone.open(table(hall, 2)))
        page_of(hall.event, min(people_at(hall, 1, 1), key=lambda person: person.pk), phone)
        cookie = phone.client.cookies["phone"]
        cookie.set("phone", f"x{cookie.value}", f"x{cookie.value}")
        assert is_marking(phone.open(table(hall, 2)))


class TestWithoutATable:
    @pytest.mark.slow
    def test_who_sits_out_is_told_so_and_marks_nothing(self) -> None:
        hall, phone = Hall(pairs=5), Browser()
        play_round(hall.event)
        next_round(hall.event)
        first, second = (people_at(hall, number, 1) | people_at(hall, number, 2) for number in (1, 2))
        person = min(first - second, key=lambda person: person.pk)
        page_of(hall.event, person, phone)
        page = phone.open(table(hall, 1))
        assert heading(page) == f"{person.name}, you have no table in round 2"
        assert not is_marking(page)
        assert page.link("My page")

    def test_a_table_without_a_match_in_this_round_says_so(self) -> None:
        hall, phone = Hall(), Browser()
        Match.objects.update(closed_at=timezone.now())
        Match.objects.exclude(pk=hall.match.pk).update(round_number=2)
        page = phone.open(table(hall, 1))
        assert heading(page) == "No match here in round 2"
        assert "Round 1" not in heading(page)
        assert phone.open(page.link("See the last match")).status == 200


@pytest.mark.slow
class TestTheOwnPage:
    def test_opens_the_table_for_who_came_from_a_table(self) -> None:
        hall, phone = Hall(), Browser()
        asking = phone.open(phone.open(table(hall, 1)).link("My page"))
        person = who_moved(hall)
        (button,) = (one for one in asking.every("button", name="person") if one.text == person.name)
        own = phone.send(asking, asking.form("/choose"), ("person", button.value))
        assert "Table 2" in own.text
        at_table = phone.open(own.link("Open table 2"))
        assert (at_table.path, is_marking(at_table)) == (table(hall, 2), True)

    def test_opens_no_table_for_who_only_chose_a_name(self) -> None:
        hall, phone = Hall(), Browser()
        own = page_of(hall.event, who_moved(hall), phone)
        assert "Table 2" in own.text
        assert "Open table 2" not in own.text
        address = reverse("own-table", args=[hall.event.short, 2])
        assert phone.open(address).path == own_address(hall.event)

    def test_opens_no_table_at_which_its_person_does_not_sit(self) -> None:
        hall, phone = Hall(), Browser()
        page_of(hall.event, who_moved(hall), phone)
        phone.open(table(hall, 1))
        address = reverse("own-table", args=[hall.event.short, 1])
        assert phone.open(address).path == own_address(hall.event)

    @pytest.mark.parametrize("language", ["", "/fr", "/en"])
    def test_knows_the_phone_in_every_language(self, language: str) -> None:
        hall, phone = Hall(), Browser()
        person = min(people_at(hall, 1, 1), key=lambda person: person.pk)
        own = page_of(hall.event, person, phone)
        assert phone.open(f"{language}{own_address(hall.event)}").one("h1").text == own.one("h1").text
