"""A player's own link: who may use it, what they can announce, and how the next draw follows it."""

import re

import pytest

from clubs.models import Person
from engine.visibility import Release
from tests.builders import (
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.public.test_own_pages import get_first_entry, get_own_path, open_own_page
from tournaments.entries.badge_codes import build_player_link, get_badge_letters
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import disqualify_entry, withdraw_entry
from tournaments.entries.services.starting_list import place_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Action, Entry, Event
from tournaments.public.presenters.player_page import build_player_page
from tournaments.public.presenters.player_picture import build_player_picture
from tournaments.public.views import player_page as views
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def open_own_phone(event: Event, person: Person | None = None) -> tuple[Browser, Page]:
    """Open the own link of a person, by default the first player of entry 1, on a new phone."""
    phone = Browser()
    return phone, phone.open(build_player_link(event, (person or get_first_entry(event).player_1).pk))


def press_button(phone: Browser, button_value: str) -> Page:
    """Reload the player's own page, and press a button of it."""
    event = Event.objects.get()
    page = phone.open(get_own_path(event))
    forms = page.find_all("form")
    form = next(one for one in forms if one.find_all("button", value=button_value))
    return phone.send(page, form, ("word", button_value))


def list_buttons(page: Page) -> list[str]:
    return [one.value for one in page.find_all("button", name="word")]


def get_entry_one() -> Entry:
    return Entry.objects.get(number=1)


def get_section_text(page: Page) -> str:
    (section,) = page.find_all("section", **{"aria-labelledby": "attendance"})
    return section.text


class TestLinkOwnership:
    @pytest.mark.long
    def test_badge_qr_code_opens_the_player_page(self) -> None:
        event = build_event()
        _, page = open_own_phone(event)
        assert page.path == get_own_path(event)
        assert "My attendance" in page.text

    def test_chosen_name_alone_gives_no_control(self) -> None:
        event = build_event()
        phone = Browser()
        page = open_own_page(event, get_first_entry(event).player_1, phone)
        assert list_buttons(page) == []
        token = page.find_all("input", name="csrfmiddlewaretoken")[0].value
        phone.client.post(f"{get_own_path(event)}/attendance", {"word": "here", "csrfmiddlewaretoken": token})
        assert get_entry_one().present_at is None

    @pytest.mark.slow
    def test_badge_letters_give_control_to_the_phone(self) -> None:
        event = build_event()
        person = get_first_entry(event).player_1
        phone = Browser()
        page = open_own_page(event, person, phone)
        typed = get_badge_letters(event, person.pk).lower()
        page = phone.send(page, page.find_form("/letters"), letters=f"{typed[:3]} {typed[3:]}")
        assert list_buttons(page)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_badge_letters_of_another_player_are_refused(self) -> None:
        event = build_event()
        one, other = get_first_entry(event).players
        phone = Browser()
        page = open_own_page(event, one, phone)
        page = phone.send(page, page.find_form("/letters"), letters=get_badge_letters(event, other.pk))
        assert "Check your badge, or ask the desk" in page.get_field_error("letters")
        assert (page.status, list_buttons(page)) == (422, [])

    def test_link_with_wrong_letters_is_refused(self) -> None:
        event = build_event()
        one, other = get_first_entry(event).players
        page = Browser().open(f"{get_own_path(event)}/{one.pk}/{get_badge_letters(event, other.pk)}")
        assert "Check your badge, or ask the desk" in page.alert
        assert page.find_one("h1").text == "My page"

    def test_badge_of_a_removed_player_says_that_they_are_no_longer_entered(self) -> None:
        event = build_event()
        link = build_player_link(event, get_first_entry(event).player_1.pk)
        remove_entry(event_id=event.pk, number=1)
        assert "no longer entered" in Browser().open(link).alert

    @pytest.mark.slow
    def test_guessed_letters_are_throttled_by_address(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views, "MAX_ATTEMPTS", 3)
        event = build_event()
        guesser = Browser()
        pages = [guesser.open(f"{get_own_path(event)}/{number}/BCDFGH") for number in range(4)]
        assert [page.status for page in pages] == [422, 422, 422, 429]
        assert (
            Browser(address="198.51.100.7").open(build_player_link(event, get_first_entry(event).player_1.pk)).status
            == 200
        )

    @pytest.mark.long
    def test_guessed_letters_are_limited_per_event(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views, "MAX_EVENT_ATTEMPTS", 3)
        event, other = build_event(), build_event()
        guesses = [Browser(address=f"198.51.100.{number}") for number in range(4)]
        pages = [guess.open(f"{get_own_path(event)}/{number}/BCDFGH") for number, guess in enumerate(guesses)]
        assert [page.status for page in pages] == [422, 422, 422, 429]
        links = [build_player_link(each, get_first_entry(each).player_1.pk) for each in (event, other)]
        assert [Browser(address="203.0.113.1").open(link).status for link in links] == [429, 200]

    @pytest.mark.long
    def test_phone_loses_control_when_it_chooses_another_player(self) -> None:
        event = build_event()
        phone, _ = open_own_phone(event)
        page = open_own_page(event, get_first_entry(event).players[1], phone)
        assert list_buttons(page) == []

    def test_hidden_event_has_no_player_links(self) -> None:
        event = build_event()
        change_release(event_id=event.pk, release=Release(is_public=False))
        assert open_own_phone(event)[1].status == 404


@pytest.mark.slow
class TestAttendance:
    @pytest.mark.long
    def test_player_checks_in_from_the_phone(self) -> None:
        phone, page = open_own_phone(build_event())
        assert list_buttons(page) == ["here", "late", "stays_away"]
        assert "You are checked in" in get_section_text(press_button(phone, "here"))
        assert get_entry_one().present_at is not None

    @pytest.mark.parametrize("word", ["late", "stays_away"])
    def test_late_or_absent_player_is_not_paired_until_check_in(self, word: str) -> None:
        event = build_event(6)
        phone, _ = open_own_phone(event)
        assert "You will not be in the draw until" in get_section_text(press_button(phone, word))
        start_event(event_id=event.pk)
        start_next_round(event)
        assert not get_entry_one().seatings.exists()
        press_button(phone, "here")
        play_round(event)
        start_next_round(event)
        assert [seating.round.number for seating in get_entry_one().seatings.all()] == [2]

    def test_attendance_section_names_both_partners(self) -> None:
        event = build_event()
        _, page = open_own_phone(event)
        assert all(person.name in get_section_text(page) for person in get_first_entry(event).players)

    @pytest.mark.long
    def test_player_cannot_announce_lateness_after_publishing(self) -> None:
        event = build_event()
        phone, page = open_own_phone(event)
        start_event(event_id=event.pk)
        start_next_round(event)
        form = next(one for one in page.find_all("form") if one.find_all("button", value="late"))
        late = phone.send(page, form, ("word", "late"))
        assert (late.status, "Ask the desk." in late.alert) == (409, True)
        assert not get_entry_one().is_awaited


@pytest.mark.slow
class TestEarlyDeparture:
    @pytest.mark.long
    def test_leaving_player_is_not_paired_after_the_round(self) -> None:
        event = build_running_night(6)
        phone, _ = open_own_phone(event)
        assert "You are out of all draws" in get_section_text(press_button(phone, "leaves"))
        play_round(event)
        start_next_round(event)
        assert [seating.round.number for seating in get_entry_one().seatings.all()] == [1]

    @pytest.mark.long
    def test_player_can_cancel_an_announced_departure(self) -> None:
        event = build_running_night(6)
        phone, _ = open_own_phone(event)
        press_button(phone, "leaves")
        press_button(phone, "stays")
        play_round(event)
        start_next_round(event)
        assert get_entry_one().seatings.count() == 2

    def test_player_withdrawn_by_the_director_cannot_return(self) -> None:
        hall = Hall()
        phone, page = open_own_phone(hall.event)
        form = next(one for one in page.find_all("form") if one.find_all("button", value="leaves"))
        withdraw_entry(event_id=hall.event.pk, number=1)
        assert list_buttons(phone.open(get_own_path(hall.event))) == []
        phone.send(page, form, ("word", "stays"))
        assert get_entry_one().leaves_after == 1

    def test_disqualified_player_cannot_return(self) -> None:
        event = build_running_night(6)
        phone, page = open_own_phone(event)
        press_button(phone, "leaves")
        forms = phone.open(get_own_path(event)).find_all("form")
        form = next(one for one in forms if one.find_all("button", value="stays"))
        disqualify_entry(event_id=event.pk, number=1, disqualification="Insults")
        now = phone.open(get_own_path(event))
        assert "Your entry was disqualified." in now.text
        assert "Insults" not in now.text
        assert list_buttons(now) == []
        phone.send(page, form, ("word", "stays"))
        assert get_entry_one().disqualification == "Insults"

    def test_player_can_skip_and_rejoin_the_next_round(self) -> None:
        event = build_running_night(6)
        phone, _ = open_own_phone(event)
        assert "You sit out the next round" in get_section_text(press_button(phone, "misses"))
        assert get_entry_one().absent == [2]
        press_button(phone, "plays")
        assert get_entry_one().absent == []

    def test_resubmitted_form_is_recorded_once(self) -> None:
        event = build_running_night(6)
        phone, page = open_own_phone(event)
        form = next(one for one in page.find_all("form") if one.find_all("button", value="leaves"))
        for _ in range(2):
            assert phone.send(page, form, ("word", "leaves")).status == 200
        assert Action.objects.filter(kind="withdraw_entry").count() == 1

    @pytest.mark.long
    def test_draft_with_a_leaving_player_is_marked_outdated(self) -> None:
        hall = Hall(pairs=6)
        phone, _ = open_own_phone(hall.event)
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=1)
        press_button(phone, "leaves")
        desk = hall.desk.open(f"/e/{hall.event.short}/desk/entries/1")
        assert "Draw it again, or change its tables" in desk.text

    def test_player_has_no_choices_after_the_event(self) -> None:
        event = build_running_night()
        phone, page = open_own_phone(event)
        form = next(one for one in page.find_all("form") if one.find_all("button", value="leaves"))
        play_round(event)
        end_event(event_id=event.pk)
        late = phone.send(page, form, ("word", "leaves"))
        assert "has ended" in late.alert
        assert list_buttons(late) == []


