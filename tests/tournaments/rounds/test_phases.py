"""Phases: stages, sections and later rounds with their own settings."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.phases import (
    Phase,
    PhasePlace,
    PhaseSettings,
    add_phase,
    find_changed_round,
    get_own_settings,
    get_settings,
    phases_from_json,
    phases_to_json,
    tidy_phases,
)
from engine.ranking import Average, Bye, RankingRules
from engine.standings import rank_by_section
from rules import CANADIAN, MAINE, TWO_PLAYER, MatchCriterion, MatchFormat, TieRule
from tests.builders import (
    ONE_GAME,
    TWO_GAMES,
    build_event,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play,
    play_round,
    reload_match,
    start_next_round,
    win,
)
from tests.rules.sheets import property_settings
from tests.support.event_files import add_sums, assert_round_trip, export_event, list_differences
from tests.support.hall import Hall, confirm_hand
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_phase, change_ranking, change_sections, change_stages
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Table
from tournaments.papers.contents.charts import build_charts
from tournaments.papers.contents.names import build_certificates
from tournaments.papers.orders import Order, Paper
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import count_unfinished, seat_more, swap_entries

pytestmark = pytest.mark.django_db

FOUR_HANDS, TWO_HANDS = MatchFormat(hands=4), MatchFormat(hands=2)
SWISS = {"format": "swiss", "rounds": 1}
FINALS = [
    SWISS,
    {"format": "knockout", "takes": "ranked", "first": 1, "last": 4},
    {"format": "knockout", "takes": "ranked", "first": 5, "last": 8, "beside": True},
]


def build_day(*stages: dict[str, Any], pairs: int = 8, **settings: Any) -> Event:
    return build_running_night(pairs, stages=stages, **settings)


def set_phase(event: Event, **values: Any) -> None:
    where = {name: values.pop(name) for name in ("stage", "section", "since") if name in values}
    change_phase(event_id=event.pk, settings=PhaseSettings(**values), **where)
    event.refresh_from_db()


def list_match_formats(event: Event, number: int) -> list[MatchFormat]:
    return [match.match_format for match in matches_of(event, number)]


class TestPhase:
    @pytest.mark.long
    def test_stage_phase_changes_only_its_match_length(self) -> None:
        event = build_day(*FINALS)
        set_phase(event, stage=1, match_format=TWO_GAMES)
        play_round(event)
        start_next_round(event)
        assert list_match_formats(event, 1) == [ONE_GAME] * 4
        assert sorted(list_match_formats(event, 2), key=str) == [ONE_GAME] * 2 + [TWO_GAMES] * 2
        final = next(match for match in matches_of(event, 2) if match.match_format == TWO_GAMES)
        win(final)
        assert not reload_match(final).is_over
        win(final)
        assert reload_match(final).is_over

    @pytest.mark.long
    def test_added_table_is_played_by_the_phase_of_its_round(self) -> None:
        event = build_day(*FINALS)
        set_phase(event, stage=1, match_format=TWO_GAMES)
        play_round(event)
        start_next_round(event)
        for name in ("Zed", "Zola"):
            add_entry(event_id=event.pk, players=[f"Zoé {name}", f"Zach {name}"])
        seat_more(event_id=event.pk, number=2, one=9, other=10)
        (match,) = (match for match in matches_of(event, 2) if match.table.slot in ("", "2:"))
        assert match.match_format == TWO_GAMES
        assert list_differences(export_event(event)) == []

    @pytest.mark.long
    def test_later_phase_leaves_earlier_rounds_unchanged(self) -> None:
        event = build_running_night(draw_format="swiss")
        set_phase(event, since=2, match_format=TWO_HANDS)
        play_round(event)
        start_next_round(event)
        assert (list_match_formats(event, 1), list_match_formats(event, 2)) == ([ONE_GAME] * 2, [TWO_HANDS] * 2)

    @pytest.mark.slow
    def test_half_wins_count_once_a_later_match_can_be_drawn(self) -> None:
        event = build_running_night(draw_format="swiss")
        set_phase(event, since=2, match_format=TWO_HANDS)
        event.refresh_from_db()
        assert event.ranking["order"][0] == "half_wins"
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        event.refresh_from_db()
        assert event.ranking["order"][0] == "match_wins"
        final = build_event(stages=[SWISS, {"format": "knockout", "takes": "top", "count": 2}])
        set_phase(final, stage=1, match_format=TWO_HANDS)
        final.refresh_from_db()
        assert final.ranking["order"][0] == "match_wins"

    def test_phase_cannot_change_a_published_round(self) -> None:
        event = build_running_night(draw_format="swiss")
        refused = get_refusal(change_phase, event_id=event.pk, settings=PhaseSettings(match_format=TWO_GAMES))
        assert (refused.code, refused.field, refused.details["next"]) == ("phase_played", "since", 2)

    @pytest.mark.long
    def test_phase_can_be_undone_until_a_round_is_published(self) -> None:
        event = build_running_night(draw_format="swiss")
        set_phase(event, since=2, match_format=TWO_HANDS)
        changed = event.actions.latest("pk")
        undone = undo_action(event_id=event.pk, action_id=changed.pk)
        event.refresh_from_db()
        assert event.phases == ()
        redone = undo_action(event_id=event.pk, action_id=undone.pk)
        play_round(event)
        start_next_round(event)
        code = get_refusal_code(undo_action, event_id=event.pk, action_id=redone.pk)
        assert code == "later_steps_rest_on_it"

    @pytest.mark.long
    def test_phase_has_its_own_rules_for_equal_entry_size(self) -> None:
        event = build_day(*FINALS)
        set_phase(event, stage=1, ruleset=MAINE, rules_name="Nos finales")
        assert get_refusal_code(
            change_phase, event_id=event.pk, stage=2, settings=PhaseSettings(ruleset=TWO_PLAYER)
        ) == ("entries_of_other_size")
        play_round(event)
        start_next_round(event)
        names = {(match.ruleset, match.rules_name) for match in matches_of(event, 2)}
        assert names == {(CANADIAN, ""), (MAINE, "Nos finales")}

    @pytest.mark.long
    def test_section_phase_follows_renaming_and_removal(self) -> None:
        event = build_event(8, draw_format="swiss")
        line = {"first_table": None, "last_table": None}
        change_sections(event_id=event.pk, sections=[{"name": "Or", **line}, {"name": "Argent", **line}])
        for number in range(1, 9):
            describe_entry(event_id=event.pk, number=number, section="Or" if number < 5 else "Argent")
        set_phase(event, section="Or", match_format=TWO_GAMES)
        change_sections(
            event_id=event.pk,
            sections=[{"name": "Élite", **line}, {"name": "Argent", **line}],
            renamed={"Or": "Élite"},
        )
        start_event(event_id=event.pk)
        start_next_round(event)
        assert sorted(list_match_formats(event, 1), key=str) == [ONE_GAME] * 2 + [TWO_GAMES] * 2
        change_sections(event_id=event.pk, sections=[{"name": "Argent", **line}])
        event.refresh_from_db()
        assert event.phases == ()

    def test_phase_is_removed_with_its_stage(self) -> None:
        event = build_day(*FINALS)
        set_phase(event, stage=2, match_format=TWO_GAMES)
        change_stages(event_id=event.pk, stages=FINALS[:2])
        event.refresh_from_db()
        assert event.phases == ()
        assert get_refusal_code(
            change_phase, event_id=event.pk, stage=2, settings=PhaseSettings(match_format=TWO_GAMES)
        ) == ("no_such_phase")


@pytest.mark.slow
class TestLevelMatch:
    """Tied matches of two hands, 6 to 6, in a knockout of pairs 1 to 4; pair 1 meets pair 4."""

    def play_match(self, tie: TieRule | None, *hands: str) -> tuple[Event, Any]:
        event = build_event(4, draw_format="knockout", match_format=TWO_HANDS)
        if tie is not None:
            set_phase(event, stage=0, tie=tie)
        start_event(event_id=event.pk)
        start_next_round(event)
        match = matches_of(event)[0]
        play(match, *hands or ("A 6 made", "B 6 made"))
        return event, reload_match(match)

    @pytest.mark.long
    def test_level_match_plays_an_extra_hand_by_default(self) -> None:
        _, match = self.play_match(None)
        assert not match.is_over
        mark(match, "B 5 made")
        assert (reload_match(match).is_over, reload_match(match).summary["winner"]) == (True, "B")

    @pytest.mark.long
    def test_level_match_goes_to_the_last_leader(self) -> None:
        _, match = self.play_match(TieRule.LAST_LEADER, "B 6 made", "A 6 made")
        assert match.summary["winner"] == "B"

    @pytest.mark.slow
    def test_level_match_goes_to_the_higher_seed(self) -> None:
        event, match = self.play_match(TieRule.HIGHER_SEED)
        seats = {seat.entry.number: seat.side for seat in match.table.seatings.select_related("entry")}
        assert match.summary["winner"] == "AB"[seats[min(seats)]]
        swap_entries(event_id=event.pk, number=1, one=min(seats), other=max(seats))
        assert reload_match(match).summary["winner"] == "AB"[seats[max(seats)]]

    @pytest.mark.slow
    def test_level_match_is_decided_by_a_reproducible_lot(self) -> None:
        event, match = self.play_match(TieRule.LOT)
        _, other = self.play_match(TieRule.LOT)
        assert match.summary["winner"] == other.summary["winner"]
        assert match.summary["winner"] is not None
        assert list_differences(export_event(event)) == []

    @pytest.mark.slow
    def test_timed_knockout_match_gets_its_extra_hand(self) -> None:
        event = build_event(4, draw_format="knockout", match_format=MatchFormat(minutes=40))
        start_event(event_id=event.pk)
        start_next_round(event)
        level, other = matches_of(event)
        play(level, "A 6 made", "B 6 made")
        play(other, "A 6 made")
        count_unfinished(event_id=event.pk, number=1)
        assert (reload_match(level).is_over, reload_match(other).is_over) == (False, True)
        assert get_refusal_code(close_round, event_id=event.pk, number=1) == "tables_missing"
        mark(level, "A 5 made")
        close_round(event_id=event.pk, number=1)
        start_next_round(event)
        assert list_differences(export_event(event)) == []


@pytest.mark.slow
class TestBye:
    @pytest.mark.long
    def test_bye_counts_as_a_match_of_its_round_length(self) -> None:
        event = build_running_night(5, draw_format="swiss")
        set_phase(event, since=2, match_format=TWO_GAMES)
        play_round(event)
        start_next_round(event)
        for match in matches_of(event, 2):
            win(match)
            win(match)
        close_round(event_id=event.pk, number=2)
        counted = compute_standings(event)
        games = {row["entry"]: row["games_won"] for row in counted}
        byes = dict(event.rounds.filter(seatings__table=None).values_list("number", "seatings__entry__number"))
        won = {1: 1, 2: 2}
        for number, entry in byes.items():
            other = next(each for each in (1, 2) if each != number)
            table = event.rounds.get(number=other).tables.filter(seatings__entry__number=entry).get()
            side = table.seatings.get(entry__number=entry).side
            assert games[entry] == won[number] + (won[other] if side == 0 else 0)

    @pytest.mark.long
    def test_bye_is_worth_what_its_phase_says(self) -> None:
        event = build_running_night(5, draw_format="swiss")
        set_phase(event, since=2, bye=Bye.DRAW, bye_points=4)
        play_round(event)
        start_next_round(event)
        play_round(event, 2)
        content = export_event(event)
        counted = [each for count in content["standings"]["counted"].values() for each in count["rounds"]]
        byes = {each["round"]: (each["outcome"], each.get("points")) for each in counted if each.get("kind") == "bye"}
        assert byes == {1: ("won", None), 2: ("drawn", [4, 0])}
        assert list_differences(content) == []

    @pytest.mark.long
    def test_average_bye_uses_rounds_of_its_length(self) -> None:
        event = build_event(5, draw_format="swiss")
        rules = RankingRules(bye=Bye.AVERAGE, bye_points="own")  # type: ignore[arg-type]
        change_ranking(event_id=event.pk, rules=rules)
        start_event(event_id=event.pk)
        set_phase(event, since=2, match_format=TWO_GAMES)
        for number in (1, 2, 3):
            start_next_round(event)
            for match in matches_of(event, number):
                for _ in range(1 if number == 1 else 2):
                    win(match)
            close_round(event_id=event.pk, number=number)
        content = export_event(event)
        counted = content["standings"]["counted"]
        for count in counted.values():
            for each in count["rounds"]:
                if each.get("kind") == "bye" and each["round"] > 1:
                    (alike,) = (one for one in count["rounds"] if one["round"] > 1 and one is not each)
                    assert each["points"][0] == alike["points"][0]


def play_by_margin(event: Event, number: int) -> None:
    """Play the round: the lower number wins each table, by more points if it is odd."""
    for match in matches_of(event, number):
        seats = {int(seat.side or 0): seat.entry.number for seat in match.table.seatings.select_related("entry")}
        winner = min(seats, key=lambda side: seats[side])
        play(match, *[f"{'AB'[winner]} {6 if seats[winner] % 2 else 5} made"] * 2)
    close_round(event_id=event.pk, number=number)


def recount(content: dict[str, Any], rounds: range) -> dict[int, dict[str, int]]:
    """Compute each entry's wins and points in these rounds from the tables of the event file alone."""
    sums: dict[int, dict[str, int]] = {}
    for played in content["rounds"]:
        for table in played["tables"] if played["number"] in rounds else ():
            summary = table["match"]["summary"]
            for side, entries in enumerate((table["a"], table["b"])):
                for entry in entries:
                    line = sums.setdefault(entry, {"match_wins": 0, "difference": 0, "points_for": 0})
                    line["match_wins"] += summary["winner"] == "AB"[side]
                    line["points_for"] += summary["points"][side]
                    line["difference"] += summary["points"][side] - summary["points"][1 - side]
    return sums


