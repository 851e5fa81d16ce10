"""A player's own link: who may speak for somebody, what they can say, and what the next draw makes of it."""

import re

import pytest

from clubs.models import Person
from engine.visibility import Release
from tests.builders import (
    a_played_night,
    a_running_night,
    an_event,
    mark,
    matches_of,
    next_round,
    play_round,
    standings_after,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.public.test_own_pages import first_entry, own_address, page_of
from tournaments.entries.badge_codes import own_letters, own_link
from tournaments.entries.services.entry_actions import disqualify_entry, withdraw_entry
from tournaments.entries.services.starting_list import place_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Action, Entry, Event
from tournaments.public.presenters.own_page import own_page
from tournaments.public.presenters.own_picture import own_picture
from tournaments.public.views import own_link as views
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def own_phone(event: Event, person: Person | None = None) -> tuple[Browser, Page]:
    """A phone that has scanned the badge of that person, or of the first of entry 1."""
    phone = Browser()
    return phone, phone.open(own_link(event, (person or first_entry(event).player_1).pk))


def says(phone: Browser, word: str) -> Page:
    """The button of that word, on the page as it is now."""
    event = Event.objects.get()
    page = phone.open(own_address(event))
    forms = page.every("form")
    form = next(one for one in forms if one.every("button", value=word))
    return phone.send(page, form, ("word", word))


def words_on(page: Page) -> list[str]:
    return [one.value for one in page.every("button", name="word")]


def entry_one() -> Entry:
    return Entry.objects.get(number=1)


def said_of(page: Page) -> str:
    (section,) = page.every("section", **{"aria-labelledby": "attendance"})
    return section.text


class TestWhoseLinkItIs:
    def test_the_square_of_a_badge_opens_the_page_of_its_person(self) -> None:
        event = an_event()
        _, page = own_phone(event)
        assert page.path == own_address(event)
        assert "My attendance" in page.text

    def test_a_name_alone_speaks_for_nobody(self) -> None:
        event = an_event()
        phone = Browser()
        page = page_of(event, first_entry(event).player_1, phone)
        assert words_on(page) == []
        token = page.every("input", name="csrfmiddlewaretoken")[0].value
        phone.client.post(f"{own_address(event)}/attendance", {"word": "here", "csrfmiddlewaretoken": token})
        assert entry_one().present_at is None

    def test_the_letters_of_the_badge_make_a_phone_that_chose_a_name_its_own(self) -> None:
        event = an_event()
        person = first_entry(event).player_1
        phone = Browser()
        page = page_of(event, person, phone)
        typed = own_letters(event, person.pk).lower()
        page = phone.send(page, page.form("/letters"), letters=f"{typed[:3]} {typed[3:]}")
        assert words_on(page)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_the_letters_of_somebody_else_are_refused_beside_their_field(self) -> None:
        event = an_event()
        one, other = first_entry(event).players
        phone = Browser()
        page = page_of(event, one, phone)
        page = phone.send(page, page.form("/letters"), letters=own_letters(event, other.pk))
        assert "Check your badge, or ask the desk" in page.said_at("letters")
        assert (page.status, words_on(page)) == (422, [])

    def test_a_link_with_other_letters_opens_nothing(self) -> None:
        event = an_event()
        one, other = first_entry(event).players
        page = Browser().open(f"{own_address(event)}/{one.pk}/{own_letters(event, other.pk)}")
        assert "Check your badge, or ask the desk" in page.alert
        assert page.one("h1").text == "My page"

    def test_whoever_tries_letters_after_letters_is_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views, "MOST_TRIES", 3)
        event = an_event()
        guesser = Browser()
        pages = [guesser.open(f"{own_address(event)}/{number}/BCDFGH") for number in range(4)]
        assert [page.status for page in pages] == [422, 422, 422, 429]
        assert (
            Browser(address="198.51.100.7").open(own_link(event, first_entry(event).player_1.pk)).status
            == 200
        )

    def test_letters_guessed_from_many_addresses_are_limited_in_their_event_alone(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(views, "MOST_TOGETHER", 3)
        event, other = an_event(), an_event()
        guesses = [Browser(address=f"198.51.100.{number}") for number in range(4)]
        pages = [guess.open(f"{own_address(event)}/{number}/BCDFGH") for number, guess in enumerate(guesses)]
        assert [page.status for page in pages] == [422, 422, 422, 429]
        links = [own_link(each, first_entry(each).player_1.pk) for each in (event, other)]
        assert [Browser(address="203.0.113.1").open(link).status for link in links] == [429, 200]

    def test_a_phone_that_chooses_somebody_else_speaks_for_nobody(self) -> None:
        event = an_event()
        phone, _ = own_phone(event)
        page = page_of(event, first_entry(event).players[1], phone)
        assert words_on(page) == []

    def test_an_event_that_is_not_public_has_no_such_links(self) -> None:
        event = an_event()
        change_release(event_id=event.pk, release=Release(is_public=False))
        assert own_phone(event)[1].status == 404


@pytest.mark.slow
class TestBeforeTheFirstRound:
    def test_who_says_here_is_checked_in(self) -> None:
        phone, page = own_phone(an_event())
        assert words_on(page) == ["here", "late", "stays_away"]
        assert "You are checked in" in said_of(says(phone, "here"))
        assert entry_one().present_at is not None

    @pytest.mark.parametrize("word", ["late", "stays_away"])
    def test_who_is_late_or_stays_away_is_in_no_draw_until_they_say_here(self, word: str) -> None:
        event = an_event(6)
        phone, _ = own_phone(event)
        assert "You are not drawn until" in said_of(says(phone, word))
        start_event(event_id=event.pk)
        next_round(event)
        assert not entry_one().seatings.exists()
        says(phone, "here")
        play_round(event)
        next_round(event)
        assert [seating.round.number for seating in entry_one().seatings.all()] == [2]

    def test_of_a_pair_it_holds_for_both_and_the_page_says_so(self) -> None:
        event = an_event()
        _, page = own_phone(event)
        assert all(person.name in said_of(page) for person in first_entry(event).players)

    def test_once_the_round_is_published_it_is_too_late_to_be_late(self) -> None:
        event = an_event()
        phone, page = own_phone(event)
        start_event(event_id=event.pk)
        next_round(event)
        form = next(one for one in page.every("form") if one.every("button", value="late"))
        late = phone.send(page, form, ("word", "late"))
        assert (late.status, "Ask the desk." in late.alert) == (409, True)
        assert not entry_one().is_awaited


@pytest.mark.slow
class TestDuringTheNight:
    def test_who_has_to_leave_plays_to_the_end_of_the_round_and_is_in_no_draw_after_it(self) -> None:
        event = a_running_night(6)
        phone, _ = own_phone(event)
        assert "You are out of all draws" in said_of(says(phone, "leaves"))
        play_round(event)
        next_round(event)
        assert [seating.round.number for seating in entry_one().seatings.all()] == [1]

    def test_who_leaves_by_mistake_stays_after_all(self) -> None:
        event = a_running_night(6)
        phone, _ = own_phone(event)
        says(phone, "leaves")
        says(phone, "stays")
        play_round(event)
        next_round(event)
        assert entry_one().seatings.count() == 2

    def test_whom_the_director_withdrew_does_not_come_back_alone(self) -> None:
        hall = Hall()
        phone, page = own_phone(hall.event)
        form = next(one for one in page.every("form") if one.every("button", value="leaves"))
        withdraw_entry(event_id=hall.event.pk, number=1)
        assert words_on(phone.open(own_address(hall.event))) == []
        phone.send(page, form, ("word", "stays"))
        assert entry_one().leaves_after == 1

    def test_who_left_and_was_disqualified_then_does_not_come_back_alone(self) -> None:
        event = a_running_night(6)
        phone, page = own_phone(event)
        says(phone, "leaves")
        forms = phone.open(own_address(event)).every("form")
        form = next(one for one in forms if one.every("button", value="stays"))
        disqualify_entry(event_id=event.pk, number=1, disqualification="Insults")
        now = phone.open(own_address(event))
        assert "Your entry was disqualified." in now.text
        assert "Insults" not in now.text
        assert words_on(now) == []
        phone.send(page, form, ("word", "stays"))
        assert entry_one().disqualification == "Insults"

    def test_who_misses_a_round_sits_out_the_next_one_and_can_think_again(self) -> None:
        event = a_running_night(6)
        phone, _ = own_phone(event)
        assert "You sit out the next round" in said_of(says(phone, "misses"))
        assert entry_one().absent == [2]
        says(phone, "plays")
        assert entry_one().absent == []

    def test_a_form_that_comes_twice_is_one_line_of_the_history(self) -> None:
        event = a_running_night(6)
        phone, page = own_phone(event)
        form = next(one for one in page.every("form") if one.every("button", value="leaves"))
        for _ in range(2):
            assert phone.send(page, form, ("word", "leaves")).status == 200
        assert Action.objects.filter(kind="withdraw_entry").count() == 1

    def test_a_draft_that_has_somebody_who_leaves_is_told_to_be_old(self) -> None:
        hall = Hall(pairs=6)
        phone, _ = own_phone(hall.event)
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=1)
        says(phone, "leaves")
        desk = hall.desk.open(f"/e/{hall.event.short}/desk/entries/1")
        assert "Draw it again, or change its tables" in desk.text

    def test_after_the_event_there_is_nothing_to_say(self) -> None:
        event = a_running_night()
        phone, page = own_phone(event)
        form = next(one for one in page.every("form") if one.every("button", value="leaves"))
        play_round(event)
        end_event(event_id=event.pk)
        late = phone.send(page, form, ("word", "leaves"))
        assert "has ended" in late.alert
        assert words_on(late) == []


