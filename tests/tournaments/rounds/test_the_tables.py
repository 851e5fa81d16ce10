"""The public page of a round, that of a table with its hands, and where somebody plays."""

import pytest

from clubs.models import Club, Person
from live.revisions import raise_revision
from rules import BAS_SAINT_LAURENT
from tests.builders import (
    TWO_GAMES,
    a_played_night,
    a_running_night,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.rounds.services.tables import adjust_table

pytestmark = pytest.mark.django_db


def table(event: Event, number: int = 1, *, of_round: int = 1) -> Page:
    return Browser().open(f"/e/{event.short}/rounds/{of_round}/tables/{number}")


def hands(page: Page) -> list[list[str]]:
    """Return what stands in each line of the sheet."""
    bodies = page.every("tbody")
    return [[cell.text for cell in row.every("th", "td")] for body in bodies for row in body.every("tr")]


def where(event: Event, who: str) -> list[str]:
    """Return what is told of each who is called so."""
    page = Page(Browser().client.get(f"/e/{event.short}", {"who": who}, follow=True))
    return [one.text for one in page.one(id="found").every("li")]


def rename(event: Event, *names: str) -> None:
    """The first players of the first entries are called so."""
    for entry, name in zip(event.entries.order_by("number"), names, strict=False):
        entry.player_1.name = name
        entry.player_1.save()


class TestATable:
    @pytest.mark.slow
    def test_shows_every_hand_with_its_side_points_and_running_total(self) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7", "B 7 5", "passed_out")
        first, second, third = hands(table(event))
        assert "6 made" in first[1]
        assert "7 tricks" in first[1]
        assert "+6" in first[2]
        assert first[3:] == ["6", "0"]
        assert "7 failed" in second[1]
        assert second[3:] == ["13", "0"]
        assert third[1:] == ["All pass", "–", "13", "0"]

    def test_says_which_hand_was_corrected(self) -> None:
        event = a_running_night()
        (first,) = play(matches_of(event)[0], "A 6 7")
        mark(matches_of(event)[0], "A 7 7", replacing=first)
        (line,) = hands(table(event))
        assert "corrected" in line[1]
        assert line[3:] == ["7", "0"]

    def test_leaves_a_hand_open_that_two_phones_marked_differently(self) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7")
        mark(matches_of(event)[0], "B 7 7", number=1)
        (line,) = hands(table(event))
        assert "two phones recorded it differently" in line[1]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_parts_the_hands_by_games(self) -> None:
        event = a_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        play(matches_of(event)[0], "A charlemagne made", "B 6 made")
        page = table(event)
        titles = [one.text for one in page.every("h2")]
        assert [title.partition(":")[0] for title in titles[:2]] == ["Game 1", "Game 2"]
        assert page.text.count("Won by:") == 1
        assert "Won by: blue side" in page.text.replace("\u00a0", " ")

    @pytest.mark.slow
    def test_says_of_a_hand_that_wins_the_game_by_itself_who_wins_it(self) -> None:
        event = a_running_night(ruleset=BAS_SAINT_LAURENT)
        play(matches_of(event)[0], "A 6 made", "A charlemagne failed")
        _, charlemagne = hands(table(event))
        assert charlemagne[2:] == ["orange side game", "6", "0"]

    def test_lists_hands_after_the_end_without_points_in_the_game_that_had_ended(self) -> None:
        event = a_running_night()
        first, *_ = play(matches_of(event)[0], "A 6 made", "B 8 made")
        mark(matches_of(event)[0], "A gros_charlemagne made", replacing=first)
        page = table(event)
        assert [one.text for one in page.every("h2")].count("Hands") == 1
        assert hands(page)[1][2:] == ["–", "–", "–"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_says_that_the_director_gave_it_another_score(self) -> None:
        event = a_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(40, 2))
        page = table(event)
        assert "Score given by the director" in page.text
        assert "40" in page.one("ul", class_="facing").text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_leads_to_the_ones_beside_it_and_to_its_round(self) -> None:
        event = a_running_night(6)
        page = table(event, 2)
        assert page.link("All tables, round 1").endswith(f"/e/{event.short}/rounds/1")
        assert [one.attrs["href"][-1] for one in page.every("a") if "rel" in one.attrs] == ["1", "3"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_says_why_it_was_drawn_so_as_far_as_that_is_for_everybody(self) -> None:
        event = a_played_night(4, draw_format="swiss")
        next_round(event)
        event.rounds.get(number=2).tables.update(
            reasons=[{"code": "score_group"}, {"code": "bond_unavoidable", "bonds": 1}, {"code": "locked"}]
        )
        standings_after(event)
        told = [one.text for one in table(event, of_round=2).one("section").every("li")]
        assert told == ["Equal scores.", "Locked by the director."]

    @pytest.mark.parametrize("rest", ["/rounds/1/tables/9", "/rounds/9", "/rounds/2/tables/1", "/rounds/0"])
    def test_that_there_is_not_is_a_friendly_404(self, rest: str) -> None:
        page = Browser().open(f"/e/{a_running_night().short}{rest}")
        assert page.status == 404
        assert "Page not found" in page.text

    @pytest.mark.slow
    def test_leads_to_the_pages_of_those_people_who_have_one(self) -> None:
        hall = Hall()
        played = int(hall.played.rpartition("/")[2])
        event = Event.objects.filter(entries__player_1=played).latest("pk")
        hidden, *_ = (p.pk for p in Person.objects.filter(club=event.club).exclude(pk=played))
        Person.objects.filter(pk=hidden).update(is_hidden=True)
        linked = {
            one.attrs["href"].rpartition("/")[2]
            for number in (1, 2)
            for one in table(event, number).every("a")
            if "/people/" in one.attrs["href"]
        }
        assert str(played) in linked
        assert str(hidden) not in linked
        Club.objects.update(has_public_people=False)
        raise_revision(event.club.topic)
        assert "/people/" not in table(event).html

    @pytest.mark.slow
    def test_of_an_event_that_shortens_names_leads_to_nobodys_page(self) -> None:
        hall = Hall()
        played = int(hall.played.rpartition("/")[2])
        event = Event.objects.filter(entries__player_1=played).latest("pk")
        Event.objects.update(shows_names="short")
        assert "/people/" not in table(event).html


class TestARound:
    def test_leads_to_each_of_its_tables(self) -> None:
        event = a_running_night(6)
        page = Browser().open(f"/e/{event.short}/rounds/1")
        assert [one.attrs["href"][-2:] for one in page.one("ol").every("a")] == ["/1", "/2", "/3"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_of_a_large_hall_stands_on_the_page_of_the_event_in_part(self) -> None:
        event = a_running_night(70)
        page = Browser().open(f"/e/{event.short}")
        assert len(list(page.one("ol", class_="pairings").every("a"))) == 30
        every = Browser().open(page.link("See all 35 tables"))
        assert len(list(every.one("ol", class_="pairings").every("a"))) == 35


class TestWhereSomebodyPlays:
    def test_is_found_by_the_first_name_without_accents_or_case(self) -> None:
        event = a_running_night()
        rename(event, "Ézilda Roy")
        (found,) = where(event, "ezilda")
        assert "Ézilda" in found
        assert ", round 1, " in found
        assert "against " in found

    def test_is_found_by_the_whole_name_though_only_its_initial_is_shown(self) -> None:
        event = a_running_night()
        rename(event, "Ézilda Roy")
        assert len(where(event, "Ezilda Roy")) == 1
        assert where(event, "Ezilda Lavoie") == []

    def test_is_not_found_by_a_surname_that_is_not_shown(self) -> None:
        event = a_running_night()
        rename(event, "Ézilda Xanthopoulos")
        assert where(event, "Xanthopoulos") == []
        Person.objects.filter(name="Ézilda Xanthopoulos").update(shows_full_name=True)
        assert len(where(event, "Xantho")) == 1

    def test_tells_two_of_one_name_apart_by_their_partners(self) -> None:
        event = a_running_night()
        rename(event, "Ézilda Roy", "Ézilda Rioux")
        one, other = where(event, "Ézilda")
        assert one.split(" and ")[1] != other.split(" and ")[1]

    def test_says_nothing_of_who_is_hidden(self) -> None:
        event = a_running_night()
        rename(event, "Ézilda Roy")
        Person.objects.filter(name="Ézilda Roy").update(is_hidden=True)
        assert where(event, "Ézilda") == []
        assert where(event, "Player") == []

    @pytest.mark.slow
    def test_tells_who_sits_out(self) -> None:
        event = a_running_night(3)
        bye = event.rounds.get().seatings.get(table=None).entry
        bye.player_1.name = "Zoé Zed"
        bye.player_1.save()
        (found,) = where(event, "zoe")
        assert "bye, round 1" in found

    @pytest.mark.slow
    def test_tells_who_waits_in_a_bracket_from_who_sits_out(self) -> None:
        event = a_running_night(3, draw_format="knockout")
        bye = event.rounds.get().seatings.get(table=None)
        (found,) = where(event, bye.entry.player_1.name)
        assert "waits for the next match, round 1" in found
        play_round(event)
        drawn = next_round(event)
        assert not drawn.seatings.filter(table=None).exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_asks_for_more_of_a_name_that_many_have(self) -> None:
        event = a_running_night(12)
        rename(event, *(f"Zoé {letter}uot" for letter in "ABCDEFGHIJ"))
        page = Page(Browser().client.get(f"/e/{event.short}", {"who": "zoé"}, follow=True))
        assert "2 more: type more of the name." in page.one(id="found").text

    def test_is_not_asked_where_the_draw_is_not_for_everybody(self) -> None:
        event = a_running_night()
        Event.objects.update(shows_draw=False)
        page = Browser().open(f"/e/{event.short}?who=a")
        assert page.every(id="who") == []

    def test_is_not_asked_once_the_event_is_over(self) -> None:
        event = a_played_night()
        end_event(event_id=event.pk)
        assert Browser().open(f"/e/{event.short}?who=a").every(id="who") == []

    def test_comes_with_the_news_that_a_page_asks_for(self) -> None:
        event = a_running_night()
        rename(event, "Ézilda Roy")
        headers = {"HX-Request": "true"}
        part = Page(Browser().client.get(f"/en/e/{event.short}", {"who": "ezilda"}, headers=headers))
        assert "Ézilda" in part.one(id="found").text
        assert part.every("input", id="who") == []
