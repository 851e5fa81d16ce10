"""The standings as people see them: every rank opens into its reasons."""

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
    a_played_night,
    a_running_night,
    an_event,
    fresh,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
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
from tournaments.standings.presenters.table import MOST_COLUMNS, metric_columns
from wording.labels.standings import METRIC_NAMES, METRIC_SENTENCES, METRIC_SHORT

pytestmark = pytest.mark.django_db


def ranked_by(event: Event, *order: str, **rules: Any) -> Event:
    event.ranking = {"order": list(order)} | rules
    event.save(update_fields=["ranking"])
    return event


def standings(event: Event, **query: str) -> Page:
    return Page(Browser().client.get(f"/e/{event.short}/standings", query))


def lines(page: Page) -> list[str]:
    """Return what stands in each row, as it is before it is opened."""
    rows = page.one("div", class_="standings").every("summary")
    return [row.text for row in rows if row.attrs["id"].startswith("entry-")]


def headings(page: Page) -> dict[str, str]:
    """Each heading of figures, and what it opens into."""
    head = page.one("div", class_="standings-head")
    return {each.one("summary").text: each.one("p").text for each in head.every("details")}


def why(event: Event, entry: int, **query: str) -> Page:
    """The page with the reasons of one entry; the standings are computed first."""
    standings_after(event)
    return Page(Browser().client.get(f"/e/{event.short}/standings/{entry}", query))


def part(event: Event, entry: int) -> Page:
    """Return what comes into the row when it is opened."""
    client = Browser().client
    return Page(client.get(f"/e/{event.short}/standings/{entry}", headers={"HX-Request": "true"}))


def deciding(page: Page) -> list[str]:
    """The criteria that are marked, with their values."""
    return [row.text for row in page.every("tr", class_="ok")]


def counted(page: Page) -> list[str]:
    return [line.text for block in page.every("ul", class_="counted") for line in block.every("li")]


def entries_at(event: Event, table: int) -> tuple[Entry, Entry]:
    one, other = event.rounds.get(number=1).tables.get(number=table).seatings.order_by("side")
    return one.entry, other.entry


def public_name(entry: Entry) -> str:
    return " and ".join(person.name_in_public(entry.event.club) for person in entry.players).replace(
        "\u00a0", " "
    )


@saved_state
def a_night(*order: str, pairs: int = 4, **rules: Any) -> Event:
    """A round played, in which side A has won at every table: 32 to 6."""
    event = ranked_by(a_running_night(pairs=pairs), *(order or ("match_wins",)), **rules)
    play_round(event)
    return event


