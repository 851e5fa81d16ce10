"""The pages about who takes part: the list, check-in, the starting list, and one entry."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Person
from clubs.services import find_or_add_people
from tests.builders import an_event, next_round, play_round, player_names, standings_after, win
from tests.long import IS_LONG
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post
from tests.support.office import Office
from tournaments.entries.services.check_in import leave_out_absent, mark_present
from tournaments.entries.services.entries import add_entries, enter_people
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.events.presenters.names import full_names
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Action, Entry, Event
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def typed_at(**typed: str) -> dict[str, Any]:
    """Fields by names that are no words of Python: ``place_1`` is ``place-1``."""
    return {name.replace("_", "-"): value for name, value in typed.items()}


def entry(event: Event, number: int = 1) -> Entry:
    return event.entries.get(number=number)


def partner_of_first(event: Event) -> str:
    partner = entry(event).player_2
    return "" if partner is None else partner.name


def page_of(event: Event, number: int = 1) -> str:
    return f"/e/{event.short}/desk/entries/{number}"


def act(browser: Browser, event: Event, what: str, number: int = 1, **typed: Any) -> Page:
    """The form of that act on the page of the entry, sent; with an effect, the page that shows it first."""
    page = browser.open(page_of(event, number))
    form = next(form for form in page.every("form") if list(form.every(name="act", value=what)))
    button = ("act", what) if any(form.every("button", name="act")) else None
    return browser.send(page, form, button, **typed)


def confirm(browser: Browser, page: Page, **typed: Any) -> Page:
    return browser.send(page, page.form(having="confirmed"), ("confirmed", "1"), **typed)


class TestTheList:
    def test_says_how_many_there_are_and_who_sits_out(self) -> None:
        office = Office(pairs=5, tables=3)
        page = office.browser.open(office.entries)
        assert "5 entries" in page.text
        assert "In total, 10 people." in page.text
        assert "Odd number: one bye each round, in turn." in page.text
        assert "Odd number" not in Office(pairs=4).browser.open(office.entries).text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_shows_those_who_wait_apart_and_lets_them_in(self) -> None:
        office = Office(pairs=2)
        change_sign_up(event_id=office.event.pk, is_open=False, most_entries=2)
        office.paste("Jeannine Roy et Marcel Dubé\nGhislaine Cyr et Normand Ouellet")
        page = office.browser.open(office.entries)
        assert "Waiting: 2." in page.text
        assert "Places: 2." in page.text
        page = office.browser.send(page, page.form(having="let_in"), ("let_in", "3"))
        assert not entry(office.event, 3).is_waiting
        page = office.browser.send(page, page.form(having="let_in"), ("remove", "4"))
        assert "Waiting list" not in page.text
        assert office.event.entries.count() == 3

    @pytest.mark.slow
    def test_opens_and_closes_the_public_list_and_says_how_many_places_there_are(self) -> None:
        office = Office()
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.form(having="most_entries"), is_open="1", most_entries="16")
        assert (page.field("most_entries").value, page.chosen("is_open")) == ("16", ["1"])
        event = Event.objects.get(pk=office.event.pk)
        assert (event.signs_up, event.most_entries) == (True, 16)
        page = office.browser.send(page, page.form(having="most_entries"), most_entries="1")
        assert page.status == 422
        assert page.said_at("most_entries").startswith("Enter 2 to 9999 places")
        page = office.browser.send(page, page.form(having="most_entries"), most_entries="", is_open=[])
        event.refresh_from_db()
        assert (event.signs_up, event.most_entries) == (False, None)

    def test_sent_twice_adds_once(self) -> None:
        office = Office()
        page = office.browser.open(office.entries)
        for _ in range(2):
            sent = office.browser.send(page, page.form(having="entries"), entries="Anne A et Paul A")
            assert sent.status == 200
        assert office.event.entries.count() == 1

    @pytest.mark.snapshot
    def test_takes_a_late_pair_once_the_evening_has_begun(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries")
        page = hall.desk.send(page, page.form(having="player_1"), player_1="Lise Côté", player_2="")
        assert page.said_at("player_2") == "Enter a name."
        assert page.field("player_1").value == "Lise Côté"
        page = hall.desk.send(page, page.form(having="player_1"), player_2="Paul Côté")
        assert "Lise Côté and Paul Côté plays from round 2" in page.text
        assert not page.every("button", name="remove")

    def test_of_an_evening_that_has_ended_offers_nothing_to_add(self) -> None:
        hall = Hall()
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries")
        assert not page.every("textarea", "input", name="player_1")


class TestCheckIn:
    def at(self, office: Office) -> str:
        return f"{office.entries}/check-in"

    def tap(self, office: Office, page: Page, number: int) -> Page:
        form = page.one("li", id=f"entry-{number}").one("form")
        (button,) = form.every("button", name="present")
        return office.browser.send(page, form, ("present", button.value))

    @pytest.mark.slow
    def test_is_one_tap_an_entry_and_another_one_takes_it_back(self) -> None:
        office = Office(pairs=3)
        page = self.tap(office, office.browser.open(self.at(office)), 2)
        assert page.one("h2", id="present").text == "1 pair present"
        assert "Not here yet: 2." in page.one(id="counts").text
        assert "Odd number" in page.one(id="counts").text
        assert page.one("button", id="tap-2").attrs["aria-pressed"] == "true"
        page = self.tap(office, page, 2)
        assert page.one("h2", id="present").text == "0 pairs present"

    def test_by_two_taps_on_the_same_page_is_one(self) -> None:
        office = Office(pairs=3)
        page = office.browser.open(self.at(office))
        for _ in range(2):
            assert "1 pair present" in self.tap(office, page, 2).text

    def test_with_a_script_changes_the_box_and_what_follows_from_it_only(self) -> None:
        office = Office(pairs=3)
        page = office.browser.open(self.at(office))
        office.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        part = self.tap(office, page, 2)
        assert [one.attrs["id"] for one in part.every("li")] == ["entry-2"]
        assert {one.attrs["id"] for one in part.every(**{"hx-swap-oob": "true"})} == {
            "present",
            "counts",
            "next-step",
        }
        assert not part.every("html")

    def test_says_of_two_of_one_name_when_each_was_last_here(self) -> None:
        office = Office()
        jean, other, lise = (
            Person.objects.create(club=office.club, name=name, folded_name=name.lower())
            for name in ("Jean Tremblay", "Jean Tremblay", "Lise Roy")
        )
        enter_people(event_id=an_event(pairs=0, club=office.club).pk, people=[jean.pk, lise.pk])
        page = office.browser.open(self.at(office))
        last = "Member. Last played November 17, 2026: Jean Tremblay / Lise Roy."
        assert page.one(id=f"person-{jean.pk}").text == f"Jean Tremblay {last}"
        assert page.one(id=f"person-{other.pk}").text == "Jean Tremblay Member."
        assert page.one(id=f"person-{lise.pk}").text == "Lise Roy"
        office.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        form = page.one(id=f"person-{jean.pk}").one("form")
        part = office.browser.send(page, form, ("person", str(jean.pk)))
        assert part.one(id=f"person-{jean.pk}").text == f"Jean Tremblay {last}"

    def test_looks_for_a_name_and_keeps_looking(self) -> None:
        office = Office(pairs=4)
        name = entry(office.event, 3).player_2
        assert name is not None
        page = office.browser.open(f"{self.at(office)}?search={name.folded_name[:9]}")
        boxes = len(page.every("li", class_="box"))
        assert 0 < boxes < 4
        page = self.tap(office, page, 3)
        assert len(page.every("li", class_="box")) == boxes
        assert "Nobody found" in office.browser.open(f"{self.at(office)}?search=zzz").text

    @pytest.mark.slow
    def test_adds_who_just_came_in_and_is_here(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(self.at(office))
        page = office.browser.send(page, page.form(having="player_1"), player_1="Ginette Proulx")
        assert page.status == 422
        assert page.said_at("player_2") == "Enter a name."
        page = office.browser.send(page, page.form(having="player_1"), player_2="Omer Paradis")
        assert page.one("h2", id="present").text == "1 pair present"
        assert entry(office.event, 3).present_at is not None

    @pytest.mark.parametrize("path", ["", "/check-in"], ids=["desk", "door"])
    def test_offers_a_pair_that_had_withdrawn_to_play_again(self, path: str) -> None:
        hall = Hall()
        withdraw_entry(event_id=hall.event.pk, number=2)
        names = [person.name for person in entry(hall.event, 2).players]
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries{path}")
        page = hall.desk.send(page, page.form(having="player_1"), player_1=names[0], player_2=names[1])
        assert f"Entry 2 ({names[0]} and {names[1]}) has withdrawn." in page.text
        page = hall.desk.send(page, page.form(having="return"), ("return", "2"))
        if not path:
            hall.desk.send(page, page.form(having="confirmed"), ("confirmed", "1"))
        assert entry(hall.event, 2).leaves_after is None

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_leaves_out_those_who_are_not_here(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(self.at(office))
        page = office.browser.send(page, page.form("/leave-out"))
        assert page.status == 422
        assert page.alert == "Only 0 present, 2 needed. Check in more players."
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        page = office.browser.send(page, page.form("/leave-out"), ("door", ""))
        assert page.path == self.at(office)
        assert "Playing round 1: 3 entries." in office.browser.open(office.entries).text
        page = office.browser.send(page, page.form("/desk/start"))
        assert "Round 1: 1 table" in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_leaves_out_those_who_are_not_here_until_the_first_round_is_published(self) -> None:
        office = Office(pairs=4)
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        start_event(event_id=office.event.pk)
        draw_round(event_id=office.event.pk)
        page = office.browser.open(self.at(office))
        assert "draw round 1" not in page.one(id="next-step").text
        office.browser.send(page, page.form("/leave-out"), ("door", ""))
        desk = office.browser.open(f"/e/{office.event.short}/desk")
        assert "Changed since the draw. Draw again or swap places." in desk.text
        next_round(office.event)
        assert office.event.rounds.get().seatings.count() == 3
        mark_present(event_id=office.event.pk, number=3, is_present=False)
        assert "Play without absentees" not in office.browser.open(self.at(office)).one(id="next-step").text

    def test_that_it_takes_two_is_said_where_nothing_can_be_drawn(self) -> None:
        office = Office(pairs=1)
        page = office.browser.open(office.entries)
        assert "Entries: 1. At least 2 needed to start." in page.form("/desk/start").text
        assert page.form("/desk/start").one("button").attrs["aria-disabled"] == "true"

    @pytest.mark.slow
    def test_that_it_takes_the_four_of_a_table_is_said_where_partners_are_drawn(self) -> None:
        office = Office()
        office.event.stages = [{"format": "swiss_individual"}]
        office.event.save()
        add_entries(event_id=office.event.pk, entries=player_names(3, size=1))
        page = office.browser.open(office.entries)
        assert "Entries: 3. At least 4 needed to start." in page.form("/desk/start").text
        page = office.browser.send(page, page.form("/desk/start"))
        assert page.said_at("entries") == "At least 4 entries are needed. Add entries first."
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        assert "draw round 1" not in office.browser.open(self.at(office)).one(id="next-step").text

    @pytest.mark.slow
    def test_draws_as_soon_as_all_are_here(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(self.at(office))
        assert "draw round 1" not in page.one(id="next-step").text
        mark_present(event_id=office.event.pk, number=1, is_present=True)
        page = self.tap(office, office.browser.open(self.at(office)), 2)
        page = office.browser.send(page, page.form("/desk/start"))
        assert page.path == f"/e/{office.event.short}/desk"
        assert "Publish round 1" in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_that_somebody_is_missing_is_said_where_the_event_starts_and_changed_with_a_tap(self) -> None:
        office = Office(pairs=4)
        assert office.browser.open(office.entries).every(id="not-checked-in") == []
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        page = office.browser.open(office.entries)
        said = page.one(id="not-checked-in").text
        assert said == "Not checked in: 1 entry. It will be drawn anyway."
        leave_out = page.one("button", formaction=f"{office.entries}/check-in/leave-out")
        page = post(office.browser, leave_out.attrs["formaction"], {})
        assert page.every(id="not-checked-in") == []
        assert "Playing round 1: 3 entries." in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_asked_for_at_the_desk_until_those_left_out_have_come(self) -> None:
        office = Office(pairs=3)
        for number in (1, 2):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        leave_out_absent(event_id=office.event.pk)
        start_event(event_id=office.event.pk)
        next_round(office.event)
        desk = office.browser.open(f"/e/{office.event.short}/desk")
        said = desk.one("p", id="awaited").text
        names = " and ".join(person.name for person in entry(office.event, 3).players)
        assert f"Not checked in, so not drawn: {names}" in said
        page = act(office.browser, office.event, "arrive", 3)
        assert "Next round: 3 entries." in page.text
        confirm(office.browser, page)
        assert entry(office.event, 3).arrives == 2
        assert not office.browser.open(desk.path).every("p", id="awaited")


class TestTheStartingList:
    def at(self, office: Office) -> str:
        return f"{office.entries}/order"

    @pytest.mark.slow
    def test_is_typed_or_moved_by_one_or_drawn_by_lot(self) -> None:
        office = Office(pairs=4)
        names = [str(one) for one in office.event.entries.all()]
        page = office.browser.open(self.at(office))
        assert "numbers do not reflect strength" in page.text
        page = office.browser.send(page, page.form(having="place-1"), **typed_at(place_4="1"))
        assert [str(one) for one in office.event.entries.all()] == [names[3], *names[:3]]
        assert "Sorted by strength or at random" in page.text
        page = office.browser.send(page, page.form(having="place-1"), ("down", "1"))
        assert [str(one) for one in office.event.entries.all()][:2] == [names[0], names[3]]
        assert f"Sort at random (draw {office.event.lot})" in page.text
        page = office.browser.send(page, page.form(having="way"), ("way", "typed"))
        assert [str(one) for one in office.event.entries.all()] == names

    @pytest.mark.snapshot
    def test_takes_numbers_only(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(self.at(office))
        page = office.browser.send(page, page.form(having="place-1"), **typed_at(place_2="first"))
        assert page.status == 422
        assert page.alert == "“first” is not a whole number. Use digits."

    def test_is_only_read_once_the_evening_has_begun(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries/order")
        assert not page.every("button", name="up")
        assert post(hall.desk, page.path, {"way": "lot"}).status == 409


@pytest.mark.slow
class TestAnEntry:
    @pytest.mark.snapshot
    def test_is_withdrawn_after_its_effect_was_shown(self) -> None:
        hall = Hall(pairs=4)
        page = act(hall.desk, hall.event, "withdraw")
        assert "Withdraw" in page.one("h2").text
        assert "Next round: 3 entries. Odd number: one bye." in page.text
        assert entry(hall.event).leaves_after is None
        for _ in range(2):
            shown = confirm(hall.desk, page, reason="Feels ill")
            assert shown.path == page_of(hall.event)
            assert "withdrawn after round 1" in shown.text
        done = Action.objects.get(kind="withdraw_entry")
        assert (done.account, done.reason) == (hall.owner, "Feels ill")
        listed = hall.desk.open(f"/e/{hall.event.short}/desk/entries")
        assert "withdrawn after round 1" in listed.text
        confirm(hall.desk, act(hall.desk, hall.event, "return"))
        assert entry(hall.event).leaves_after is None

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_withdraws_from_its_table_by_forfeit_and_what_that_changes_is_shown_first(self) -> None:
        hall = Hall(pairs=4)
        page = act(hall.desk, hall.event, "withdraw", forfeits_table="on")
        assert not hall.event.actions.filter(kind="withdraw_entry").exists()
        confirm(hall.desk, page)
        table = entry(hall.event).seatings.get().table
        assert table is not None
        assert table.ruling is not None
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        assert f"withdrawn after round 1, table {table.number} forfeited" in history
        assert "Forfeit table" not in hall.desk.open(page_of(hall.event)).text

    def test_that_left_without_forfeiting_its_table_can_still_forfeit_it(self) -> None:
        hall = Hall(pairs=4)
        withdraw_entry(event_id=hall.event.pk, number=1)
        confirm(hall.desk, act(hall.desk, hall.event, "withdraw"))
        table = entry(hall.event).seatings.get().table
        assert table is not None
        assert table.ruling is not None
        assert "Forfeit table" not in hall.desk.open(page_of(hall.event)).text

    def test_is_absent_in_a_round_or_sits_out(self) -> None:
        hall = Hall(pairs=4)
        confirm(hall.desk, act(hall.desk, hall.event, "attendance", round="2"))
        page = confirm(hall.desk, act(hall.desk, hall.event, "attendance", round="3", attendance="bye"))
        assert "absent in round 2" in page.text
        assert "requested bye: round 3" in page.text
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        assert "round 2: absent" in history
        assert "round 3: requested bye" in history

    @pytest.mark.snapshot
    def test_says_which_draft_was_drawn_before_it_changed(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=1)
        withdraw_entry(event_id=hall.event.pk, number=1)
        page = hall.desk.open(page_of(hall.event))
        assert "The draft of round 2 is outdated." in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_shows_again_what_another_director_has_made_of_it_before_it_is_done(self) -> None:
        hall = Hall()
        page = act(hall.desk, hall.event, "substitute", place="2", name="Rita Dubé")
        substitute_player(event_id=hall.event.pk, number=1, place=2, name="Omer Paradis")
        shown = confirm(hall.desk, page, reason="Feels ill")
        assert "This event has changed in the meantime." in shown.one(role="alert").text
        assert "Omer Paradis" in shown.one("h2").text
        assert partner_of_first(hall.event) == "Omer Paradis"
        assert confirm(hall.desk, shown).path == page_of(hall.event)
        assert partner_of_first(hall.event) == "Rita Dubé"
        assert Action.objects.filter(kind="substitute_player").latest("pk").reason == "Feels ill"

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_done_as_it_was_shown_where_others_have_changed_something_else(self) -> None:
        hall = Hall()
        page = act(hall.desk, hall.event, "substitute", place="2", name="Rita Dubé")
        mark_present(event_id=hall.event.pk, number=3, is_present=True)
        assert confirm(hall.desk, page).path == page_of(hall.event)
        assert partner_of_first(hall.event) == "Rita Dubé"

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_asks_whether_the_substitute_is_who_the_club_knows_before_anything_is_written(self) -> None:
        hall = Hall()
        (known,) = find_or_add_people(club=hall.event.club, full_names=["Omer Paradis"])
        asked = act(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        assert asked.chosen("who omer paradis") == [str(known.pk)]
        assert not hall.event.actions.filter(kind="substitute_player").exists()
        form = asked.form(having="asked")
        answer: dict[str, Any] = {"who omer paradis": "new"}
        page = hall.desk.send(asked, form, ("asked", "1"), **answer)
        hall.desk.send(page, page.form(having="confirmed"), ("confirmed", "1"))
        substitute = hall.event.entries.get(number=1).player_2
        assert substitute is not None
        assert (substitute.name, substitute.pk != known.pk) == ("Omer Paradis", True)

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_takes_the_substitute_for_whom_the_club_knows_where_that_is_said(self) -> None:
        hall = Hall()
        (known,) = find_or_add_people(club=hall.event.club, full_names=["Omer Paradis"])
        asked = act(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        page = hall.desk.send(asked, asked.form(having="asked"), ("asked", "1"))
        hall.desk.send(page, page.form(having="confirmed"), ("confirmed", "1"))
        assert hall.event.entries.get(number=1).player_2 == known

    @pytest.mark.snapshot
    def test_is_not_replaced_by_somebody_who_plays_already_whatever_the_spelling(self) -> None:
        hall = Hall()
        here = hall.event.entries.get(number=2).player_1
        first, last = here.name.rsplit(" ", 1)
        asked = act(hall.desk, hall.event, "substitute", place="2", name=f"{last} {first}")
        page = hall.desk.send(asked, asked.form(having="asked"), ("asked", "1"))
        assert page.status == 422
        assert here.name in page.alert + page.said_at("name")

    def test_keeps_the_substitutes_name_where_it_is_to_be_changed(self) -> None:
        hall = Hall()
        find_or_add_people(club=hall.event.club, full_names=["Omer Paradis"])
        asked = act(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        page = hall.desk.send(asked, asked.form(having="asked"), ("again", "1"))
        assert page.field("name").value == "Omer Paradis"

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_gets_a_substitute(self) -> None:
        hall = Hall(pairs=4)
        first = entry(hall.event).player_1.name
        pair, second = full_names(entry(hall.event)), entry(hall.event).players[1].name
        page = act(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        assert f"{pair}: Omer Paradis replaces {second}" in page.text
        table = hall.event.rounds.get().tables.get(seatings__entry=entry(hall.event))
        goes_on = f"Round 1, table {table.number}: the match continues with Omer Paradis. "
        goes_on += "Recorded hands still count."
        assert goes_on in page.text
        confirm(hall.desk, page)
        assert str(entry(hall.event)) == f"{first} / Omer Paradis"

    @pytest.mark.snapshot
    def test_gets_a_penalty_with_its_reason_and_is_forgiven(self) -> None:
        hall = Hall(pairs=2)
        assert (
            "Shown in the rank explanation." in hall.desk.open(f"/e/{hall.event.short}/desk/entries/1").text
        )
        win(hall.match)
        standings_after(hall.event)
        page = act(hall.desk, hall.event, "adjust", amount="40", metric="points_for", reason="Late again")
        assert f"{full_names(entry(hall.event))}: adjusted by −40 (Points for)" in page.text
        page = confirm(hall.desk, page)
        assert "−40 Points for" in page.text
        assert "Late again" in page.text
        page = hall.desk.send(page, page.form(having="adjustment"), ("adjustment", str(adjustment(hall))))
        assert f"{full_names(entry(hall.event))}: adjustment of −40 removed (Points for)" in page.text
        page = confirm(hall.desk, page)
        assert "Late again" not in page.text

    def test_gets_a_bonus_in_a_round_that_is_named_before_it_is_given(self) -> None:
        hall = Hall(pairs=2)
        typed: dict[str, Any] = {"amount": "2", "sign": "bonus", "metric": "match_points"}
        page = act(hall.desk, hall.event, "adjust", in_round="3", reason="x", **typed)
        assert f"{full_names(entry(hall.event))}: adjusted by +2 (Match points of round 3)" in page.text
        assert "+2 Match points, round 3" in confirm(hall.desk, page).text

    @pytest.mark.parametrize(
        ("name", "typed", "field", "said"),
        [
            (
                "withdraw",
                {"after": "0"},
                "after",
                "Round 1 is published. Withdraw after it, or later.",
            ),
            ("withdraw", {"after": "x"}, "after", "“x” is not a whole number. Use digits."),
            ("attendance", {"round": "1"}, "round", "Round 1 is published. Make a ruling instead."),
            ("substitute", {"name": ""}, "name", "Enter a name."),
            ("describe", {"rating": "x"}, "rating", "“x” is not a rating."),
            ("describe", {"table": "9"}, "table", "Choose a table from 1 to 2, or leave empty."),
            ("adjust", {"amount": "5", "reason": ""}, "reason", "Enter a reason."),
            ("adjust", {"amount": "0", "reason": "x"}, "amount", "Enter an amount from 1 to 999."),
            ("adjust", {"amount": "1", "in_round": "100", "reason": "x"}, "in_round", "Enter a round from 1"),
        ],
    )
    def test_refused_says_so_at_the_field_of_a_form_that_is_open(
        self, name: str, typed: dict[str, Any], field: str, said: str
    ) -> None:
        hall = Hall(pairs=4)
        page = act(hall.desk, hall.event, name, **typed)
        assert page.status in (409, 422)
        assert page.said_at(field).startswith(said)
        assert page.field(field).value == typed[field]
        (form,) = [one for one in page.every("details") if "open" in one.attrs]
        assert any(form.every("input", name=field))
        assert not Action.objects.filter(account=hall.owner).exists()

    @pytest.mark.snapshot
    def test_in_preparation_is_changed_at_once(self) -> None:
        office = Office(pairs=2)
        page = act(office.browser, office.event, "describe", rating="1500", team="Matane")
        assert page.path == page_of(office.event)
        assert "Matane rating 1500" in page.text

    @pytest.mark.snapshot
    def test_is_in_no_section_until_somebody_chooses_one_and_out_of_it_again_by_choosing_none(self) -> None:
        office = Office(pairs=2)
        office.event.sections = [{"name": "Mixte", "first_table": None, "last_table": None}]
        office.event.save()
        page = act(office.browser, office.event, "describe", team="Matane")
        assert entry(office.event).section == ""
        of = {
            choice.text: choice.attrs.get("value", choice.text)
            for choice in page.field("section").every("option")
        }
        for chosen, section in (("Mixte", "Mixte"), ("none", "")):
            act(office.browser, office.event, "describe", section=of[chosen])
            assert entry(office.event).section == section

    @pytest.mark.parametrize("posted", [{}, {"act": "dance"}])
    def test_is_not_asked_for_what_nobody_does(self, posted: dict[str, str]) -> None:
        hall = Hall()
        assert post(hall.desk, page_of(hall.event), posted).status == 404
        assert hall.desk.open(page_of(hall.event, 99)).status == 404


def adjustment(hall: Hall) -> int:
    return hall.event.adjustments.get().pk


MOST: dict[str, tuple[int, Callable[[Hall], str]]] = {
    "entries": (6, lambda hall: f"/e/{hall.event.short}/desk/entries"),
    "an entry": (11, lambda hall: page_of(hall.event)),
    "check-in": (10, lambda hall: f"/e/{hall.event.short}/desk/entries/check-in"),
    "people": (7, lambda hall: f"/e/{hall.event.short}/desk/entries/people"),
    "file": (3, lambda hall: f"/e/{hall.event.short}/desk/entries/file"),
    "starting list": (5, lambda hall: f"/e/{hall.event.short}/desk/entries/order"),
    "sign-up": (1, lambda hall: f"/e/{hall.event.short}/sign-up"),
}


def queries(hall: Hall, path: str) -> int:
    hall.desk.open(path)  # with its cookies
    with CaptureQueriesContext(connection) as made:
        assert hall.desk.open(path).status == 200
    return len(made)


@pytest.mark.slow
def test_no_page_asks_more_of_a_large_night_than_of_a_small_one() -> None:
    small, large = Hall(pairs=4), Hall(pairs=20)
    an_event(4, club=small.event.club)
    an_event(40, club=large.event.club)
    for number in (1, 2):
        play_round(large.event, number)
        next_round(large.event)
    counted = {
        name: (queries(small, path(small)), queries(large, path(large))) for name, (_, path) in MOST.items()
    }
    assert {name: count for name, count in counted.items() if count[0] != count[1]} == {}
    assert {name: count for name, count in counted.items() if count[1] > MOST[name][0]} == {}


@pytest.mark.slow
def test_a_tap_costs_the_same_of_many_as_of_few() -> None:
    counts = []
    for pairs in (4, 40):
        office = Office(pairs=pairs)
        office.browser.open(office.entries)
        with CaptureQueriesContext(connection) as made:
            post(office.browser, f"{office.entries}/check-in", {"number": "2", "present": "1"}, follow=False)
        counts.append(len(made))
    assert counts[0] == counts[1]


DESK = ("", "/1", "/people", "/file", "/order", "/check-in", "/door-prize")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_is_shown_in_both_languages_before_the_start(language: str) -> None:
    hall = Hall(pairs=5)
    event = an_event(3, club=hall.event.club)
    reader = Browser(language=language, account=hall.owner)
    for rest in DESK:
        page = reader.open(f"/e/{event.short}/desk/entries{rest}")
        assert page.status == 200
        assert page.one("html").attrs["lang"][:2] == language
        assert len(page.every("h1")) == len(page.every("main", id="main")) == 1
        ids = [one.attrs["id"] for one in page.every() if "id" in one.attrs]
        assert sorted(ids) == sorted(set(ids)), rest
        for control in page.every("button", "a"):
            assert control.text or control.attrs.get("aria-label"), control.attrs
        assert "{{" not in page.html
        assert "{%" not in page.html


NASTY = {
    "nothing to see": " \t\r\n\x00",
    "a number too large": "9" * 400,
    "a number below zero": "-1",
    "other digits": "٣²Ⅷ",
    "many letters": "x" * 5_000,
    "a bit of everything": "<script>alert(1)</script>\x00\u202e👩\ufffd\ufeff%(name)s %s {{ x }}'\"\\\u2028",
}
RIGHT: tuple[tuple[str, dict[str, str]], ...] = (
    ("", {"most_entries": "8", "is_open": "1"}),
    ("", {"let_in": "1"}),
    ("", {"player_1": "Anne", "player_2": "Paul"}),
    ("/check-in", {"number": "1", "present": "1", "search": "a"}),
    ("/check-in/leave-out", {"key": "x"}),
    ("/check-in", {"family": "1"}),
    ("/door-prize", {"prize": "A ham", "key": "x"}),
    ("/door-prize", {"clear": "1"}),
    ("/people", {"pair": "1-2", "search": "a"}),
    ("/people", {"person": "1", "key": "x"}),
    ("/file", {"text": "player_1,player_2\nAnne,Paul", "name": "list.csv"}),
    ("/file", {"text": "player_1,player_2\nAnne,Paul", "name": "list.csv", "confirmed": "1"}),
    ("/order", {"up": "2"}),
    ("/order", {"way": "lot"}),
    ("/order", {"place-1": "2"}),
    ("/1", {"act": "withdraw", "after": "2"}),
    ("/1", {"act": "attendance", "round": "2", "attendance": "bye"}),
    ("/1", {"act": "substitute", "place": "1", "name": "Omer"}),
    ("/1", {"act": "describe", "section": "", "team": "Matane", "rating": "5", "table": "1"}),
    ("/1", {"act": "adjust", "sign": "bonus", "amount": "1", "metric": "points_for", "reason": "x"}),
    ("/1", {"act": "remove-adjustment", "adjustment": "1"}),
)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(len(NASTY)), ids=list(NASTY))
def test_no_value_in_any_field_makes_a_page_fail(turn: int) -> None:
    """Each field is tried with two values before an evening and with two while it is played; in a long run
    with all."""
    nasty, hall = list(NASTY.values())[turn], Hall(pairs=4)
    hall.desk.client.handler.enforce_csrf_checks = False
    every = [(rest, right, field) for rest, right in RIGHT for field in right]
    for place, event in enumerate((hall.event, an_event(3, club=hall.event.club))):
        for rest, right, field in every if IS_LONG else every[(place + turn) % 3 :: 3]:
            address = f"/e/{event.short}/desk/entries{rest}"
            page = Page(hall.desk.client.post(address, right | {field: nasty}, follow=True))
            assert page.status < 500, (rest, field)
            if page.status >= 400:
                said = page.alert or page.every(class_="error") or page.every(class_="empty")
                assert said, (rest, field)


class TestTeams:
    @pytest.mark.snapshot
    def test_are_given_to_who_is_ticked(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(f"{office.entries}/teams")
        page = office.browser.send(page, page.form(having="team"), team="x" * 81, entry=["1", "3"])
        assert page.status == 422
        assert page.said_at("team")
        assert page.chosen("entry") == ["1", "3"]
        page = office.browser.send(page, page.form(having="team"), team="Matane")
        assert page.path == f"{office.entries}/teams"
        assert [entry.team for entry in office.event.entries.all()] == ["Matane", "", "Matane", ""]
        assert [one.value for one in page.every("option")] == ["Matane"]

    def test_are_given_to_somebody(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(f"{office.entries}/teams")
        page = office.browser.send(page, page.form(having="team"), team="Matane")
        assert page.status == 422
        assert page.alert


class TestACorrectedName:
    @pytest.mark.slow
    def test_is_done_at_once_and_asks_for_another_if_somebody_has_it(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(page_of(hall.event))
        page = hall.desk.send(page, page.form(having="spelling"), spelling="Zoé Zed")
        assert "Zoé Zed" in page.one("h2").text
        page = hall.desk.send(page, page.form(having="spelling"), place="2", spelling="Zoé Zed")
        assert page.status == 422
        assert page.said_at("spelling")
        assert "Name corrected: Zoé Zed, not " in hall.desk.open(f"/club/{hall.event.club.slug}/history").text
