"""The door prize: a name out of those present, by a lot that anybody can draw again, on the wall at once."""

import pytest

from clubs.models import Person
from tests.builders import a_running_night, an_event, code_of, refusal_of
from tests.support.browser import Page
from tests.support.office import Office
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.models import Event
from tournaments.money.queries.door_prizes import door_prize_of, people_in_the_hat
from tournaments.money.services.door_prizes import clear_door_prize, draw_door_prize
from tournaments.money.services.fees import record_fee

pytestmark = pytest.mark.django_db


def with_present(event: Event, *numbers: int) -> Event:
    for number in numbers:
        mark_present(event_id=event.pk, number=number, is_present=True)
    return event


class TestTheDraw:
    def test_is_among_those_present_and_draws_nobody_twice(self) -> None:
        event = with_present(an_event(pairs=4), 1, 3)
        present = {person for entry in event.entries.filter(number__in=(1, 3)) for person in entry.players}
        drawn = [draw_door_prize(event_id=event.pk) for _ in present]
        assert set(drawn) == present
        assert code_of(draw_door_prize, event_id=event.pk) == "nobody_in_the_hat"

    def test_is_not_among_those_who_wait_for_a_place(self) -> None:
        event = with_present(an_event(pairs=2), 1, 2)
        event.entries.filter(number=2).update(is_waiting=True)
        assert people_in_the_hat(event) == event.entries.get(number=1).players

    @pytest.mark.long("forty draws; the next test keeps the lot of one")
    def test_by_the_same_lot_is_the_same_name_and_every_name_has_a_lot(self) -> None:
        first = with_present(an_event(pairs=2), 1, 2)
        lots: dict[int, Person | None] = {}
        for seed in range(40):
            event = with_present(an_event(pairs=2, club=first.club), 1, 2)
            drawn = draw_door_prize(event_id=event.pk, seed=seed % 20)
            assert drawn == lots.setdefault(seed % 20, drawn)
        assert set(lots.values()) == set(people_in_the_hat(first))

    def test_is_kept_with_its_lot_and_taken_off_the_wall(self) -> None:
        event = with_present(an_event(), 1)
        drawn = draw_door_prize(event_id=event.pk, prize="  A  ham ", seed=7)
        found = door_prize_of(event)
        assert found is not None
        assert (found.person, found.prize, found.among, found.seed) == (drawn, "A ham", 2, 7)
        for _ in range(2):
            clear_door_prize(event_id=event.pk)
        assert door_prize_of(event) is None
        assert len(people_in_the_hat(event)) == 1
        assert event.actions.filter(kind="clear_door_prize").count() == 1

    def test_keeps_those_who_paid_in_the_hat_until_they_have_left(self) -> None:
        event = with_present(a_running_night(), 1, 2, 3)
        one, _, three = (entry.players for entry in event.entries.filter(number__in=(1, 2, 3)))
        record_fee(event_id=event.pk, person_id=one[0].pk, paid=500, other=None)
        withdraw_entry(event_id=event.pk, number=2)
        withdraw_entry(event_id=event.pk, number=3, after=2)
        assert people_in_the_hat(event) == [*one, *three]

    def test_of_too_long_a_prize_is_refused(self) -> None:
        event = with_present(an_event(), 1)
        assert refusal_of(draw_door_prize, event_id=event.pk, prize="x" * 61).field == "prize"


class TestThePage:
    def draw(self, office: Office, page: Page) -> Page:
        return office.browser.send(page, page.form("/door-prize", having="prize"), prize="A ham")

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_draws_and_says_who_and_the_wall_shows_the_name_as_the_public_may_see_it(self) -> None:
        office = Office(pairs=2)
        board = office.browser.open(f"/e/{office.event.short}/board")
        page = office.browser.open(f"{office.entries}/door-prize")
        assert "0 names" not in page.text
        assert page.form(having="prize").one("a").attrs["href"] == f"{office.entries}/check-in"
        assert "No names left to draw." in self.draw(office, page).said_at("prize")
        with_present(office.event, 1, 2)
        for _ in range(2):
            drawn = self.draw(office, page)
        found = door_prize_of(office.event)
        assert found is not None
        assert found.person.name in drawn.text
        assert office.event.actions.filter(kind="draw_door_prize").count() == 1
        wall = office.browser.open(f"/e/{office.event.short}/board", **{"If-None-Match": board.revision})
        assert wall.status == 200
        assert wall.one("p", class_="winner").text == found.person.name_in_public(office.club).replace(
            "\u00a0", " "
        )
        assert "A ham" in wall.text
        drawn = office.browser.send(drawn, drawn.form("/door-prize", having="clear"), ("clear", "1"))
        assert not office.browser.open(f"/e/{office.event.short}/board").every("p", class_="winner")
        history = office.browser.open(f"/e/{office.event.short}/desk/history").text
        assert f"Door prize: {found.person.name}, draw {found.seed} among 4" in history
