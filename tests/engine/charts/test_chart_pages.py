"""Charts in HTML: visible contents and text alternatives, in both languages."""

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
    add_chart_names,
    add_scores,
    add_stage_names,
    build_cross_table,
    build_pool_tables,
)
from engine.draws import EntryId, PlayedPairing
from rules import Side
from tests.engine.draws.bracket_events import favourite_wins, play, start
from tests.engine.draws.events import build_bye, build_pairing
from tests.support.markup import Element, parse_html
from tournaments.rounds.chart_labels import PARTS, RESULTS, ROUNDS, slot_name

from .events import build_chart, chart_after, list_slots

NAMES: Mapping[EntryId, str] = {EntryId(number): f"Pair <{number}>" for number in range(1, 41)}


def render_bracket(chart: BracketChart) -> Element:
    return parse_html(
        render_to_string("tournaments/standings/charts/bracket.html", {"chart": add_chart_names(chart, NAMES)})
    )


def render_pools(tables: Sequence[CrossTable]) -> Element:
    charts = [add_chart_names(table, NAMES) for table in tables]
    return parse_html(render_to_string("tournaments/standings/charts/pools.html", {"charts": charts}))


def list_matches(page: Element) -> list[str]:
    return [match.text for match in page.find_all("div", class_="match")]


@pytest.mark.parametrize("key", ["knockout", "double_elimination", "consolation"])
@pytest.mark.parametrize("entrants", [2, 5, 6, 8, 13])
@pytest.mark.parametrize("rounds", [0, 1, 2, 30])
def test_bracket_lists_each_match_under_its_part_and_round(key: str, entrants: int, rounds: int) -> None:
    chart = chart_after(key, entrants, rounds=rounds)
    page = render_bracket(chart)
    assert len(list_matches(page)) == sum(slot.number is not None for slot in list_slots(chart))
    assert len(list(page.find_all("h3"))) == len(chart.parts)
    assert len(list(page.find_all("h4"))) == sum(len(part.rounds) for part in chart.parts)


def test_match_text_gives_table_names_and_winner() -> None:
    page = render_bracket(chart_after("knockout", 4, rounds=1))
    assert list_matches(page) == [
        "Match 1 · table 1 Seed 1 Pair <1> , won Seed 4 Pair <4>",
        "Match 2 · table 2 Seed 2 Pair <2> , won Seed 3 Pair <3>",
        "Match 3 Pair <1> Pair <2>",
    ]


def test_undecided_side_names_the_match_that_feeds_it() -> None:
    page = render_bracket(build_chart("double_elimination", start(4)))
    assert "Match 3 Winner of match 1 Winner of match 2" in list_matches(page)
    assert "Match 4 Loser of match 1 Loser of match 2" in list_matches(page)
    assert [heading.text for heading in page.find_all("h3")] == ["Winners’ bracket", "Losers’ bracket", "Finals"]
    assert any(match.startswith("Match 7 · if needed") for match in list_matches(page))


def test_bye_forfeit_and_unplayed_match_are_labelled() -> None:
    assert render_bracket(build_chart("knockout", start(3))).find_one("p", class_="bye").text == "Seed 1 Pair <1> bye"
    event = play("knockout", start(4, {1: {"leaves_after": 1}}))
    last = list_matches(render_bracket(build_chart("knockout", event.draw_input, event.history)))[-1]
    assert last == "Match 3 · by forfeit Pair <1> Pair <2> , won"
    assert list_matches(render_bracket(chart_after("double_elimination", 4)))[-1] == "Match 7 · not played"


def test_knockout_rounds_and_place_matches_have_headings() -> None:
    page = render_bracket(build_chart("knockout", start(8, places="all")))
    assert [heading.text for heading in page.find_all("h3")] == [
        "Bracket",
        "Third-place match",
        "For places 5 to 8",
        "For places 7 to 8",
    ]
    first = next(page.find_all("section"))
    assert [heading.text.split("Round")[0].strip() for heading in first.find_all("h4")] == [
        "Quarter-finals",
        "Semifinals",
        "Final",
    ]


def test_wide_chart_scrolls_in_a_labelled_keyboard_focusable_region() -> None:
    table = build_cross_table([EntryId(1), EntryId(2)], ())
    for page in (render_bracket(build_chart("knockout", start(8))), render_pools([table])):
        region = page.find_one("div", class_="wide")
        assert (region.attrs["role"], region.attrs["tabindex"]) == ("region", "0")
        assert region.attrs["aria-label"]


def test_connecting_lines_are_hidden_from_screen_readers() -> None:
    page = render_bracket(build_chart("knockout", start(8)))
    (drawing,) = (svg for svg in page.find_all("svg") if svg.attrs.get("viewbox"))
    assert drawing.attrs["aria-hidden"] == "true"
    (line,) = drawing.find_all("path")
    assert re.fullmatch(r"(M\d+ \d+H\d+V\d+H\d+)+", line.attrs["d"])