class TestARank:
    def test_says_which_criterion_parts_it_from_the_next(self) -> None:
        event = a_night("match_wins", "difference")
        winner, _ = entries_at(event, 1)
        page = why(event, winner.number)
        assert "Why rank 1, not 3?" in page.text
        assert deciding(page) == ["1. Matches won 1 0"]
        assert "on matches won, 1 to 0." in page.text

    def test_says_what_was_equal_before_that(self) -> None:
        event = ranked_by(a_running_night(), "games_lost", "match_wins")
        win(matches_of(event)[0])
        winner, _ = entries_at(event, 1)
        page = why(event, winner.number)
        assert "on games lost; ahead on matches won, 1 to 0." in page.text
        assert deciding(page) == ["2. Matches won 1 0"]
        assert "1. Games lost 0 0 equal" in page.text

    def test_leaves_out_what_was_not_asked_any_more(self) -> None:
        event = a_night("match_wins", "points_against")
        winner, _ = entries_at(event, 1)
        assert "Points against" not in why(event, winner.number).one("table").text

    @pytest.mark.slow
    def test_is_told_against_those_above_and_those_below(self) -> None:
        event = ranked_by(a_running_night(), "match_wins")
        first, last = entries_at(event, 1)
        win(matches_of(event)[0])
        event.adjustments.create(entry=first, metric="match_wins", amount=1, reason="Called to the desk.")
        other, also_last = entries_at(event, 2)
        win(matches_of(event)[1])
        page = why(event, other.number)
        titles = [title.text for title in page.every("h3")]
        assert titles[:2] == ["Why rank 2, not 1?", "Why rank 2, not 3?"]
        assert f"Behind {public_name(first)}" in page.text
        assert any(f"Ahead of {public_name(each)}" in page.text for each in (last, also_last))

    def test_that_several_share_names_the_others(self) -> None:
        event = a_night("match_wins")
        one, other = entries_at(event, 1)[0], entries_at(event, 2)[0]
        page = why(event, one.number)
        assert f"Tied with {public_name(other)} on all criteria." in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_that_a_whole_hall_shares_names_nobody(self) -> None:
        event = a_running_night(pairs=20)
        assert "Tied with 19 others on all criteria." in why(event, 1).text

    def test_drawn_by_lot_says_so(self) -> None:
        event = a_night("match_wins", "lots")
        one = entries_at(event, 1)[0]
        page = why(event, one.number)
        assert "on everything else; drawn by lot." in page.text
        assert "2. Lot" in [row[:6] for row in deciding(page)]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_by_head_to_head_shows_the_matches_of_those_who_are_level(self) -> None:
        event = ranked_by(a_running_night(pairs=2), "contracts_made", "head_to_head")
        win(matches_of(event)[0])
        winner, loser = entries_at(event, 1)
        page = why(event, winner.number)
        assert "head-to-head matches decide." in page.text
        assert "Matches between tied entries" in [title.text for title in page.every("h3")]
        assert counted(page)[0] == f"Round 1 against {public_name(loser)} won 32–6"

    @pytest.mark.slow
    def test_by_head_to_head_in_two_pools_is_the_place_among_ones_own(self) -> None:
        night = a_running_night(stages=[{"format": "pools", "settings": {"pools": 2}}])
        event = ranked_by(night, "head_to_head")
        for match in matches_of(event):
            win(match)
        beaten_by = {
            loser.number: winner.number for winner, loser in (entries_at(event, table) for table in (1, 2))
        }
        _, second, *losers = (row["entry"] for row in standings_after(event))
        assert {*losers} == {*beaten_by}
        for loser in losers:
            decides = "head-to-head matches decide."
            if beaten_by[loser] != second:
                decides = "head-to-head rank in each pool decides."
            named = public_name(event.entries.get(number=second))
            assert f"Level with {named}; {decides}" in why(event, loser).text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_leads_to_why_its_opponents_stand_where_they_do(self) -> None:
        event = a_night("match_wins", "buchholz")
        winner, loser = entries_at(event, 1)
        links = [
            (link.text, link.attrs["href"])
            for block in why(event, loser.number).every("ul", class_="counted")
            for link in block.every("a")
        ]
        leads = (public_name(winner), f"/e/{event.short}/standings/{winner.number}")
        assert links == [leads, leads]
        assert winner.player_1.name.split()[0] in Browser().open(leads[1]).one("h1").text

    @pytest.mark.slow
    def test_at_the_desk_leads_to_their_reasons_there(self) -> None:
        hall = Hall()
        play_round(hall.event)
        standings_after(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/standings/1")
        (link,) = [link for block in page.every("ul", class_="counted") for link in block.every("a")]
        assert "/desk/standings/" in link.attrs["href"]
        assert hall.desk.open(link.attrs["href"]).status == 200

    def test_says_where_head_to_head_cannot_tell(self) -> None:
        event = a_night("match_wins", "head_to_head", "lots")
        one = entries_at(event, 1)[0]
        assert "not all have met" in why(event, one.number).text

    def test_by_opponents_shows_what_each_of_them_is_worth_and_who_is_left_out(self) -> None:
        event = a_night("match_wins", "buchholz_cut_1", "buchholz")
        winner, loser = entries_at(event, 1)
        page = why(event, loser.number)
        assert "Buchholz: 2" in page.text
        assert f"Round 1 {public_name(winner)} 2" in counted(page)
        assert f"Round 1 {public_name(winner)} 2 not counted" in counted(page)

    @pytest.mark.slow
    def test_lists_the_rounds_that_count_and_those_that_do_not(self) -> None:
        event = a_night("match_wins", dropped=1)
        next_round(event)
        play_round(event, 2)
        page = why(event, 1)
        rounds = counted(page)
        assert len(rounds) == 2
        assert sum("not counted" in line for line in rounds) == 1
        assert len(page.every("b", class_="struck")) == 1

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_shows_what_the_director_adjusted_and_why(self) -> None:
        event = a_night("match_wins", "points_for")
        event.adjustments.create(
            entry=event.entries.get(number=1), metric="points_for", amount=-5, round=1, reason="Late twice."
        )
        page = why(event, 1)
        assert "Adjusted by the director" in page.text
        assert "Round 1 Points for: Late twice. −5" in counted(page)
        in_french = Browser().open(f"/fr/e/{event.short}/standings/1").html
        assert "\N{NO-BREAK SPACE}: Late twice." in in_french

    def test_shows_games_where_a_match_has_several(self) -> None:
        event = ranked_by(a_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES), "match_wins")
        win_two_games(event)
        winner, loser = entries_at(event, 1)
        assert counted(why(event, winner.number))[0].startswith(
            f"Round 1 against {public_name(loser)} won 2–0 ("
        )

    @pytest.mark.slow
    def test_tells_the_stages_apart_whose_rounds_count(self) -> None:
        event = an_event(pairs=4)
        event.stages = [{"format": "random", "rounds": 1}, {"format": "knockout", "takes": "top", "count": 2}]
        event.save(update_fields=["stages"])
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        next_round(event)
        play_round(event, 2)
        page = why(event, standings_after(event)[0]["entry"])
        assert [title.text for title in page.every("h4")] == ["Stage 1", "Stage 2"]
        assert "The results of all stages count." in page.text