class TestPlaces:
    POOLS_AND_FINALS = (
        {"format": "pools", "settings": {"pools": 2}, "rounds": 1},
        {"format": "swiss", "takes": "pool_top", "count": 2, "rounds": 1},
        {"format": "swiss", "takes": "pool_top", "first": 3, "count": 2, "rounds": 1, "beside": True},
    )

    @pytest.mark.long
    def test_names_of_pools_and_finals_are_in_files_and_on_certificates(self) -> None:
        hall = Hall(8, stages=list(self.POOLS_AND_FINALS))
        short = hall.event.short
        play_round(hall.event)
        compute_standings(hall.event)
        listed = hall.desk.open(f"/e/{short}/desk/standings.csv").text
        assert (listed.count("Pool A"), listed.count("Pool B")) == (4, 4)
        start_next_round(hall.event)
        play_round(hall.event, 2)
        compute_standings(hall.event)
        listed = hall.desk.open(f"/e/{short}/desk/standings.csv").text
        assert (listed.count("Final A"), listed.count("Final B"), listed.count("Pool")) == (4, 4, 0)
        assert "Final B" in hall.desk.open(f"/e/{short}/desk/rounds/2.csv").text
        document = build_certificates(hall.event, Order(paper=Paper.PODIUM, of=hall.event.pk, language="en"))
        awards = [item["for_what"] for item in document.items]
        assert {"First place · Final A", "First place · Final B"} <= set(awards)

    @pytest.mark.slow
    def test_groups_before_a_final_have_no_first_place(self) -> None:
        groups = [stage | {"count": 2} for stage in self.POOLS_AND_FINALS]
        hall = Hall(10, stages=[*groups, {"format": "knockout", "takes": "top", "count": 2}])
        short = hall.event.short
        for number in (1, 2, 3):
            play_round(hall.event, number)
            if number == 2:
                compute_standings(hall.event)
                page = hall.desk.open(f"/e/{short}/desk/standings")
                assert [each.text for each in page.find_all("h3", class_="final")] == [
                    "Group A",
                    "Group B",
                    "Others",
                ]
            if number < 3:
                start_next_round(hall.event)
        compute_standings(hall.event)
        document = build_certificates(hall.event, Order(paper=Paper.PODIUM, of=hall.event.pk, language="en"))
        awards = [item["for_what"] for item in document.items]
        assert set(awards) == {"First place", "Second place", "Third place"}
        assert (awards.count("First place"), awards.count("Second place")) == (2, 2)


