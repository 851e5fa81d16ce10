"""A player's own page in an event: who may choose it, what it shows, and what it hides."""

import pytest
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Person
from clubs.phone_owner import MAX_EVENTS
from engine.visibility import Names, Ranks, Release, Results
from rules import Side
from scoring.models import TableCard
from tests.builders import (
    ONE_GAME,
    build_event,
    build_night_with_absentee,
    build_played_night,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    play,
    play_round,
    start_next_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.publishing.test_data_leaks import SAMPLED_RELEASES, STRANGE
from tournaments.entries.services.entries import add_entries, add_entry
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Entry, Event
from tournaments.models.events import release_columns
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.public.labels import format_player_card
from tournaments.public.presenters.player_page import build_player_page
from tournaments.public.presenters.player_picture import build_player_picture
from tournaments.public.views.player_page import SALT
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table

pytestmark = pytest.mark.django_db


def get_own_path(event: Event) -> str:
    return f"/e/{event.short}/mine"


def open_own_page(event: Event, person: Person, browser: Browser | None = None) -> Page:
    """Choose the person on a phone, and return their own page."""
    browser = browser or Browser()
    sealed = Signer(salt=f"{SALT} {event.short}").sign(str(person.pk))
    asking = browser.open("/")
    token = asking.find_all("input", name="csrfmiddlewaretoken")[0].value
    address = f"{get_own_path(event)}/choose"
    return Page(browser.client.post(address, {"person": sealed, "csrfmiddlewaretoken": token}, follow=True))


def get_short_name(person: Person) -> str:
    """Return the first name and initial, with an ordinary space as in a page's text."""
    return person.short_name.replace("\xa0", " ")


def get_first_entry(event: Event) -> Entry:
    return event.entries.select_related("player_1", "player_2").get(number=1)


def find_person_at_table(event: Event, number: int = 1, seat: int = 0) -> Person:
    """Return the person on this seat of the round's first table."""
    person: Person = matches_of(event, number)[0].players.get(seat=seat).person
    return person


def get_sections(page: Page) -> dict[str, str]:
    return {one.attrs["aria-labelledby"]: one.text for one in page.find_all("section")}


class TestPlayerChoice:
    @pytest.mark.slow
    def test_table_page_offers_its_four_players_by_full_name(self) -> None:
        hall = Hall()
        phone = hall.add_phone()
        page = phone.open(phone.open(hall.table).find_link("My page"))
        offered = [one.text for one in page.find_all("button", name="person")]
        assert sorted(offered) == sorted(one.person.name for one in hall.match.players.all())

    @pytest.mark.long
    def test_phone_remembers_the_chosen_player(self) -> None:
        hall = Hall()
        phone = hall.add_phone()
        asking = phone.open(phone.open(hall.table).find_link("My page"))
        chosen = asking.find_all("button", name="person")[0]
        page = phone.send(asking, asking.find_form("/choose"), ("person", chosen.value))
        assert "Round 1 Table 1" in get_sections(page)["now"]
        again = phone.open(get_own_path(hall.event))
        assert again.find_one("h1").text == page.find_one("h1").text

    def test_desk_table_page_does_not_link_to_player_pages(self) -> None:
        hall = Hall()
        assert "/mine" not in hall.desk.open(hall.desk_match).html

    @pytest.mark.slow
    def test_player_can_reset_the_choice(self) -> None:
        hall = Hall()
        phone = hall.add_phone()
        page = open_own_page(hall.event, find_person_at_table(hall.event), phone)
        asking = phone.send(page, page.find_form("/choose"))
        assert asking.find_all("form", role="search")
        assert phone.open(get_own_path(hall.event)).find_one("h1").text == "My page"

    def test_search_finds_players_from_the_public_page(self) -> None:
        event = build_running_night()
        public = Browser().open(f"/e/{event.short}")
        asking = Browser().open(public.find_link("My page"))
        found = Browser().open(f"{asking.path}?who=donat")
        assert [one.text.split(" D")[0] for one in found.find_all("button", name="person")]
        assert all("Donat" in one.text for one in found.find_all("button", name="person"))

    @pytest.mark.long
    def test_namesakes_are_distinguished_by_partner(self) -> None:
        event = build_event(0, tables=2)
        names = {1: ("Jean Roy", "Luc Dubé"), 2: ("Jean Roux", "Guy Hudon"), 3: ("Ida Cyr", "Eva Cyr")}
        add_entries(event_id=event.pk, entries=names)
        start_event(event_id=event.pk)
        start_next_round(event)
        found = Browser().open(f"{get_own_path(event)}?who=jean")
        button_texts = [one.text for one in found.find_all("button", name="person")]
        assert len(button_texts) == len(set(button_texts)) == 2
        assert any("Luc" in one for one in button_texts)

    @pytest.mark.long
    def test_namesakes_without_partners_are_distinguished_by_number(self) -> None:
        event = build_event(0, tables=1, draw_format="swiss_individual")
        names = {1: ("Jean Roy",), 2: ("Jean Roux",), 3: ("Ida Cyr",), 4: ("Eva Cyr",)}
        add_entries(event_id=event.pk, entries=names)
        start_event(event_id=event.pk)
        start_next_round(event)
        found = Browser().open(f"{get_own_path(event)}?who=jean")
        button_texts = [one.text for one in found.find_all("button", name="person")]
        assert [("no. 1" in one, "no. 2" in one) for one in button_texts] == [(True, False), (False, True)]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_search_omits_hidden_players_and_names(self) -> None:
        event = build_running_night()
        hidden = find_person_at_table(event)
        Person.objects.filter(pk=hidden.pk).update(is_hidden=True)
        search_page = Browser().open(f"{get_own_path(event)}?who={hidden.name.split()[0]}")
        assert get_short_name(hidden) not in search_page.text
        change_release(event_id=event.pk, release=Release(names=Names.NUMBERS))
        search_page = Browser().open(f"{get_own_path(event)}?who=a")
        assert not search_page.find_all("form", role="search")
        assert not search_page.find_all("button", name="person")

    @pytest.mark.long
    def test_unoffered_player_cannot_be_chosen(self) -> None:
        event = build_running_night()
        other = build_running_night()
        sealed_there = Signer(salt=f"{SALT} {other.short}").sign(str(find_person_at_table(event).pk))
        for sent in (str(find_person_at_table(event).pk), sealed_there, ""):
            browser = Browser()
            token = browser.open("/").find_all("input", name="csrfmiddlewaretoken")[0].value
            address = f"{get_own_path(event)}/choose"
            browser.client.post(address, {"person": sent, "csrfmiddlewaretoken": token})
            assert browser.open(get_own_path(event)).find_one("h1").text == "My page"

    @pytest.mark.long
    def test_signature_of_another_event_is_rejected(self) -> None:
        hall, other = Hall(), build_running_night()
        link = hall.add_phone().open(hall.table).find_link("My page")
        there = link.replace(hall.event.short, other.short)
        assert Browser().open(there).find_all("button", name="person") == []
        assert Browser().open(link + "x").find_all("button", name="person") == []

    @pytest.mark.long
    def test_table_of_a_hidden_event_has_no_player_page(self) -> None:
        hall = Hall()
        change_release(event_id=hall.event.pk, release=Release(is_public=False))
        assert "/mine" not in hall.add_phone().open(hall.table).html
        assert open_own_page(hall.event, find_person_at_table(hall.event)).status == 404


class TestPageContent:
    def test_page_shows_current_table_partner_and_opponents(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        me, right, partner, left = (player.person for player in match.players.order_by("seat"))
        now = get_sections(open_own_page(event, me))["now"]
        assert "Round 1 Table 1" in now
        assert f"with {get_short_name(partner)}" in now
        assert get_short_name(right) in now.split("against")[1]
        assert get_short_name(left) in now.split("against")[1]

    @pytest.mark.slow
    def test_page_lists_every_hand_with_bid_and_points(self) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7", "B mulot failed")
        played = get_sections(open_own_page(event, find_person_at_table(event)))["played"]
        assert "6 made" in played
        assert "7 tricks" in played
        assert "Mulot failed" in played
        assert "+6" in played
        assert "13–0" in played

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_page_shows_rank_and_totals(self) -> None:
        event = build_played_night()
        compute_standings(event)
        page = open_own_page(event, find_person_at_table(event))
        standing = get_sections(page)["standing"]
        assert "Rank 1 of 4" in page.text
        assert "At the tables: 1 of 1 won; 32 points for, 6 against" in standing
        assert (
            "At the tables: 0 of 1 won; 6 points for, 32 against"
            in (get_sections(open_own_page(event, find_person_at_table(event, seat=1)))["standing"])
        )

    @pytest.mark.long
    def test_late_player_page_explains_the_missing_rank(self) -> None:
        event = build_night_with_absentee(1)
        compute_standings(event)
        page = open_own_page(event, get_first_entry(event).player_1)
        assert "Your rank appears after your first round." in get_sections(page)["standing"]

    @pytest.mark.slow
    @pytest.mark.parametrize(("seat", "outcome"), [(0, "won by forfeit"), (1, "lost by forfeit")])
    def test_forfeit_is_not_counted_as_a_table_match(self, seat: int, outcome: str) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7", "B 5 5")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        compute_standings(event)
        person = find_person_at_table(event, seat=seat)
        totals = build_player_page(event, person).totals
        assert (totals.matches, totals.contracts) == (0, 0)
        assert outcome in get_sections(open_own_page(event, person))["played"]
        card = format_player_card(build_player_page(event, person), event, "")
        assert f"Round 1, table 1: {outcome}" in card
        assert "6 made" not in card

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_page_shows_a_bye_and_then_the_next_round(self) -> None:
        event = build_running_night(5)
        (bye,) = event.rounds.get(number=1).seatings.filter(table=None)
        me = bye.entry.player_1
        assert "Round 1: you have a bye." in get_sections(open_own_page(event, me))["now"]
        play_round(event)
        page = open_own_page(event, me)
        assert "Your table for round 2 will appear here." in get_sections(page)["now"]
        assert "bye" in get_sections(page)["played"]

    @pytest.mark.long
    def test_individual_format_shows_the_partner_of_each_round(self) -> None:
        event = build_event(0, tables=2, draw_format="swiss_individual", match_format=ONE_GAME)
        add_entries(event_id=event.pk, entries={n: (f"Person{'abcdefgh'[n]} {n}",) for n in range(8)})
        start_event(event_id=event.pk)
        for number in (1, 2):
            start_next_round(event)
            play_round(event, number)
        compute_standings(event)
        me = event.entries.all()[0].player_1
        read = build_player_page(event, me)
        for one in read.rounds:
            match = next(m for m in matches_of(event, one.number) if m.players.filter(person=me).exists())
            seat = match.players.get(person=me).seat
            assert one.partners == match.players.get(seat=(seat + 2) % 4).person.short_name
        assert read.totals.matches == 2

    def test_adjusted_table_counts_among_the_matches(self) -> None:
        event = build_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, points=(32, 12), games=(1, 0))
        compute_standings(event)
        totals = build_player_page(event, find_person_at_table(event, seat=1)).totals
        assert (totals.matches, totals.won, totals.points_for, totals.points_against) == (1, 0, 12, 32)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_substitute_and_original_player_keep_their_own_rounds(self) -> None:
        event = build_played_night()
        entry = get_first_entry(event)
        before = entry.player_1
        substitute_player(event_id=event.pk, number=entry.number, place=1, name="Zoé Zed")
        start_next_round(event)
        play_round(event, 2)
        compute_standings(event)
        substitute = Person.objects.get(name="Zoé Zed")
        assert [one.number for one in build_player_page(event, substitute).rounds] == [2]
        assert [one.number for one in build_player_page(event, before).rounds] == [1]
        found = Browser().open(f"{get_own_path(event)}?who={before.name.split()[0]}")
        assert any("substitute" in one.text for one in found.find_all("button", name="person"))

    @pytest.mark.long
    def test_returning_player_with_new_partner_has_both_entries(self) -> None:
        event = build_played_night()
        entry = get_first_entry(event)
        withdraw_entry(event_id=event.pk, number=entry.number)
        add_entry(event_id=event.pk, players=(entry.player_1.name, "Zoé Zed"))
        start_next_round(event)
        play_round(event, 2)
        compute_standings(event)
        read = build_player_page(event, entry.player_1)
        assert [one.number for one in read.rounds] == [2, 1]
        assert len(read.places) == 2
        assert not read.has_left

    def test_withdrawn_player_waits_for_no_table(self) -> None:
        event = build_played_night()
        entry = get_first_entry(event)
        withdraw_entry(event_id=event.pk, number=entry.number)
        assert "You have withdrawn" in get_sections(open_own_page(event, entry.player_1))["now"]

    def test_adjusted_round_shows_its_ruling(self) -> None:
        event = build_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(32, 5))
        (played,) = build_player_page(event, find_person_at_table(event)).rounds
        assert (played.ruling, played.own and played.own.points) == ("adjusted", 32)