def win_two_games(event: Event) -> None:
    play(matches_of(event)[0], "A charlemagne made", "A charlemagne made")


class TestARoundWithoutCards:
    def test_is_told_as_it_counts(self) -> None:
        event = ranked_by(a_running_night(pairs=5), "match_wins")
        sitting_out = event.rounds.get().seatings.get(table=None).entry
        assert counted(why(event, sitting_out.number)) == ["Round 1 bye, counts as a win"]
        ranked_by(event, "match_wins", bye="nothing")
        assert counted(why(event, sitting_out.number)) == ["Round 1 bye, no credit"]

    def test_that_was_forfeited_says_who_came(self) -> None:
        event = ranked_by(a_running_night(), "match_wins")
        winner, loser = entries_at(event, 1)
        event.rounds.get().tables.filter(number=1).update(ruling={"kind": "forfeit", "winner": "A"})
        assert counted(why(event, winner.number)) == [f"Round 1 against {public_name(loser)}, won by forfeit"]
        assert counted(why(event, loser.number)) == [
            f"Round 1 against {public_name(winner)}, lost by forfeit"
        ]

    @pytest.mark.slow
    def test_that_was_missed_counts_as_lost(self) -> None:
        event = a_night()
        late = Person.objects.first()
        assert late is not None
        event.entries.create(number=9, player_1=late, arrives=2)
        next_round(event)
        assert counted(why(event, 9)) == ["Round 1 not there yet, counts as lost"]


class TestTheRules:
    @pytest.mark.slow
    def test_are_stated_once_with_every_metric_in_a_sentence(self) -> None:
        event = a_night("match_wins", "buchholz", "capped_difference", dropped=2, cap=15)
        standings_after(event)
        made = standings(event).one("details", id="how-it-is-made").text
        for sentence in (
            "Byes count as set for the event.",
            "Opponents’ total match points:",
            "A bye counts as a win, with the games of the best win at a table. No points awarded.",
            "Forfeit: a win if present, a loss if absent.",
            "an absence counts as a loss. No points awarded.",
            "Match points: win 2, draw 1, loss 0.",
            "Each entry’s 2 worst rounds are not counted.",
            "Difference is capped at 15 points per round.",
        ):
            assert made.count(sentence) == 1

    def test_say_nothing_that_this_event_does_not_need(self) -> None:
        event = a_night("match_wins", bye="draw")
        standings_after(event)
        made = standings(event).one("details", id="how-it-is-made").text
        assert "A bye counts as half a win." in made
        for other in ("Match points", "worst", "stages", "pponents"):
            assert other not in made