class TestTables:
    @pytest.mark.long
    def test_tables_of_a_stage_are_those_of_its_range(self) -> None:
        event = build_day(*FINALS, tables=6)
        set_phase(event, stage=1, tables=(5, 6))
        play_round(event)
        start_next_round(event)
        tables = Table.objects.filter(round__event=event, round__number=2)
        assert {table.number: table.slot[0] for table in tables} == {5: "2", 6: "2", 1: "3", 2: "3"}
        assert list_differences(export_event(event)) == []

    @pytest.mark.long
    def test_stage_with_too_few_tables_is_refused(self) -> None:
        event = build_day(*FINALS, tables=6)
        set_phase(event, stage=1, tables=(5, 5))
        play_round(event)
        refused = get_refusal(start_next_round, event)
        assert (refused.code, refused.details["stage"], refused.details["needed"]) == ("phase_tables_short", 2, 2)


class TestPhaseRanking:
    @pytest.mark.long
    def test_stage_is_ranked_by_its_own_metrics(self) -> None:
        final = {"format": "swiss", "rounds": 2, "takes": "top", "count": 4, "carried": "none"}
        event = build_event(8, stages=[{"format": "swiss", "rounds": 2}, final], match_format=TWO_HANDS)
        set_phase(event, stage=0, order=("points_for", "match_wins"))
        set_phase(event, stage=1, order=("match_wins", "difference"))
        start_event(event_id=event.pk)
        for number in (1, 2, 3):
            start_next_round(event)
            play_by_margin(event, number)
        content = export_event(event)
        rows = {row["entry"]: row for row in content["standings"]["rows"]}
        first, final_sums = recount(content, range(1, 3)), recount(content, range(3, 4))
        others = {entry: line for entry, line in first.items() if entry not in final_sums}
        for sums, keys, offset in (
            (final_sums, ("match_wins", "difference"), 0),
            (others, ("points_for", "match_wins"), 4),
        ):
            merits = {entry: [line[key] for key in keys] for entry, line in sums.items()}
            for entry, merit in merits.items():
                assert rows[entry]["rank"] == offset + 1 + sum(other > merit for other in merits.values())
                assert rows[entry]["order"] == ["stage", *keys]
        least = min((first[entry]["points_for"], first[entry]["match_wins"]) for entry in final_sums)
        assert all((line["points_for"], line["match_wins"]) <= least for line in others.values())
        assert list_differences(content) == []
        assert_round_trip(content)

    @pytest.mark.long
    def test_section_is_ranked_by_its_own_metrics_beside_everybody(self) -> None:
        line = {"first_table": None, "last_table": None}
        event = build_event(8, draw_format="swiss", match_format=TWO_HANDS)
        change_sections(event_id=event.pk, sections=[{"name": "Or", **line}, {"name": "Argent", **line}])
        for number in range(1, 9):
            describe_entry(event_id=event.pk, number=number, section="Or" if number < 5 else "Argent")
        set_phase(event, section="Or", order=("points_for",))
        start_event(event_id=event.pk)
        for number in (1, 2):
            start_next_round(event)
            play_by_margin(event, number)
        content = export_event(event)
        sums = recount(content, range(1, 3))
        rows, sections = content["standings"]["rows"], {number: "Or" if number < 5 else "Argent" for number in sums}
        ranked = rank_by_section(rows, sections, event.ranking_rules.order)
        points = sorted((sums[entry]["points_for"] for entry in range(1, 5)), reverse=True)
        assert [row["points_for"] for row in ranked["Or"]] == points
        assert {row["decided_by"] for row in ranked["Or"]} <= {None, "points_for"}
        assert all("in_section" not in row for row in rows if row["entry"] > 4)
        assert list_differences(content) == []

    @pytest.mark.long
    def test_can_change_for_played_rounds_and_be_undone(self) -> None:
        event = build_running_night(draw_format="swiss")
        play_round(event)
        set_phase(event, order=("points_for",), bye=Bye.DRAW, bye_points=7)
        assert event.ranking_rules.order == ("half_wins", "games_won", "difference", "points_for")
        assert {tuple(row["order"]) for row in compute_standings(event)} == {("points_for",)}
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert {row.get("order") for row in compute_standings(event)} == {None}


