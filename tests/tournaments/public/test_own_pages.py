"""A page of one's own in an event: who may choose it, what stands on it, and what never does."""

import pytest
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Person
from clubs.phone_owner import MOST_EVENTS
from engine.visibility import Names, Ranks, Release, Results
from rules import Side
from scoring.models import TableCard
from tests.builders import (
    ONE_GAME,
    a_night_awaiting,
    a_played_night,
    a_running_night,
    an_event,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.publishing.test_what_leaks import SAMPLED, STRANGE
from tournaments.entries.services.entries import add_entries, add_entry
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Entry, Event
from tournaments.models.events import release_columns
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.public.presenters.own_page import own_page
from tournaments.public.presenters.own_picture import own_picture
from tournaments.public.views.own_page import SALT
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table
from wording.labels.own_card import own_card

pytestmark = pytest.mark.django_db


def own_address(event: Event) -> str:
    return f"/e/{event.short}/mine"


def page_of(event: Event, person: Person, browser: Browser | None = None) -> Page:
    """The person's page, on a phone that was told whose it is."""
    browser = browser or Browser()
    sealed = Signer(salt=f"{SALT} {event.short}").sign(str(person.pk))
    asking = browser.open("/")
    token = asking.every("input", name="csrfmiddlewaretoken")[0].value
    address = f"{own_address(event)}/choose"
    return Page(browser.client.post(address, {"person": sealed, "csrfmiddlewaretoken": token}, follow=True))


def short(person: Person) -> str:
    """First name and initial, with the space that a page's text has."""
    return person.short_name.replace("\xa0", " ")


def first_entry(event: Event) -> Entry:
    return event.entries.select_related("player_1", "player_2").get(number=1)


def at_table(event: Event, number: int = 1, seat: int = 0) -> Person:
    """Return who sits there, at the first table of the round."""
    person: Person = matches_of(event, number)[0].players.get(seat=seat).person
    return person


def sections(page: Page) -> dict[str, str]:
    return {one.attrs["aria-labelledby"]: one.text for one in page.every("section")}


class TestChoosing:
    def test_from_the_table_its_four_people_are_offered_by_their_whole_names(self) -> None:
        hall = Hall()
        phone = hall.phone()
        page = phone.open(phone.open(hall.table).link("My page"))
        offered = [one.text for one in page.every("button", name="person")]
        assert sorted(offered) == sorted(one.person.name for one in hall.match.players.all())

    @pytest.mark.slow
    def test_one_tap_and_the_phone_knows_whose_page_it_is(self) -> None:
        hall = Hall()
        phone = hall.phone()
        asking = phone.open(phone.open(hall.table).link("My page"))
        chosen = asking.every("button", name="person")[0]
        page = phone.send(asking, asking.form("/choose"), ("person", chosen.value))
        assert "Round 1 Table 1" in sections(page)["now"]
        again = phone.open(own_address(hall.event))
        assert again.one("h1").text == page.one("h1").text

    def test_the_table_of_the_desk_leads_to_nobodys_page(self) -> None:
        hall = Hall()
        assert "/mine" not in hall.desk.open(hall.ruled).html

    def test_what_is_not_me_is_forgotten(self) -> None:
        hall = Hall()
        phone = hall.phone()
        page = page_of(hall.event, at_table(hall.event), phone)
        asking = phone.send(page, page.form("/choose"))
        assert asking.every("form", role="search")
        assert phone.open(own_address(hall.event)).one("h1").text == "My page"

    def test_a_name_finds_who_is_called_so_from_the_public_page(self) -> None:
        event = a_running_night()
        public = Browser().open(f"/e/{event.short}")
        asking = Browser().open(public.link("My page"))
        found = Browser().open(f"{asking.path}?who=donat")
        assert [one.text.split(" D")[0] for one in found.every("button", name="person")]
        assert all("Donat" in one.text for one in found.every("button", name="person"))

    @pytest.mark.slow
    def test_namesakes_are_told_apart_by_their_partners(self) -> None:
        event = an_event(0, tables=2)
        names = {1: ("Jean Roy", "Luc Dubé"), 2: ("Jean Roux", "Guy Hudon"), 3: ("Ida Cyr", "Eva Cyr")}
        add_entries(event_id=event.pk, entries=names)
        start_event(event_id=event.pk)
        next_round(event)
        found = Browser().open(f"{own_address(event)}?who=jean")
        said = [one.text for one in found.every("button", name="person")]
        assert len(said) == len(set(said)) == 2
        assert any("Luc" in one for one in said)

    @pytest.mark.slow
    def test_namesakes_without_a_partner_are_told_apart_by_their_numbers(self) -> None:
        event = an_event(0, tables=1, draw_format="swiss_individual")
        names = {1: ("Jean Roy",), 2: ("Jean Roux",), 3: ("Ida Cyr",), 4: ("Eva Cyr",)}
        add_entries(event_id=event.pk, entries=names)
        start_event(event_id=event.pk)
        next_round(event)
        found = Browser().open(f"{own_address(event)}?who=jean")
        said = [one.text for one in found.every("button", name="person")]
        assert [("no. 1" in one, "no. 2" in one) for one in said] == [(True, False), (False, True)]

    @pytest.mark.snapshot
    def test_nobody_is_found_who_is_hidden_or_by_a_name_that_is_not_shown(self) -> None:
        event = a_running_night()
        hidden = at_table(event)
        Person.objects.filter(pk=hidden.pk).update(is_hidden=True)
        asked = Browser().open(f"{own_address(event)}?who={hidden.name.split()[0]}")
        assert short(hidden) not in asked.text
        change_release(event_id=event.pk, release=Release(names=Names.NUMBERS))
        asked = Browser().open(f"{own_address(event)}?who=a")
        assert not asked.every("form", role="search")
        assert not asked.every("button", name="person")

    @pytest.mark.slow
    def test_nobody_is_chosen_by_a_number_that_was_not_offered(self) -> None:
        event = a_running_night()
        other = a_running_night()
        sealed_there = Signer(salt=f"{SALT} {other.short}").sign(str(at_table(event).pk))
        for sent in (str(at_table(event).pk), sealed_there, ""):
            browser = Browser()
            token = browser.open("/").every("input", name="csrfmiddlewaretoken")[0].value
            address = f"{own_address(event)}/choose"
            browser.client.post(address, {"person": sent, "csrfmiddlewaretoken": token})
            assert browser.open(own_address(event)).one("h1").text == "My page"

    @pytest.mark.slow
    def test_a_seal_of_another_event_names_nobody(self) -> None:
        hall, other = Hall(), a_running_night()
        link = hall.phone().open(hall.table).link("My page")
        there = link.replace(hall.event.short, other.short)
        assert Browser().open(there).every("button", name="person") == []
        assert Browser().open(link + "x").every("button", name="person") == []

    def test_the_table_of_an_event_that_is_not_public_leads_to_no_page(self) -> None:
        hall = Hall()
        change_release(event_id=hall.event.pk, release=Release(is_public=False))
        assert "/mine" not in hall.phone().open(hall.table).html
        assert page_of(hall.event, at_table(hall.event)).status == 404


class TestWhatStandsOnIt:
    def test_table_side_partner_and_opponents_of_the_round_under_way(self) -> None:
        event = a_running_night()
        match = matches_of(event)[0]
        me, right, partner, left = (player.person for player in match.players.order_by("seat"))
        now = sections(page_of(event, me))["now"]
        assert "Round 1 Table 1" in now
        assert f"with {short(partner)}" in now
        assert short(right) in now.split("against")[1]
        assert short(left) in now.split("against")[1]

    def test_every_hand_with_its_bid_its_result_and_its_points(self) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7", "B mulot failed")
        played = sections(page_of(event, at_table(event)))["played"]
        assert "6 made" in played
        assert "7 tricks" in played
        assert "Mulot failed" in played
        assert "+6" in played
        assert "13–0" in played

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_the_rank_and_the_totals_of_what_was_played(self) -> None:
        event = a_played_night()
        standings_after(event)
        page = page_of(event, at_table(event))
        standing = sections(page)["standing"]
        assert "Rank 1 of 4" in page.text
        assert "Table matches won: 1 of 1; 32 points for, 6 against" in standing
        assert (
            "Table matches won: 0 of 1; 6 points for, 32 against"
            in (sections(page_of(event, at_table(event, seat=1)))["standing"])
        )

    @pytest.mark.slow
    def test_who_has_not_come_yet_reads_when_there_is_a_rank(self) -> None:
        event = a_night_awaiting(1)
        standings_after(event)
        page = page_of(event, first_entry(event).player_1)
        assert "Your rank appears after your first round." in sections(page)["standing"]

    @pytest.mark.parametrize(("seat", "said"), [(0, "won by forfeit"), (1, "lost by forfeit")])
    def test_a_forfeit_is_no_match_at_a_table_and_what_was_marked_before_does_not_count(
        self, seat: int, said: str
    ) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7", "B 5 5")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        standings_after(event)
        person = at_table(event, seat=seat)
        totals = own_page(event, person).totals
        assert (totals.matches, totals.contracts) == (0, 0)
        assert said in sections(page_of(event, person))["played"]
        card = own_card(own_page(event, person), event, "")
        assert f"Round 1, table 1: {said}" in card
        assert "6 made" not in card

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_who_sits_out_reads_so_and_then_waits_for_the_next_round(self) -> None:
        event = a_running_night(5)
        (bye,) = event.rounds.get(number=1).seatings.filter(table=None)
        me = bye.entry.player_1
        assert "Round 1: you have a bye." in sections(page_of(event, me))["now"]
        play_round(event)
        page = page_of(event, me)
        assert "Your table for round 2 will appear here." in sections(page)["now"]
        assert "bye" in sections(page)["played"]

    @pytest.mark.slow
    def test_where_partners_change_each_round_has_its_own(self) -> None:
        event = an_event(0, tables=2, draw_format="swiss_individual", match_format=ONE_GAME)
        add_entries(event_id=event.pk, entries={n: (f"Person{'abcdefgh'[n]} {n}",) for n in range(8)})
        start_event(event_id=event.pk)
        for number in (1, 2):
            next_round(event)
            play_round(event, number)
        standings_after(event)
        me = event.entries.all()[0].player_1
        read = own_page(event, me)
        for one in read.rounds:
            match = next(m for m in matches_of(event, one.number) if m.players.filter(person=me).exists())
            seat = match.players.get(person=me).seat
            assert one.partners == match.players.get(seat=(seat + 2) % 4).person.short_name
        assert read.totals.matches == 2

    def test_a_score_that_the_desk_gave_a_table_counts_among_the_matches_above_it(self) -> None:
        event = a_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, points=(32, 12), games=(1, 0))
        standings_after(event)
        totals = own_page(event, at_table(event, seat=1)).totals
        assert (totals.matches, totals.won, totals.points_for, totals.points_against) == (1, 0, 12, 32)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_a_substitute_has_the_rounds_that_they_played_and_the_other_keeps_theirs(self) -> None:
        event = a_played_night()
        entry = first_entry(event)
        before = entry.player_1
        substitute_player(event_id=event.pk, number=entry.number, place=1, name="Zoé Zed")
        next_round(event)
        play_round(event, 2)
        standings_after(event)
        substitute = Person.objects.get(name="Zoé Zed")
        assert [one.number for one in own_page(event, substitute).rounds] == [2]
        assert [one.number for one in own_page(event, before).rounds] == [1]
        found = Browser().open(f"{own_address(event)}?who={before.name.split()[0]}")
        assert any("substitute" in one.text for one in found.every("button", name="person"))

    @pytest.mark.slow
    def test_who_came_back_with_another_partner_has_both_entries(self) -> None:
        event = a_played_night()
        entry = first_entry(event)
        withdraw_entry(event_id=event.pk, number=entry.number)
        add_entry(event_id=event.pk, players=(entry.player_1.name, "Zoé Zed"))
        next_round(event)
        play_round(event, 2)
        standings_after(event)
        read = own_page(event, entry.player_1)
        assert [one.number for one in read.rounds] == [2, 1]
        assert len(read.places) == 2
        assert not read.has_left

    def test_who_has_withdrawn_waits_for_nothing(self) -> None:
        event = a_played_night()
        entry = first_entry(event)
        withdraw_entry(event_id=event.pk, number=entry.number)
        assert "You have withdrawn" in sections(page_of(event, entry.player_1))["now"]

    def test_a_forfeit_stands_with_its_ruling(self) -> None:
        event = a_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(32, 5))
        (played,) = own_page(event, at_table(event)).rounds
        assert (played.ruling, played.own and played.own.points) == ("adjusted", 32)


