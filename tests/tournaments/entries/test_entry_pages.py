"""The pages of entries: the list, check-in, the starting list, and a single entry."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Person
from clubs.services.people import find_or_add_people
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_player_names,
    compute_standings,
    play_round,
    start_next_round,
    win,
)
from tests.long_runs import IS_LONG
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post_form
from tests.support.office import Office
from tournaments.entries.services.check_in import leave_out_absent, mark_present
from tournaments.entries.services.entries import add_entries, enter_people
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.events.presenters.names import format_full_names
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.events.services.settings import change_stages
from tournaments.models import Action, Entry, Event
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def convert_field_names(**typed: str) -> dict[str, Any]:
    """Return form fields with hyphens instead of underscores: ``place_1`` becomes ``place-1``."""
    return {name.replace("_", "-"): value for name, value in typed.items()}


def get_entry(event: Event, number: int = 1) -> Entry:
    return event.entries.get(number=number)


def get_first_partner(event: Event) -> str:
    partner = get_entry(event).player_2
    return "" if partner is None else partner.name


def get_entry_path(event: Event, number: int = 1) -> str:
    return f"/e/{event.short}/desk/entries/{number}"


def send_action(browser: Browser, event: Event, action: str, number: int = 1, **typed: Any) -> Page:
    """Send the form of an action on the entry's page; if the action has effects, return their preview."""
    page = browser.open(get_entry_path(event, number))
    form = next(form for form in page.find_all("form") if list(form.find_all(name="act", value=action)))
    button = ("act", action) if any(form.find_all("button", name="act")) else None
    return browser.send(page, form, button, **typed)


def confirm(browser: Browser, page: Page, **typed: Any) -> Page:
    return browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"), **typed)


@pytest.mark.slow
class TestEntriesPage:
    @pytest.mark.long
    def test_entries_page_counts_people_and_byes(self) -> None:
        office = Office(pairs=5, tables=3)
        page = office.browser.open(office.entries)
        assert "5 entries" in page.text
        assert "In total, 10 people." in page.text
        assert "Odd number: one bye each round, in turn." in page.text
        assert "Odd number" not in Office(pairs=4).browser.open(office.entries).text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_entries_page_admits_and_removes_waiting_entries(self) -> None:
        office = Office(pairs=2)
        change_sign_up(event_id=office.event.pk, is_open=False, most_entries=2)
        office.paste_entries("Jeannine Roy et Marcel Dubé\nGhislaine Cyr et Normand Ouellet")
        page = office.browser.open(office.entries)
        assert "Waiting: 2." in page.text
        assert "Places: 2." in page.text
        page = office.browser.send(page, page.find_form(control_name="let_in"), ("let_in", "3"))
        assert not get_entry(office.event, 3).is_waiting
        page = office.browser.send(page, page.find_form(control_name="let_in"), ("remove", "4"))
        assert "Waiting list" not in page.text
        assert office.event.entries.count() == 3

    def test_director_opens_and_limits_the_sign_up(self) -> None:
        office = Office()
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.find_form(control_name="most_entries"), is_open="1", most_entries="16")
        assert (page.find_field("most_entries").value, page.list_checked_values("is_open")) == ("16", ["1"])
        event = Event.objects.get(pk=office.event.pk)
        assert (event.signs_up, event.most_entries) == (True, 16)
        page = office.browser.send(page, page.find_form(control_name="most_entries"), most_entries="1")
        assert page.status == 422
        assert page.get_field_error("most_entries").startswith("Enter 2 to 9999 places")
        page = office.browser.send(page, page.find_form(control_name="most_entries"), most_entries="", is_open=[])
        event.refresh_from_db()
        assert (event.signs_up, event.most_entries) == (False, None)

    @pytest.mark.long
    def test_resent_form_adds_entries_once(self) -> None:
        office = Office()
        page = office.browser.open(office.entries)
        for _ in range(2):
            sent = office.browser.send(page, page.find_form(control_name="entries"), entries="Anne A et Paul A")
            assert sent.status == 200
        assert office.event.entries.count() == 1

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_started_event_accepts_a_late_pair(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries")
        page = hall.desk.send(page, page.find_form(control_name="player_1"), player_1="Lise Côté", player_2="")
        assert page.get_field_error("player_2") == "Enter a name."
        assert page.find_field("player_1").value == "Lise Côté"
        page = hall.desk.send(page, page.find_form(control_name="player_1"), player_2="Paul Côté")
        assert "Lise Côté and Paul Côté plays from round 2" in page.text
        assert not page.find_all("button", name="remove")

    @pytest.mark.long
    def test_ended_event_offers_no_entry_forms(self) -> None:
        hall = Hall()
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries")
        assert not page.find_all("textarea", "input", name="player_1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formats", "promise"),
    [
        pytest.param(["knockout"], "late: no place left", marks=pytest.mark.snapshot),
        (["swiss"], "plays from round 2"),
        (["swiss", "knockout"], "late: no place left"),
        (["swiss", "round_robin"], "late: no place left"),
    ],
)
def test_late_pair_is_promised_a_round_only_where_it_gets_one(formats: list[str], promise: str) -> None:
    account = build_account()
    event = build_event(4, club=build_club(owner=account), draw_format=formats[0])
    if len(formats) > 1:
        later = {"format": formats[1], "takes": "top", "count": 2}
        change_stages(event_id=event.pk, stages=[{"format": formats[0], "rounds": 1}, later])
    start_event(event_id=event.pk)
    start_next_round(event)
    browser = Browser(account=account)
    page = browser.open(f"/e/{event.short}/desk/entries")
    assert ("No place is left for late entries." in page.text) is ("late" in promise)
    page = browser.send(page, page.find_form(control_name="player_1"), player_1="Luc Roy", player_2="Anne Roy")
    assert promise in page.text


