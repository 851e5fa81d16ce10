"""Charts in HTML: what a reader finds, with and without eyes, in either language."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from engine.charts import (
    BracketChart,
    CrossTable,
    MeetingResult,
    PartKind,
    RoundKind,
    StageChart,
    chart_with_names,
    cross_table,
    named_stage,
    pool_tables,
    scored_stage,
)
from engine.draws import EntryId, PlayedPairing
from rules import Side
from tests.engine.draws.bracket_events import favourites, play, start
from tests.engine.draws.events import met, sat_out
from tests.support.markup import Element, read
from wording.labels.charts import PARTS, RESULTS, ROUNDS, slot_name

from .events import chart_after, charted, slots

NAMES: Mapping[EntryId, str] = {EntryId(number): f"Pair <{number}>" for number in range(1, 41)}


def bracket(chart: BracketChart) -> Element:
    return read(
        render_to_string(
            "tournaments/standings/charts/bracket.html", {"chart": chart_with_names(chart, NAMES)}
        )
    )


def pools(tables: Sequence[CrossTable]) -> Element:
    charts = [chart_with_names(table, NAMES) for table in tables]
    return read(render_to_string("tournaments/standings/charts/pools.html", {"charts": charts}))


def matches(page: Element) -> list[str]:
    return [match.text for match in page.every("div", class_="match")]


@pytest.mark.parametrize("key", ["knockout", "double_elimination", "consolation"])
@pytest.mark.parametrize("entrants", [2, 5, 6, 8, 13])
@pytest.mark.parametrize("rounds", [0, 1, 2, 30])
def test_a_bracket_has_a_line_for_each_match_in_its_part_and_its_round(
    key: str, entrants: int, rounds: int
) -> None:
    chart = chart_after(key, entrants, rounds=rounds)
    page = bracket(chart)
    assert len(matches(page)) == sum(slot.number is not None for slot in slots(chart))
    assert len(list(page.every("h3"))) == len(chart.parts)
    assert len(list(page.every("h4"))) == sum(len(part.rounds) for part in chart.parts)


def test_a_match_is_read_as_table_names_and_who_won() -> None:
    page = bracket(chart_after("knockout", 4, rounds=1))
    assert matches(page) == [
        "Match 1 · table 1 Seed 1 Pair <1> , won Seed 4 Pair <4>",
        "Match 2 · table 2 Seed 2 Pair <2> , won Seed 3 Pair <3>",
        "Match 3 Pair <1> Pair <2>",
    ]


def test_who_is_still_to_come_is_said_by_the_match() -> None:
    page = bracket(charted("double_elimination", start(4)))
    assert "Match 3 Winner of match 1 Winner of match 2" in matches(page)
    assert "Match 4 Loser of match 1 Loser of match 2" in matches(page)
    assert [heading.text for heading in page.every("h3")] == ["Winners’ bracket", "Losers’ bracket", "Finals"]
    assert any(match.startswith("Match 7 · if needed") for match in matches(page))


def test_a_bye_a_forfeit_and_a_match_not_played_say_so() -> None:
    assert bracket(charted("knockout", start(3))).one("p", class_="bye").text == "Seed 1 Pair <1> · bye"
    event = play("knockout", start(4, {1: {"leaves_after": 1}}))
    last = matches(bracket(charted("knockout", event.after, event.history)))[-1]
    assert last == "Match 3 · by forfeit Pair <1> Pair <2> , won"
    assert matches(bracket(chart_after("double_elimination", 4)))[-1] == "Match 7 · not played"


def test_the_rounds_of_a_knockout_are_named_and_places_too() -> None:
    page = bracket(charted("knockout", start(8, places="all")))
    assert [heading.text for heading in page.every("h3")] == [
        "Bracket",
        "Third-place match",
        "For places 5 to 8",
        "For places 7 to 8",
    ]
    first = next(page.every("section"))
    assert [heading.text.split("Round")[0].strip() for heading in first.every("h4")] == [
        "Quarter-finals",
        "Semifinals",
        "Final",
    ]


def test_what_is_wider_than_a_phone_scrolls_in_a_labelled_region_reached_by_keyboard() -> None:
    table = cross_table([EntryId(1), EntryId(2)], ())
    for page in (bracket(charted("knockout", start(8))), pools([table])):
        region = page.one("div", class_="wide")
        assert (region.attrs["role"], region.attrs["tabindex"]) == ("region", "0")
        assert region.attrs["aria-label"]


def test_the_lines_are_for_eyes_only() -> None:
    page = bracket(charted("knockout", start(8)))
    (drawing,) = (svg for svg in page.every("svg") if svg.attrs.get("viewbox"))
    assert drawing.attrs["aria-hidden"] == "true"
    (line,) = drawing.every("path")
    assert re.fullmatch(r"(M\d+ \d+H\d+V\d+H\d+)+", line.attrs["d"])


@pytest.mark.parametrize("language", ["en", "fr"])
def test_numbers_in_drawings_are_written_for_machines_in_every_language(language: str) -> None:
    with translation.override(language):
        page = bracket(charted("knockout", start(40)))
    for item in page.every("li"):
        assert re.fullmatch(r"(grid-row: \d+ / span \d+)?", item.attrs.get("style", ""))


def test_colours_of_the_sides_of_a_table_are_not_used() -> None:
    page = bracket(chart_after("knockout", 8))
    assert not [*page.every(class_="blue"), *page.every(class_="orange")]


def row_texts(table: Element) -> list[list[str]]:
    return [[cell.text for cell in row.every("th", "td")] for row in table.one("tbody").every("tr")]


def test_a_cell_says_in_words_what_its_letter_means() -> None:
    history = [
        replace(met(1, 1, 2), winner=Side.A),
        replace(met(2, 1, 2), winner=Side.B, is_forfeit=True),
        met(3, 1, 3),
        sat_out(1, 3),
    ]
    page = pools([cross_table([EntryId(1), EntryId(2), EntryId(3)], history)])
    assert row_texts(page.one("table")) == [
        ["1 Pair <1>", "", "W 1 won, round 1 L f 2 lost, round 2, by forfeit", "D 3 drawn, round 3", ""],
        ["2 Pair <2>", "L 1 lost, round 1 W f 2 won, round 2, by forfeit", "", "", ""],
        ["3 Pair <3>", "D 3 drawn, round 3", "", "", "1"],
    ]
    columns = [head.text for head in page.one("thead").every("th")]
    assert columns == ["1 Pair <1>", "2 Pair <2>", "3 Pair <3>", "Byes"]


def test_each_pool_has_a_heading_and_what_is_to_play_its_round() -> None:
    event = play("pools", start(8, pools=2), favourites, rounds=2)
    page = pools(pool_tables({"pools": 2}, event.after.entrants, event.history))
    assert [heading.text for heading in page.every("h3")] == ["Pool A", "Pool B"]
    assert page.text.count("to play, round 3") == 8


def test_without_a_table_there_is_nothing_to_explain() -> None:
    assert pools([]).text == ""


def test_every_part_round_and_result_has_its_words() -> None:
    assert set(PARTS) == set(PartKind)
    assert set(ROUNDS) == set(RoundKind)
    assert set(RESULTS) == set(MeetingResult)


def test_a_slot_is_named_in_one_line() -> None:
    chart = charted("double_elimination", start(8))
    assert slot_name(chart, "W2-1") == "Winners’ bracket · Round 2 · Match 5"
    assert slot_name(chart, "X9-1") == ""


def test_a_stage_gets_all_its_names_at_once() -> None:
    history: list[PlayedPairing] = [replace(met(1, 1, 2), winner=Side.A)]
    chart = StageChart(
        stage=0,
        format="knockout",
        bracket=charted("knockout", start(2)),
        tables=(cross_table([EntryId(1), EntryId(2)], history),),
    )
    found = named_stage(chart, NAMES)
    assert found.bracket is not None
    assert [side.name for slot in slots(found.bracket) for side in slot.sides] == ["Pair <1>", "Pair <2>"]
    assert [row.name for row in found.tables[0].rows] == ["Pair <1>", "Pair <2>"]
    assert named_stage(replace(chart, bracket=None), NAMES).bracket is None


def test_scores_stand_in_cells_and_beside_names_and_with_an_event_everything_leads_on() -> None:
    one, other = EntryId(1), EntryId(2)
    history: list[PlayedPairing] = [replace(met(1, 1, 2), table=1, winner=Side.A)]
    chart = StageChart(
        stage=0,
        format="knockout",
        bracket=chart_after("knockout", 2),
        tables=(cross_table([one, other], history),),
    )
    scored = scored_stage(chart, {(1, 1): {one: (32, 12), other: (12, 32)}})
    found = named_stage(scored, NAMES, {one: 7, other: 8})
    context = {"event": {"short": "cup"}, "chart": found.bracket, "charts": found.tables}
    drawn = read(render_to_string("tournaments/standings/charts/bracket.html", context))
    assert matches(drawn) == ["Match 1 · table 1 Seed 1 Pair <1> 32 , won Seed 2 Pair <2> 12"]
    paths = [link.attrs["href"] for link in drawn.every("a")]
    assert paths == ["/e/cup/rounds/1/tables/1", "/e/cup/standings/7", "/e/cup/standings/8"]
    crossed = read(render_to_string("tournaments/standings/charts/pools.html", context))
    assert [(link.attrs["href"], link.text) for link in crossed.every("a")] == [
        ("/e/cup/standings/7", "Pair <1>"),
        ("/e/cup/rounds/1/tables/1", "W 1 32–12 Pair <1> against Pair <2>: won 32–12, round 1"),
        ("/e/cup/standings/8", "Pair <2>"),
        ("/e/cup/rounds/1/tables/1", "L 1 12–32 Pair <2> against Pair <1>: lost 12–32, round 1"),
    ]
