"""A phone linked to a player leads to that player's table; staying at another one needs a confirmation."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Person
from clubs.services.rate_limit import MAX_MISSES as MISSES_ALLOWED
from scoring.models import Match, TableCard
from tests.builders import matches_of, play_round, start_next_round
from tests.scoring.test_table_codes import list_unused_codes
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, tap
from tests.tournaments.public.test_own_pages import get_own_path, open_own_page
from tournaments.rounds.services.rounds import publish_round, unpublish_round

pytestmark = pytest.mark.django_db

STAY = "Stay at this table"


def get_table_path(hall: Hall, number: int) -> str:
    card = TableCard.objects.get(topic=hall.event.topic, number=number)
    return reverse("scoring:table", args=[card.code])


def list_people(hall: Hall, number: int, table: int) -> set[Person]:
    match = matches_of(hall.event, number)[table - 1]
    return {player.person for player in match.players.select_related("person")}


def find_moved_person(hall: Hall) -> Person:
    """Play round 1, publish round 2 and return a player who moves from table 1 to table 2."""
    play_round(hall.event)
    start_next_round(hall.event)
    return min(list_people(hall, 1, 1) & list_people(hall, 2, 2), key=lambda person: person.pk)


def is_marking(page: Page) -> bool:
    return "Who bid, and what?" in page.text


def get_heading(page: Page) -> str:
    return page.find_one("section", class_="move").find_one("h2").text


@pytest.mark.slow
class TestWrongTable:
    @pytest.mark.long
    def test_wrong_table_shows_the_player_table_without_keys(self) -> None:
        hall, phone = Hall(), Browser()
        person = find_moved_person(hall)
        open_own_page(hall.event, person, phone)
        page = phone.open(get_table_path(hall, 1))
        assert get_heading(page) == f"{person.name}, your table for round 2 Table 2"
        assert not is_marking(page)
        assert not page.find_all("button", name="said")

    @pytest.mark.long
    def test_link_opens_the_right_table_despite_wrong_codes(self) -> None:
        hall = Hall()
        phone = hall.add_phone(address="192.0.2.9")
        open_own_page(hall.event, find_moved_person(hall), phone)
        page = phone.open(get_table_path(hall, 1))
        for code in list_unused_codes(MISSES_ALLOWED):
            hall.add_phone(address="192.0.2.9").open(f"/t/{code}")
        assert is_marking(phone.open(page.find_link("Open table 2")))

    @pytest.mark.long
    def test_player_who_stays_confirms_only_once(self) -> None:
        hall, phone = Hall(), Browser()
        open_own_page(hall.event, find_moved_person(hall), phone)
        page = phone.open(get_table_path(hall, 1))
        page = tap(phone, phone.open(page.find_link(STAY)), "A-6-7")
        assert is_marking(page)
        assert is_marking(phone.open(get_table_path(hall, 1)))

    @pytest.mark.long
    def test_choice_to_stay_lasts_one_match(self) -> None:
        hall, phone = Hall(), Browser()
        open_own_page(hall.event, find_moved_person(hall), phone)
        phone.open(phone.open(get_table_path(hall, 1)).find_link(STAY))
        unpublish_round(event_id=hall.event.pk, number=2)
        publish_round(event_id=hall.event.pk, number=2)
        assert not is_marking(phone.open(get_table_path(hall, 1)))

    @pytest.mark.long
    def test_published_round_refreshes_the_open_page(self) -> None:
        hall, phone = Hall(), Browser()
        person = min(list_people(hall, 1, 1), key=lambda person: person.pk)
        open_own_page(hall.event, person, phone)
        before = phone.open(get_table_path(hall, 1)).response.headers["ETag"]
        play_round(hall.event)
        start_next_round(hall.event)
        assert phone.open(get_table_path(hall, 1)).response.headers["ETag"] != before

    def test_wrong_card_leads_to_the_right_table_in_round_one(self) -> None:
        hall, phone = Hall(), Browser()
        person = min(list_people(hall, 1, 1), key=lambda person: person.pk)
        open_own_page(hall.event, person, phone)
        page = phone.open(get_table_path(hall, 2))
        assert get_heading(page) == f"{person.name}, your table for round 1 Table 1"

    def test_own_table_shows_the_keypad_at_once(self) -> None:
        hall, phone = Hall(), Browser()
        open_own_page(hall.event, min(list_people(hall, 1, 1), key=lambda person: person.pk), phone)
        assert is_marking(phone.open(get_table_path(hall, 1)))

    @pytest.mark.long
    def test_forged_or_foreign_cookie_is_ignored(self) -> None:
        hall, other = Hall(), Hall()
        phone = Browser()
        open_own_page(other.event, min(list_people(other, 1, 1), key=lambda person: person.pk), phone)
        assert is_marking(phone.open(get_table_path(hall, 2)))
        open_own_page(hall.event, min(list_people(hall, 1, 1), key=lambda person: person.pk), phone)
        cookie = phone.client.cookies["phone"]
        cookie.set("phone", f"x{cookie.value}", f"x{cookie.value}")
        assert is_marking(phone.open(get_table_path(hall, 2)))


class TestNoTable:
    @pytest.mark.slow
    def test_player_with_a_bye_sees_no_keypad(self) -> None:
        hall, phone = Hall(pairs=5), Browser()
        play_round(hall.event)
        start_next_round(hall.event)
        first, second = (list_people(hall, number, 1) | list_people(hall, number, 2) for number in (1, 2))
        person = min(first - second, key=lambda person: person.pk)
        open_own_page(hall.event, person, phone)
        page = phone.open(get_table_path(hall, 1))
        assert get_heading(page) == f"{person.name}, you have no table in round 2"
        assert not is_marking(page)
        assert page.find_link("My page")

    def test_table_without_a_match_in_the_round_says_so(self) -> None:
        hall, phone = Hall(), Browser()
        Match.objects.update(closed_at=timezone.now())
        Match.objects.exclude(pk=hall.match.pk).update(round_number=2)
        page = phone.open(get_table_path(hall, 1))
        assert get_heading(page) == "No match here in round 2"
        assert "Round 1" not in get_heading(page)
        assert phone.open(page.find_link("See the last match")).status == 200


@pytest.mark.long
class TestPlayerPage:
    def test_player_page_opens_the_table_for_a_table_phone(self) -> None:
        hall, phone = Hall(), Browser()
        asking = phone.open(phone.open(get_table_path(hall, 1)).find_link("My page"))
        person = find_moved_person(hall)
        (button,) = (one for one in asking.find_all("button", name="person") if one.text == person.name)
        own = phone.send(asking, asking.find_form("/choose"), ("person", button.value))
        assert "Table 2" in own.text
        at_table = phone.open(own.find_link("Open table 2"))
        assert (at_table.path, is_marking(at_table)) == (get_table_path(hall, 2), True)

    def test_player_page_opens_no_table_for_a_chosen_name(self) -> None:
        hall, phone = Hall(), Browser()
        own = open_own_page(hall.event, find_moved_person(hall), phone)
        assert "Table 2" in own.text
        assert "Open table 2" not in own.text
        address = reverse("own-table", args=[hall.event.short, 2])
        assert phone.open(address).path == get_own_path(hall.event)

    def test_player_page_opens_no_table_of_other_players(self) -> None:
        hall, phone = Hall(), Browser()
        open_own_page(hall.event, find_moved_person(hall), phone)
        phone.open(get_table_path(hall, 1))
        address = reverse("own-table", args=[hall.event.short, 1])
        assert phone.open(address).path == get_own_path(hall.event)

    @pytest.mark.parametrize("language", ["", "/fr", "/en"])
    def test_player_page_recognizes_the_phone_in_every_language(self, language: str) -> None:
        hall, phone = Hall(), Browser()
        person = min(list_people(hall, 1, 1), key=lambda person: person.pk)
        own = open_own_page(hall.event, person, phone)
        assert phone.open(f"{language}{get_own_path(hall.event)}").find_one("h1").text == own.find_one("h1").text