@pytest.mark.slow
class TestPastNights:
    @pytest.mark.snapshot
    def test_badge_letters_unlock_past_nights_with_ranks(self) -> None:
        first = build_played_night()
        compute_standings(first)
        end_event(event_id=first.pk)
        event = build_running_night(club=first.club)
        phone, page = open_own_phone(event)
        nights = phone.open(page.find_link("My nights"))
        (night_line,) = [one.text for one in nights.find_all("li") if first.name in one.text and "Rank" in one.text]
        assert re.search(r"Rank [1-4] of 4", night_line)

    def test_past_nights_omit_nights_without_a_played_hand(self) -> None:
        """At the first night only others have played a hand; at the second, the player's table has no hand yet."""
        first = build_running_night()
        win(matches_of(first)[0])
        event = build_running_night(club=first.club)
        seated = set(matches_of(first)[0].players.values_list("person", flat=True))
        me = first.club.people.exclude(pk__in=seated).first()
        phone, page = open_own_phone(event, me)
        assert "No published nights yet" in phone.open(page.find_link("My nights")).text

    @pytest.mark.long
    def test_past_nights_omit_silent_nights(self) -> None:
        first = build_played_night()
        compute_standings(first)
        change_release(event_id=first.pk, release=Release(silent_from=1))
        event = build_running_night(club=first.club)
        phone, page = open_own_phone(event)
        assert first.get_absolute_url() not in [
            one.attrs["href"] for one in phone.open(page.find_link("My nights")).find_all("a")
        ]

    def test_chosen_name_alone_opens_no_past_nights(self) -> None:
        event = build_running_night()
        phone = Browser()
        open_own_page(event, get_first_entry(event).player_1, phone)
        assert phone.open(f"{get_own_path(event)}/nights").path == get_own_path(event)


