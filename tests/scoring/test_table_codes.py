"""Table code: typed in any form, mistyped, of an ended event, or guessed."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from clubs.services.rate_limit import ALLOWED_TOGETHER as MISSES_TOGETHER
from clubs.services.rate_limit import MAX_MISSES as MISSES_ALLOWED
from clubs.services.rate_limit import RESET_AFTER
from engine.visibility import Release
from scoring.models import TableCard
from scoring.qr import build_card_url
from tests.builders import build_club, build_event, get_score, play_round, reload_match
from tests.support.browser import Browser
from tests.support.hall import Hall, tap
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.publishing.services.publishing import change_release

pytestmark = pytest.mark.django_db


def list_unused_codes(count: int) -> list[str]:
    have = set(TableCard.objects.values_list("code", flat=True))
    return [code for code in (f"{number:06}" for number in range(count + len(have))) if code not in have][:count]


@pytest.mark.parametrize("typed", ["{0}{1}", "{0} {1}", " {0}-{1} ", "{0}\u00a0{1}"])
def test_code_is_accepted_as_people_type_it(typed: str) -> None:
    hall = Hall()
    phone = hall.add_phone()
    home = phone.open("/")
    page = phone.send(home, home.find_form(control_name="code"), code=typed.format(hall.code[:3], hall.code[3:]))
    assert page.path == hall.table
    assert "Table 1" in page.find_one("h1").text


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "abcdef", "½12345", "١٢٣٤٥٦"])
def test_invalid_code_is_refused_at_its_field(typed: str) -> None:
    phone = Hall().add_phone()
    home = phone.open("/")
    page = phone.send(home, home.find_form(control_name="code"), code=typed)
    assert page.status == 422
    assert page.get_field_error("code").startswith("Enter the six digits on the table card.")
    assert page.find_field("code").value == typed


def test_unknown_code_page_links_back_to_the_field() -> None:
    phone, (code,) = Hall().add_phone(), list_unused_codes(1)
    page = phone.open(f"/t/{code}")
    assert page.status == 404
    assert page.find_one("h2").text == "Unknown code"
    assert "No table has this code. Check the six digits on the card." in page.text
    assert phone.open(page.find_link("Enter a code")).find_field("code").value == code


@pytest.mark.slow
def test_code_of_an_ended_event_leads_to_its_end() -> None:
    hall = Hall()
    play_round(hall.event)
    end_event(event_id=hall.event.pk)
    page = hall.add_phone().open(hall.table)
    assert "It is over. Thank you for playing." in page.text
    leads_on = page.response.headers["Refresh"]
    assert (page.status, leads_on) == (404, f"0; url=/e/{hall.event.short}/mine")
    open_page = Browser()
    open_page.client.defaults["HTTP_HX_REQUEST"] = "true"
    assert open_page.open(hall.table).response.headers["HX-Redirect"] == f"/e/{hall.event.short}/mine"


@pytest.mark.long
def test_code_of_a_hidden_ended_event_shows_only_thanks() -> None:
    hall = Hall()
    play_round(hall.event)
    change_release(event_id=hall.event.pk, release=Release(is_public=False))
    end_event(event_id=hall.event.pk)
    page = hall.add_phone().open(hall.table)
    assert page.status == 404
    assert page.find_one("h2").text == "It is over. Thank you for playing."
    assert not [one for one in page.find_all("a") if "/e/" in one.attrs["href"]]


@pytest.mark.long
def test_code_of_an_empty_table_says_so() -> None:
    event = start_event(event_id=build_event(club=build_club()).pk)
    card = TableCard.objects.filter(topic=event.topic)[0]
    page = Hall().add_phone().open(f"/t/{card.code}")
    assert page.status == 404
    assert page.find_one("h2").text == "No match here yet"
    assert "No match at this table yet. Wait for the draw." in page.text


@pytest.mark.snapshot
def test_unknown_code_stays_in_the_home_page_field() -> None:
    phone, (code,) = Hall().add_phone(), list_unused_codes(1)
    home = phone.open("/")
    page = phone.send(home, home.find_form(control_name="code"), code=code)
    assert (page.status, page.path) == (404, "/")
    assert page.get_field_error("code") == "No table has this code. Check the six digits on the card."
    assert page.find_field("code").value == code


def get_letters(code: str) -> str:
    return TableCard.objects.get(code=code).letters


@pytest.mark.slow
class TestManyWrongCodes:
    """After many wrong codes from one IP address, a code opens its table only with the letters on the card."""

    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall()
        for code in list_unused_codes(MISSES_ALLOWED):
            assert hall.add_phone(address="192.0.2.9").open(f"/t/{code}").status == 404
        return hall

    @pytest.fixture
    def phone(self, hall: Hall) -> Browser:
        return hall.add_phone(address="192.0.2.9")

    @pytest.mark.long
    def test_correct_code_also_requires_the_card_letters(self, hall: Hall, phone: Browser) -> None:
        home = phone.open("/")
        page = phone.send(home, home.find_form(control_name="code"), code=hall.code)
        assert (page.status, page.path) == (429, hall.table)
        assert page.get_field_error("letters").startswith("Too many wrong codes.")
        page = phone.send(page, page.find_form(control_name="letters"), letters="BCDFG")
        assert (page.find_field("code").value, page.find_field("letters").value) == (hall.code, "BCDFG")
        assert page.get_field_error("letters").startswith("The letters and code are from different cards.")
        letters = f" {get_letters(hall.code).lower()} "
        page = phone.send(page, page.find_form(control_name="letters"), letters=letters)
        assert (page.status, page.path) == (200, hall.table)

    @pytest.mark.long
    def test_table_page_also_requires_the_card_letters(self, hall: Hall, phone: Browser) -> None:
        page = phone.open(hall.table)
        assert page.status == 429
        page = phone.send(page, page.find_form(control_name="letters"), letters=get_letters(hall.code))
        assert page.status == 200
        assert tap(phone, page, "A-6-7").status == 200
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.long
    def test_card_qr_code_always_opens_the_table(self, hall: Hall, phone: Browser) -> None:
        assert phone.open(build_card_url("/", hall.card)).status == 200

    @pytest.mark.long
    def test_known_device_keeps_its_access(self) -> None:
        hall = Hall()
        phone, neighbour = hall.add_phone(address="192.0.2.9"), hall.add_phone(address="192.0.2.9")
        page = phone.open(hall.table)
        for code in list_unused_codes(MISSES_ALLOWED):
            neighbour.open(f"/t/{code}")
        assert neighbour.open(hall.table).status == 429
        assert tap(phone, page, "A-6-7").status == 200
        assert get_score(hall.match) == [6, 0]
        assert phone.open(f"{hall.table}/hands").status == 200

    @pytest.mark.long
    def test_answer_does_not_reveal_a_correct_code(self, hall: Hall, phone: Browser) -> None:
        (wrong,) = list_unused_codes(1)
        for query in ("", "?letters=BCDFG"):
            right, other = (phone.open(f"/t/{code}{query}") for code in (hall.code, wrong))
            assert right.status == other.status == 429
            assert right.text == other.text

    def test_letters_of_another_card_are_refused(self, hall: Hall, phone: Browser) -> None:
        other = TableCard.objects.exclude(code=hall.code)[0]
        page = phone.open(f"{hall.table}?letters={other.letters}")
        assert page.status == 429
        assert page.get_field_error("letters").startswith("The letters and code are from different cards.")

    @pytest.mark.long
    def test_api_also_requires_the_card_letters(self, hall: Hall, phone: Browser) -> None:
        assert phone.open(f"/api/tables/{hall.code}").status == 429
        address = f"/api/tables/{hall.code}?letters={get_letters(hall.code)}"
        assert phone.open(address).status == 200

    @pytest.mark.parametrize("root", ["/api", "/api/v1"])
    def test_api_states_when_the_code_alone_works_again(self, hall: Hall, phone: Browser, root: str) -> None:
        with patch.object(timezone, "now", return_value=timezone.now() + RESET_AFTER / 2):
            wait = int(phone.client.get(f"{root}/tables/{hall.code}").headers["Retry-After"])
        assert RESET_AFTER / 2 - timedelta(minutes=1) < timedelta(seconds=wait) <= RESET_AFTER / 2
        with patch.object(timezone, "now", return_value=timezone.now() + RESET_AFTER):
            assert phone.open(f"{root}/tables/{hall.code}").status == 200

    @pytest.mark.long
    def test_cookie_of_one_table_opens_no_other(self) -> None:
        hall = Hall()
        phone = hall.add_phone()
        phone.open(hall.table)
        pages = [phone.open(f"/t/{code}") for code in list_unused_codes(MISSES_ALLOWED + 1)]
        assert pages[-1].status == 429

    @pytest.mark.long
    def test_forged_cookie_opens_nothing(self, hall: Hall, phone: Browser) -> None:
        phone.client.cookies["device"] = "known:forged"
        assert phone.open(hall.table).status == 429

    @pytest.mark.long
    def test_code_alone_works_from_another_address(self, hall: Hall) -> None:
        assert hall.add_phone(address="192.0.2.10").open(hall.table).status == 200


@pytest.mark.long
def test_wrong_codes_from_many_addresses_are_counted_together() -> None:
    hall = Hall()
    for place, code in enumerate(list_unused_codes(MISSES_TOGETHER)):
        hall.add_phone(address=f"192.0.2.{place}").open(f"/t/{code}")
    page = hall.add_phone(address="198.51.100.1").open(hall.table)
    assert page.status == 429
    assert hall.add_phone(address="198.51.100.2").open(build_card_url("/", hall.card)).status == 200


@pytest.mark.long
def test_address_misses_outlast_the_shared_counter() -> None:
    hall, elsewhere = Hall(), "192.0.2.10"
    first, *others = list_unused_codes(MISSES_ALLOWED + 1)
    hall.add_phone(address=elsewhere).open(f"/t/{first}")
    with patch.object(timezone, "now", return_value=timezone.now() + RESET_AFTER / 2):
        for code in others:
            hall.add_phone(address="192.0.2.9").open(f"/t/{code}")
    with patch.object(timezone, "now", return_value=timezone.now() + RESET_AFTER):
        assert hall.add_phone(address="192.0.2.9").open(hall.table).status == 429
        assert hall.add_phone(address=elsewhere).open(hall.table).status == 200


@pytest.mark.long
def test_ipv6_addresses_of_one_network_count_together() -> None:
    hall = Hall()
    for place, code in enumerate(list_unused_codes(MISSES_ALLOWED)):
        hall.add_phone(address=f"2001:db8::{place:x}").open(f"/t/{code}")
    assert hall.add_phone(address="2001:db8::ffff").open(hall.table).status == 429


@pytest.mark.long
def test_ended_event_accepts_no_hand() -> None:
    hall = Hall()
    phone = hall.add_phone()
    page = phone.open(hall.table)
    play_round(hall.event)
    end_event(event_id=hall.event.pk)
    before = reload_match(hall.match).revision
    assert tap(phone, page, "A-6-7").status == 409
    assert reload_match(hall.match).revision == before