@pytest.mark.slow
class TestEventFile:
    def build_finals_day(self) -> Event:
        event = build_day(*FINALS)
        set_phase(event, stage=1, match_format=TWO_GAMES)
        set_phase(event, stage=2, match_format=TWO_HANDS, tie=TieRule.HIGHER_SEED, ruleset=MAINE, rules_name="")
        play_round(event)
        start_next_round(event)
        for match in matches_of(event, 2):
            if match.match_format == TWO_GAMES:
                win(match)
                win(match)
            else:
                play(match, "A 6 made", "B 6 made")
        close_round(event_id=event.pk, number=2)
        return event

    @pytest.mark.long
    def test_event_file_with_phases_survives_a_round_trip(self) -> None:
        content = export_event(self.build_finals_day())
        assert list_differences(content) == []
        assert_round_trip(content)

    @pytest.mark.slow
    def test_event_file_with_terms_of_no_phase_is_rejected(self) -> None:
        content = export_event(self.build_finals_day())
        table = next(each for each in content["rounds"][1]["tables"] if "own_terms" in each["match"])
        del table["match"]["own_terms"]
        found = list_differences(add_sums(content))
        assert "terms_of_no_phase" in [code for _, code, _ in found]


@pytest.mark.slow
class TestTwoFinals:
    @pytest.mark.slow
    def test_brackets_keep_their_own_entries(self) -> None:
        hall = Hall(8, stages=FINALS)
        short, number = hall.event.short, 2
        play_round(hall.event)
        start_next_round(hall.event)
        seats = (
            hall.event.rounds.get(number=number)
            .seatings.order_by("table__number")
            .values_list("entry__number", flat=True)
        )
        one, other = seats[0], seats[len(seats) - 1]
        swap = {"event_id": hall.event.pk, "number": number, "one": one, "other": other}
        assert get_refusal_code(swap_entries, **swap) == "bracket_of_others"
        page = hall.desk.open(f"/e/{short}/desk/rounds/{number}/swap?one={one}&other={other}")
        assert "Choose two entries of the same stage" in page.text

    @pytest.mark.long
    def test_two_finals_are_distinguished_on_every_page(self) -> None:
        hall = Hall(8, stages=FINALS)
        short = hall.event.short
        set_phase(hall.event, stage=2, match_format=FOUR_HANDS)
        for number in (1, 2):
            play_round(hall.event, number)
            start_next_round(hall.event)
            hall.event.refresh_from_db()
            if number == 1:
                for match in matches_of(hall.event, 2)[2:]:
                    play(match, "A 6 made", "A 6 made")
        compute_standings(hall.event)
        pages = {
            "desk": "Final A",
            "rounds/3": "Final B",
            "charts": "Final B",
            "standings": "Final B: A match: 4 hands.",
            "story": "round 2, table 4 · Final B",
            "desk/print/sheets?round=3": "Final B · Canadian, to 32 · A match: 4 hands. Tied: extra hand.",
            "desk/print/round?round=3": "Final A",
        }
        for path, expected_text in pages.items():
            page = hall.desk.open(f"/e/{short}/{path}")
            assert expected_text in " ".join(page.text.split()), path
            found = [element.attrs["id"] for element in page.document.find_all() if "id" in element.attrs]
            assert len(found) == len(set(found)), path
        charts = hall.desk.open(f"/e/{short}/charts").text
        assert charts.index("Final A") < charts.index("Final B")

    @pytest.mark.long
    def test_each_final_has_its_own_first_place_certificate(self) -> None:
        hall = Hall(8, stages=FINALS)
        for number in (1, 2, 3):
            play_round(hall.event, number)
            if number < 3:
                start_next_round(hall.event)
        hall.event.refresh_from_db()
        compute_standings(hall.event)
        document = build_certificates(hall.event, Order(paper=Paper.PODIUM, of=hall.event.pk, language="en"))
        awards = [item["for_what"] for item in document.items]
        places = ["First place", "Second place", "Third place"]
        assert list(dict.fromkeys(awards)) == [f"{place} · Final {letter}" for letter in "AB" for place in places]
        charts = build_charts(hall.event, Order(paper=Paper.CHARTS, of=hall.event.pk, language="en")).items
        assert [str(page["title"])[:7] for page in charts][:2] == ["Final A", "Final B"]


