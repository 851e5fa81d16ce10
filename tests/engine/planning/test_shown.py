"""Proposals as stored and shown: by what matters, in words, with plots that can be read out."""

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from engine.planning import (
    MATTERS,
    Forecast,
    PlanQuestion,
    Proposal,
    candidates,
    choices,
    found_from_json,
    found_to_json,
)
from engine.planning.shapes import shapes
from rules import RULESETS, MatchFormat
from tests.support.markup import read
from tournaments.planner.refusals import REFUSALS
from wording.labels.planning import DECIDES, ORDERS, PLANS, WHYS, byes_told, match_length
from wording.labels.planning import MATTERS as MATTERS_IN_WORDS
from wording.sentences import joined_answers

from .test_candidates import outlook

QUESTION = PlanQuestion(people=32, tables=8, minutes=180, begins=19 * 60, ruleset="maine")


@cache
def found() -> list[tuple[Proposal, Forecast]]:
    """Return what answers the question; worked out when a test first asks."""
    return [(proposal, outlook(proposal, QUESTION, runs=10)) for proposal in candidates(QUESTION)]


def shown(**more: Any) -> str:
    context = {"question": QUESTION, "choices": choices(QUESTION, found()), "make": "/make", **more}
    with translation.override("en"):
        return render_to_string("tournaments/planner/proposals.html", context)


@pytest.mark.slow
def test_what_a_job_keeps_comes_back_whole() -> None:
    assert found_from_json(json.loads(json.dumps(found_to_json(found())))) == tuple(found())


@pytest.mark.parametrize(
    ("matters", "value"),
    [
        ("everybody_plays", lambda found: found.fewest_matches / found.rounds),
        ("strongest_wins", lambda found: found.strongest),
        ("meet_many", lambda found: found.mean_opponents),
    ],
)
def test_what_matters_decides_the_order_among_those_that_end_in_time(matters: str, value: Any) -> None:
    listed = choices(replace(QUESTION, matters=matters), found())
    assert sorted(each.place for each in listed) == list(range(len(found())))
    keys = [(each.is_in_time, value(each.outlook)) for each in listed]
    assert keys == sorted(keys, reverse=True)


def test_a_plan_that_may_end_late_stands_behind_and_says_so() -> None:
    late = replace(found()[0][1], finishing=(170, 200, 210))
    listed = choices(QUESTION, [(found()[0][0], late), *found()[1:2]])
    assert [each.is_in_time for each in listed] == [True, False]
    assert "It may end late." in shown(choices=listed)
    assert "It may end late." not in shown(choices=listed[:1])


def test_each_proposal_says_what_it_is_when_it_ends_and_can_be_made() -> None:
    page = shown()
    best = choices(QUESTION, found())[0]
    assert page.count("Create this event") == len(found())
    assert re.findall(r'name="place" value="(\d+)"', page)[0] == str(best.place)
    assert 'action="/make"' in page
    hour, minute = divmod(19 * 60 + best.outlook.median, 60)
    assert f"{hour - 12}:{minute:02}\u00a0PM" in page


def test_one_table_compares_them_side_by_side() -> None:
    page = read(shown())
    table = page.one("table")
    listed = choices(QUESTION, found())
    heads = [head.one("a") for head in table.one("thead").every("th")]
    assert [head.attrs["href"] for head in heads] == [f"#proposal-{choice.place}" for choice in listed]
    rows = {
        row.one("th").text: [cell.text for cell in row.every("td")] for row in table.one("tbody").every("tr")
    }
    assert rows["Rounds"] == [str(choice.proposal.rounds) for choice in listed]
    assert set(rows["Tables"]) == {"8"}
    assert rows.keys() >= {"Result", "Match length", "Likely end", "Byes per entry"}
    assert all(all(cells) and len(cells) == len(listed) for cells in rows.values())


def test_every_plot_can_be_read_out_and_takes_no_colour_of_a_side() -> None:
    page = shown()
    assert page.count("<svg") == 3 * len(found())
    for reference in re.findall(r'<svg[^>]*aria-labelledby="([^"]+)"', page):
        assert page.count(f'id="{reference}"') == 1
    assert "<script" not in page
    assert not re.search(r"style=|blue|orange|#[0-9a-fA-F]{3}", page)


def test_bars_stand_on_the_line_within_the_plot() -> None:
    for choice in choices(QUESTION, found()):
        plot = choice.finishing
        assert max(bar.height for bar in plot.bars) == plot.height
        for bar in plot.bars:
            assert 0 <= bar.x <= plot.width - plot.bar_width
            assert bar.y + bar.height == plot.height
        assert 0 <= plot.median <= plot.ninety <= plot.width
        assert 0 <= plot.limit <= plot.width


def test_bars_are_drawn_as_high_as_they_are() -> None:
    listed = choices(QUESTION, found())
    page = read(shown(choices=listed))
    for choice in listed:
        drawn = page.one("svg", **{"aria-labelledby": f"finishing-{choice.place}"})
        assert [{name: float(value) for name, value in bar.attrs.items()} for bar in drawn.every("rect")] == [
            {"x": bar.x, "y": bar.y, "width": choice.finishing.bar_width, "height": bar.height}
            for bar in choice.finishing.bars
        ]


def test_plots_of_one_page_have_the_same_line() -> None:
    assert len({choice.finishing.limit for choice in choices(QUESTION, found())}) == 1


def test_one_run_has_a_plot_too() -> None:
    (choice,) = choices(QUESTION, [(found()[0][0], replace(found()[0][1], finishing=(QUESTION.minutes,)))])
    assert len(choice.finishing.bars) == 1


def test_everything_has_its_words() -> None:
    keys = {
        shape.key for n in (4, 10, 100) for drawn in (True, False) for shape in shapes(n, are_drawn=drawn)
    }
    assert keys == set(PLANS) == set(DECIDES)
    assert set(MATTERS) == set(MATTERS_IN_WORDS) == set(ORDERS)
    codes = {
        each.why.key for matters in MATTERS for each in choices(replace(QUESTION, matters=matters), found())
    }
    assert codes == set(WHYS)
    assert all(str(each.sentence).endswith(".") for each in joined_answers(REFUSALS).values())


@pytest.mark.parametrize(
    ("match_format", "told"),
    [
        (MatchFormat(games_to_win=1), "1 game to 21"),
        (MatchFormat(games_to_win=2), "2 games won to 21"),
        (MatchFormat(hands=8), "8 hands"),
        (MatchFormat(minutes=30), "30 minutes"),
    ],
)
def test_the_length_of_a_match_is_said_in_words(match_format: MatchFormat, told: str) -> None:
    assert RULESETS[QUESTION.ruleset].target == 21
    with translation.override("en"):
        assert match_length(match_format, QUESTION) == told


@pytest.mark.parametrize(("fewest", "most", "told"), [(0, 0, "none"), (1, 1, "1"), (0, 2, "0 to 2")])
def test_byes_are_said_in_words(fewest: int, most: int, told: str) -> None:
    other: Forecast = replace(found()[0][1], fewest_byes=fewest, most_byes=most)
    with translation.override("en"):
        assert byes_told(other) == told