class TestWhatNeverDoes:
    @pytest.fixture
    def event(self) -> Event:
        """Two rounds are closed; the table of round 2 of the first entry has a strange result."""
        event = a_played_night(4)
        next_round(event)
        play(matches_of(event, 2)[0], "A mulot made")
        play_round(event, 2)
        adjust_table(event_id=event.pk, number=2, table=1, games=(1, 0), points=(int(STRANGE), 1))
        standings_after(event)
        publish_final(event_id=event.pk)
        return event

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_what_a_release_keeps_back_is_on_no_page_and_in_no_picture(self, event: Event) -> None:
        me = at_table(event, 2)
        for release, is_final in SAMPLED:
            Event.objects.filter(pk=event.pk).update(
                **release_columns(release), final=1 if is_final else None
            )
            event.refresh_from_db()
            standings_after(event)
            seen, where = event.visible, (release, is_final)
            page = page_of(event, me)
            if not seen.is_public:
                assert page.status == 404, where
                continue
            text = page.text
            picture = own_picture(event, own_page(event, me))
            told = f"{text}{picture.values}".replace("\\xa0", " ")
            names = set(Person.objects.values_list("name", flat=True))
            assert not any(name in told for name in names), where
            if seen.names is Names.NUMBERS:
                assert not any(short(p) in told for p in Person.objects.all()), where
            if not seen.draw:
                assert "against" not in text, where
            if seen.results_in(2) is not Results.HANDS:
                assert "Mulot" not in text, where
            if seen.results_in(2) is Results.NOTHING and seen.standings is not Ranks.FINAL:
                assert STRANGE not in text.replace(",", ""), where
            if seen.standings is Ranks.NOTHING:
                assert "Rank " not in told, where

    @pytest.mark.slow
    def test_where_results_are_seen_they_are_there(self, event: Event) -> None:
        assert STRANGE in page_of(event, at_table(event, 2)).text.replace(",", "")

    def test_a_draft_is_not_there(self) -> None:
        event = a_played_night()
        event.rounds.filter(number=1).update(state="draft")
        assert own_page(event, first_entry(event).player_1).rounds == ()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_who_was_forgotten_has_no_page_and_no_name_on_those_of_others(self) -> None:
        event = a_played_night()
        end_event(event_id=event.pk)
        me, partner = at_table(event), at_table(event, seat=2)
        mine, theirs = Browser(), Browser()
        page_of(event, me, mine)
        assert short(me) in page_of(event, partner, theirs).text
        anonymize_people(club_id=event.club_id, person_ids=[me.pk])
        assert mine.open(own_address(event)).one("h1").text == "My page"
        of_nobody = mine.client.get(f"{own_address(event)}/picture.png").content
        assert of_nobody == Browser().client.get(f"/e/{event.short}/picture.png").content
        assert short(me) not in theirs.open(own_address(event)).text

    def test_the_page_is_kept_by_nobody_between(self) -> None:
        event = a_running_night()
        browser = Browser()
        page = page_of(event, at_table(event), browser)
        picture = browser.client.get(f"{own_address(event)}/picture.png")
        for answer in (page.response, picture):
            assert "private" in answer.headers["Cache-Control"]
            assert "Cookie" in answer.headers["Vary"]

    def test_one_cookie_of_the_whole_site_says_whose_phone_it_is_and_no_name(self) -> None:
        event = a_running_night()
        browser = Browser()
        page_of(event, at_table(event), browser)
        cookie = browser.client.cookies["phone"]
        assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/", True, "Lax")
        assert at_table(event).name not in cookie.value

    @pytest.mark.slow
    def test_it_says_nothing_of_another_event_and_keeps_the_last_six(self) -> None:
        events = [a_running_night() for _ in range(MOST_EVENTS + 1)]
        browser = Browser()
        for event in events[:-1]:
            page_of(event, at_table(event), browser)
        assert browser.open(own_address(events[-1])).one("h1").text == "My page"
        page_of(events[-1], at_table(events[-1]), browser)
        known = [browser.open(own_address(event)).one("h1").text != "My page" for event in events]
        assert known == [False, *[True] * MOST_EVENTS]


