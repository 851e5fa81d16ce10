"""Proposals as stored and shown: ordered by the chosen priority, described in words, with accessible plots."""

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
    build_choices,
    find_candidates,
    list_exclusions,
    proposals_from_json,
    proposals_to_json,
)
from engine.planning.pool_finals import KINDS
from engine.planning.shapes import list_all_shapes, list_shapes
from rules import RULESETS, MatchFormat
from tests.support.markup import parse_html
from tournaments.planner.labels import DECIDES, ORDERS, PLANS, REASONS, describe_byes, describe_exclusion, match_length
from tournaments.planner.labels import MATTERS as MATTERS_IN_WORDS
from tournaments.planner.refusals import REFUSALS
from wording.sentences import merge_answers

from .test_candidates import simulate_forecast

QUESTION = PlanQuestion(people=32, tables=8, minutes=180, begins=19 * 60, ruleset="maine")


@cache
def list_forecasts() -> list[tuple[Proposal, Forecast]]:
    """Return the proposals and forecasts for the question; simulate them at the first call."""
    return [(proposal, simulate_forecast(proposal, QUESTION, runs=10)) for proposal in find_candidates(QUESTION)]


def render_forecasts(**more: Any) -> str:
    context = {"question": QUESTION, "choices": build_choices(QUESTION, list_forecasts()), "make": "/make", **more}
    with translation.override("en"):
        return render_to_string("tournaments/planner/proposals.html", context)


@pytest.mark.slow
def test_proposals_survive_a_json_round_trip() -> None:
    assert proposals_from_json(json.loads(json.dumps(proposals_to_json(list_forecasts())))) == tuple(list_forecasts())


@pytest.mark.parametrize(
    ("matters", "value"),
    [
        ("everybody_plays", lambda found: found.fewest_matches / found.rounds),
        ("strongest_wins", lambda found: found.strongest),
        ("meet_many", lambda found: found.mean_opponents),
    ],
)
def test_chosen_priority_orders_the_plans_that_end_in_time(matters: str, value: Any) -> None:
    listed = build_choices(replace(QUESTION, matters=matters), list_forecasts())
    assert sorted(each.place for each in listed) == list(range(len(list_forecasts())))
    keys = [(each.is_in_time, value(each.forecast)) for each in listed]
    assert keys == sorted(keys, reverse=True)


def test_plan_that_may_end_late_is_listed_last_with_a_warning() -> None:
    late = replace(list_forecasts()[0][1], finishing=(170, 200, 210))
    listed = build_choices(QUESTION, [(list_forecasts()[0][0], late), *list_forecasts()[1:2]])
    assert [each.is_in_time for each in listed] == [True, False]
    assert "It may end late." in render_forecasts(choices=listed)
    assert "It may end late." not in render_forecasts(choices=listed[:1])


def test_each_proposal_shows_its_end_time_and_a_create_button() -> None:
    page = render_forecasts()
    best = build_choices(QUESTION, list_forecasts())[0]
    assert page.count("Create this event") == len(list_forecasts())
    assert re.findall(r'name="place" value="(\d+)"', page)[0] == str(best.place)
    assert 'action="/make"' in page
    hour, minute = divmod(19 * 60 + best.forecast.median, 60)
    assert f"{hour - 12}:{minute:02}\u00a0PM" in page


def test_comparison_table_has_a_column_for_each_proposal() -> None:
    page = parse_html(render_forecasts())
    table = page.find_one("table")
    listed = build_choices(QUESTION, list_forecasts())
    heads = [head.find_one("a") for head in table.find_one("thead").find_all("th")]
    assert [head.attrs["href"] for head in heads] == [f"#proposal-{choice.place}" for choice in listed]
    rows = {
        row.find_one("th").text: [cell.text for cell in row.find_all("td")]
        for row in table.find_one("tbody").find_all("tr")
    }
    assert rows["Rounds"] == [str(choice.proposal.rounds) for choice in listed]
    assert set(rows["Tables"]) == {"8"}
    assert rows.keys() >= {"Result", "Match length", "Likely end", "Byes per entry"}
    assert all(all(cells) and len(cells) == len(listed) for cells in rows.values())


def test_every_plot_has_an_accessible_name_and_no_side_colour() -> None:
    page = render_forecasts()
    assert page.count("<svg") == 3 * len(list_forecasts())
    for reference in re.findall(r'<svg[^>]*aria-labelledby="([^"]+)"', page):
        assert page.count(f'id="{reference}"') == 1
    assert "<script" not in page
    assert not re.search(r"style=|blue|orange|#[0-9a-fA-F]{3}", page)


def test_plot_bars_stay_within_the_plot() -> None:
    for choice in build_choices(QUESTION, list_forecasts()):
        plot = choice.finishing
        assert max(bar.height for bar in plot.bars) == plot.height
        for bar in plot.bars:
            assert 0 <= bar.x <= plot.width - plot.bar_width
            assert bar.y + bar.height == plot.height
        assert 0 <= plot.median <= plot.ninety <= plot.width
        assert 0 <= plot.limit <= plot.width


