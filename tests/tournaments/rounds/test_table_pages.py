"""Public pages of a round and of a table with its hands, and the search for a player's table."""

import pytest

from clubs.models import Club, Person
from live.revisions import raise_revision
from rules import BAS_SAINT_LAURENT
from tests.builders import (
    TWO_GAMES,
    build_played_night,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    play,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.rounds.services.tables import adjust_table

pytestmark = pytest.mark.django_db


def open_table(event: Event, number: int = 1, *, of_round: int = 1) -> Page:
    return Browser().open(f"/e/{event.short}/rounds/{of_round}/tables/{number}")


def list_hands(page: Page) -> list[list[str]]:
    """Return the cells of each line of the score sheet."""
    bodies = page.find_all("tbody")
    return [[cell.text for cell in row.find_all("th", "td")] for body in bodies for row in body.find_all("tr")]


def find_person(event: Event, who: str) -> list[str]:
    """Search for a name on the event page and return each result's text."""
    page = Page(Browser().client.get(f"/e/{event.short}", {"who": who}, follow=True))
    return [one.text for one in page.find_one(id="found").find_all("li")]


def rename(event: Event, *names: str) -> None:
    """Rename the first players of the first entries."""
    for entry, name in zip(event.entries.order_by("number"), names, strict=False):
        entry.player_1.name = name
        entry.player_1.save()


class TestTablePage:
    @pytest.mark.long
    def test_table_page_shows_every_hand_with_running_totals(self) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7", "B 7 5", "passed_out")
        first, second, third = list_hands(open_table(event))
        assert "6 made" in first[1]
        assert "7 tricks" in first[1]
        assert "+6" in first[2]
        assert first[3:] == ["6", "0"]
        assert "7 failed" in second[1]
        assert second[3:] == ["13", "0"]
        assert third[1:] == ["All pass", "–", "13", "0"]

    def test_table_page_marks_a_corrected_hand(self) -> None:
        event = build_running_night()
        (first,) = play(matches_of(event)[0], "A 6 7")
        mark(matches_of(event)[0], "A 7 7", replaced=first)
        (line,) = list_hands(open_table(event))
        assert "corrected" in line[1]
        assert line[3:] == ["7", "0"]

    def test_table_page_marks_a_hand_with_conflicting_records(self) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7")
        mark(matches_of(event)[0], "B 7 7", number=1)
        (line,) = list_hands(open_table(event))
        assert "two phones recorded it differently" in line[1]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_table_page_groups_hands_by_game(self) -> None:
        event = build_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        play(matches_of(event)[0], "A charlemagne made", "B 6 made")
        page = open_table(event)
        titles = [one.text for one in page.find_all("h2")]
        assert [title.partition(":")[0] for title in titles[:2]] == ["Game 1", "Game 2"]
        assert page.text.count("Won by:") == 1
        assert "Won by: blue side" in page.text.replace("\u00a0", " ")

    @pytest.mark.long
    def test_table_page_names_the_side_that_wins_by_a_hand(self) -> None:
        event = build_running_night(ruleset=BAS_SAINT_LAURENT)
        play(matches_of(event)[0], "A 6 made", "A charlemagne failed")
        _, charlemagne = list_hands(open_table(event))
        assert charlemagne[2:] == ["orange side game", "6", "0"]

    def test_table_page_lists_late_hands_without_points(self) -> None:
        event = build_running_night()
        first, *_ = play(matches_of(event)[0], "A 6 made", "B 8 made")
        mark(matches_of(event)[0], "A gros_charlemagne made", replaced=first)
        page = open_table(event)
        assert [one.text for one in page.find_all("h2")].count("Hands") == 1
        assert list_hands(page)[1][2:] == ["–", "–", "–"]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_table_page_shows_the_director_score(self) -> None:
        event = build_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(40, 2))
        page = open_table(event)
        assert "Score given by the director" in page.text
        assert "40" in page.find_one("ul", class_="opponents").text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_table_page_links_to_neighbours_and_round(self) -> None:
        event = build_running_night(6)
        page = open_table(event, 2)
        assert page.find_link("All tables, round 1").endswith(f"/e/{event.short}/rounds/1")
        assert [one.attrs["href"][-1] for one in page.find_all("a") if "rel" in one.attrs] == ["1", "3"]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_table_page_shows_only_public_draw_reasons(self) -> None:
        event = build_played_night(4, draw_format="swiss")
        start_next_round(event)
        event.rounds.get(number=2).tables.update(
            reasons=[{"code": "score_group"}, {"code": "bond_unavoidable", "bonds": 1}, {"code": "locked"}]
        )
        compute_standings(event)
        reasons = [one.text for one in open_table(event, of_round=2).find_one("section").find_all("li")]
        assert reasons == ["Equal scores.", "Locked by the director."]

    @pytest.mark.parametrize("rest", ["/rounds/1/tables/9", "/rounds/9", "/rounds/2/tables/1", "/rounds/0"])
    def test_unknown_table_shows_a_friendly_404_page(self, rest: str) -> None:
        page = Browser().open(f"/e/{build_running_night().short}{rest}")
        assert page.status == 404
        assert "Page not found" in page.text

    @pytest.mark.long
    def test_table_page_links_only_people_with_public_pages(self) -> None:
        hall = Hall()
        played = int(hall.played_person.rpartition("/")[2])
        event = Event.objects.filter(entries__player_1=played).latest("pk")
        hidden, *_ = (p.pk for p in Person.objects.filter(club=event.club).exclude(pk=played))
        Person.objects.filter(pk=hidden).update(is_hidden=True)
        linked = {
            one.attrs["href"].rpartition("/")[2]
            for number in (1, 2)
            for one in open_table(event, number).find_all("a")
            if "/people/" in one.attrs["href"]
        }
        assert str(played) in linked
        assert str(hidden) not in linked
        Club.objects.update(has_public_people=False)
        raise_revision(event.club.topic)
        assert "/people/" not in open_table(event).html

    @pytest.mark.long
    def test_table_page_links_no_one_when_names_are_short(self) -> None:
        hall = Hall()
        played = int(hall.played_person.rpartition("/")[2])
        event = Event.objects.filter(entries__player_1=played).latest("pk")
        Event.objects.update(shows_names="short")
        assert "/people/" not in open_table(event).html