class TestCheckInPage:
    def get_path(self, office: Office) -> str:
        return f"{office.entries}/check-in"

    def tap(self, office: Office, page: Page, number: int) -> Page:
        form = page.find_one("li", id=f"entry-{number}").find_one("form")
        (button,) = form.find_all("button", name="present")
        return office.browser.send(page, form, ("present", button.value))

    @pytest.mark.long
    def test_tap_checks_an_entry_in_and_out(self) -> None:
        office = Office(pairs=3)
        page = self.tap(office, office.browser.open(self.get_path(office)), 2)
        assert page.find_one("h2", id="present").text == "1 pair present"
        assert "Not checked in: 2." in page.find_one(id="counts").text
        assert "Odd number" in page.find_one(id="counts").text
        assert page.find_one("button", id="tap-2").attrs["aria-pressed"] == "true"
        page = self.tap(office, page, 2)
        assert page.find_one("h2", id="present").text == "0 pairs present"

    @pytest.mark.long
    def test_two_taps_on_a_stale_page_check_in_once(self) -> None:
        office = Office(pairs=3)
        page = office.browser.open(self.get_path(office))
        for _ in range(2):
            assert "1 pair present" in self.tap(office, page, 2).text

    def test_script_tap_updates_the_box_and_the_counts(self) -> None:
        office = Office(pairs=3)
        page = office.browser.open(self.get_path(office))
        office.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        part = self.tap(office, page, 2)
        assert [one.attrs["id"] for one in part.find_all("li")] == ["entry-2"]
        assert {one.attrs["id"] for one in part.find_all(**{"hx-swap-oob": "true"})} == {
            "present",
            "counts",
            "next-step",
        }
        assert not part.find_all("html")

    @pytest.mark.slow
    def test_check_in_page_shows_last_event_of_namesakes(self) -> None:
        office = Office()
        jean, other, lise = (
            Person.objects.create(club=office.club, name=name, folded_name=name.lower())
            for name in ("Jean Tremblay", "Jean Tremblay", "Lise Roy")
        )
        enter_people(event_id=build_event(pairs=0, club=office.club).pk, people=[jean.pk, lise.pk])
        page = office.browser.open(self.get_path(office))
        last = "Member. Last played November 17, 2026: Jean Tremblay / Lise Roy."
        assert page.find_one(id=f"person-{jean.pk}").text == f"Jean Tremblay {last}"
        assert page.find_one(id=f"person-{other.pk}").text == "Jean Tremblay Member."
        assert page.find_one(id=f"person-{lise.pk}").text == "Lise Roy"
        office.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        form = page.find_one(id=f"person-{jean.pk}").find_one("form")
        part = office.browser.send(page, form, ("person", str(jean.pk)))
        assert part.find_one(id=f"person-{jean.pk}").text == f"Jean Tremblay {last}"

    @pytest.mark.long
    def test_search_stays_active_after_a_tap(self) -> None:
        office = Office(pairs=4)
        name = get_entry(office.event, 3).player_2
        assert name is not None
        page = office.browser.open(f"{self.get_path(office)}?search={name.folded_name[:9]}")
        boxes = len(page.find_all("li", class_="box"))
        assert 0 < boxes < 4
        page = self.tap(office, page, 3)
        assert len(page.find_all("li", class_="box")) == boxes
        assert "Nobody found" in office.browser.open(f"{self.get_path(office)}?search=zzz").text

    @pytest.mark.long
    def test_new_pair_at_the_door_is_entered_and_checked_in(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(self.get_path(office))
        page = office.browser.send(page, page.find_form(control_name="player_1"), player_1="Ginette Proulx")
        assert page.status == 422
        assert page.get_field_error("player_2") == "Enter a name."
        page = office.browser.send(page, page.find_form(control_name="player_1"), player_2="Omer Paradis")
        assert page.find_one("h2", id="present").text == "1 pair present"
        assert get_entry(office.event, 3).present_at is not None

    @pytest.mark.slow
    @pytest.mark.parametrize("path", ["", "/check-in"], ids=["desk", "door"])
    def test_withdrawn_pair_is_offered_its_return(self, path: str) -> None:
        hall = Hall()
        withdraw_entry(event_id=hall.event.pk, number=2)
        names = [person.name for person in get_entry(hall.event, 2).players]
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries{path}")
        page = hall.desk.send(page, page.find_form(control_name="player_1"), player_1=names[0], player_2=names[1])
        assert f"Entry 2 ({names[0]} and {names[1]}) has withdrawn." in page.text
        page = hall.desk.send(page, page.find_form(control_name="return"), ("return", "2"))
        if not path:
            hall.desk.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert get_entry(hall.event, 2).leaves_after is None

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_director_leaves_out_absent_entries(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(self.get_path(office))
        page = office.browser.send(page, page.find_form("/leave-out"))
        assert page.status == 422
        assert page.alert == "Only 0 present, 2 needed. Check in more players."
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        page = office.browser.send(page, page.find_form("/leave-out"), ("door", ""))
        assert page.path == self.get_path(office)
        assert "Playing round 1: 3 entries." in office.browser.open(office.entries).text
        page = office.browser.send(page, page.find_form("/desk/start"))
        assert "Round 1: 1 table" in page.text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_leaving_out_is_offered_until_the_first_round_is_published(self) -> None:
        office = Office(pairs=4)
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        start_event(event_id=office.event.pk)
        draw_round(event_id=office.event.pk)
        page = office.browser.open(self.get_path(office))
        assert "draw round 1" not in page.find_one(id="next-step").text
        office.browser.send(page, page.find_form("/leave-out"), ("door", ""))
        desk = office.browser.open(f"/e/{office.event.short}/desk")
        assert "Changed since the draw. Draw again or swap places." in desk.text
        start_next_round(office.event)
        assert office.event.rounds.get().seatings.count() == 3
        mark_present(event_id=office.event.pk, number=3, is_present=False)
        assert "Play without absentees" not in office.browser.open(self.get_path(office)).find_one(id="next-step").text

    def test_start_needs_at_least_two_entries(self) -> None:
        office = Office(pairs=1)
        page = office.browser.open(office.entries)
        assert "Entries: 1. At least 2 needed to start." in page.find_form("/desk/start").text
        assert page.find_form("/desk/start").find_one("button").attrs["aria-disabled"] == "true"

    @pytest.mark.long
    def test_drawn_partners_need_four_entries(self) -> None:
        office = Office()
        office.event.stages = [{"format": "swiss_individual"}]
        office.event.save()
        add_entries(event_id=office.event.pk, entries=build_player_names(3, size=1))
        page = office.browser.open(office.entries)
        assert "Entries: 3. At least 4 needed to start." in page.find_form("/desk/start").text
        page = office.browser.send(page, page.find_form("/desk/start"))
        assert page.get_field_error("entries") == "At least 4 entries are needed. Add entries first."
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        assert "draw round 1" not in office.browser.open(self.get_path(office)).find_one(id="next-step").text

    @pytest.mark.long
    def test_draw_is_offered_once_everyone_is_present(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(self.get_path(office))
        assert "draw round 1" not in page.find_one(id="next-step").text
        mark_present(event_id=office.event.pk, number=1, is_present=True)
        page = self.tap(office, office.browser.open(self.get_path(office)), 2)
        page = office.browser.send(page, page.find_form("/desk/start"))
        assert page.path == f"/e/{office.event.short}/desk"
        assert "Publish round 1" in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_entries_page_lists_absentees_before_the_start(self) -> None:
        office = Office(pairs=4)
        assert office.browser.open(office.entries).find_all(id="not-checked-in") == []
        for number in (1, 2, 3):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        page = office.browser.open(office.entries)
        absentee_notice = page.find_one(id="not-checked-in").text
        assert absentee_notice == "Not checked in: 1 entry. It will be drawn anyway."
        leave_out = page.find_one("button", formaction=f"{office.entries}/check-in/leave-out")
        page = post_form(office.browser, leave_out.attrs["formaction"], {})
        assert page.find_all(id="not-checked-in") == []
        assert "Playing round 1: 3 entries." in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_desk_lists_awaited_entries_until_they_arrive(self) -> None:
        office = Office(pairs=3)
        for number in (1, 2):
            mark_present(event_id=office.event.pk, number=number, is_present=True)
        leave_out_absent(event_id=office.event.pk)
        start_event(event_id=office.event.pk)
        start_next_round(office.event)
        desk = office.browser.open(f"/e/{office.event.short}/desk")
        awaited_text = desk.find_one("p", id="awaited").text
        names = " and ".join(person.name for person in get_entry(office.event, 3).players)
        assert f"Not checked in, so not drawn: {names}" in awaited_text
        page = send_action(office.browser, office.event, "arrive", 3)
        assert "Next round: 3 entries." in page.text
        confirm(office.browser, page)
        assert get_entry(office.event, 3).arrives == 2
        assert not office.browser.open(desk.path).find_all("p", id="awaited")


class TestStartingListPage:
    def get_path(self, office: Office) -> str:
        return f"{office.entries}/order"

    @pytest.mark.slow
    def test_starting_list_is_typed_moved_or_sorted_at_random(self) -> None:
        office = Office(pairs=4)
        names = [str(one) for one in office.event.entries.all()]
        page = office.browser.open(self.get_path(office))
        assert "numbers do not reflect strength" in page.text
        page = office.browser.send(page, page.find_form(control_name="place-1"), **convert_field_names(place_4="1"))
        assert [str(one) for one in office.event.entries.all()] == [names[3], *names[:3]]
        assert "Sorted by strength or at random" in page.text
        page = office.browser.send(page, page.find_form(control_name="place-1"), ("down", "1"))
        assert [str(one) for one in office.event.entries.all()][:2] == [names[0], names[3]]
        assert f"Sort at random (draw {office.event.lot})" in page.text
        page = office.browser.send(page, page.find_form(control_name="way"), ("way", "typed"))
        assert [str(one) for one in office.event.entries.all()] == names

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_starting_list_accepts_only_numbers(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(self.get_path(office))
        page = office.browser.send(page, page.find_form(control_name="place-1"), **convert_field_names(place_2="first"))
        assert page.status == 422
        assert page.alert == "“first” is not a whole number. Use digits."

    def test_started_event_locks_the_starting_list(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries/order")
        assert not page.find_all("button", name="up")
        assert post_form(hall.desk, page.path, {"way": "lot"}).status == 409


@pytest.mark.slow
class TestEntryPage:
    @pytest.mark.snapshot
    def test_withdrawal_shows_its_effect_before_confirmation(self) -> None:
        hall = Hall(pairs=4)
        page = send_action(hall.desk, hall.event, "withdraw")
        assert "Withdraw" in page.find_one("h2").text
        assert "Next round: 3 entries. Odd number: one bye." in page.text
        assert get_entry(hall.event).leaves_after is None
        for _ in range(2):
            shown = confirm(hall.desk, page, reason="Feels ill")
            assert shown.path == get_entry_path(hall.event)
            assert "withdrawn after round 1" in shown.text
        done = Action.objects.get(kind="withdraw_entry")
        assert (done.account, done.reason) == (hall.owner, "Feels ill")
        listed = hall.desk.open(f"/e/{hall.event.short}/desk/entries")
        assert "withdrawn after round 1" in listed.text
        confirm(hall.desk, send_action(hall.desk, hall.event, "return"))
        assert get_entry(hall.event).leaves_after is None

    @pytest.mark.long
    def test_forfeiting_withdrawal_shows_its_effect_first(self) -> None:
        hall = Hall(pairs=4)
        page = send_action(hall.desk, hall.event, "withdraw", forfeits_table="on")
        assert not hall.event.actions.filter(kind="withdraw_entry").exists()
        confirm(hall.desk, page)
        table = get_entry(hall.event).seatings.get().table
        assert table is not None
        assert table.ruling is not None
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        assert f"withdrawn after round 1, table {table.number} forfeited" in history
        assert "Forfeit table" not in hall.desk.open(get_entry_path(hall.event)).text

    def test_withdrawn_entry_page_still_offers_the_forfeit(self) -> None:
        hall = Hall(pairs=4)
        withdraw_entry(event_id=hall.event.pk, number=1)
        confirm(hall.desk, send_action(hall.desk, hall.event, "withdraw"))
        table = get_entry(hall.event).seatings.get().table
        assert table is not None
        assert table.ruling is not None
        assert "Forfeit table" not in hall.desk.open(get_entry_path(hall.event)).text

    def test_director_sets_an_absence_and_a_requested_bye(self) -> None:
        hall = Hall(pairs=4)
        confirm(hall.desk, send_action(hall.desk, hall.event, "attendance", round="2"))
        page = confirm(hall.desk, send_action(hall.desk, hall.event, "attendance", round="3", attendance="bye"))
        assert "absent in round 2" in page.text
        assert "requested bye: round 3" in page.text
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        assert "round 2: absent" in history
        assert "round 3: requested bye" in history

    @pytest.mark.snapshot
    def test_entry_page_warns_of_the_outdated_draft(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=1)
        withdraw_entry(event_id=hall.event.pk, number=1)
        page = hall.desk.open(get_entry_path(hall.event))
        assert "The draft of round 2 is outdated." in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_conflicting_change_shows_the_preview_again(self) -> None:
        hall = Hall()
        page = send_action(hall.desk, hall.event, "substitute", place="2", name="Rita Dubé")
        substitute_player(event_id=hall.event.pk, number=1, place=2, name="Omer Paradis")
        shown = confirm(hall.desk, page, reason="Feels ill")
        assert "This event has changed in the meantime." in shown.find_one(role="alert").text
        assert "Omer Paradis" in shown.find_one("h2").text
        assert get_first_partner(hall.event) == "Omer Paradis"
        assert confirm(hall.desk, shown).path == get_entry_path(hall.event)
        assert get_first_partner(hall.event) == "Rita Dubé"
        assert Action.objects.filter(kind="substitute_player").latest("pk").reason == "Feels ill"

    @pytest.mark.long
    def test_unrelated_change_does_not_interrupt_a_confirmation(self) -> None:
        hall = Hall()
        page = send_action(hall.desk, hall.event, "substitute", place="2", name="Rita Dubé")
        mark_present(event_id=hall.event.pk, number=3, is_present=True)
        assert confirm(hall.desk, page).path == get_entry_path(hall.event)
        assert get_first_partner(hall.event) == "Rita Dubé"

    @pytest.mark.long
    def test_substitute_with_a_known_name_is_asked_about_first(self) -> None:
        hall = Hall()
        (person,) = find_or_add_people(club=hall.event.club, full_names=["Omer Paradis"])
        question_page = send_action(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        assert question_page.list_checked_values("who omer paradis") == [str(person.pk)]
        assert not hall.event.actions.filter(kind="substitute_player").exists()
        form = question_page.find_form(control_name="asked")
        answer: dict[str, Any] = {"who omer paradis": "new"}
        page = hall.desk.send(question_page, form, ("asked", "1"), **answer)
        hall.desk.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        substitute = hall.event.entries.get(number=1).player_2
        assert substitute is not None
        assert (substitute.name, substitute.pk != person.pk) == ("Omer Paradis", True)

    @pytest.mark.long
    def test_director_picks_the_known_person_as_substitute(self) -> None:
        hall = Hall()
        (person,) = find_or_add_people(club=hall.event.club, full_names=["Omer Paradis"])
        question_page = send_action(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        page = hall.desk.send(question_page, question_page.find_form(control_name="asked"), ("asked", "1"))
        hall.desk.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert hall.event.entries.get(number=1).player_2 == person

    @pytest.mark.snapshot
    def test_substitute_already_playing_is_refused_in_any_spelling(self) -> None:
        hall = Hall()
        here = hall.event.entries.get(number=2).player_1
        first, last = here.name.rsplit(" ", 1)
        question_page = send_action(hall.desk, hall.event, "substitute", place="2", name=f"{last} {first}")
        page = hall.desk.send(question_page, question_page.find_form(control_name="asked"), ("asked", "1"))
        assert page.status == 422
        assert here.name in page.alert + page.get_field_error("name")

    def test_going_back_keeps_the_substitute_name(self) -> None:
        hall = Hall()
        find_or_add_people(club=hall.event.club, full_names=["Omer Paradis"])
        question_page = send_action(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        page = hall.desk.send(question_page, question_page.find_form(control_name="asked"), ("again", "1"))
        assert page.find_field("name").value == "Omer Paradis"

    @pytest.mark.long
    def test_substitute_takes_over_a_running_match(self) -> None:
        hall = Hall(pairs=4)
        first = get_entry(hall.event).player_1.name
        pair, second = format_full_names(get_entry(hall.event)), get_entry(hall.event).players[1].name
        page = send_action(hall.desk, hall.event, "substitute", place="2", name="Omer Paradis")
        assert f"{pair}: Omer Paradis replaces {second}" in page.text
        table = hall.event.rounds.get().tables.get(seatings__entry=get_entry(hall.event))
        goes_on = f"Round 1, table {table.number}: the match continues with Omer Paradis. "
        goes_on += "Recorded hands still count."
        assert goes_on in page.text
        confirm(hall.desk, page)
        assert str(get_entry(hall.event)) == f"{first} / Omer Paradis"

    @pytest.mark.snapshot
    def test_director_gives_and_removes_a_penalty(self) -> None:
        hall = Hall(pairs=2)
        assert "Shown in the rank explanation." in hall.desk.open(f"/e/{hall.event.short}/desk/entries/1").text
        win(hall.match)
        compute_standings(hall.event)
        page = send_action(hall.desk, hall.event, "adjust", amount="40", metric="points_for", reason="Late again")
        assert f"{format_full_names(get_entry(hall.event))}: adjusted by −40 (Points for)" in page.text
        page = confirm(hall.desk, page)
        assert "−40 Points for" in page.text
        assert "Late again" in page.text
        page = hall.desk.send(
            page, page.find_form(control_name="adjustment"), ("adjustment", str(get_adjustment_id(hall)))
        )
        assert f"{format_full_names(get_entry(hall.event))}: adjustment of −40 removed (Points for)" in page.text
        page = confirm(hall.desk, page)
        assert "Late again" not in page.text

    def test_director_gives_a_bonus_for_one_round(self) -> None:
        hall = Hall(pairs=2)
        typed: dict[str, Any] = {"amount": "2", "sign": "bonus", "metric": "match_points"}
        page = send_action(hall.desk, hall.event, "adjust", in_round="3", reason="x", **typed)
        assert f"{format_full_names(get_entry(hall.event))}: adjusted by +2 (Match points of round 3)" in page.text
        assert "+2 Match points, round 3" in confirm(hall.desk, page).text

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("name", "typed", "field", "message"),
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
    def test_refused_entry_form_stays_open_with_its_error(
        self, name: str, typed: dict[str, Any], field: str, message: str
    ) -> None:
        hall = Hall(pairs=4)
        page = send_action(hall.desk, hall.event, name, **typed)
        assert page.status in (409, 422)
        assert page.get_field_error(field).startswith(message)
        assert page.find_field(field).value == typed[field]
        (form,) = [one for one in page.find_all("details") if "open" in one.attrs]
        assert any(form.find_all("input", name=field))
        assert not Action.objects.filter(account=hall.owner).exists()

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_entry_details_before_the_start_need_no_confirmation(self) -> None:
        office = Office(pairs=2)
        page = send_action(office.browser, office.event, "describe", rating="1500", team="Matane")
        assert page.path == get_entry_path(office.event)
        assert "Matane rating 1500" in page.text

    @pytest.mark.snapshot
    def test_section_choice_can_be_set_and_cleared(self) -> None:
        office = Office(pairs=2)
        office.event.sections = [{"name": "Mixte", "first_table": None, "last_table": None}]
        office.event.save()
        page = send_action(office.browser, office.event, "describe", team="Matane")
        assert get_entry(office.event).section == ""
        of = {
            choice.text: choice.attrs.get("value", choice.text)
            for choice in page.find_field("section").find_all("option")
        }
        for chosen, section in (("Mixte", "Mixte"), ("none", "")):
            send_action(office.browser, office.event, "describe", section=of[chosen])
            assert get_entry(office.event).section == section

    @pytest.mark.long
    @pytest.mark.parametrize("posted", [{}, {"act": "dance"}])
    def test_unknown_entry_action_is_404(self, posted: dict[str, str]) -> None:
        hall = Hall()
        assert post_form(hall.desk, get_entry_path(hall.event), posted).status == 404
        assert hall.desk.open(get_entry_path(hall.event, 99)).status == 404


def get_adjustment_id(hall: Hall) -> int:
    return hall.event.adjustments.get().pk


MAX_QUERIES: dict[str, tuple[int, Callable[[Hall], str]]] = {
    "entries": (7, lambda hall: f"/e/{hall.event.short}/desk/entries"),
    "an entry": (12, lambda hall: get_entry_path(hall.event)),
    "check-in": (10, lambda hall: f"/e/{hall.event.short}/desk/entries/check-in"),
    "people": (7, lambda hall: f"/e/{hall.event.short}/desk/entries/people"),
    "file": (3, lambda hall: f"/e/{hall.event.short}/desk/entries/file"),
    "starting list": (7, lambda hall: f"/e/{hall.event.short}/desk/entries/order"),
    "sign-up": (1, lambda hall: f"/e/{hall.event.short}/sign-up"),
}


def count_queries(hall: Hall, path: str) -> int:
    hall.desk.open(path)  # to set the cookies
    with CaptureQueriesContext(connection) as made:
        assert hall.desk.open(path).status == 200
    return len(made)


@pytest.mark.long
def test_entry_pages_have_constant_query_counts() -> None:
    small, large = Hall(pairs=4), Hall(pairs=20)
    build_event(4, club=small.event.club)
    build_event(40, club=large.event.club)
    for number in (1, 2):
        play_round(large.event, number)
        start_next_round(large.event)
    counted = {
        name: (count_queries(small, path(small)), count_queries(large, path(large)))
        for name, (_, path) in MAX_QUERIES.items()
    }
    assert {name: count for name, count in counted.items() if count[0] != count[1]} == {}
    assert {name: count for name, count in counted.items() if count[1] > MAX_QUERIES[name][0]} == {}


@pytest.mark.long
def test_check_in_tap_has_constant_query_count() -> None:
    counts = []
    for pairs in (4, 40):
        office = Office(pairs=pairs)
        office.browser.open(office.entries)
        with CaptureQueriesContext(connection) as made:
            post_form(office.browser, f"{office.entries}/check-in", {"number": "2", "present": "1"}, follow=False)
        counts.append(len(made))
    assert counts[0] == counts[1]


DESK = ("", "/1", "/people", "/file", "/order", "/check-in", "/door-prize")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_entry_pages_render_in_both_languages_before_the_start(language: str) -> None:
    hall = Hall(pairs=5)
    event = build_event(3, club=hall.event.club)
    reader = Browser(language=language, account=hall.owner)
    for rest in DESK:
        page = reader.open(f"/e/{event.short}/desk/entries{rest}")
        assert page.status == 200
        assert page.find_one("html").attrs["lang"][:2] == language
        assert len(page.find_all("h1")) == len(page.find_all("main", id="main")) == 1
        ids = [one.attrs["id"] for one in page.find_all() if "id" in one.attrs]
        assert sorted(ids) == sorted(set(ids)), rest
        for control in page.find_all("button", "a"):
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
def test_no_field_value_crashes_an_entry_page(turn: int) -> None:
    """Try one value in a third of the fields, before and during a night; a long run covers all fields."""
    nasty, hall = list(NASTY.values())[turn], Hall(pairs=4)
    hall.desk.client.handler.enforce_csrf_checks = False
    every = [(rest, right, field) for rest, right in RIGHT for field in right]
    for place, event in enumerate((hall.event, build_event(3, club=hall.event.club))):
        for rest, right, field in every if IS_LONG else every[(place + turn) % 3 :: 3]:
            address = f"/e/{event.short}/desk/entries{rest}"
            page = Page(hall.desk.client.post(address, right | {field: nasty}, follow=True))
            assert page.status < 500, (rest, field)
            if page.status >= 400:
                errors = page.alert or page.find_all(class_="error") or page.find_all(class_="empty")
                assert errors, (rest, field)


@pytest.mark.slow
class TestTeamsPage:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_director_sets_the_team_of_selected_entries(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(f"{office.entries}/teams")
        page = office.browser.send(page, page.find_form(control_name="team"), team="x" * 81, entry=["1", "3"])
        assert page.status == 422
        assert page.get_field_error("team")
        assert page.list_checked_values("entry") == ["1", "3"]
        page = office.browser.send(page, page.find_form(control_name="team"), team="Matane")
        assert page.path == f"{office.entries}/teams"
        assert [entry.team for entry in office.event.entries.all()] == ["Matane", "", "Matane", ""]
        assert [one.value for one in page.find_all("option")] == ["Matane"]

    @pytest.mark.slow
    def test_team_without_selected_entries_is_refused(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(f"{office.entries}/teams")
        page = office.browser.send(page, page.find_form(control_name="team"), team="Matane")
        assert page.status == 422
        assert page.alert


class TestNameCorrectionForm:
    @pytest.mark.slow
    def test_corrected_name_is_saved_unless_already_taken(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(get_entry_path(hall.event))
        page = hall.desk.send(page, page.find_form(control_name="spelling"), spelling="Zoé Zed")
        assert "Zoé Zed" in page.find_one("h2").text
        page = hall.desk.send(page, page.find_form(control_name="spelling"), place="2", spelling="Zoé Zed")
        assert page.status == 422
        assert page.get_field_error("spelling")
        assert "Name corrected: Zoé Zed, not " in hall.desk.open(f"/club/{hall.event.club.slug}/history").text