class TestHiddenContent:
    @pytest.fixture
    def event(self) -> Event:
        """A night with two rounds closed, and an unmistakable score at the first table of round 2."""
        event = build_played_night(4)
        start_next_round(event)
        play(matches_of(event, 2)[0], "A mulot made")
        play_round(event, 2)
        adjust_table(event_id=event.pk, number=2, table=1, games=(1, 0), points=(int(STRANGE), 1))
        compute_standings(event)
        publish_final(event_id=event.pk)
        return event

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_hidden_data_are_on_no_page_or_picture(self, event: Event) -> None:
        me = find_person_at_table(event, 2)
        for release, is_final in SAMPLED_RELEASES:
            Event.objects.filter(pk=event.pk).update(**release_columns(release), final=1 if is_final else None)
            event.refresh_from_db()
            compute_standings(event)
            seen, where = event.visible, (release, is_final)
            page = open_own_page(event, me)
            if not seen.is_public:
                assert page.status == 404, where
                continue
            text = page.text
            picture = build_player_picture(event, build_player_page(event, me))
            content = f"{text}{picture.values}".replace("\\xa0", " ")
            names = set(Person.objects.values_list("name", flat=True))
            assert not any(name in content for name in names), where
            if seen.names is Names.NUMBERS:
                assert not any(get_short_name(p) in content for p in Person.objects.all()), where
            if not seen.draw:
                assert "against" not in text, where
            if seen.get_results(2) is not Results.HANDS:
                assert "Mulot" not in text, where
            if seen.get_results(2) is Results.NOTHING and seen.standings is not Ranks.FINAL:
                assert STRANGE not in text.replace(",", ""), where
            if seen.standings is Ranks.NOTHING:
                assert "Rank " not in content, where

    @pytest.mark.long
    def test_visible_results_are_on_the_page(self, event: Event) -> None:
        assert STRANGE in open_own_page(event, find_person_at_table(event, 2)).text.replace(",", "")

    def test_draft_round_is_not_shown(self) -> None:
        event = build_played_night()
        event.rounds.filter(number=1).update(state="draft")
        assert build_player_page(event, get_first_entry(event).player_1).rounds == ()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_erased_player_disappears_from_every_player_page(self) -> None:
        event = build_played_night()
        end_event(event_id=event.pk)
        me, partner = find_person_at_table(event), find_person_at_table(event, seat=2)
        mine, theirs = Browser(), Browser()
        open_own_page(event, me, mine)
        assert get_short_name(me) in open_own_page(event, partner, theirs).text
        anonymize_people(club_id=event.club_id, person_ids=[me.pk])
        assert mine.open(get_own_path(event)).find_one("h1").text == "My page"
        of_nobody = mine.client.get(f"{get_own_path(event)}/picture.png").content
        assert of_nobody == Browser().client.get(f"/e/{event.short}/picture.png").content
        assert get_short_name(me) not in theirs.open(get_own_path(event)).text

    @pytest.mark.long
    def test_player_page_is_not_stored_by_shared_caches(self) -> None:
        event = build_running_night()
        browser = Browser()
        page = open_own_page(event, find_person_at_table(event), browser)
        picture = browser.client.get(f"{get_own_path(event)}/picture.png")
        for answer in (page.response, picture):
            assert "private" in answer.headers["Cache-Control"]
            assert "Cookie" in answer.headers["Vary"]

    def test_phone_cookie_contains_no_name(self) -> None:
        event = build_running_night()
        browser = Browser()
        open_own_page(event, find_person_at_table(event), browser)
        cookie = browser.client.cookies["phone"]
        assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/", True, "Lax")
        assert find_person_at_table(event).name not in cookie.value

    @pytest.mark.long
    def test_phone_cookie_remembers_the_last_six_events(self) -> None:
        events = [build_running_night() for _ in range(MAX_EVENTS + 1)]
        browser = Browser()
        for event in events[:-1]:
            open_own_page(event, find_person_at_table(event), browser)
        assert browser.open(get_own_path(events[-1])).find_one("h1").text == "My page"
        open_own_page(events[-1], find_person_at_table(events[-1]), browser)
        recognition_flags = [browser.open(get_own_path(event)).find_one("h1").text != "My page" for event in events]
        assert recognition_flags == [False, *[True] * MAX_EVENTS]


