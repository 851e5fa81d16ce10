"""The door prize: one name drawn among those present, by a reproducible lot, shown on the wall at once."""

import pytest

from clubs.models import Person
from tests.builders import build_event, build_running_night, get_refusal, get_refusal_code
from tests.support.browser import Page
from tests.support.office import Office
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.models import Event
from tournaments.money.queries.door_prizes import find_door_prize, list_door_prize_candidates
from tournaments.money.services.door_prizes import clear_door_prize, draw_door_prize
from tournaments.money.services.fees import record_fee

pytestmark = pytest.mark.django_db


def mark_present_entries(event: Event, *numbers: int) -> Event:
    for number in numbers:
        mark_present(event_id=event.pk, number=number, is_present=True)
    return event


class TestDoorPrizeDraw:
    @pytest.mark.long
    def test_door_prize_draws_each_present_person_once(self) -> None:
        event = mark_present_entries(build_event(pairs=4), 1, 3)
        present = {person for entry in event.entries.filter(number__in=(1, 3)) for person in entry.players}
        drawn = [draw_door_prize(event_id=event.pk) for _ in present]
        assert set(drawn) == present
        assert get_refusal_code(draw_door_prize, event_id=event.pk) == "nobody_in_the_hat"

    def test_waiting_entries_are_not_in_the_door_prize_draw(self) -> None:
        event = mark_present_entries(build_event(pairs=2), 1, 2)
        event.entries.filter(number=2).update(is_waiting=True)
        assert list_door_prize_candidates(event) == event.entries.get(number=1).players

    @pytest.mark.long("forty draws; the next test checks the lot of one")
    def test_door_prize_draw_is_reproducible_and_reaches_everyone(self) -> None:
        first = mark_present_entries(build_event(pairs=2), 1, 2)
        lots: dict[int, Person | None] = {}
        for seed in range(40):
            event = mark_present_entries(build_event(pairs=2, club=first.club), 1, 2)
            drawn = draw_door_prize(event_id=event.pk, seed=seed % 20)
            assert drawn == lots.setdefault(seed % 20, drawn)
        assert set(lots.values()) == set(list_door_prize_candidates(first))

    @pytest.mark.slow
    def test_door_prize_stores_its_draw_and_can_be_cleared(self) -> None:
        event = mark_present_entries(build_event(), 1)
        drawn = draw_door_prize(event_id=event.pk, prize="  A  ham ", seed=7)
        found = find_door_prize(event)
        assert found is not None
        assert (found.person, found.prize, found.among, found.seed) == (drawn, "A ham", 2, 7)
        for _ in range(2):
            clear_door_prize(event_id=event.pk)
        assert find_door_prize(event) is None
        assert len(list_door_prize_candidates(event)) == 1
        assert event.actions.filter(kind="clear_door_prize").count() == 1

    @pytest.mark.long
    def test_paid_players_stay_in_the_draw_until_they_leave(self) -> None:
        event = mark_present_entries(build_running_night(), 1, 2, 3)
        one, _, three = (entry.players for entry in event.entries.filter(number__in=(1, 2, 3)))
        record_fee(event_id=event.pk, person_id=one[0].pk, paid=500, other=None)
        withdraw_entry(event_id=event.pk, number=2)
        withdraw_entry(event_id=event.pk, number=3, after=2)
        assert list_door_prize_candidates(event) == [*one, *three]

    def test_overlong_prize_name_is_refused(self) -> None:
        event = mark_present_entries(build_event(), 1)
        assert get_refusal(draw_door_prize, event_id=event.pk, prize="x" * 61).field == "prize"


class TestDoorPrizePage:
    def draw(self, office: Office, page: Page) -> Page:
        return office.browser.send(page, page.find_form("/door-prize", control_name="prize"), prize="A ham")

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_page_draws_a_winner_and_the_wall_shows_the_public_name(self) -> None:
        office = Office(pairs=2)
        board = office.browser.open(f"/e/{office.event.short}/board")
        page = office.browser.open(f"{office.entries}/door-prize")
        assert "0 names" not in page.text
        assert page.find_form(control_name="prize").find_one("a").attrs["href"] == f"{office.entries}/check-in"
        assert "No names left to draw." in self.draw(office, page).get_field_error("prize")
        mark_present_entries(office.event, 1, 2)
        for _ in range(2):
            drawn = self.draw(office, page)
        found = find_door_prize(office.event)
        assert found is not None
        assert found.person.name in drawn.text
        assert office.event.actions.filter(kind="draw_door_prize").count() == 1
        wall = office.browser.open(f"/e/{office.event.short}/board", **{"If-None-Match": board.revision})
        assert wall.status == 200
        assert wall.find_one("p", class_="winner").text == found.person.get_public_name(office.club).replace(
            "\u00a0", " "
        )
        assert "A ham" in wall.text
        drawn = office.browser.send(drawn, drawn.find_form("/door-prize", control_name="clear"), ("clear", "1"))
        assert not office.browser.open(f"/e/{office.event.short}/board").find_all("p", class_="winner")
        history = office.browser.open(f"/e/{office.event.short}/desk/history").text
        assert f"Door prize: {found.person.name}, draw {found.seed} among 4" in history
