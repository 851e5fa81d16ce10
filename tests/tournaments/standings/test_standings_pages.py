"""Pages of standings: each rank opens to show its reasons."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Person
from engine.ranking import CHOICES
from rules import BAS_SAINT_LAURENT
from tests.builders import (
    TWO_GAMES,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
    reload_match,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.markup import Element
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Entry, Event
from tournaments.rounds.services.rounds import draw_round
from tournaments.standings.labels import METRIC_NAMES, METRIC_SENTENCES, METRIC_SHORT
from tournaments.standings.presenters.table import MAX_COLUMNS, list_metric_columns

pytestmark = pytest.mark.django_db


def set_ranking(event: Event, *order: str, **rules: Any) -> Event:
    event.ranking = {"order": list(order)} | rules
    event.save(update_fields=["ranking"])
    return event


def open_standings(event: Event, **query: str) -> Page:
    return Page(Browser().client.get(f"/e/{event.short}/standings", query))


def list_lines(page: Page) -> list[str]:
    """Return the text of each row while it is closed."""
    rows = page.find_one("div", class_="standings").find_all("summary")
    return [row.text for row in rows if row.attrs["id"].startswith("entry-")]


def get_headings(page: Page) -> dict[str, str]:
    """Return the explanation under each column heading."""
    head = page.find_one("div", class_="standings-head")
    return {each.find_one("summary").text: each.find_one("p").text for each in head.find_all("details")}


def open_reasons(event: Event, entry: int, **query: str) -> Page:
    """Compute the standings, and return the page with the reasons of an entry."""
    compute_standings(event)
    return Page(Browser().client.get(f"/e/{event.short}/standings/{entry}", query))


def open_row_part(event: Event, entry: int) -> Page:
    """Return the part that is loaded into a row when it is opened."""
    client = Browser().client
    return Page(client.get(f"/e/{event.short}/standings/{entry}", headers={"HX-Request": "true"}))


def list_deciding_criteria(page: Page) -> list[str]:
    """Return the highlighted criteria with their values."""
    return [row.text for row in page.find_all("tr", class_="ok")]


def list_counted(page: Page) -> list[str]:
    return [line.text for block in page.find_all("ul", class_="counted-rounds") for line in block.find_all("li")]


def get_entries_at(event: Event, table: int) -> tuple[Entry, Entry]:
    one, other = event.rounds.get(number=1).tables.get(number=table).seatings.order_by("side")
    return one.entry, other.entry


def get_public_name(entry: Entry) -> str:
    return " and ".join(person.get_public_name(entry.event.club) for person in entry.players).replace("\u00a0", " ")


@saved_state
def build_night(*order: str, pairs: int = 4, **rules: Any) -> Event:
    """Play a round in which side A wins every table 32 to 6."""
    event = set_ranking(build_running_night(pairs=pairs), *(order or ("match_wins",)), **rules)
    play_round(event)
    return event


class TestRankExplanation:
    @pytest.mark.long
    def test_explanation_names_the_deciding_criterion(self) -> None:
        event = build_night("match_wins", "difference")
        winner, _ = get_entries_at(event, 1)
        page = open_reasons(event, winner.number)
        assert "Why rank 1, not 3?" in page.text
        assert list_deciding_criteria(page) == ["1. Matches won 1 0"]
        assert "on matches won, 1 to 0." in page.text

    def test_explanation_lists_tied_criteria_before_it(self) -> None:
        event = set_ranking(build_running_night(), "games_lost", "match_wins")
        win(matches_of(event)[0])
        winner, _ = get_entries_at(event, 1)
        page = open_reasons(event, winner.number)
        assert "on games lost; ahead on matches won, 1 to 0." in page.text
        assert list_deciding_criteria(page) == ["2. Matches won 1 0"]
        assert "1. Games lost 0 0 equal" in page.text

    @pytest.mark.long
    def test_explanation_omits_criteria_after_it(self) -> None:
        event = build_night("match_wins", "points_against")
        winner, _ = get_entries_at(event, 1)
        assert "Points against" not in open_reasons(event, winner.number).find_one("table").text

    @pytest.mark.long
    def test_explanation_compares_with_ranks_above_and_below(self) -> None:
        event = set_ranking(build_running_night(), "match_wins")
        first, last = get_entries_at(event, 1)
        win(matches_of(event)[0])
        event.adjustments.create(entry=first, metric="match_wins", amount=1, reason="Called to the desk.")
        other, also_last = get_entries_at(event, 2)
        win(matches_of(event)[1])
        page = open_reasons(event, other.number)
        titles = [title.text for title in page.find_all("h3")]
        assert titles[:2] == ["Why rank 2, not 1?", "Why rank 2, not 3?"]
        assert f"Behind {get_public_name(first)}" in page.text
        assert any(f"Ahead of {get_public_name(each)}" in page.text for each in (last, also_last))

    @pytest.mark.long
    def test_shared_rank_names_the_tied_entries(self) -> None:
        event = build_night("match_wins")
        one, other = get_entries_at(event, 1)[0], get_entries_at(event, 2)[0]
        page = open_reasons(event, one.number)
        assert f"Tied on all criteria with: {get_public_name(other)}." in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_rank_shared_by_many_names_no_one(self) -> None:
        event = build_running_night(pairs=20)
        assert "Tied with 19 others on all criteria." in open_reasons(event, 1).text

    @pytest.mark.long
    def test_explanation_says_when_a_lot_decides(self) -> None:
        event = build_night("match_wins", "lots")
        one = get_entries_at(event, 1)[0]
        page = open_reasons(event, one.number)
        assert "on everything else; drawn by lot." in page.text
        assert "2. Lot" in [row[:6] for row in list_deciding_criteria(page)]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_head_to_head_explanation_lists_the_matches(self) -> None:
        event = set_ranking(build_running_night(pairs=2), "contracts_made", "head_to_head")
        win(matches_of(event)[0])
        winner, loser = get_entries_at(event, 1)
        page = open_reasons(event, winner.number)
        assert "head-to-head matches decide." in page.text
        assert "Matches between tied entries" in [title.text for title in page.find_all("h3")]
        assert list_counted(page)[0] == f"Round 1 against {get_public_name(loser)} won 32–6"

    @pytest.mark.slow
    def test_head_to_head_across_pools_compares_pool_places(self) -> None:
        night = build_running_night(stages=[{"format": "pools", "settings": {"pools": 2}}])
        event = set_ranking(night, "head_to_head")
        for match in matches_of(event):
            win(match)
        beaten_by = {
            loser.number: winner.number for winner, loser in (get_entries_at(event, table) for table in (1, 2))
        }
        _, second, *losers = (row["entry"] for row in compute_standings(event))
        assert {*losers} == {*beaten_by}
        for loser in losers:
            decides = "head-to-head matches decide."
            if beaten_by[loser] != second:
                decides = "head-to-head rank in each pool decides."
            named = get_public_name(event.entries.get(number=second))
            assert f"Level with {named}; {decides}" in open_reasons(event, loser).text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_explanation_links_to_opponents(self) -> None:
        event = build_night("match_wins", "buchholz")
        winner, loser = get_entries_at(event, 1)
        links = [
            (link.text, link.attrs["href"])
            for block in open_reasons(event, loser.number).find_all("ul", class_="counted-rounds")
            for link in block.find_all("a")
        ]
        leads = (get_public_name(winner), f"/e/{event.short}/standings/{winner.number}")
        assert links == [leads, leads]
        assert winner.player_1.name.split()[0] in Browser().open(leads[1]).find_one("h1").text

    @pytest.mark.slow
    def test_desk_explanation_links_to_desk_pages(self) -> None:
        hall = Hall()
        play_round(hall.event)
        compute_standings(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/standings/1")
        (link,) = [link for block in page.find_all("ul", class_="counted-rounds") for link in block.find_all("a")]
        assert "/desk/standings/" in link.attrs["href"]
        assert hall.desk.open(link.attrs["href"]).status == 200

    @pytest.mark.slow
    def test_explanation_says_when_head_to_head_is_undecided(self) -> None:
        event = build_night("match_wins", "head_to_head", "lots")
        one = get_entries_at(event, 1)[0]
        assert "not all have met" in open_reasons(event, one.number).text

    @pytest.mark.slow
    def test_buchholz_explanation_lists_counted_and_dropped_opponents(self) -> None:
        event = build_night("match_wins", "buchholz_cut_1", "buchholz")
        winner, loser = get_entries_at(event, 1)
        page = open_reasons(event, loser.number)
        assert "Buchholz: 2" in page.text
        assert f"Round 1 {get_public_name(winner)} 2" in list_counted(page)
        assert f"Round 1 {get_public_name(winner)} 2 not counted" in list_counted(page)

    @pytest.mark.long
    def test_explanation_lists_counted_and_dropped_rounds(self) -> None:
        event = build_night("match_wins", dropped=1)
        start_next_round(event)
        play_round(event, 2)
        page = open_reasons(event, 1)
        rounds = list_counted(page)
        assert len(rounds) == 2
        assert sum("not counted" in line for line in rounds) == 1
        assert len(page.find_all("b", class_="struck")) == 1

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_explanation_shows_director_adjustments_with_reasons(self) -> None:
        event = build_night("match_wins", "points_for")
        event.adjustments.create(
            entry=event.entries.get(number=1), metric="points_for", amount=-5, round=1, reason="Late twice."
        )
        page = open_reasons(event, 1)
        assert "Adjusted by the director" in page.text
        assert "Round 1 Points for: Late twice. −5" in list_counted(page)
        in_french = Browser().open(f"/fr/e/{event.short}/standings/1").html
        assert "\N{NO-BREAK SPACE}: Late twice." in in_french

    @pytest.mark.long
    def test_explanation_shows_games_of_longer_matches(self) -> None:
        event = set_ranking(build_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES), "match_wins")
        win_two_games(event)
        winner, loser = get_entries_at(event, 1)
        assert list_counted(open_reasons(event, winner.number))[0].startswith(
            f"Round 1 against {get_public_name(loser)} won 2–0 ("
        )

    @pytest.mark.slow
    def test_explanation_separates_the_counted_stages(self) -> None:
        event = build_event(pairs=4)
        final = {"format": "knockout", "takes": "top", "count": 2, "name": "Grand final"}
        event.stages = [{"format": "random", "rounds": 1}, final]
        event.save(update_fields=["stages"])
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        start_next_round(event)
        play_round(event, 2)
        page = open_reasons(event, compute_standings(event)[0]["entry"])
        assert [title.text for title in page.find_all("h4")] == ["Stage 1", "Grand final"]
        assert "The results of all stages count." in page.text


def win_two_games(event: Event) -> None:
    play(matches_of(event)[0], "A charlemagne made", "A charlemagne made")


@pytest.mark.long
class TestRoundWithoutPlay:
    def test_bye_is_explained_as_it_counts(self) -> None:
        event = set_ranking(build_running_night(pairs=5), "match_wins")
        sitting_out = event.rounds.get().seatings.get(table=None).entry
        assert list_counted(open_reasons(event, sitting_out.number)) == ["Round 1 bye, counts as a win"]
        set_ranking(event, "match_wins", bye="nothing")
        assert list_counted(open_reasons(event, sitting_out.number)) == ["Round 1 bye, no credit"]

    def test_forfeit_is_explained_for_both_sides(self) -> None:
        event = set_ranking(build_running_night(), "match_wins")
        winner, loser = get_entries_at(event, 1)
        event.rounds.get().tables.filter(number=1).update(ruling={"kind": "forfeit", "winner": "A"})
        assert list_counted(open_reasons(event, winner.number)) == [
            f"Round 1 against {get_public_name(loser)}, won by forfeit"
        ]
        assert list_counted(open_reasons(event, loser.number)) == [
            f"Round 1 against {get_public_name(winner)}, lost by forfeit"
        ]

    def test_missed_round_counts_as_a_loss(self) -> None:
        event = build_night()
        late = Person.objects.first()
        assert late is not None
        event.entries.create(number=9, player_1=late, arrives=2)
        start_next_round(event)
        assert list_counted(open_reasons(event, 9)) == ["Round 1 late arrival, counts as a loss"]


@pytest.mark.slow
class TestRulesText:
    def test_rules_explain_each_metric_once(self) -> None:
        event = build_night("match_wins", "buchholz", "capped_difference", dropped=2, cap=15)
        compute_standings(event)
        made = open_standings(event).find_one("details", id="how-it-is-made").text
        for sentence in (
            "Byes count as set for the event.",
            "Opponents’ total match points:",
            "A bye counts as a win, with no more games than the round’s best win. No points awarded.",
            "Forfeit: a win if present, a loss if absent.",
            "an absence counts as a loss. No points awarded.",
            "Match points: win 2, draw 1, loss 0.",
            "Each entry’s 2 worst rounds are not counted.",
            "Difference is capped at 15 points per round.",
        ):
            assert made.count(sentence) == 1

    @pytest.mark.long
    def test_rules_omit_what_the_event_does_not_use(self) -> None:
        event = build_night("match_wins", bye="draw")
        compute_standings(event)
        made = open_standings(event).find_one("details", id="how-it-is-made").text
        assert "A bye counts as half a win." in made
        for other in ("Match points", "worst", "stages", "pponents"):
            assert other not in made


class TestStandingsList:
    @pytest.mark.long
    def test_list_shows_only_ranking_columns(self) -> None:
        event = build_night("points_for", "head_to_head", "buchholz", "lots")
        compute_standings(event)
        page = open_standings(event)
        assert list(get_headings(page)) == ["Points", "Buch."]
        assert "Points for: 32" in list_lines(page)[0]

    @pytest.mark.long
    @pytest.mark.parametrize("first", range(0, len(CHOICES), MAX_COLUMNS))
    def test_column_headings_explain_their_metric(self, first: int) -> None:
        event = build_night(*CHOICES[first : first + MAX_COLUMNS])
        rows = compute_standings(event)
        page = open_standings(event)
        assert get_headings(page) == {
            METRIC_SHORT[key]: f"{METRIC_NAMES[key]}: {METRIC_SENTENCES[key]}"
            for key in list_metric_columns(event.ranking_rules.order, rows)
        }

    @pytest.mark.long
    def test_list_shows_matches_won_without_ranking_figures(self) -> None:
        event = build_night("lots")
        compute_standings(event)
        assert list(get_headings(open_standings(event))) == ["Matches"]

    @pytest.mark.long
    def test_individual_list_names_one_person_per_row(self) -> None:
        event = build_event(0, tables=1, draw_format="swiss_individual")
        add_entries(
            event_id=event.pk,
            entries={number: (f"{name} Roy",) for number, name in enumerate(["Anne", "Luc", "Rita", "Yvon"], 1)},
        )
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        compute_standings(event)
        page = open_standings(event)
        assert "Name" in page.find_one("div", class_="standings-head").text
        assert len(list_lines(page)) == 4
        counted_line = list_counted(open_reasons(event, 1))[0]
        assert " with " in counted_line
        assert " against " in counted_line

    @pytest.mark.slow
    def test_list_marks_withdrawn_entries(self) -> None:
        event = build_night()
        event.entries.filter(number=2).update(leaves_after=1)
        event.entries.filter(number=3).update(leaves_after=2)
        compute_standings(event)
        marked = [line for line in list_lines(open_standings(event)) if "withdrew" in line]
        assert len(marked) == 1
        assert get_public_name(event.entries.get(number=2)) in marked[0]
        assert "withdrew after round 1" in marked[0]

    @pytest.mark.slow
    def test_pages_show_full_names_only_with_consent(self) -> None:
        event = build_night("match_wins", "buchholz", pairs=5)
        compute_standings(event)
        shown = event.entries.get(number=1).player_1
        Person.objects.filter(pk=shown.pk).update(shows_full_name=True)
        names = [person.name for entry in event.entries.all() for person in entry.players]
        client = Browser().client
        pages = ["/standings", "/standings/1", "/standings/2", "/standings/3", "/charts", "?open=1&open=2"]
        seen = {name for path in pages for name in names if name in Page(client.get(f"/e/{event.short}{path}")).html}
        assert seen == {shown.name}

    def test_list_survives_a_deleted_entry(self) -> None:
        event = build_event(pairs=3)
        event.adjustments.create(entry=event.entries.get(number=1), metric="match_wins", amount=1)
        compute_standings(event)
        event.entries.filter(number=2).delete()
        assert len(list_lines(open_standings(event))) == 2
        assert open_row_part(event, 2).status == 404

    @pytest.mark.long
    def test_list_ranks_no_one_before_a_result(self) -> None:
        event = build_running_night()
        compute_standings(event)
        assert "No result yet" in open_standings(event).text
        win(matches_of(event)[0])
        compute_standings(event)
        assert "No result yet" not in open_standings(event).text
        assert len(list_lines(open_standings(event))) == 4

    def test_event_without_results_has_empty_standings(self) -> None:
        page = open_standings(build_event())
        assert page.status == 200
        assert "No result yet" in page.text
        assert "No charts yet" in Browser().open(page.path.replace("standings", "charts")).text


class TestSections:
    @pytest.fixture
    def event(self) -> Event:
        event = build_night("match_wins", "lots", pairs=6)
        for entry in event.entries.all():
            entry.section = ("Mixed", "Beginners")[entry.number % 2] if entry.number < 6 else ""
            entry.save(update_fields=["section"])
        event.sections = [
            {"name": name, "first_table": None, "last_table": None} for name in ("Beginners", "Mixed", "Empty")
        ]
        event.save(update_fields=["sections"])
        compute_standings(event)
        return event

    @pytest.mark.long
    def test_sections_are_listed_above_the_standings(self, event: Event) -> None:
        links = open_standings(event).find_one("nav").find_all("a")
        assert [link.text for link in links] == ["All", "Beginners", "Mixed"]

    def test_section_shows_own_and_overall_ranks(self, event: Event) -> None:
        page = open_standings(event, section="Beginners")
        assert page.find_one("a", **{"aria-current": "page"}).text == "Beginners"
        assert [line.partition(" ")[0] for line in list_lines(page)] == ["1", "2", "3"]
        overall = {str(row["entry"]): row["rank"] for row in compute_standings(event)}
        for row in page.find_one("div", class_="standings").find_one("ol").find_all("details"):
            assert f"rank {overall[row.attrs['id'].removeprefix('entry-')]} overall" in row.text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_section_explanation_compares_within_the_section(self, event: Event) -> None:
        page = open_standings(event, section="Mixed")
        (first, *_) = page.find_one("div", class_="standings").find_one("ol").find_all("details")
        link = first.find_one("a").attrs["href"]
        assert "section=Mixed" in link
        reasons = Browser().open(link)
        assert "Rank 1 of 2" in reasons.text
        others = [get_public_name(entry) for entry in event.entries.filter(section="Beginners")]
        assert [name for name in others if any(name in table.text for table in reasons.find_all("table"))] == []

    def test_unknown_section_shows_all_entries(self, event: Event) -> None:
        assert len(list_lines(open_standings(event, section="<b>"))) == 6


class TestOpenRow:
    def test_row_part_contains_only_the_explanation(self) -> None:
        event = build_night()
        compute_standings(event)
        page = open_row_part(event, 1)
        assert page.find_all("h1") == []
        assert len(page.find_all("div", class_="rank-explanation")) == 1

    @pytest.mark.long
    def test_open_row_stays_open_after_a_refresh(self) -> None:
        event = build_night()
        compute_standings(event)
        for path in ("", "/standings"):
            page = Page(Browser().client.get(f"/e/{event.short}{path}", {"open": ["2", "x", "777", "²"]}))
            rows: list[Element] = list(page.find_one("div", class_="standings").find_one("ol").find_all("details"))
            assert [row.attrs["id"] for row in rows if "open" in row.attrs] == ["entry-2"]
            assert len(page.find_all("div", class_="rank-explanation")) == 1

    def test_unknown_entry_is_not_found(self) -> None:
        event = build_night()
        compute_standings(event)
        assert open_reasons(event, 77).status == 404


@pytest.mark.slow
class TestCharts:
    @pytest.mark.snapshot
    def test_charts_show_the_latest_stage_first(self) -> None:
        event = build_event(pairs=4)
        event.stages = [{"format": "round_robin"}, {"format": "knockout", "takes": "top", "count": 2}]
        event.save(update_fields=["stages"])
        start_event(event_id=event.pk)
        for number in (1, 2, 3, 4):
            start_next_round(event)
            play_round(event, number)
        compute_standings(event)
        for path in ("", "/charts"):
            page = Browser().open(f"/e/{event.short}{path}")
            titles = [one.text for one in page.find_all("h2") if one.text.startswith("Stage")]
            assert titles == ["Stage 2", "Stage 1"]
            assert len(page.find_all("table", class_="cross")) == 1

    @pytest.mark.long
    def test_charts_show_scores_and_link_matches_and_entries(self) -> None:
        event = build_event(pairs=4)
        event.stages = [{"format": "round_robin"}, {"format": "knockout", "takes": "top", "count": 2}]
        event.save(update_fields=["stages"])
        start_event(event_id=event.pk)
        for number in (1, 2, 3, 4):
            start_next_round(event)
            play_round(event, number)
        compute_standings(event)
        one, other = reload_match(matches_of(event, 4)[0]).summary["points"]
        page = Browser().open(f"/e/{event.short}/charts")
        cells = [cell for cell in page.find_one("table", class_="cross").find_all("td") if cell.text]
        assert len(cells) == 12
        assert all(f"{one}–{other}" in cell.text or f"{other}–{one}" in cell.text for cell in cells)
        scores = {score.text for score in page.find_all("b", class_="score")}
        assert scores == {str(one), str(other)}
        paths = {link.attrs["href"] for link in page.find_one("main").find_all("a")}
        shown = [path for path in paths if "." not in path]
        assert len(shown) == 4 + 6 + 1, "entries, matches of the pool, the final"
        assert [path for path in shown if Browser().open(path).status != 200] == []

    @pytest.mark.long
    def test_charts_show_no_draft(self) -> None:
        event = build_played_night(draw_format="swiss")
        compute_standings(event)
        before = Browser().open(f"/e/{event.short}/charts").find_one("main").text
        draw_round(event_id=event.pk)
        compute_standings(event)
        assert Browser().open(f"/e/{event.short}/charts").find_one("main").text == before


PATHS = ("", "/standings", "/standings/1", "/charts", "/standings?open=1&open=2&open=3")


def capture_page_queries(event: Event, path: str) -> list[str]:
    client = Browser().client
    caches["pages"].clear()  # as for the first reader
    with CaptureQueriesContext(connection) as made:
        assert client.get(f"/e/{event.short}{path}").status_code == 200
    return [query["sql"] for query in made.captured_queries]


@pytest.mark.slow
class TestPageQueries:
    @pytest.mark.long
    def test_query_count_is_independent_of_event_size(self) -> None:
        small = build_running_night(pairs=4, draw_format="swiss")
        large = build_running_night(pairs=20, draw_format="swiss")
        for number in (1, 2, 3):
            play_round(large, number)
            start_next_round(large)
        for event in (small, large):
            compute_standings(event)
        counts = {path: [len(capture_page_queries(event, path)) for event in (small, large)] for path in PATHS}
        assert {path: count for path, count in counts.items() if count[0] != count[1]} == {}
        assert {path: count[0] for path, count in counts.items() if count[0] > 6 and path} == {}

    def test_page_views_neither_write_nor_recount(self) -> None:
        event = build_played_night(pairs=5, draw_format="swiss")
        compute_standings(event)
        for path in PATHS:
            queries = capture_page_queries(event, path)
            assert [sql for sql in queries if not sql.startswith("SELECT")] == []
            if path:
                assert [sql for sql in queries if '"tournaments_seating"' in sql or "adjustment" in sql] == []

    @pytest.mark.slow
    def test_page_shows_stored_standings_until_recomputed(self) -> None:
        event = build_running_night()
        compute_standings(event)
        win(matches_of(event)[0])
        assert "Matches won: 1" not in open_standings(event).text
        compute_standings(event)
        assert "Matches won: 1" in " ".join(list_lines(open_standings(event)))