@pytest.mark.slow
class TestPastNights:
    @pytest.mark.snapshot
    def test_who_shows_the_letters_reads_the_nights_of_the_club_with_their_ranks(self) -> None:
        first = a_played_night()
        standings_after(first)
        end_event(event_id=first.pk)
        event = a_running_night(club=first.club)
        phone, page = own_phone(event)
        nights = phone.open(page.link("My nights"))
        (told,) = [one.text for one in nights.every("li") if first.name in one.text and "Rank" in one.text]
        assert re.search(r"Rank [1-4] of 4", told)

    def test_a_night_at_which_one_played_no_hand_is_not_among_them(self) -> None:
        """Others played at the first; at the second, one sits at a table, and nothing is marked yet."""
        first = a_running_night()
        win(matches_of(first)[0])
        event = a_running_night(club=first.club)
        seated = set(matches_of(first)[0].players.values_list("person", flat=True))
        me = first.club.people.exclude(pk__in=seated).first()
        phone, page = own_phone(event, me)
        assert "No published nights yet" in phone.open(page.link("My nights")).text

    def test_a_night_that_does_not_count_in_public_is_not_among_them(self) -> None:
        first = a_played_night()
        standings_after(first)
        change_release(event_id=first.pk, release=Release(silent_from=1))
        event = a_running_night(club=first.club)
        phone, page = own_phone(event)
        assert first.get_absolute_url() not in [
            one.attrs["href"] for one in phone.open(page.link("My nights")).every("a")
        ]

    def test_a_name_alone_opens_none_of_them(self) -> None:
        event = a_running_night()
        phone = Browser()
        page_of(event, first_entry(event).player_1, phone)
        assert phone.open(f"{own_address(event)}/nights").path == own_address(event)