class TestResultPicture:
    def test_picture_shows_rank_matches_points_and_partner(self) -> None:
        event = build_played_night()
        compute_standings(event)
        me, partner = find_person_at_table(event), find_person_at_table(event, seat=2)
        picture = build_player_picture(event, build_player_page(event, me))
        assert (picture.title, picture.kicker) == (me.short_name, "Rank 1 of 4")
        lines = [(line.mark, line.text) for line in picture.lines]
        assert lines[:2] == [("Matches", "1 of 1 won"), ("Points", "32 for, 6 against")]
        assert (lines[2][0], lines[2][1][:12]) == ("Gros Charlemagne", "Round 1, at ")
        assert lines[3:] == [("Partner", partner.short_name)]

    @pytest.mark.slow
    def test_picture_is_a_png_to_share(self) -> None:
        event = build_running_night()
        browser = Browser()
        page = open_own_page(event, find_person_at_table(event), browser)
        link = next(one for one in page.find_all("a") if "data-share" in one.attrs)
        assert browser.client.get(link.attrs["href"]).content.startswith(b"\x89PNG")


@pytest.mark.long
def test_page_query_count_does_not_grow_with_rounds() -> None:
    counts = []
    for rounds in (1, 4):
        event = build_running_night()
        for number in range(1, rounds + 1):
            if number > 1:
                start_next_round(event)
            for match in matches_of(event, number):
                mark(match, "A 6 made")
                win(match)
            close_round(event_id=event.pk, number=number)
        compute_standings(event)
        event = Event.objects.select_related("club", "terms", "night").get(pk=event.pk)
        me = find_person_at_table(event)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            build_player_page(event, me)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 14


@pytest.mark.long
def test_ended_event_keeps_its_player_page() -> None:
    hall = Hall()
    play_round(hall.event)
    compute_standings(hall.event)
    me = find_person_at_table(hall.event)
    end_event(event_id=hall.event.pk)
    assert TableCard.objects.filter(closed_at=None).count() == 0
    page = open_own_page(hall.event, me)
    assert "It is over" in get_sections(page)["ended"]
    assert "Rank 1" in get_sections(page)["ended"]