@pytest.mark.parametrize("language", ["en", "fr"])
def test_numbers_in_styles_do_not_depend_on_the_language(language: str) -> None:
    with translation.override(language):
        page = render_bracket(build_chart("knockout", start(40)))
    for item in page.find_all("li"):
        assert re.fullmatch(r"(grid-row: \d+ / span \d+)?", item.attrs.get("style", ""))


def test_chart_does_not_use_table_side_colours() -> None:
    page = render_bracket(chart_after("knockout", 8))
    assert not [*page.find_all(class_="blue"), *page.find_all(class_="orange")]


def list_row_texts(table: Element) -> list[list[str]]:
    return [[cell.text for cell in row.find_all("th", "td")] for row in table.find_one("tbody").find_all("tr")]


def test_cross_table_cell_has_a_text_alternative_for_its_letter() -> None:
    history = [
        replace(build_pairing(1, 1, 2), winner=Side.A),
        replace(build_pairing(2, 1, 2), winner=Side.B, is_forfeit=True),
        build_pairing(3, 1, 3),
        build_bye(1, 3),
    ]
    page = render_pools([build_cross_table([EntryId(1), EntryId(2), EntryId(3)], history)])
    assert list_row_texts(page.find_one("table")) == [
        ["1 Pair <1>", "", "W 1 won, round 1 L f 2 lost, round 2, by forfeit", "D 3 drawn, round 3", ""],
        ["2 Pair <2>", "L 1 lost, round 1 W f 2 won, round 2, by forfeit", "", "", ""],
        ["3 Pair <3>", "D 3 drawn, round 3", "", "", "1"],
    ]
    columns = [head.text for head in page.find_one("thead").find_all("th")]
    assert columns == ["1 Pair <1>", "2 Pair <2>", "3 Pair <3>", "Byes"]


def test_each_pool_has_a_heading_and_pending_matches_show_their_round() -> None:
    event = play("pools", start(8, pools=2), favourite_wins, rounds=2)
    page = render_pools(build_pool_tables({"pools": 2}, event.draw_input.entrants, event.history))
    assert [heading.text for heading in page.find_all("h3")] == ["Pool A", "Pool B"]
    assert page.text.count("to play, round 3") == 8


def test_empty_pool_list_renders_no_legend() -> None:
    assert render_pools([]).text == ""


def test_every_part_round_and_result_kind_has_a_label() -> None:
    assert set(PARTS) == set(PartKind)
    assert set(ROUNDS) == set(RoundKind)
    assert set(RESULTS) == set(MeetingResult)


def test_slot_name_fits_on_one_line() -> None:
    chart = build_chart("double_elimination", start(8))
    assert slot_name(chart, "W2-1") == "Winners’ bracket · Round 2 · Match 5"
    assert slot_name(chart, "X9-1") == ""


def test_stage_chart_receives_all_its_names_at_once() -> None:
    history: list[PlayedPairing] = [replace(build_pairing(1, 1, 2), winner=Side.A)]
    chart = StageChart(
        stage=0,
        format="knockout",
        bracket=build_chart("knockout", start(2)),
        tables=(build_cross_table([EntryId(1), EntryId(2)], history),),
    )
    found = add_stage_names(chart, NAMES)
    assert found.bracket is not None
    assert [side.name for slot in list_slots(found.bracket) for side in slot.sides] == ["Pair <1>", "Pair <2>"]
    assert [row.name for row in found.tables[0].rows] == ["Pair <1>", "Pair <2>"]
    assert add_stage_names(replace(chart, bracket=None), NAMES).bracket is None


@pytest.mark.slow
def test_event_chart_shows_scores_and_links() -> None:
    one, other = EntryId(1), EntryId(2)
    history: list[PlayedPairing] = [replace(build_pairing(1, 1, 2), table=1, winner=Side.A)]
    chart = StageChart(
        stage=0,
        format="knockout",
        bracket=chart_after("knockout", 2),
        tables=(build_cross_table([one, other], history),),
    )
    scored = add_scores(chart, {(1, 1): {one: (32, 12), other: (12, 32)}})
    found = add_stage_names(scored, NAMES, {one: 7, other: 8})
    context = {"event": {"short": "cup"}, "chart": found.bracket, "charts": found.tables}
    drawn = parse_html(render_to_string("tournaments/standings/charts/bracket.html", context))
    assert list_matches(drawn) == ["Match 1 · table 1 Seed 1 Pair <1> 32 , won Seed 2 Pair <2> 12"]
    paths = [link.attrs["href"] for link in drawn.find_all("a")]
    assert paths == ["/e/cup/rounds/1/tables/1", "/e/cup/standings/7", "/e/cup/standings/8"]
    crossed = parse_html(render_to_string("tournaments/standings/charts/pools.html", context))
    assert [(link.attrs["href"], link.text) for link in crossed.find_all("a")] == [
        ("/e/cup/standings/7", "Pair <1>"),
        ("/e/cup/rounds/1/tables/1", "W 1 32–12 Pair <1> against Pair <2>: won 32–12, round 1"),
        ("/e/cup/standings/8", "Pair <2>"),
        ("/e/cup/rounds/1/tables/1", "L 1 12–32 Pair <2> against Pair <1>: lost 12–32, round 1"),
    ]