class TestWhereItIs:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_the_table_is_found_on_the_plan_of_the_hall(self) -> None:
        hall = Hall(pairs=12)
        settings = hall.desk.open(f"/e/{hall.event.short}/desk/settings")
        form = settings.form(having="hall_row")
        hall.desk.send(settings, form, hall_row="4", hall_snakes="1")
        place = {
            1: "row 1 from the desk, place 1",
            4: "row 1 from the desk, place 4",
            5: "row 2 from the desk, place 4",
        }
        for table, where in place.items():
            match = next(one for one in matches_of(hall.event) if one.table.number == table)
            _, page = own_phone(hall.event, match.players.get(seat=0).person)
            assert f"Table {table}: {where} from the left." in page.text
            (own,) = page.every("g", class_="own")
            assert own.text == str(table)

    def test_without_a_plan_nothing_is_drawn(self) -> None:
        _, page = own_phone(a_running_night())
        assert page.every("figure") == []

    def test_more_in_a_row_than_a_phone_shows_is_refused_beside_the_field(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/settings")
        page = hall.desk.send(page, page.form(having="hall_row"), hall_row="13")
        assert "Enter 12 tables per row at most" in page.said_at("hall_row")


class TestMyCard:
    def test_the_rank_says_in_words_why_it_is_no_other(self) -> None:
        event = a_played_night()
        standings_after(event)
        page = page_of(event, first_entry(event).player_1)
        assert re.search(r"Why rank \d, not \d\?", page.text)

    def test_a_charlemagne_of_ones_side_stands_with_its_hour_on_page_and_picture(self) -> None:
        event = a_running_night()
        match = matches_of(event)[0]
        mark(match, "A charlemagne made")
        win(match)
        one, other = (match.players.get(seat=seat).person for seat in (0, 1))
        page = own_page(event, one)
        made, at_the_end = page.charlemagnes
        assert (made.round, made.contract, at_the_end.contract) == (1, "charlemagne", "gros_charlemagne")
        assert made.at is not None
        assert any(line.mark == "Charlemagne" for line in own_picture(event, page).lines)
        assert re.search(r"\bCharlemagne ?, round 1 ?, \d", page_of(event, one).text)
        assert own_page(event, other).charlemagnes == []

    def test_it_is_kept_back_with_the_hands_of_its_round(self) -> None:
        event = a_running_night()
        match = matches_of(event)[0]
        mark(match, "A charlemagne made")
        win(match)
        change_release(event_id=event.pk, release=Release(silent_from=1))
        event.refresh_from_db()
        assert own_page(event, match.players.get(seat=0).person).charlemagnes == []


@pytest.mark.slow
class TestTheDesk:
    @pytest.mark.snapshot
    def test_sees_who_said_it_and_has_the_link_of_who_has_no_badge(self) -> None:
        hall = Hall()
        person = first_entry(hall.event).player_1
        phone, _ = own_phone(hall.event)
        says(phone, "leaves")
        page = hall.desk.open(f"/e/{hall.event.short}/desk/entries/1")
        assert "withdrawn after round 1" in page.text
        assert f"· {person.name}, 192.0.2.1" in page.text
        assert own_letters(hall.event, person.pk) in page.text
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        assert f"{person.name}, 192.0.2.1" in history.text

    @pytest.mark.parametrize(("word", "said"), [("late", "will be late"), ("stays_away", "not coming")])
    def test_reads_at_the_door_who_comes_late_and_who_does_not(self, word: str, said: str) -> None:
        hall = Hall()
        event = an_event(6, club=hall.event.club)
        Event.objects.exclude(pk=event.pk).update(is_put_away=True)
        phone, _ = own_phone(event)
        page = phone.open(own_address(event))
        form = next(one for one in page.every("form") if one.every("button", value=word))
        phone.send(page, form, ("word", word))
        door = hall.desk.open(f"/e/{event.short}/desk/entries/check-in")
        assert [said in one.text for one in door.every("button", name="present")] == [True] + [False] * 5
        place_entries(event_id=event.pk, places={1: 6})
        door = hall.desk.open(f"/e/{event.short}/desk/entries/check-in")
        assert [said in one.text for one in door.every("button", name="present")] == [False] * 5 + [True]
        moved = " and ".join(one.name for one in event.entries.get(number=6).players)
        assert f"{moved}:" in hall.desk.open(f"/e/{event.short}/desk/entries/6").text
