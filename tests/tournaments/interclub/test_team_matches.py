"""An afternoon of three teams of two, three and four pairs, on two boards, counted by hand."""

from __future__ import annotations

import datetime
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from clubs.models import Account
from engine.ranking import Bye, ClubScore
from scoring.models import Dispute
from scoring.services.agreement import call_desk, settle_call
from tests.api.program import Program, create_secret
from tests.builders import (
    build_account,
    build_club,
    build_event,
    compute_standings,
    get_refusal_code,
    matches_of,
    play_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.event_files import assert_round_trip, export_event, import_event, update_standings
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.entries.services.teams import set_team
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.verifying import verify_event_file
from tournaments.event_files.writer import serialize_event_file
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.events.services.settings import change_ranking
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.interclub.services.team_lineups import decline_postponement, give_team_lineup, request_postponement
from tournaments.interclub.views.team_lineups import build_captain_link
from tournaments.models import Event, PrizeScope, Round, Season, Table
from tournaments.money.presenters.awards import get_current_awards
from tournaments.money.presenters.treasurer import build_treasurer_view
from tournaments.money.queries.fees import list_fees
from tournaments.money.services.fees import change_rates
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.papers.contents.documents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import forfeit_table, swap_entries
from tournaments.rounds.services.team_matches import postpone_match, reinstate_match
from tournaments.seasons.queries import list_season_nights
from tournaments.standings.presenters.clubs import ClubRow, build_club_rows
from tournaments.standings.presenters.snapshots import get_latest_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FRIDAY = datetime.date(2026, 12, 4)
TEAMS = {"Matane": (1, 2), "Rimouski": (3, 4, 5), "Amqui": (6, 7, 8, 9)}


def place_entries(team: str, *numbers: int) -> dict[str, Any]:
    """Return the fields of a captain who seats these entries of the team at boards 1, 2…"""
    boards = {str(number): str(board) for board, number in enumerate(numbers, start=1)}
    return {f"entry-{number}": boards.get(number, "") for number in team}


class Afternoon:
    """An event of teams numbered as in ``TEAMS``; in round 1, Matane meets Amqui or has a bye."""

    def __init__(self, teams: Mapping[str, Sequence[int]] = TEAMS, **settings: object) -> None:
        self.owner: Account = build_account()
        self.event: Event = build_event(
            max(map(max, teams.values())),
            stages=[{"format": "teams", "settings": settings}],
            club=build_club("Baie-des-Sables", owner=self.owner),
        )
        for team, numbers in teams.items():
            set_team(event_id=self.event.pk, numbers=numbers, team=team)
        start_event(event_id=self.event.pk)
        self.event.refresh_from_db()
        self.desk, self.phone = Browser(account=self.owner), Browser()

    @property
    def draft(self) -> Round:
        return self.event.rounds.latest("number")

    def draw(self) -> None:
        draw_round(event_id=self.event.pk, seed=1)

    def give(self, team: str, *numbers: int) -> None:
        give_team_lineup(event_id=self.event.pk, team=team, numbers=numbers)

    def open_captain_page(self, team: str) -> Page:
        return self.phone.open(build_captain_link(self.event, team))

    def list_boards(self) -> list[tuple[int, ...]]:
        numbers = dict(self.event.entries.values_list("pk", "number"))
        return [
            tuple(sorted(numbers[entry] for entry in (*table.a, *table.b))) for table in lineup_of(self.draft).tables
        ]

    def finish_round(self) -> None:
        number = self.draft.number
        publish_round(event_id=self.event.pk, number=number)
        play_round(self.event, number)
        close_round(event_id=self.event.pk, number=number)

    def postpone_first_match(self) -> None:
        """Postpone the match of table 1 in round 1 to 4 December, and close the round without it."""
        self.draw()
        publish_round(event_id=self.event.pk, number=1)
        postpone_match(event_id=self.event.pk, number=1, table=1, day=FRIDAY)
        close_round(event_id=self.event.pk, number=1)

    def open_desk_table(self, table: int) -> Page:
        return self.desk.open(f"/e/{self.event.short}/desk/rounds/1/tables/{table}")

    def open_requests(self) -> Page:
        return self.desk.open(f"/e/{self.event.short}/desk/line-ups")

    def list_charged(self) -> set[int | None]:
        """Return the numbers of the entries whose people owe a fee."""
        self.event.refresh_from_db()
        return {line.entry for line in list_fees(self.event) if line.due.amount}

    def list_winners(self) -> list[int]:
        """Return the numbers of the entries that have won a match."""
        compute_standings(self.event)
        return sorted(row["entry"] for row in get_latest_snapshot(self.event).rows if row["match_wins"])

    def list_club_rows(self) -> tuple[ClubRow, ...]:
        compute_standings(self.event)
        entries = get_entries(self.event)
        return build_club_rows(self.event, get_latest_snapshot(self.event), entries)


@pytest.mark.long
def test_nobody_sees_a_line_up_before_both_captains_gave_theirs() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    drawn = afternoon.list_boards()
    afternoon.give("Amqui", 9, 8)
    assert afternoon.list_boards() == drawn
    afternoon.give("Amqui", 9, 7)
    assert get_refusal_code(afternoon.give, "Rimouski", 5, 5) == "chosen_twice"
    afternoon.give("Rimouski", 5, 3)
    assert afternoon.list_boards() == [(5, 9), (3, 7)]
    assert get_refusal_code(afternoon.give, "Amqui", 6, 7) == "lineups_complete"
    undo_action(event_id=afternoon.event.pk, action_id=afternoon.event.actions.latest("pk").pk)
    assert afternoon.list_boards() == drawn


@pytest.mark.long
def test_line_ups_outlast_another_draw_unless_somebody_has_left() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    afternoon.give("Amqui", 9, 7)
    afternoon.give("Rimouski", 5, 3)
    afternoon.draw()
    assert afternoon.list_boards() == [(5, 9), (3, 7)]
    withdraw_entry(event_id=afternoon.event.pk, number=9)
    afternoon.draw()
    assert afternoon.list_boards() == [(3, 6), (4, 7)]
    afternoon.give("Amqui", 8, 7)
    assert afternoon.list_boards() == [(5, 8), (3, 7)]


def test_captains_give_their_line_ups_on_their_phones() -> None:
    afternoon = Afternoon()
    assert "No match is drawn" in afternoon.open_captain_page("Amqui").text
    afternoon.draw()
    page = afternoon.open_captain_page("Rimouski")
    page = afternoon.phone.send(page, page.find_form(control_name="entry-5"), **place_entries("345", 5, 3))
    assert "Your line-up is submitted" in page.text
    desk = afternoon.desk.open(f"/e/{afternoon.event.short}/desk/line-ups")
    assert "Rimouski: line-up submitted" in desk.text
    assert "Amqui: no line-up yet" in desk.text
    page = afternoon.open_captain_page("Amqui")
    assert "Rimouski has submitted theirs" in page.text
    typed: dict[str, Any] = {"entry-9": "1", "entry-8": "1", "entry-7": "", "entry-6": ""}
    page = afternoon.phone.send(page, page.find_form(control_name="entry-9"), **typed)
    assert "Choose one entry for each board. Boards to fill: 2." in page.text
    chosen = {name: [one.text for one in page.find_field(name).find_all("option", selected="")] for name in typed}
    assert chosen == {
        "entry-9": ["Board 1"],
        "entry-8": ["Board 1"],
        "entry-7": ["Substitute"],
        "entry-6": ["Substitute"],
    }
    page = afternoon.phone.send(page, page.find_form(control_name="entry-9"), **place_entries("6789", 9, 7))
    assert "Both line-ups are submitted" in page.text
    assert afternoon.phone.open(f"/e/{afternoon.event.short}/line-up/BCDFGHJKLM").status == 404
    assert afternoon.event.actions.latest("pk").origin.startswith("Amqui")


@pytest.mark.long
def test_standings_count_match_points_then_boards() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    afternoon.give("Amqui", 9, 7)
    afternoon.give("Rimouski", 5, 3)
    publish_round(event_id=afternoon.event.pk, number=1)
    swap_entries(event_id=afternoon.event.pk, number=1, one=7, other=8)
    assert afternoon.list_boards() == [(5, 9), (3, 8)]
    play_round(afternoon.event, 1)
    withdraw_entry(event_id=afternoon.event.pk, number=2)
    afternoon.draw()
    afternoon.give("Rimouski", 4, 5)
    afternoon.give("Matane", 1)
    assert afternoon.list_boards() == [(1, 4)]
    afternoon.finish_round()
    afternoon.draw()
    afternoon.finish_round()
    assert get_refusal_code(afternoon.draw) == "nothing_left_to_draw"

    won: dict[tuple[int, str, str], int] = defaultdict(int, {(2, "Rimouski", "Matane"): 1, (3, "Amqui", "Matane"): 1})
    for table in Table.objects.filter(round__event=afternoon.event).select_related("round"):
        winner, loser = table.seatings.select_related("entry").order_by("side")
        won[table.round.number, winner.entry.team, loser.entry.team] += 1
    expected = {team: [0, 0] for team in TEAMS}
    for number, team, other in {key for match in won for key in (match, (match[0], match[2], match[1]))}:
        boards, lost = won[number, team, other], won[number, other, team]
        expected[team][0] += 2 * (boards > lost) + (boards == lost)
        expected[team][1] += 2 * boards
    rows = afternoon.list_club_rows()
    paper = document_of(Order(paper=Paper.CLUBS, of=afternoon.event.pk, language="en"))
    assert paper.title.startswith("Standings by team")
    counted = {row.name: [row.score.match_points, row.score.game_points] for row in rows if row.score is not None}
    assert counted == expected
    assert [row.name for row in rows] == sorted(expected, key=expected.__getitem__, reverse=True)
    content = read_event_file(serialize_event_file(build_event_file(afternoon.event)))
    assert verify_event_file(content).differences == []


def test_a_team_match_counts_once_all_of_its_boards_are_decided() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    first, second = matches_of(afternoon.event)
    win(first)
    rows = {row.score.meetings: row.score for row in afternoon.list_club_rows() if row.score is not None}
    assert all(score.merit == (0, 0, 0, 0) for score in rows.values())
    assert sorted(meeting.is_decided for meetings in rows for meeting in meetings) == [False, False]
    assert "in progress" in afternoon.desk.open(f"/e/{afternoon.event.short}/desk/standings").text
    paper = document_of(Order(paper=Paper.CLUBS, of=afternoon.event.pk, language="en"))
    assert "1–0" not in str(paper)
    win(second, "B")
    scores = [row.score.merit[:2] for row in afternoon.list_club_rows() if row.score is not None]
    assert scores == [(1, 2), (1, 2), (0, 0)]


def test_a_team_wholly_absent_loses_its_match_by_forfeit_on_every_board() -> None:
    afternoon = Afternoon()
    for number in TEAMS["Rimouski"]:
        change_attendance(event_id=afternoon.event.pk, number=number, round_number=1, attendance="absent")
    afternoon.draw()
    assert afternoon.list_boards() == []
    draft = afternoon.desk.open(f"/e/{afternoon.event.short}/desk").text
    assert all(f"Rimouski has nobody for board {board}: won without play." in draft for board in (1, 2))
    page = afternoon.open_captain_page("Amqui")
    assert "Round 1: against Rimouski" in page.text
    afternoon.give("Amqui", 9, 8)
    afternoon.finish_round()
    scores = {row.name: row.score for row in afternoon.list_club_rows() if row.score is not None}
    counted = {team: (scores[team].match_points, scores[team].game_points) for team in TEAMS}
    assert counted == {"Amqui": (2, 4), "Rimouski": (0, 0), "Matane": (0, 0)}
    assert [meeting.opponent for meeting in scores["Rimouski"].meetings] == ["Amqui"]
    assert afternoon.list_winners() == [8, 9]
    for _ in range(2):
        afternoon.draw()
        afternoon.finish_round()
    assert get_refusal_code(afternoon.draw) == "nothing_left_to_draw"
    content = read_event_file(serialize_event_file(build_event_file(afternoon.event)))
    assert verify_event_file(content).differences == []


def test_a_team_plays_in_one_division_only() -> None:
    afternoon = Afternoon({"Matane": (1, 2, 5, 6), "Amqui": (3, 4), "Rimouski": (7, 8)})
    afternoon.event.entries.filter(number__lte=4).update(section="Division 1")
    afternoon.event.entries.filter(number__gt=4).update(section="Division 2")
    assert get_refusal_code(afternoon.draw) == "team_in_two_sections"
    set_team(event_id=afternoon.event.pk, numbers=(5, 6), team="Matane 2")
    afternoon.draw()
    assert afternoon.list_boards() == [(1, 3), (2, 4), (5, 7), (6, 8)]


def test_a_renamed_team_keeps_its_captains_link_and_line_up() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    link = build_captain_link(afternoon.event, "Amqui")
    afternoon.give("Amqui", 9, 8)
    set_team(event_id=afternoon.event.pk, numbers=TEAMS["Amqui"], team="Causapscal")
    set_team(event_id=afternoon.event.pk, numbers=TEAMS["Matane"], team="Amqui")
    page = afternoon.phone.open(link)
    assert "Causapscal" in page.text
    assert "Your line-up is submitted" in page.text
    afternoon.event.refresh_from_db()
    assert build_captain_link(afternoon.event, "Causapscal") == link
    assert build_captain_link(afternoon.event, "Amqui") != link
    afternoon.give("Rimouski", 5, 3)
    assert afternoon.list_boards() == [(5, 9), (3, 8)]
    set_team(event_id=afternoon.event.pk, numbers=[9], team="Sayabec")
    assert "Causapscal" in afternoon.phone.open(link).text


def test_what_captains_gave_moves_with_an_event_and_their_line_ups_stay_hidden_in_the_file() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    request_postponement(event_id=afternoon.event.pk, team="Rimouski", day=FRIDAY)
    afternoon.give("Amqui", 9, 8)
    update_standings(afternoon.event)
    file = serialize_event_file(build_event_file(afternoon.event, with_phone_keys=True, with_desk=True))
    desk = read_event_file(file)["desk"]
    assert "Amqui" not in json.dumps([desk["team_lineups"], desk["history"][-1]["changes"]])
    copy = import_event(read_event_file(file))
    afternoon.event = copy
    page = afternoon.open_captain_page("Amqui")
    assert "Your line-up is submitted" in page.text
    assert "Rimouski asks to postpone" in page.text
    undo_action(event_id=copy.pk, action_id=copy.actions.get(kind="give_team_lineup").pk)
    afternoon.give("Amqui", 9, 8)
    afternoon.give("Rimouski", 5, 3)
    assert afternoon.list_boards() == [(5, 9), (3, 8)]


def test_the_next_rounds_are_played_while_a_match_is_postponed() -> None:
    afternoon = Afternoon()
    afternoon.postpone_first_match()
    for _ in range(2):
        afternoon.draw()
        afternoon.finish_round()
    assert get_refusal_code(afternoon.draw) == "nothing_left_to_draw"
    assert get_refusal_code(end_event, event_id=afternoon.event.pk) == "matches_postponed"
    compute_standings(afternoon.event)
    for address in ("/standings", "/desk", "/desk/standings"):
        assert "December 4, 2026" in afternoon.desk.open(f"/e/{afternoon.event.short}{address}").text, address
    assert "1 match postponed" in afternoon.open_captain_page("Amqui").text
    content = read_event_file(serialize_event_file(build_event_file(afternoon.event)))
    assert verify_event_file(content).differences == []
    assert assert_round_trip(export_event(afternoon.event)).rounds.get(number=1).postponed == {
        "1": "2026-12-04",
        "2": "2026-12-04",
    }


@pytest.mark.long
def test_a_postponed_match_counts_once_it_is_played() -> None:
    afternoon = Afternoon()
    afternoon.postpone_first_match()
    assert [row.score for row in afternoon.list_club_rows()] == [ClubScore()] * 3
    afternoon.draw()
    play_round(afternoon.event, 1)
    assert sum(row.score.match_points for row in afternoon.list_club_rows() if row.score is not None) == 2
    assert afternoon.event.rounds.get(number=1).state == "closed"
    publish_round(event_id=afternoon.event.pk, number=2)
    play_round(afternoon.event, 2)
    assert "postponed" not in afternoon.desk.open(f"/e/{afternoon.event.short}/desk").text
    content = read_event_file(serialize_event_file(build_event_file(afternoon.event)))
    assert verify_event_file(content).differences == []


@pytest.mark.long
def test_forfeits_of_both_teams_annul_a_postponed_match() -> None:
    afternoon = Afternoon()
    afternoon.postpone_first_match()
    for table in (1, 2):
        forfeit_table(event_id=afternoon.event.pk, number=1, table=table, winner=None)
    end_event(event_id=afternoon.event.pk)
    assert all(row.score is not None and row.score.match_points == 0 for row in afternoon.list_club_rows())


@pytest.mark.long
def test_a_director_postpones_a_match_on_the_page_of_its_table() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    address = f"/e/{afternoon.event.short}/desk"
    assert "Round 1: 0 of 2 tables done" in afternoon.desk.open(address).text
    page = afternoon.open_desk_table(2)
    page = afternoon.desk.send(page, page.find_form(control_name="day"), day="soon", what="postpone")
    assert "is not a date" in page.text
    page = afternoon.desk.send(page, page.find_form(control_name="day"), day="2026-12-04", what="postpone")
    assert page.text.count("Postponed to December 4, 2026") == 2
    assert "tables done" not in afternoon.desk.open(address).text
    page = afternoon.open_desk_table(1)
    page = afternoon.desk.send(page, page.find_form(control_name="day"), what="reinstate")
    assert "Postponed" not in page.text
    postpone_match(event_id=afternoon.event.pk, number=1, table=1)
    assert "Postponed" in afternoon.desk.open(f"{address}/rounds/1").text


@pytest.mark.long
def test_postponing_is_undone_unless_the_round_was_closed_without_the_match() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    postpone_match(event_id=afternoon.event.pk, number=1, table=1)
    undo_action(event_id=afternoon.event.pk, action_id=afternoon.event.actions.latest("pk").pk)
    assert get_refusal_code(close_round, event_id=afternoon.event.pk, number=1) == "tables_missing"
    postpone_match(event_id=afternoon.event.pk, number=1, table=1)
    action = afternoon.event.actions.latest("pk")
    close_round(event_id=afternoon.event.pk, number=1)
    assert get_refusal_code(undo_action, event_id=afternoon.event.pk, action_id=action.pk) == "tables_missing"
    assert get_refusal_code(reinstate_match, event_id=afternoon.event.pk, number=1, table=1) == "tables_missing"
    play_round(afternoon.event, 1)
    assert get_refusal_code(postpone_match, event_id=afternoon.event.pk, number=1, table=1) == "match_is_played"


def test_a_captain_asks_to_postpone_a_match_and_sees_it_postponed() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    page = afternoon.open_captain_page("Amqui")
    ask = page.find_form(control_name="day")
    assert "is not a date" in afternoon.phone.send(page, ask, day="soon").text
    typed = afternoon.phone.send(page, ask, day="soon", note="The hall is taken.")
    assert typed.find_one("input", name="note").attrs["value"] == "The hall is taken."
    for _ in range(2):
        afternoon.phone.send(page, ask, day="2026-12-04", note="The hall is taken.")
    request = "Amqui asks to postpone the match to December 4, 2026. The hall is taken."
    for team in ("Amqui", "Rimouski"):
        page = afternoon.open_captain_page(team)
        assert request in page.text
        assert "has not answered" in page.text
        assert "Ask to postpone" not in page.text
    desk = afternoon.desk.open(f"/e/{afternoon.event.short}/desk")
    assert request in desk.text
    assert desk.text.count("Postpone?") == 2
    assert "Disputed" not in desk.text
    page = afternoon.open_requests()
    afternoon.desk.send(page, page.find_form(control_name="day"), what="postpone")
    page = afternoon.open_captain_page("Rimouski")
    assert "(December 4, 2026)" in page.text
    assert "asks to postpone" not in page.text
    assert "Ask to postpone" not in page.text
    desk = afternoon.desk.open(f"/e/{afternoon.event.short}/desk")
    assert "asks to postpone" not in desk.text
    assert "Postpone?" not in desk.text


def test_each_reader_sees_a_request_in_their_language_and_the_history_has_it_once() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    afternoon.phone = Browser(language="fr")
    page = afternoon.open_captain_page("Amqui")
    afternoon.phone.send(page, page.find_form(control_name="day"), day="2026-12-04", note="La salle est prise.")
    page = afternoon.open_captain_page("Amqui")
    assert "Amqui demande de reporter le match au 4 décembre 2026. La salle est prise." in page.text
    desk = afternoon.desk.open(f"/e/{afternoon.event.short}/desk")
    assert "Amqui asks to postpone the match to December 4, 2026. La salle est prise." in desk.text
    history = afternoon.desk.open(f"/e/{afternoon.event.short}/desk/history").text
    assert "Round 1: Amqui asked to postpone the match to December 4, 2026" in history
    assert history.count("La salle est prise.") == 1


def test_a_captain_asks_before_the_round_is_published_and_the_request_outlives_a_new_draw() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    request_postponement(event_id=afternoon.event.pk, team="Amqui", day=FRIDAY)
    assert "publish the round first" in afternoon.open_requests().text
    draw_round(event_id=afternoon.event.pk, seed=2)
    set_team(event_id=afternoon.event.pk, numbers=TEAMS["Amqui"], team="Sayabec")
    publish_round(event_id=afternoon.event.pk, number=1, as_drawn=True)
    assert "Sayabec asks to postpone" in afternoon.open_requests().text


def test_both_captains_read_why_a_postponement_was_declined() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    ask = partial(request_postponement, event_id=afternoon.event.pk, team="Rimouski", day=FRIDAY)
    ask()
    ask()
    assert get_refusal_code(ask, note="Snow") == "desk_already_called"
    page = afternoon.open_requests()
    form = page.find_form(control_name="answer")
    assert "reason" in afternoon.desk.send(page, form, answer="").text
    afternoon.desk.send(page, form, answer="The season ends on Thursday.")
    assert "was already answered" in afternoon.desk.send(page, form, answer="Never.").text
    for team in ("Amqui", "Rimouski"):
        page = afternoon.open_captain_page(team)
        assert "Answer: The season ends on Thursday." in page.text
        assert "Ask to postpone" in page.text
    play_round(afternoon.event, 1)
    assert get_refusal_code(ask) == "no_match_to_postpone"
    assert get_refusal_code(ask, team="Matane") == "no_match_to_postpone"


@pytest.mark.long
def test_a_request_and_a_call_of_its_table_are_answered_separately() -> None:
    """A request stored by an older version is such a call."""
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    request_postponement(event_id=afternoon.event.pk, team="Rimouski", day=FRIDAY)
    match = Table.objects.get(number=1).match_id
    assert match is not None
    call_desk(match_id=match, note="Please come.", device="captain")
    assert "Please come." in afternoon.desk.open(f"/match/{match}").text
    decline_postponement(event_id=afternoon.event.pk, team="Rimouski", answer="No hall is free.")
    assert Dispute.objects.get().is_open
    request_postponement(event_id=afternoon.event.pk, team="Amqui", day=FRIDAY)
    settle_call(match_id=match, account=None, ruling="As marked.")
    assert "Amqui asks to postpone" in afternoon.open_requests().text


@pytest.mark.long
def test_unpublishing_a_round_forgets_its_postponed_matches() -> None:
    afternoon = Afternoon()
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    postpone_match(event_id=afternoon.event.pk, number=1, table=1)
    unpublish_round(event_id=afternoon.event.pk, number=1)
    assert afternoon.draft.postponed == {}


@pytest.mark.long
def test_fees_by_club_count_players_who_won_without_play() -> None:
    afternoon = Afternoon()
    change_rates(event_id=afternoon.event.pk, rates=Rates(member=500, guest=500))
    for number in TEAMS["Rimouski"]:
        change_attendance(event_id=afternoon.event.pk, number=number, round_number=1, attendance="absent")
    afternoon.draw()
    afternoon.finish_round()
    afternoon.event.refresh_from_db()
    asked = {group.name: group.totals.amount for group in build_treasurer_view(afternoon.event).club_fees}
    assert asked == {"Matane": 4 * 500, "Rimouski": 0, "Amqui": 4 * 500}


def test_a_substitute_owes_a_fee_once_they_played() -> None:
    afternoon = Afternoon({"Matane": (1, 2), "Amqui": (3, 4, 5)}, boards=2, legs=2)
    change_rates(event_id=afternoon.event.pk, rates=Rates(member=500, guest=500))
    afternoon.draw()
    afternoon.give("Amqui", 3, 4)
    afternoon.give("Matane", 1, 2)
    publish_round(event_id=afternoon.event.pk, number=1)
    assert afternoon.list_charged() == {1, 2, 3, 4}
    play_round(afternoon.event, 1)
    assert afternoon.list_charged() == {1, 2, 3, 4}
    afternoon.draw()
    afternoon.give("Amqui", 5, 4)
    afternoon.give("Matane", 1, 2)
    afternoon.finish_round()
    assert afternoon.list_charged() == {1, 2, 3, 4, 5}


def test_substitutes_rank_and_count_for_a_season_once_they_played() -> None:
    afternoon = Afternoon({"Matane": (1, 2), "Amqui": (3, 4, 5)}, boards=2, legs=2)
    event = afternoon.event
    change_ranking(event_id=event.pk, rules=replace(event.ranking_rules, bye=Bye.WIN))
    season = Season.objects.create(
        club=event.club, name="2026", starts=event.held_on, ends=event.held_on, ladders=[{"name": "", "presence": 1}]
    )
    for away, present in (((3, 4), {1, 2, 3, 4}), ((5, 4), {1, 2, 3, 4, 5})):
        afternoon.draw()
        afternoon.give("Amqui", *away)
        afternoon.give("Matane", 1, 2)
        afternoon.finish_round()
        rows = compute_standings(event)
        assert {row["entry"] for row in rows} == present
        assert sum(row["match_wins"] for row in rows) == 2 * afternoon.draft.number
        (night,) = list_season_nights(season)
        assert {result.entry for result in night.results} == present


def test_the_home_team_is_named_first_wherever_a_match_is_named() -> None:
    afternoon = Afternoon({"Matane": (1, 2), "Amqui": (3, 4), "Rimouski": (5, 6), "Sayabec": (7, 8)}, home=True)
    afternoon.draw()
    publish_round(event_id=afternoon.event.pk, number=1)
    home, away = read_home_and_away(afternoon.event)
    assert f"Round 1: at home against {away}" in afternoon.open_captain_page(home).text
    assert f"Round 1: away against {home}" in afternoon.open_captain_page(away).text
    for path in (
        "",
        ".csv?round=1",
        "/rounds/1",
        "/desk",
        "/desk/line-ups",
        "/desk/rounds/1",
        "/desk/print/round?round=1",
    ):
        assert f"{home} (home) – {away}" in afternoon.desk.open(f"/e/{afternoon.event.short}{path}").text, path


def read_home_and_away(event: Event) -> tuple[str, str]:
    """Return the teams of the first table, side A first."""
    one, other = Table.objects.get(round__event=event, number=1).seatings.order_by("side")
    return one.entry.team, other.entry.team


@pytest.mark.parametrize("is_program", [False, True])
def test_a_new_season_moves_promoted_and_relegated_teams(*, is_program: bool) -> None:
    owner = build_account()
    event = build_event(
        8,
        stages=[{"format": "teams", "settings": {"moves": 1}}],
        club=build_club("Baie-des-Sables", owner=owner),
    )
    event.sections = [{"name": name, "first_table": None, "last_table": None} for name in ("Division 1", "Division 2")]
    event.save()
    for team, numbers, section in (
        ("Matane", (1, 2), "Division 1"),
        ("Amqui", (3, 4), "Division 1"),
        ("Rimouski", (5, 6), "Division 2"),
        ("Sayabec", (7, 8), "Division 2"),
    ):
        set_team(event_id=event.pk, numbers=numbers, team=team)
        event.entries.filter(number__in=numbers).update(section=section)
    start_event(event_id=event.pk)
    draw_round(event_id=event.pk, seed=1)
    publish_round(event_id=event.pk, number=1)
    play_round(event, 1)
    compute_standings(event)
    end_event(event_id=event.pk)
    event.refresh_from_db()
    rows = build_club_rows(event, get_latest_snapshot(event), get_entries(event))
    assert [(row.section, row.rank, row.move) for row in rows] == [
        ("Division 1", 1, ""),
        ("Division 1", 2, "down"),
        ("Division 2", 1, "up"),
        ("Division 2", 2, ""),
    ]
    add_prize_category(event_id=event.pk, details=CategoryDetails(name="Teams", among=PrizeScope.CLUBS))
    awards = get_current_awards(event, get_entries(event), str)
    assert [(each.group, [winner.name for winner in each.winners]) for each in awards] == [
        ("Division 1", [rows[0].name]),
        ("Division 2", [rows[2].name]),
    ]
    desk = Browser(account=owner)
    public = desk.open(f"/e/{event.short}").text
    assert public.count("Promotion") == 1
    assert f"First among teams: {rows[0].name} (Division 1) and {rows[2].name} (Division 2)" in public
    assert "Repeat for next season" in desk.open(f"/club/{event.club.slug}").text
    page = desk.open(f"/club/{event.club.slug}/like/{event.short}")
    assert f"{rows[1].name}: from Division 1 to Division 2" in page.text
    assert "Create the night" not in page.text
    if is_program:
        program, body = Program(create_secret(event.club, owner)), {"name": "Second season", "held_on": "2027-09-07"}
        program.call("post", f"events/{event.short}/again", body | {"with_people": True})
    else:
        desk.send(page, page.find_form(control_name="people"), people="1", name="Second season")
    sections = dict(Event.objects.get(name="Second season").entries.values_list("team", "section"))
    stays, leaves, comes, remains = (row.name for row in rows)
    assert sections == {stays: "Division 1", comes: "Division 1", leaves: "Division 2", remains: "Division 2"}