class TestTheList:
    def test_has_the_columns_that_rank_and_no_others(self) -> None:
        event = a_night("points_for", "head_to_head", "buchholz", "lots")
        standings_after(event)
        page = standings(event)
        assert list(headings(page)) == ["Points", "Buch."]
        assert "Points for: 32" in lines(page)[0]

    @pytest.mark.parametrize("first", range(0, len(CHOICES), MOST_COLUMNS))
    def test_has_headings_that_open_into_what_they_count(self, first: int) -> None:
        event = a_night(*CHOICES[first : first + MOST_COLUMNS])
        rows = standings_after(event)
        page = standings(event)
        assert headings(page) == {
            METRIC_SHORT[key]: f"{METRIC_NAMES[key]}: {METRIC_SENTENCES[key]}"
            for key in metric_columns(event.ranking_rules.order, rows)
        }

    def test_has_the_matches_won_where_nothing_that_ranks_has_a_figure(self) -> None:
        event = a_night("lots")
        standings_after(event)
        assert list(headings(standings(event))) == ["Matches"]

    @pytest.mark.slow
    def test_of_people_names_one_in_each_row(self) -> None:
        event = an_event(0, tables=1, draw_format="swiss_individual")
        add_entries(
            event_id=event.pk,
            entries={
                number: (f"{name} Roy",) for number, name in enumerate(["Anne", "Luc", "Rita", "Yvon"], 1)
            },
        )
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        standings_after(event)
        page = standings(event)
        assert "Name" in page.one("div", class_="standings-head").text
        assert len(lines(page)) == 4
        told = counted(why(event, 1))[0]
        assert " with " in told
        assert " against " in told

    def test_marks_who_withdrew_once_it_has(self) -> None:
        event = a_night()
        event.entries.filter(number=2).update(leaves_after=1)
        event.entries.filter(number=3).update(leaves_after=2)
        standings_after(event)
        marked = [line for line in lines(standings(event)) if "withdrew" in line]
        assert len(marked) == 1
        assert public_name(event.entries.get(number=2)) in marked[0]
        assert "withdrew after round 1" in marked[0]

    @pytest.mark.slow
    def test_names_nobody_in_full_who_did_not_agree(self) -> None:
        event = a_night("match_wins", "buchholz", pairs=5)
        standings_after(event)
        shown = event.entries.get(number=1).player_1
        Person.objects.filter(pk=shown.pk).update(shows_full_name=True)
        names = [person.name for entry in event.entries.all() for person in entry.players]
        client = Browser().client
        pages = ["/standings", "/standings/1", "/standings/2", "/standings/3", "/charts", "?open=1&open=2"]
        seen = {
            name
            for path in pages
            for name in names
            if name in Page(client.get(f"/e/{event.short}{path}")).html
        }
        assert seen == {shown.name}

    def test_of_an_entry_that_is_gone_does_not_break(self) -> None:
        event = an_event(pairs=3)
        event.adjustments.create(entry=event.entries.get(number=1), metric="match_wins", amount=1)
        standings_after(event)
        event.entries.filter(number=2).delete()
        assert len(lines(standings(event))) == 2
        assert part(event, 2).status == 404

    def test_has_nobody_first_before_there_is_a_result(self) -> None:
        event = a_running_night()
        standings_after(event)
        assert "No result yet" in standings(event).text
        win(matches_of(event)[0])
        standings_after(event)
        assert "No result yet" not in standings(event).text
        assert len(lines(standings(event))) == 4

    def test_of_an_evening_without_results_says_so(self) -> None:
        page = standings(an_event())
        assert page.status == 200
        assert "No result yet" in page.text
        assert "No charts yet" in Browser().open(page.path.replace("standings", "charts")).text


class TestSections:
    @pytest.fixture
    def event(self) -> Event:
        event = a_night("match_wins", "lots", pairs=6)
        for entry in event.entries.all():
            entry.section = ("Mixed", "Beginners")[entry.number % 2] if entry.number < 6 else ""
            entry.save(update_fields=["section"])
        event.sections = [
            {"name": name, "first_table": None, "last_table": None}
            for name in ("Beginners", "Mixed", "Empty")
        ]
        event.save(update_fields=["sections"])
        standings_after(event)
        return event

    def test_are_chosen_above_the_list(self, event: Event) -> None:
        links = standings(event).one("nav").every("a")
        assert [link.text for link in links] == ["All", "Beginners", "Mixed"]

    def test_count_their_own_ranks_beside_those_of_all(self, event: Event) -> None:
        page = standings(event, section="Beginners")
        assert page.one("a", **{"aria-current": "page"}).text == "Beginners"
        assert [line.partition(" ")[0] for line in lines(page)] == ["1", "2", "3"]
        overall = {str(row["entry"]): row["rank"] for row in standings_after(event)}
        for row in page.one("div", class_="standings").one("ol").every("details"):
            assert f"rank {overall[row.attrs['id'].removeprefix('entry-')]} overall" in row.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_have_reasons_among_themselves(self, event: Event) -> None:
        page = standings(event, section="Mixed")
        (first, *_) = page.one("div", class_="standings").one("ol").every("details")
        link = first.one("a").attrs["href"]
        assert "section=Mixed" in link
        reasons = Browser().open(link)
        assert "Rank 1 of 2" in reasons.text
        others = [public_name(entry) for entry in event.entries.filter(section="Beginners")]
        assert [name for name in others if any(name in table.text for table in reasons.every("table"))] == []

    def test_that_there_are_not_are_all(self, event: Event) -> None:
        assert len(lines(standings(event, section="<b>"))) == 6


