"""Names of a match wherever it is shown, and matches between clubs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.draws.stages import parse_stage_plan
from jobs.models import Job
from rules import CANADIAN, Side
from tests.builders import (
    ONE_GAME,
    TUESDAY,
    build_account,
    build_club,
    build_player_names,
    compute_standings,
    get_refusal,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.browser import Browser, Page
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.background_steps import LARGE, is_large_event
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.rounds.services.tables import forfeit_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

POOLS_THEN_KNOCKOUT = (
    {"format": "pools", "settings": {"pools": 2}},
    {"format": "knockout", "takes": "pool_top", "count": 2, "settings": {"places": "third"}},
)
INTERCLUB = ({"format": "interclub"},)
THREE_CLUBS = {1: "Rimouski", 2: "Rimouski", 3: "Matane", 4: "Matane", 5: "Amqui", 6: "Amqui"}
NAMESAKES = {
    1: ("Claire Dumont", "Luc Gauthier"),
    2: ("Carl Dumont", "Lise Gauthier"),
    3: ("Jeanne Roy", "Marc Dubé"),
    4: ("Rita Morin", "Paul Cyr"),
}


def make_name(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}").title()


class Night:
    """A started tournament, with the browsers of its director and of an anonymous visitor."""

    def __init__(
        self,
        stages: Sequence[Mapping[str, Any]],
        entries: Mapping[int, Sequence[str]],
        teams: Mapping[int, str] | None = None,
    ) -> None:
        self.owner = build_account()
        club = build_club(owner=self.owner)
        self.event: Event = create_event(
            club=club,
            name="Coupe",
            held_on=TUESDAY,
            ruleset=CANADIAN,
            match_format=ONE_GAME,
            table_count=max(1, len(entries) // 2),
            stages=[dict(stage) for stage in stages],
        )
        add_entries(event_id=self.event.pk, entries=entries)
        for number, team in (teams or {}).items():
            self.event.entries.filter(number=number).update(team=team)
        start_event(event_id=self.event.pk)
        self.browser, self.visitor = Browser(account=self.owner), Browser()
        self.path = f"/e/{self.event.short}"

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            drawn = start_next_round(self.event)
            play_round(self.event, drawn.number)
        compute_standings(self.event)

    def open_desk(self, path: str = "") -> Page:
        return self.browser.open(f"{self.path}/desk{path}")

    def open_public_page(self, path: str = "") -> Page:
        return self.visitor.open(self.path + path)

    def read_rows(self, path: str) -> list[dict[str, Any]]:
        """Return the rows of a JSON export of the event."""
        response = self.browser.client.get(f"{self.path}{path}")
        assert response.status_code == 200
        rows: list[dict[str, Any]] = json.loads(response.content)["rows"]
        return rows


def build_cup() -> Night:
    return Night(POOLS_THEN_KNOCKOUT, build_player_names(8))


class TestMatchLabels:
    @pytest.mark.long
    def test_pool_is_named_wherever_a_match_is_shown(self) -> None:
        cup = build_cup()
        draw_round(event_id=cup.event.pk, seed=1)
        assert "Pool A" in cup.open_desk().text
        start_next_round(cup.event)
        pages = [
            cup.open_desk(),
            cup.open_public_page(),
            cup.open_public_page("/rounds/1"),
            cup.open_public_page("/board"),
        ]
        pages += [
            cup.open_public_page("/rounds/1/tables/1"),
            cup.open_desk("/rounds/1"),
            cup.open_desk("/print/round?round=1"),
        ]
        for page in pages:
            assert "Pool A" in page.text
        matches = [row["match"] for row in cup.read_rows(".json?round=1")]
        assert matches == ["Pool A", "Pool A", "Pool B", "Pool B"]

    def test_knockout_round_is_named_on_pages_and_the_draw_button(self) -> None:
        cup = build_cup()
        cup.play(3)
        assert "Draw the semifinals" in cup.open_desk().text
        draw_round(event_id=cup.event.pk, seed=1)
        assert "Semifinals · Round 4: 2 tables" in cup.open_desk().text
        start_next_round(cup.event)
        for page in (
            cup.open_desk(),
            cup.open_public_page(),
            cup.open_public_page("/board"),
            cup.open_desk("/print/round?round=4"),
        ):
            assert "Semifinals · " in page.text
        assert "Semifinal" in cup.open_public_page("/rounds/4/tables/1").text

    def test_board_names_the_round_of_the_bracket(self) -> None:
        cup = build_cup()
        cup.play(3)
        start_next_round(cup.event)
        by_table, by_name = (cup.open_public_page(f"/board{query}") for query in ("", "?by=name"))
        for page, kind in ((by_table, "tables"), (by_name, "names")):
            leaves = [leaf for leaf in page.find_all("section") if leaf.attrs["data-page"].startswith(kind)]
            assert [leaf.find_one("h2").text for leaf in leaves] == ["Semifinals · Round 4: take your seats"]
        assert "Demi-finales · Ronde 4" in cup.visitor.open(f"/fr{cup.path}/board?by=name").text

    @pytest.mark.long
    def test_draw_button_names_the_round_of_a_large_event(self) -> None:
        """The worker makes the draw later, but the button already names the round."""
        last = {"format": "knockout", "takes": "top", "count": 2}
        names = {number: tuple(f"{side} {make_name(number)}" for side in "AB") for number in range(1, LARGE + 1)}
        crowd = Night([{"format": "random", "rounds": 1}, last], names)
        assert is_large_event(crowd.event)
        drawn = start_next_round(crowd.event)
        for number in drawn.tables.values_list("number", flat=True):
            forfeit_table(event_id=crowd.event.pk, number=1, table=number, winner=Side.A)
        close_round(event_id=crowd.event.pk, number=1)
        page = crowd.open_desk()
        button = next(one for one in page.find_all("button") if "Draw" in one.text)
        assert button.text == "Draw the final"
        crowd.browser.send(page, page.find_form("/desk/draw"))
        assert crowd.event.rounds.count() == 1
        assert Job.objects.filter(kind="draw", topic=crowd.event.topic).exists()

    @pytest.mark.long
    def test_final_and_third_place_match_are_named_separately(self) -> None:
        cup = build_cup()
        cup.play(4)
        assert "Draw the final and the third-place match" in cup.open_desk().text
        start_next_round(cup.event)
        for page in (cup.open_desk(), cup.open_public_page("/rounds/5"), cup.open_public_page("/board")):
            assert "Third-place match" in page.text
        assert {row["match"] for row in cup.read_rows(".json?round=5")} == {"Final", "Third-place match"}

    @pytest.mark.long
    def test_match_labels_are_translated_to_french(self) -> None:
        cup = build_cup()
        cup.play(4)
        start_next_round(cup.event)
        page = cup.visitor.open(f"/fr{cup.path}/rounds/5")
        assert "Finale · Ronde 5" in page.text
        assert "Match pour la troisième place" in page.text

    @pytest.mark.long
    def test_double_elimination_brackets_are_named_separately(self) -> None:
        double = Night([{"format": "double_elimination"}], build_player_names(4))
        double.play(1)
        assert "Draw the winners’ bracket and the losers’ bracket" in double.open_desk().text
        start_next_round(double.event)
        for page in (double.open_desk(), double.open_public_page("/rounds/2"), double.open_public_page("/board")):
            assert "Winners’ bracket" in page.text
            assert "Losers’ bracket" in page.text


class TestParallelStages:
    """Four entries play for the first places, and four others beside them."""

    def build_finals(self, **named: str) -> Night:
        first = {"format": "knockout", "takes": "pool_top", "count": 2, "name": named.get("first", "")}
        other = {"format": "knockout", "takes": "pool_top", "count": 2, "first": 3, "beside": True}
        other |= {"name": named.get("other", "")}
        night = Night((POOLS_THEN_KNOCKOUT[0], first, other), build_player_names(8))
        night.play(3)
        return night

    @pytest.mark.long
    def test_parallel_stages_are_labelled_with_letters(self) -> None:
        night = self.build_finals()
        assert "Draw the semifinals A and the semifinals B" in night.open_desk().text
        night.play(1)
        start_next_round(night.event)
        compute_standings(night.event)
        pages = [
            night.open_desk(),
            night.open_public_page(),
            night.open_public_page("/rounds/5"),
            night.open_public_page("/board"),
        ]
        pages += [night.open_desk("/rounds/5"), night.open_desk("/print/round?round=5")]
        for page in pages:
            assert "Final A" in page.text
            assert "Final B" in page.text
        assert {row["match"] for row in night.read_rows(".json?round=5")} == {"Final A", "Final B"}
        assert "Finale B" in night.visitor.open(f"/fr{night.path}/rounds/5").text
        for paper, number in ((Paper.CHARTS, 0), (Paper.SHEETS, 5)):
            order = Order(paper=paper, of=night.event.pk, language="en", round=number)
            printed = str(document_of(order).items)
            assert "Final A" in printed
            assert "Final B" in printed

    @pytest.mark.long
    def test_parallel_stages_use_the_director_names(self) -> None:
        night = self.build_finals(first="Gold", other="Silver")
        assert "Draw Gold and Silver" in night.open_desk().text
        night.play(1)
        start_next_round(night.event)
        compute_standings(night.event)
        for page in (night.open_desk(), night.open_public_page("/rounds/5"), night.open_public_page("/board")):
            assert "Gold · Final" in page.text
            assert "Silver · Final" in page.text
        assert [one.text for one in night.open_public_page("/charts").find_all("h2")][:3] == [
            "Gold",
            "Silver",
            "Stage 1",
        ]

    @pytest.mark.long
    def test_parallel_stage_charts_have_unique_ids(self) -> None:
        night = self.build_finals()
        night.play(2)
        for path in ("", "/charts", "/standings", "/board"):
            page = night.open_public_page(path)
            assert sorted(page.ids) == sorted(set(page.ids)), path
            assert not page.list_broken_targets(), path
        titles = [one.text for one in night.open_public_page("/charts").find_all("h2")]
        assert titles[:3] == ["Final A", "Final B", "Stage 1"]

    def test_stages_cannot_share_a_name(self) -> None:
        stages = (*POOLS_THEN_KNOCKOUT, {"format": "knockout", "takes": "ranked", "first": 5})
        named = [{**stage, "name": "Gold"} for stage in stages[1:]]
        assert get_refusal_code(parse_stage_plan, [stages[0], *named]) == "stage_name_taken"
        assert get_refusal(parse_stage_plan, [{**stages[0], "name": "x" * 41}]).field == "stages.0.name"


@pytest.mark.long
class TestBracketProgress:
    @pytest.mark.snapshot
    def test_standings_mark_the_qualifiers_of_a_played_pool(self) -> None:
        cup = build_cup()
        start_next_round(cup.event)
        compute_standings(cup.event)
        assert "qualified" not in cup.open_public_page().text
        play_round(cup.event, 1)
        compute_standings(cup.event)
        page = cup.open_public_page()
        assert len(list(page.find_all("th", class_="qualified"))) == 4
        assert "in a qualifying place" in page.text

    def test_bracket_place_is_open_while_the_entry_can_win(self) -> None:
        knockout = Night([{"format": "knockout"}], build_player_names(4))
        knockout.play(1)
        figures = [row["bracket"] for row in knockout.read_rows("/standings.json")]
        assert figures == [None, None, 3, 3]
        assert knockout.open_public_page("/standings").text.count("still in") == 2
        knockout.play(1)
        assert [row["bracket"] for row in knockout.read_rows("/standings.json")] == [1, 2, 3, 3]
        assert "still in" not in knockout.open_public_page("/standings").text

    def test_bracket_place_is_open_before_the_third_place_match(self) -> None:
        knockout = Night([{"format": "knockout", "settings": {"places": "third"}}], build_player_names(4))
        knockout.play(1)
        assert [row["bracket"] for row in knockout.read_rows("/standings.json")] == [None] * 4
        assert knockout.open_public_page("/standings").text.count("still in") == 4
        knockout.play(1)
        assert [row["bracket"] for row in knockout.read_rows("/standings.json")] == [1, 2, 3, 4]

    def test_withdrawn_entry_has_no_open_bracket_place(self) -> None:
        knockout = Night([{"format": "knockout"}], build_player_names(4))
        knockout.play(1)
        gone = knockout.read_rows("/standings.json")[0]["entry"]
        withdraw_entry(event_id=knockout.event.pk, number=gone)
        compute_standings(knockout.event)
        assert knockout.open_public_page("/standings").text.count("still in") == 0  # walkover in the final
        assert knockout.open_public_page("/board").text.count("still in") == 0

    def test_standings_show_the_bracket_column_only_once_reached(self) -> None:
        cup = build_cup()
        cup.play(2)
        assert "bracket" not in cup.read_rows("/standings.json")[0]
        cup.play(2)
        assert {row["bracket"] for row in cup.read_rows("/standings.json")} == {None}


class TestInterclubMatches:
    def test_round_page_shows_club_meetings_and_their_results(self) -> None:
        night = Night(INTERCLUB, build_player_names(6), THREE_CLUBS)
        drawn = start_next_round(night.event)
        first, second = matches_of(night.event, drawn.number)
        assert " – " in night.open_desk().text
        win(first, "A")
        win(second, "B")
        close_round(event_id=night.event.pk, number=drawn.number)
        for page in (night.open_desk(), night.open_public_page(f"/rounds/{drawn.number}")):
            assert any("1–1" in one.text for one in page.find_all("p", class_="meeting"))

    @pytest.mark.snapshot
    def test_club_standings_rank_by_meetings_without_bye_points(self) -> None:
        night = Night(INTERCLUB, build_player_names(6), THREE_CLUBS)
        drawn = start_next_round(night.event)
        for match in matches_of(night.event, drawn.number):
            win(match)
        close_round(event_id=night.event.pk, number=drawn.number)
        compute_standings(night.event)
        rows = {row["club"]: row for row in night.read_rows("/clubs.json")}
        points = {club: (row["club_match_points"], row["club_game_points"]) for club, row in rows.items()}
        assert sum(row["club_difference"] for row in rows.values()) == 0
        by_rank = sorted(rows.values(), key=lambda row: row["rank"])
        merits = [[row[f"club_{by}"] for by in ("match_points", "game_points", "difference")] for row in by_rank]
        assert merits == sorted(merits, reverse=True), "what parts two clubs is in the file"
        playing = {one for _, clubs in _list_meeting_clubs(night) for one in clubs}
        (resting,) = set(THREE_CLUBS.values()) - playing
        assert points[resting] == (0, 0)
        assert sum(match for match, _ in points.values()) == 2
        assert sum(game for _, game in points.values()) == 2
        paper = document_of(Order(paper=Paper.CLUBS, of=night.event.pk, language="en"))
        assert any("2–0" in item["cells"][2] or "1–1" in item["cells"][2] for item in paper.items)
        figures = [[int(cell.replace("−", "-")) for cell in item["cells"][3:]] for item in paper.items]
        assert figures == sorted(figures, reverse=True), "what parts two clubs is shown"
        page = night.open_public_page()
        assert "Game points" in page.text
        assert "difference, then points" in page.text
        assert night.browser.open(f"{night.path}/desk/standings").find_one(id="clubs-title")

    @pytest.mark.snapshot
    def test_club_standings_rank_by_sums_without_meetings(self) -> None:
        night = Night([{"format": "swiss"}], build_player_names(6), THREE_CLUBS)
        night.play(1)
        assert "Game points" not in night.open_public_page().text
        assert "club_match_points" not in night.read_rows("/clubs.json")[0]


def _list_meeting_clubs(night: Night) -> list[tuple[str, list[str]]]:
    rows = night.read_rows(".json?round=1")
    return [(row["match"], row["match"].split(" – ")) for row in rows if row["match"]]


class TestNamesakes:
    @pytest.mark.long
    def test_namesakes_are_distinguished_on_every_page(self) -> None:
        night = Night([{"format": "random"}], NAMESAKES)
        draw_round(event_id=night.event.pk, seed=1)
        draft = night.open_desk().text
        start_next_round(night.event)
        for text in (draft, night.open_desk().text):
            assert "Claire Dumont and Luc Gauthier" in text
            assert "Carl Dumont and Lise Gauthier" in text
            assert "Roy and Dubé" in text
        for page in (night.open_public_page(), night.open_public_page("/rounds/1"), night.open_public_page("/board")):
            assert "Claire D. and Luc G." in page.text or "Claire\u00a0D. and Luc\u00a0G." in page.text

    @pytest.mark.parametrize(
        ("draw_format", "namesakes", "full_name"),
        [
            ("rotation", [("Luc Ouellet",), ("Rita Ouellet",)], "R. Ouellet"),
            ("swiss", [("Luc Roy", "Guy Cyr"), ("Rita Roy", "Anne Cyr")], "Rita Roy and Anne Cyr"),
        ],
    )
    def test_short_names_differ_from_those_who_sit_out(
        self, draw_format: str, namesakes: Sequence[tuple[str, ...]], full_name: str
    ) -> None:
        others = build_player_names(3, size=len(namesakes[0]))
        entries = dict(enumerate([*namesakes, *others.values()], start=1))
        night = Night([{"format": draw_format}], entries)
        withdraw_entry(event_id=night.event.pk, number=1)
        draw_round(event_id=night.event.pk, seed=1)
        draft = night.open_desk()
        publish_round(event_id=night.event.pk, number=1)
        for page in (draft, night.open_desk()):
            assert full_name in page.text

    @pytest.mark.long
    def test_identical_public_names_get_entry_numbers(self) -> None:
        entries = NAMESAKES | {2: ("Claire Dufour", "Luc Gagnon")}
        night = Night([{"format": "random"}], entries)
        start_next_round(night.event)
        play_round(night.event, 1)
        compute_standings(night.event)
        for page in (
            night.open_public_page(),
            night.open_public_page("/rounds/1"),
            night.open_public_page("/board"),
            night.open_public_page("/standings"),
        ):
            text = page.text.replace("\u00a0", " ")
            assert "Claire D. and Luc G. (no. 1)" in text
            assert "Claire D. and Luc G. (no. 2)" in text
            assert "(no. 3)" not in text
        names = [row["names"] for row in night.read_rows("/standings.json")]
        assert len(set(names)) == 4

    def test_files_identify_entries_by_number_and_id(self) -> None:
        night = Night([{"format": "random"}], NAMESAKES)
        night.play(1)
        ids = dict(night.event.entries.values_list("number", "pk"))
        (first, second) = night.read_rows(".json?round=1")
        seated = {row[f"entry_{side}"]: row[f"entry_id_{side}"] for row in (first, second) for side in "ab"}
        assert seated == ids
        for path in ("/standings.json", "/entries.json", "/desk/entries.json", "/desk/print/standings.json"):
            assert {row["entry"]: row["entry_id"] for row in night.read_rows(path)} == ids, path


@pytest.mark.long
class TestDraftLine:
    def test_draft_line_shows_what_is_unusual(self) -> None:
        night = Night([{"format": "swiss"}], build_player_names(4), {1: "Matane"})
        night.event.entries.filter(number=1).update(rating=1507)
        night.play(3)
        draw_round(event_id=night.event.pk, seed=1)
        lines = list(night.open_desk().find_one("main").find_all("summary"))
        assert len(lines) == 2
        assert any("Matane · 1507" in line.text for line in lines)
        assert all("et in round" in line.text for line in lines)
        assert all("qual scores" not in line.text for line in lines)
        assert "won" in lines[0].text

    def test_individual_draft_names_the_people_who_met(self) -> None:
        people = {number: names[:1] for number, names in build_player_names(8).items()}
        night = Night([{"format": "swiss_individual"}], people)
        night.play(4)
        draw_round(event_id=night.event.pk, seed=1)
        reasons = [one.text for one in night.open_desk().find_all("li", class_="cost")]
        meeting_reasons = [text for text in reasons if "met in round" in text or "were partners" in text]
        assert meeting_reasons
        assert all(any(name in text for names in people.values() for name in names) for text in meeting_reasons)

    @pytest.mark.snapshot
    def test_draft_page_omits_rank_distance(self) -> None:
        night = Night([{"format": "swiss"}], build_player_names(8))
        night.play(2)
        draw_round(event_id=night.event.pk, seed=1)
        entries = night.event.entries.order_by("number")
        page = night.open_desk(f"/rounds/3/swap?one={entries[0].number}&other={entries[5].number}")
        assert "Distance" not in page.text
        assert "Distance" not in night.open_desk("/rounds/3/comparison").text