class TestTableLocation:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_hall_plan_highlights_the_player_table(self) -> None:
        hall = Hall(pairs=12)
        settings = hall.desk.open(f"/e/{hall.event.short}/desk/settings")
        form = settings.find_form(control_name="hall_row")
        hall.desk.send(settings, form, hall_row="4", hall_snakes="1")
        place = {
            1: "row 1 from the desk, place 1",
            4: "row 1 from the desk, place 4",
            5: "row 2 from the desk, place 4",
        }
        for table, where in place.items():
            match = next(one for one in matches_of(hall.event) if one.table.number == table)
            _, page = open_own_phone(hall.event, match.players.get(seat=0).person)
            assert f"Table {table}: {where} from the left." in page.text
            (own,) = page.find_all("g", class_="own")
            assert own.text == str(table)

    def test_page_without_a_plan_shows_no_figure(self) -> None:
        _, page = open_own_phone(build_running_night())
        assert page.find_all("figure") == []

    @pytest.mark.slow
    def test_too_wide_hall_plan_is_refused(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/settings")
        page = hall.desk.send(page, page.find_form(control_name="hall_row"), hall_row="13")
        assert "Enter 12 tables per row at most" in page.get_field_error("hall_row")


class TestMyCard:
    @pytest.mark.slow
    def test_player_page_explains_the_rank(self) -> None:
        event = build_played_night()
        compute_standings(event)
        page = open_own_page(event, get_first_entry(event).player_1)
        assert re.search(r"Why rank \d, not \d\?", page.text)

    @pytest.mark.long
    def test_charlemagne_appears_with_its_time_on_page_and_picture(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        mark(match, "A charlemagne made")
        win(match)
        one, other = (match.players.get(seat=seat).person for seat in (0, 1))
        page = build_player_page(event, one)
        made, at_the_end = page.charlemagnes
        assert (made.round, made.contract, at_the_end.contract) == (1, "charlemagne", "gros_charlemagne")
        assert made.at is not None
        assert any(line.mark == "Charlemagne" for line in build_player_picture(event, page).lines)
        assert re.search(r"\bCharlemagne ?, round 1 ?, \d", open_own_page(event, one).text)
        assert build_player_page(event, other).charlemagnes == []

    def test_charlemagne_of_a_silent_round_is_hidden(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        mark(match, "A charlemagne made")
        win(match)
        change_release(event_id=event.pk, release=Release(silent_from=1))
        event.refresh_from_db()
        assert build_player_page(event, match.players.get(seat=0).person).charlemagnes == []


@pytest.mark.slow
class TestDesk:
    @pytest.mark.snapshot
    def test_desk_shows_who_announced_a_withdrawal(self) -> None:
        hall = Hall()
        person = get_first_entry(hall.event).player_1
        phone, _ = open_own_phone(hall.event)
        press_button(phone, "leaves")
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries/1")
        assert "withdrawn after round 1" in page.text
        assert f"· {person.name}, 192.0.2.1" in page.text
        assert get_badge_letters(hall.event, person.pk) in page.text
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        assert f"{person.name}, 192.0.2.1" in history.text

    @pytest.mark.parametrize(("word", "attendance_text"), [("late", "will be late"), ("stays_away", "not coming")])
    def test_check_in_list_shows_late_and_absent_players(self, word: str, attendance_text: str) -> None:
        hall = Hall()
        event = build_event(6, club=hall.event.club)
        Event.objects.exclude(pk=event.pk).update(is_put_away=True)
        phone, _ = open_own_phone(event)
        page = phone.open(get_own_path(event))
        form = next(one for one in page.find_all("form") if one.find_all("button", value=word))
        phone.send(page, form, ("word", word))
        check_in_page = hall.desk.open(f"/e/{event.short}/desk/entries/check-in")
        assert [attendance_text in one.text for one in check_in_page.find_all("button", name="present")] == [True] + [
            False
        ] * 5
        place_entries(event_id=event.pk, places={1: 6})
        check_in_page = hall.desk.open(f"/e/{event.short}/desk/entries/check-in")
        assert [attendance_text in one.text for one in check_in_page.find_all("button", name="present")] == [
            False
        ] * 5 + [True]
        moved = " and ".join(one.name for one in event.entries.get(number=6).players)
        assert f"{moved}:" in hall.desk.open(f"/e/{event.short}/desk/entries/6").text