class TestAnOpenRow:
    def test_is_filled_with_the_reasons_alone(self) -> None:
        event = a_night()
        standings_after(event)
        page = part(event, 1)
        assert page.every("h1") == []
        assert len(page.every("div", class_="why")) == 1

    @pytest.mark.slow
    def test_comes_back_open_with_the_news(self) -> None:
        event = a_night()
        standings_after(event)
        for path in ("", "/standings"):
            page = Page(Browser().client.get(f"/e/{event.short}{path}", {"open": ["2", "x", "777", "²"]}))
            rows: list[Element] = list(page.one("div", class_="standings").one("ol").every("details"))
            assert [row.attrs["id"] for row in rows if "open" in row.attrs] == ["entry-2"]
            assert len(page.every("div", class_="why")) == 1

    def test_of_nobody_is_a_friendly_404(self) -> None:
        event = a_night()
        standings_after(event)
        assert why(event, 77).status == 404


@pytest.mark.slow
class TestCharts:
    @pytest.mark.snapshot
    def test_show_every_stage_that_has_any_the_latest_first(self) -> None:
        event = an_event(pairs=4)
        event.stages = [{"format": "round_robin"}, {"format": "knockout", "takes": "top", "count": 2}]
        event.save(update_fields=["stages"])
        start_event(event_id=event.pk)
        for number in (1, 2, 3, 4):
            next_round(event)
            play_round(event, number)
        standings_after(event)
        for path in ("", "/charts"):
            page = Browser().open(f"/e/{event.short}{path}")
            titles = [one.text for one in page.every("h2") if one.text.startswith("Stage")]
            assert titles == ["Stage 2", "Stage 1"]
            assert len(page.every("table", class_="cross")) == 1

    def test_tell_every_score_and_lead_to_its_match_and_to_the_entries(self) -> None:
        event = an_event(pairs=4)
        event.stages = [{"format": "round_robin"}, {"format": "knockout", "takes": "top", "count": 2}]
        event.save(update_fields=["stages"])
        start_event(event_id=event.pk)
        for number in (1, 2, 3, 4):
            next_round(event)
            play_round(event, number)
        standings_after(event)
        one, other = fresh(matches_of(event, 4)[0]).summary["points"]
        page = Browser().open(f"/e/{event.short}/charts")
        cells = [cell for cell in page.one("table", class_="cross").every("td") if cell.text]
        assert len(cells) == 12
        assert all(f"{one}–{other}" in cell.text or f"{other}–{one}" in cell.text for cell in cells)
        scores = {score.text for score in page.every("b", class_="score")}
        assert scores == {str(one), str(other)}
        paths = {link.attrs["href"] for link in page.one("main").every("a")}
        shown = [path for path in paths if "." not in path]
        assert len(shown) == 4 + 6 + 1, "entries, matches of the pool, the final"
        assert [path for path in shown if Browser().open(path).status != 200] == []

    def test_show_no_draft(self) -> None:
        event = a_played_night(draw_format="swiss")
        standings_after(event)
        before = Browser().open(f"/e/{event.short}/charts").one("main").text
        draw_round(event_id=event.pk)
        standings_after(event)
        assert Browser().open(f"/e/{event.short}/charts").one("main").text == before


PATHS = ("", "/standings", "/standings/1", "/charts", "/standings?open=1&open=2&open=3")


def reads(event: Event, path: str) -> list[str]:
    client = Browser().client
    caches["pages"].clear()  # as whoever is the first to read it
    with CaptureQueriesContext(connection) as made:
        assert client.get(f"/e/{event.short}{path}").status_code == 200
    return [query["sql"] for query in made.captured_queries]


class TestReading:
    @pytest.mark.slow
    def test_costs_the_same_however_many_take_part_and_whatever_was_played(self) -> None:
        small = a_running_night(pairs=4, draw_format="swiss")
        large = a_running_night(pairs=20, draw_format="swiss")
        for number in (1, 2, 3):
            play_round(large, number)
            next_round(large)
        for event in (small, large):
            standings_after(event)
        counts = {path: [len(reads(event, path)) for event in (small, large)] for path in PATHS}
        assert {path: count for path, count in counts.items() if count[0] != count[1]} == {}
        assert {path: count[0] for path, count in counts.items() if count[0] > 6 and path} == {}

    @pytest.mark.slow
    def test_writes_nothing_and_counts_nothing_again(self) -> None:
        event = a_played_night(pairs=5, draw_format="swiss")
        standings_after(event)
        for path in PATHS:
            asked = reads(event, path)
            assert [sql for sql in asked if not sql.startswith("SELECT")] == []
            if path:
                assert [sql for sql in asked if '"tournaments_seating"' in sql or "adjustment" in sql] == []

    def test_shows_what_was_kept_until_it_is_counted_again(self) -> None:
        event = a_running_night()
        standings_after(event)
        win(matches_of(event)[0])
        assert "Matches won: 1" not in standings(event).text
        standings_after(event)
        assert "Matches won: 1" in " ".join(lines(standings(event)))
