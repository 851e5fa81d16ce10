"""The code on a table's card: typed, mistyped, of last week, guessed."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from clubs.services.rate_limit import ALLOWED as MISSES_ALLOWED
from clubs.services.rate_limit import ALLOWED_TOGETHER as MISSES_TOGETHER
from clubs.services.rate_limit import FORGOTTEN_AFTER
from engine.visibility import Release
from scoring.models import TableCard
from scoring.qr import card_url
from tests.builders import a_club, an_event, fresh, play_round, score
from tests.support.browser import Browser
from tests.support.hall import Hall, tap
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.publishing.services.publishing import change_release

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
    assert page.said_at("code").startswith("Enter the six digits on the table card.")
    assert page.field("code").value == typed


def test_an_invented_code_gets_a_friendly_page_that_leads_to_where_it_is_corrected() -> None:
    phone, (code,) = Hall().phone(), codes_nobody_has(1)
    page = phone.open(f"/t/{code}")
    assert page.status == 404
    assert page.one("h2").text == "Unknown code"
    assert "No table has this code. Check the six digits on the card." in page.text
    assert phone.open(page.link("Enter a code")).field("code").value == code


def test_the_code_of_an_event_that_has_ended_leads_to_its_end() -> None:
    hall = Hall()
    play_round(hall.event)
    end_event(event_id=hall.event.pk)
    page = hall.phone().open(hall.table)
    assert "It is over. Thank you for playing." in page.text
    leads_on = page.response.headers["Refresh"]
    assert (page.status, leads_on) == (404, f"0; url=/e/{hall.event.short}/mine")
    open_page = Browser()
    open_page.client.defaults["HTTP_HX_REQUEST"] = "true"
    assert open_page.open(hall.table).response.headers["HX-Redirect"] == f"/e/{hall.event.short}/mine"


def test_the_code_of_an_event_that_is_not_public_thanks_and_shows_nothing_of_it() -> None:
    hall = Hall()
    play_round(hall.event)
    change_release(event_id=hall.event.pk, release=Release(is_public=False))
    end_event(event_id=hall.event.pk)
    page = hall.phone().open(hall.table)
    assert page.status == 404
    assert page.one("h2").text == "It is over. Thank you for playing."
    assert not [one for one in page.every("a") if "/e/" in one.attrs["href"]]


def test_the_code_of_a_table_that_nobody_plays_at_yet_says_so() -> None:
    event = start_event(event_id=an_event(club=a_club()).pk)
    card = TableCard.objects.filter(topic=event.topic)[0]
    page = Hall().phone().open(f"/t/{card.code}")
    assert page.status == 404
    assert page.one("h2").text == "No match here yet"
    assert "No match at this table yet. Wait for the draw." in page.text


@pytest.mark.snapshot
def test_an_unknown_code_typed_at_home_stays_in_its_field_with_what_is_wrong() -> None:
    phone, (code,) = Hall().phone(), codes_nobody_has(1)
    home = phone.open("/")
    page = phone.send(home, home.form(having="code"), code=code)
    assert (page.status, page.path) == (404, "/")
    assert page.said_at("code") == "No table has this code. Check the six digits on the card."
    assert page.field("code").value == code


def letters_beside(code: str) -> str:
    return TableCard.objects.get(code=code).letters


@pytest.mark.slow
class TestAfterManyWrongCodes:
    """Of one address: a code alone no longer opens a table. Whoever has the card in sight gets in."""

    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall()
        for code in codes_nobody_has(MISSES_ALLOWED):
            assert hall.phone(address="192.0.2.9").open(f"/t/{code}").status == 404
        return hall

    @pytest.fixture
    def phone(self, hall: Hall) -> Browser:
        return hall.phone(address="192.0.2.9")

    def test_a_right_code_is_asked_for_the_letters_beside_it_and_opens(
        self, hall: Hall, phone: Browser
    ) -> None:
        home = phone.open("/")
        page = phone.send(home, home.form(having="code"), code=hall.code)
        assert (page.status, page.path) == (429, hall.table)
        assert page.said_at("letters").startswith("Too many wrong codes.")
        page = phone.send(page, page.form(having="letters"), letters="BCDFG")
        assert (page.field("code").value, page.field("letters").value) == (hall.code, "BCDFG")
        assert page.said_at("letters").startswith("The letters and code are from different cards.")
        letters = f" {letters_beside(hall.code).lower()} "
        page = phone.send(page, page.form(having="letters"), letters=letters)
        assert (page.status, page.path) == (200, hall.table)

    def test_the_page_of_a_table_asks_for_the_letters_too(self, hall: Hall, phone: Browser) -> None:
        page = phone.open(hall.table)
        assert page.status == 429
        page = phone.send(page, page.form(having="letters"), letters=letters_beside(hall.code))
        assert page.status == 200
        assert tap(phone, page, "A-6-7").status == 200
        assert score(hall.match) == [6, 0]

    def test_the_square_of_a_card_always_opens(self, hall: Hall, phone: Browser) -> None:
        assert phone.open(card_url("/", hall.card)).status == 200

    def test_a_device_that_was_there_before_stays(self) -> None:
        hall = Hall()
        phone, neighbour = hall.phone(address="192.0.2.9"), hall.phone(address="192.0.2.9")
        page = phone.open(hall.table)
        for code in codes_nobody_has(MISSES_ALLOWED):
            neighbour.open(f"/t/{code}")
        assert neighbour.open(hall.table).status == 429
        assert tap(phone, page, "A-6-7").status == 200
        assert score(hall.match) == [6, 0]
        assert phone.open(f"{hall.table}/hands").status == 200

    def test_what_is_answered_does_not_tell_a_right_code_from_a_wrong_one(
        self, hall: Hall, phone: Browser
    ) -> None:
        (wrong,) = codes_nobody_has(1)
        for asked in ("", "?letters=BCDFG"):
            right, other = (phone.open(f"/t/{code}{asked}") for code in (hall.code, wrong))
            assert right.status == other.status == 429
            assert right.text == other.text

    def test_letters_of_another_card_are_not_taken(self, hall: Hall, phone: Browser) -> None:
        other = TableCard.objects.exclude(code=hall.code)[0]
        page = phone.open(f"{hall.table}?letters={other.letters}")
        assert page.status == 429
        assert page.said_at("letters").startswith("The letters and code are from different cards.")

    def test_programs_say_the_letters_too(self, hall: Hall, phone: Browser) -> None:
        assert phone.open(f"/api/tables/{hall.code}").status == 429
        address = f"/api/tables/{hall.code}?letters={letters_beside(hall.code)}"
        assert phone.open(address).status == 200

    @pytest.mark.parametrize("root", ["/api", "/api/v1"])
    def test_programs_are_told_when_the_code_alone_is_enough(
        self, hall: Hall, phone: Browser, root: str
    ) -> None:
        with patch.object(timezone, "now", return_value=timezone.now() + FORGOTTEN_AFTER / 2):
            wait = int(phone.client.get(f"{root}/tables/{hall.code}").headers["Retry-After"])
        assert FORGOTTEN_AFTER / 2 - timedelta(minutes=1) < timedelta(seconds=wait) <= FORGOTTEN_AFTER / 2
        with patch.object(timezone, "now", return_value=timezone.now() + FORGOTTEN_AFTER):
            assert phone.open(f"{root}/tables/{hall.code}").status == 200

    def test_the_cookie_of_one_table_opens_no_other(self) -> None:
        hall = Hall()
        phone = hall.phone()
        phone.open(hall.table)
        pages = [phone.open(f"/t/{code}") for code in codes_nobody_has(MISSES_ALLOWED + 1)]
        assert pages[-1].status == 429

    def test_a_forged_cookie_opens_nothing(self, hall: Hall, phone: Browser) -> None:
        phone.client.cookies["device"] = "known:forged"
        assert phone.open(hall.table).status == 429

    def test_elsewhere_a_code_alone_opens(self, hall: Hall) -> None:
        assert hall.phone(address="192.0.2.10").open(hall.table).status == 200


@pytest.mark.slow
def test_wrong_codes_from_many_addresses_are_counted_together() -> None:
    hall = Hall()
    for place, code in enumerate(codes_nobody_has(MISSES_TOGETHER)):
        hall.phone(address=f"192.0.2.{place}").open(f"/t/{code}")
    page = hall.phone(address="198.51.100.1").open(hall.table)
    assert page.status == 429
    assert hall.phone(address="198.51.100.2").open(card_url("/", hall.card)).status == 200


@pytest.mark.slow
def test_the_misses_of_an_address_count_when_those_of_all_together_have_just_been_forgotten() -> None:
    hall, elsewhere = Hall(), "192.0.2.10"
    first, *others = codes_nobody_has(MISSES_ALLOWED + 1)
    hall.phone(address=elsewhere).open(f"/t/{first}")
    with patch.object(timezone, "now", return_value=timezone.now() + FORGOTTEN_AFTER / 2):
        for code in others:
            hall.phone(address="192.0.2.9").open(f"/t/{code}")
    with patch.object(timezone, "now", return_value=timezone.now() + FORGOTTEN_AFTER):
        assert hall.phone(address="192.0.2.9").open(hall.table).status == 429
        assert hall.phone(address=elsewhere).open(hall.table).status == 200


@pytest.mark.slow
def test_addresses_of_one_household_are_one() -> None:
    hall = Hall()
    for place, code in enumerate(codes_nobody_has(MISSES_ALLOWED)):
        hall.phone(address=f"2001:db8::{place:x}").open(f"/t/{code}")
    assert hall.phone(address="2001:db8::ffff").open(hall.table).status == 429


@pytest.mark.slow
def test_a_hand_marked_with_a_code_of_an_ended_evening_is_not_written() -> None:
    hall = Hall()
    phone = hall.phone()
    page = phone.open(hall.table)
    play_round(hall.event)
    end_event(event_id=hall.event.pk)
    before = fresh(hall.match).revision
    assert tap(phone, page, "A-6-7").status == 409
    assert fresh(hall.match).revision == before