class TestThePicture:
    def test_has_the_rank_the_matches_the_points_and_the_partner(self) -> None:
        event = a_played_night()
        standings_after(event)
        me, partner = at_table(event), at_table(event, seat=2)
        picture = own_picture(event, own_page(event, me))
        assert (picture.title, picture.kicker) == (me.short_name, "Rank 1 of 4")
        lines = [(line.mark, line.text) for line in picture.lines]
        assert lines[:2] == [("Matches", "1 of 1 won"), ("Points", "32 for, 6 against")]
        assert (lines[2][0], lines[2][1][:12]) == ("Gros Charlemagne", "Round 1, at ")
        assert lines[3:] == [("Partner", partner.short_name)]

    def test_is_a_png_to_save_or_to_share(self) -> None:
        event = a_running_night()
        browser = Browser()
        page = page_of(event, at_table(event), browser)
        link = next(one for one in page.every("a") if "data-share" in one.attrs)
        assert browser.client.get(link.attrs["href"]).content.startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_page_costs_the_same_after_any_number_of_rounds() -> None:
    counts = []
    for rounds in (1, 4):
        event = a_running_night()
        for number in range(1, rounds + 1):
            if number > 1:
                next_round(event)
            for match in matches_of(event, number):
                mark(match, "A 6 made")
                win(match)
            close_round(event_id=event.pk, number=number)
        standings_after(event)
        event = Event.objects.select_related("club", "terms", "night").get(pk=event.pk)
        me = at_table(event)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            own_page(event, me)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 13


@pytest.mark.slow
def test_an_evening_that_is_over_still_has_its_page() -> None:
    hall = Hall()
    play_round(hall.event)
    standings_after(hall.event)
    me = at_table(hall.event)
    end_event(event_id=hall.event.pk)
    assert TableCard.objects.filter(closed_at=None).count() == 0
    page = page_of(hall.event, me)
    assert "It is over" in sections(page)["ended"]
    assert "Rank 1" in sections(page)["ended"]