def test_rendered_bars_match_their_computed_size() -> None:
    listed = build_choices(QUESTION, list_forecasts())
    page = parse_html(render_forecasts(choices=listed))
    for choice in listed:
        drawn = page.find_one("svg", **{"aria-labelledby": f"finishing-{choice.place}"})
        assert [{name: float(value) for name, value in bar.attrs.items()} for bar in drawn.find_all("rect")] == [
            {"x": bar.x, "y": bar.y, "width": choice.finishing.bar_width, "height": bar.height}
            for bar in choice.finishing.bars
        ]


def test_plots_of_a_page_share_the_same_limit_line() -> None:
    assert len({choice.finishing.limit for choice in build_choices(QUESTION, list_forecasts())}) == 1


def test_single_run_has_a_plot() -> None:
    (choice,) = build_choices(
        QUESTION, [(list_forecasts()[0][0], replace(list_forecasts()[0][1], finishing=(QUESTION.minutes,)))]
    )
    assert len(choice.finishing.bars) == 1


@pytest.mark.parametrize(
    ("people", "minutes", "sentence"),
    [
        (32, 180, "Pools, then finals A and B: at least 6 rounds, 3 h 33 min. You have 3 h."),
        (32, 180, "Round robin: 14 entries at most. You have 16."),
        (12, 180, "Swiss, then finals: at least 10 entries. You have 6."),
        (76, 480, "Pools, then pools by rank: 38 entries cannot be split into pools and finals of 3 to 7."),
        (32, 480, "Double elimination: fits, but only 8 formats are simulated."),
    ],
)
def test_format_that_is_left_out_says_by_which_figure(people: int, minutes: int, sentence: str) -> None:
    question = replace(QUESTION, people=people, tables=people // 4, minutes=minutes)
    with translation.override("en"):
        left_out = [
            describe_exclusion(each, question).replace("\N{NO-BREAK SPACE}", " ") for each in list_exclusions(question)
        ]
    assert sentence in left_out


@pytest.mark.slow
@pytest.mark.parametrize("partners", ["fixed", "drawn"])
def test_format_left_out_for_time_fits_the_minutes_that_it_takes(partners: str) -> None:
    question = replace(QUESTION, partners=partners, minutes=30)
    too_long = [each for each in list_exclusions(question) if each.reason == "too_long"]
    assert too_long
    for exclusion in too_long:
        for minutes, is_too_long in ((exclusion.details["minutes"], False), (exclusion.details["minutes"] - 2, True)):
            asked = replace(question, minutes=minutes)
            left_out = {each.key for each in list_exclusions(asked) if each.reason == "too_long"}
            assert (exclusion.key in left_out) is is_too_long, (exclusion, minutes)


@pytest.mark.slow
def test_every_format_is_proposed_or_left_out() -> None:
    left_out = list_exclusions(QUESTION)
    proposed = {proposal.key for proposal, _ in list_forecasts()}
    assert proposed.isdisjoint(each.key for each in left_out)
    assert proposed | {each.key for each in left_out} >= {*KINDS} | {
        shape.key for shape in list_all_shapes(has_drawn_partners=False)
    }
    assert "Formats left out" in render_forecasts(left_out=left_out)


def test_every_plan_reason_and_refusal_has_words() -> None:
    keys = {
        shape.key for n in (4, 10, 100) for drawn in (True, False) for shape in list_shapes(n, has_drawn_partners=drawn)
    }
    assert keys | {*KINDS} == set(PLANS) == set(DECIDES)
    assert set(MATTERS) == set(MATTERS_IN_WORDS) == set(ORDERS)
    codes = {
        each.why.key
        for matters in MATTERS
        for each in build_choices(replace(QUESTION, matters=matters), list_forecasts())
    }
    assert codes == set(REASONS)
    assert all(str(each.sentence).endswith(".") for each in merge_answers(REFUSALS).values())


@pytest.mark.parametrize(
    ("match_format", "expected_text"),
    [
        (MatchFormat(games_to_win=1), "1 game to 21"),
        (MatchFormat(games_to_win=2), "2 games won to 21"),
        (MatchFormat(hands=8), "8 hands"),
        (MatchFormat(minutes=30), "30 minutes"),
    ],
)
def test_match_length_is_described_in_words(match_format: MatchFormat, expected_text: str) -> None:
    assert RULESETS[QUESTION.ruleset].target == 21
    with translation.override("en"):
        assert match_length(match_format, QUESTION) == expected_text


@pytest.mark.parametrize(("fewest", "most", "expected_text"), [(0, 0, "none"), (1, 1, "1"), (0, 2, "0 to 2")])
def test_byes_are_described_in_words(fewest: int, most: int, expected_text: str) -> None:
    other: Forecast = replace(list_forecasts()[0][1], fewest_byes=fewest, most_byes=most)
    with translation.override("en"):
        assert describe_byes(other) == expected_text