@pytest.mark.slow
class TestRoundPage:
    @pytest.mark.long
    def test_round_page_links_to_each_table(self) -> None:
        event = build_running_night(6)
        page = Browser().open(f"/e/{event.short}/rounds/1")
        assert [one.attrs["href"][-2:] for one in page.find_one("ol").find_all("a")] == ["/1", "/2", "/3"]

    @pytest.mark.snapshot
    def test_event_page_shows_part_of_a_large_round(self) -> None:
        event = build_running_night(70)
        page = Browser().open(f"/e/{event.short}")
        assert len(list(page.find_one("ol", class_="pairings").find_all("a"))) == 30
        every = Browser().open(page.find_link("See all 35 tables"))
        assert len(list(every.find_one("ol", class_="pairings").find_all("a"))) == 35


class TestPlayerSearch:
    def test_search_ignores_accents_and_case(self) -> None:
        event = build_running_night()
        rename(event, "Ézilda Roy")
        (found,) = find_person(event, "ezilda")
        assert "Ézilda" in found
        assert ", round 1, " in found
        assert "against " in found

    def test_search_finds_the_whole_name_behind_an_initial(self) -> None:
        event = build_running_night()
        rename(event, "Ézilda Roy")
        assert len(find_person(event, "Ezilda Roy")) == 1
        assert find_person(event, "Ezilda Lavoie") == []

    @pytest.mark.long
    def test_search_ignores_hidden_surnames(self) -> None:
        event = build_running_night()
        rename(event, "Ézilda Xanthopoulos")
        assert find_person(event, "Xanthopoulos") == []
        Person.objects.filter(name="Ézilda Xanthopoulos").update(shows_full_name=True)
        assert len(find_person(event, "Xantho")) == 1

    def test_search_distinguishes_namesakes_by_partner(self) -> None:
        event = build_running_night()
        rename(event, "Ézilda Roy", "Ézilda Rioux")
        one, other = find_person(event, "Ézilda")
        assert one.split(" and ")[1] != other.split(" and ")[1]

    @pytest.mark.long
    def test_search_omits_hidden_people(self) -> None:
        event = build_running_night()
        rename(event, "Ézilda Roy")
        Person.objects.filter(name="Ézilda Roy").update(is_hidden=True)
        assert find_person(event, "Ézilda") == []
        assert find_person(event, "Player") == []

    @pytest.mark.long
    def test_search_reports_a_bye(self) -> None:
        event = build_running_night(3)
        bye = event.rounds.get().seatings.get(table=None).entry
        bye.player_1.name = "Zoé Zed"
        bye.player_1.save()
        (found,) = find_person(event, "zoe")
        assert "bye, round 1" in found

    @pytest.mark.long
    def test_search_distinguishes_waiting_in_a_bracket_from_a_bye(self) -> None:
        event = build_running_night(3, draw_format="knockout")
        bye = event.rounds.get().seatings.get(table=None)
        (found,) = find_person(event, bye.entry.player_1.name)
        assert "waits for the next match, round 1" in found
        play_round(event)
        drawn = start_next_round(event)
        assert not drawn.seatings.filter(table=None).exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_search_asks_for_more_of_a_common_name(self) -> None:
        event = build_running_night(12)
        rename(event, *(f"Zoé {letter}uot" for letter in "ABCDEFGHIJ"))
        page = Page(Browser().client.get(f"/e/{event.short}", {"who": "zoé"}, follow=True))
        assert "2 more: type more of the name." in page.find_one(id="found").text

    def test_search_is_absent_when_the_draw_is_hidden(self) -> None:
        event = build_running_night()
        Event.objects.update(shows_draw=False)
        page = Browser().open(f"/e/{event.short}?who=a")
        assert page.find_all(id="who") == []

    def test_search_is_absent_after_the_event(self) -> None:
        event = build_played_night()
        end_event(event_id=event.pk)
        assert Browser().open(f"/e/{event.short}?who=a").find_all(id="who") == []

    def test_polling_request_includes_search_results(self) -> None:
        event = build_running_night()
        rename(event, "Ézilda Roy")
        headers = {"HX-Request": "true"}
        part = Page(Browser().client.get(f"/en/e/{event.short}", {"who": "ezilda"}, headers=headers))
        assert "Ézilda" in part.find_one(id="found").text
        assert part.find_all("input", id="who") == []