class TestPhasePage:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_phase_page_shows_inherited_settings_and_changes_them(self) -> None:
        hall = Hall(8, stages=FINALS)
        here = f"/e/{hall.event.short}/desk/phases/0/0"
        page = hall.desk.open(here)
        assert "Original setting A match: 1 game." in " ".join(page.text.split())
        assert "changes apply from round 2" in page.text
        page = hall.desk.send(page, page.find_form(control_name="since"), length="hands", hands="4", since="1")
        assert "Choose round 2 or a later one." in page.text
        page = hall.desk.send(page, page.find_form(control_name="since"), since="2")
        assert "Whole event, from round 2: A match: 4 hands." in page.text
        page = confirm_hand(hall.desk, page)
        hall.event.refresh_from_db()
        (changed,) = hall.event.phases
        assert (changed.since, changed.settings.match_format) == (
            2,
            MatchFormat(hands=4, decided_by=MatchCriterion.POINTS),
        )
        assert "Whole event, from round 2: A match: 4 hands." in page.text

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["released", "tie", "ruleset", "length", "order", "absent", "absent_points"])
    def test_choice_that_the_form_does_not_offer_is_refused_at_its_field(self, name: str) -> None:
        hall = Hall(8, stages=FINALS)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/phases/0/0")
        typed: dict[str, Any] = {name: "never", "first_table": "3"}
        page = hall.desk.send(page, page.find_form(control_name="since"), **typed)
        assert page.status == 422
        assert page.get_group_error(name)
        assert page.find_field("first_table").value == "3"

    @pytest.mark.long
    def test_changes_the_ranking_of_a_stage_that_is_played(self) -> None:
        hall = Hall(8, stages=FINALS)
        play_round(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/phases/1/0")
        assert "Same as the event · Ranking: matches won. Ties: games won" in " ".join(page.text.split())
        fields: dict[str, Any] = {"order": ["points_for", "match_wins", "", "", ""], "absent": "draw"}
        fields |= {"absent_points": "number", "absent_number": "5", "since": "1"}
        page = hall.desk.send(page, page.find_form(control_name="since"), **fields)
        assert "Ranking: points for. Ties: matches won." in page.text
        confirm_hand(hall.desk, page)
        hall.event.refresh_from_db()
        (changed,) = hall.event.phases
        own = changed.settings
        assert (own.order, own.absent, own.absent_points) == (("points_for", "match_wins"), Bye.DRAW, 5)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/phases/1/0")
        assert (
            "An absence counts as half a win; 5 points." in hall.desk.open(f"/e/{hall.event.short}/desk/settings").text
        )
        compute_standings(hall.event)
        assert "points for" in hall.desk.open(f"/e/{hall.event.short}/standings").text


# Property tests of the fold of phases

places = st.builds(PhasePlace, stage=st.none() | st.integers(0, 2), section=st.none() | st.sampled_from("AB"))
settings = st.builds(
    PhaseSettings,
    match_format=st.none() | st.sampled_from([ONE_GAME, TWO_GAMES, FOUR_HANDS]),
    tie=st.none() | st.sampled_from(TieRule),
    tables=st.none() | st.sampled_from([(1, 2), (3, 9)]),
    order=st.none() | st.sampled_from([("points_for",), ("match_wins", "difference")]),
    bye=st.none() | st.sampled_from(Bye),
    bye_points=st.none() | st.integers(0, 9) | st.sampled_from(Average),
)
some_phases = st.lists(
    st.builds(Phase, place=places, since=st.integers(1, 5), settings=settings),
    max_size=6,
    unique_by=lambda phase: (phase.place, phase.since),
).map(tidy_phases)


@pytest.mark.long
@property_settings
@given(some_phases)
def test_stored_phases_survive_a_round_trip(phases: tuple[Phase, ...]) -> None:
    assert phases_from_json(phases_to_json(phases)) == phases


@pytest.mark.slow
@property_settings
@given(some_phases, places, st.integers(1, 5), settings, places, st.integers(1, 6))
def test_phase_applies_from_its_round_to_the_next_change(
    before: tuple[Phase, ...],
    place: PhasePlace,
    since: int,
    own: PhaseSettings,
    seen: PhasePlace,
    number: int,
) -> None:
    after = add_phase(before, Phase(place=place, since=since, settings=own))
    assert get_own_settings(after, place, since) == own
    if number < since or not place.contains(seen):
        assert get_settings(after, seen, number) == get_settings(before, seen, number)
    is_other = get_settings(after, seen, number).match_terms != get_settings(before, seen, number).match_terms
    assert (find_changed_round(before, after, [(seen, number)]) == number) is is_other
    assert tidy_phases(after) == after
