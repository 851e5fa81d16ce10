"""The code on a table's card: typed, mistyped, of last week, guessed."""

import pytest

from clubs.services.guesses import ALLOWED as MISSES_ALLOWED
from scoring.models import TableCard
from tests.builders import a_club, an_event, fresh, play_round, score
from tests.pages.hall import Hall, tap
from tournaments.services import end_event, start_event

pytestmark = pytest.mark.django_db


def codes_nobody_has(count: int) -> list[str]:
    have = set(TableCard.objects.values_list("code", flat=True))
    return [code for code in (f"{number:06}" for number in range(count + len(have))) if code not in have][
        :count
    ]


@pytest.mark.parametrize("typed", ["{0}{1}", "{0} {1}", " {0}-{1} ", "{0}\u00a0{1}"])
def test_a_code_is_taken_as_people_type_it(typed: str) -> None:
    hall = Hall()
    phone = hall.phone()
    home = phone.open("/")
    page = phone.send(home, home.form(having="code"), code=typed.format(hall.code[:3], hall.code[3:]))
    assert page.path == hall.table
    assert "Table 1" in page.one("h1").text


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "abcdef", "½12345", "١٢٣٤٥٦"])
def test_what_is_no_code_is_refused_at_the_field_and_stays_there(typed: str) -> None:
    phone = Hall().phone()
    home = phone.open("/")
    page = phone.send(home, home.form(having="code"), code=typed)
    assert page.status == 422
    assert page.said_at("code").startswith("A code has six digits.")
    assert page.field("code").value == typed


def test_an_invented_code_gets_a_friendly_page_that_leads_to_where_it_is_corrected() -> None:
    phone, (code,) = Hall().phone(), codes_nobody_has(1)
    page = phone.open(f"/t/{code}")
    assert page.status == 404
    assert "No table has this code. Read the six digits on the card again." in page.text
    assert phone.open(page.link("Type a code")).field("code").value == code


def test_a_code_of_an_evening_that_ended_says_so_and_shows_its_standings() -> None:
    hall = Hall()
    play_round(hall.event)
    end_event(event_id=hall.event.pk)
    page = hall.phone().open(hall.table)
    assert page.status == 404
    assert "This card is from an event that has ended." in page.text
    assert page.link("See the standings") == f"/e/{hall.event.short}"


def test_the_code_of_a_table_that_nobody_plays_at_yet_says_so() -> None:
    event = start_event(event_id=an_event(club=a_club()).pk)
    card = TableCard.objects.filter(topic=event.topic)[0]
    page = Hall().phone().open(f"/t/{card.code}")
    assert page.status == 404
    assert "Nobody plays at this table yet. Wait for the draw." in page.text


class TestGuessing:
    def test_is_slowed_down_after_some_misses(self) -> None:
        phone = Hall().phone()
        *misses, last = [phone.open(f"/t/{code}") for code in codes_nobody_has(MISSES_ALLOWED + 1)]
        assert [page.status for page in misses] == [404] * MISSES_ALLOWED
        assert last.status == 429
        assert "Too many wrong codes. Wait ten minutes" in last.text

    def test_is_slowed_down_on_every_page_of_a_table_and_for_programs(self) -> None:
        hall = Hall()
        phone = hall.phone()
        for code in codes_nobody_has(MISSES_ALLOWED):
            assert phone.open(f"/t/{code}/hands").status == 404
        assert phone.open(f"/api/tables/{hall.code}").status == 429
        assert phone.open(hall.table).status == 429

    def test_by_the_neighbour_behind_the_same_router_locks_out_no_phone_at_its_table(self) -> None:
        hall = Hall()
        phone, neighbour = hall.phone(address="192.0.2.9"), hall.phone(address="192.0.2.9")
        page = phone.open(hall.table)
        for code in codes_nobody_has(MISSES_ALLOWED):
            neighbour.open(f"/t/{code}")
        assert neighbour.open(hall.table).status == 429
        assert tap(phone, page, "A-6-7").status == 200
        assert score(hall.match) == [6, 0]
        assert phone.open(f"{hall.table}/hands").status == 200

    def test_with_the_cookie_of_one_table_is_slowed_down_at_the_others(self) -> None:
        hall = Hall()
        phone = hall.phone()
        phone.open(hall.table)
        pages = [phone.open(f"/t/{code}") for code in codes_nobody_has(MISSES_ALLOWED + 1)]
        assert pages[-1].status == 429

    def test_with_a_forged_cookie_is_slowed_down(self) -> None:
        hall = Hall()
        phone = hall.phone()
        phone.client.cookies["device"] = "known:forged"
        pages = [phone.open(f"/t/{code}") for code in codes_nobody_has(MISSES_ALLOWED + 1)]
        assert pages[-1].status == 429
        assert phone.open(hall.table).status == 429

    def test_in_one_place_slows_nobody_down_in_another(self) -> None:
        hall = Hall()
        for code in codes_nobody_has(MISSES_ALLOWED + 1):
            hall.phone(address="192.0.2.9").open(f"/t/{code}")
        assert hall.phone(address="192.0.2.10").open(hall.table).status == 200


def test_a_hand_marked_with_a_code_of_an_ended_evening_is_not_written() -> None:
    hall = Hall()
    phone = hall.phone()
    page = phone.open(hall.table)
    play_round(hall.event)
    end_event(event_id=hall.event.pk)
    before = fresh(hall.match).revision
    assert tap(phone, page, "A-6-7").status == 404
    assert fresh(hall.match).revision == before
