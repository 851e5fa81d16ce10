"""Any sequence of a director's actions and undos keeps an event consistent, and undoing all of it restores the
start."""

from collections.abc import Callable
from random import Random
from string import ascii_lowercase
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubs.audit.log import Actor
from engine.draws.lineups import lineup_to_json
from engine.ranking import ADJUSTABLE, RankingRules
from errors import Refusal
from rules import Side
from scoring.models import Match
from tests.builders import (
    build_account,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.long_runs import choose_count
from tournaments.entries.services.check_in import ATTENDANCES, change_attendance, leave_out_absent, mark_present
from tournaments.entries.services.entries import add_entry, admit_entry, remove_entry
from tournaments.entries.services.entry_actions import (
    adjust_entry,
    describe_entry,
    remove_adjustment,
    return_entry,
    substitute_player,
    withdraw_entry,
)
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.services.starting_list import order_entries
from tournaments.events.services.lifecycle import end_event, plan_tables, resume_event, start_event
from tournaments.events.services.settings import change_ranking, change_sections
from tournaments.history.queries import get_actions
from tournaments.history.services.undo import check_round_order, undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Event, Round, Seating, Table
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.rounds import (
    close_round,
    discard_draft,
    draw_round,
    hold_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from tournaments.rounds.services.tables import (
    adjust_table,
    forfeit_table,
    hold_table,
    let_cards_count,
    seat_more,
    swap_entries,
)

pytestmark = pytest.mark.django_db

DirectorAction = Callable[[Event, Random], object]

RANKING_ORDER = ["match_wins", "buchholz", "head_to_head", "points_for"]


def get_last_round(event: Event) -> Round:
    found = event.rounds.order_by("number").last()
    return found or Round(event=event, number=0)


def choose_table(event: Event, random: Random) -> dict[str, Any]:
    """Choose a round and a table number at random; the table may not exist."""
    number = random.randint(1, max(1, event.rounds.count()))
    return {"event_id": event.pk, "number": number, "table": random.randint(1, 3)}


def choose_two_entries(event: Event, random: Random) -> dict[str, Any]:
    one, other = random.sample(range(1, 8), 2)
    number = random.randint(1, max(1, event.rounds.count()))
    return {"event_id": event.pk, "number": number, "one": one, "other": other}


def choose_entry(event: Event, random: Random) -> dict[str, Any]:
    return {"event_id": event.pk, "number": random.randint(1, 10)}


def make_two_names(random: Random) -> list[str]:
    return ["".join(random.sample(ascii_lowercase, 8)) for _ in range(2)]


def get_last_round_arguments(event: Event) -> dict[str, Any]:
    return {"event_id": event.pk, "number": get_last_round(event).number}


def decide_all_tables(event: Event, random: Random) -> None:
    """Forfeit each table of the last round that has no ruling, so that the round can be closed."""
    number = get_last_round(event).number
    for table in Table.objects.filter(round__event=event, round__number=number, ruling__isnull=True):
        forfeit_table(event_id=event.pk, number=number, table=table.number, winner=random.choice([*Side]))


def mark_random_table(event: Event, random: Random) -> None:
    """Mark a hand, which is no action of a director and must survive undos."""
    at_tables = Match.objects.filter(table__round__event=event, closed_at=None, is_over=False)
    if matches := list(at_tables.order_by("pk")):
        mark(random.choice(matches), "A 6 made")


ACTIONS: dict[str, DirectorAction] = {
    "draw": lambda e, r: draw_round(event_id=e.pk, seed=r.randrange(99)),
    "publish": lambda e, r: publish_round(**get_last_round_arguments(e)),
    "unpublish": lambda e, r: unpublish_round(**get_last_round_arguments(e)),
    "begin": lambda e, r: begin_round(**get_last_round_arguments(e)),
    "hold the round": lambda e, r: hold_round(**get_last_round_arguments(e)),
    "decide": decide_all_tables,
    "close": lambda e, r: close_round(**get_last_round_arguments(e)),
    "reopen": lambda e, r: reopen_round(**get_last_round_arguments(e)),
    "discard": lambda e, r: discard_draft(**get_last_round_arguments(e)),
    "swap": lambda e, r: swap_entries(**choose_two_entries(e, r)),
    "seat more": lambda e, r: seat_more(**choose_two_entries(e, r)),
    "hold": lambda e, r: hold_table(**choose_table(e, r), is_held=r.random() < 0.7),
    "forfeit": lambda e, r: forfeit_table(**choose_table(e, r), winner=r.choice([*Side, None])),
    "adjust": lambda e, r: adjust_table(**choose_table(e, r), games=(1, 0), points=(r.randrange(33), 12)),
    "cards": lambda e, r: let_cards_count(**choose_table(e, r)),
    "enter": lambda e, r: add_entry(event_id=e.pk, players=make_two_names(r)),
    "let in": lambda e, r: admit_entry(**choose_entry(e, r)),
    "take off": lambda e, r: remove_entry(**choose_entry(e, r)),
    "withdraw": lambda e, r: withdraw_entry(**choose_entry(e, r)),
    "return": lambda e, r: return_entry(**choose_entry(e, r)),
    "substitute": lambda e, r: substitute_player(**choose_entry(e, r), place=1, name=make_two_names(r)[0]),
    "attend": lambda e, r: change_attendance(
        **choose_entry(e, r), round_number=get_last_round(e).number + 1, attendance=r.choice(ATTENDANCES)
    ),
    "penalize": lambda e, r: adjust_entry(
        **choose_entry(e, r), metric=r.choice([*ADJUSTABLE]), amount=-1, by=Actor(reason="Late")
    ),
    "forgive": lambda e, r: remove_adjustment(
        **choose_entry(e, r), adjustment_id=e.adjustments.values_list("pk", flat=True).first() or 0
    ),
    "come": lambda e, r: mark_present(**choose_entry(e, r), is_present=r.random() < 0.8),
    "leave out": lambda e, r: leave_out_absent(event_id=e.pk),
    "describe": lambda e, r: describe_entry(**choose_entry(e, r), team=r.choice(["", "Matane"]), rating=7),
    "divide": lambda e, r: change_sections(
        event_id=e.pk, sections=[{"name": r.choice("MN"), "first_table": None, "last_table": None}]
    ),
    "mark": mark_random_table,
    "rank": lambda e, r: change_ranking(event_id=e.pk, rules=RankingRules(order=tuple(r.sample(RANKING_ORDER, 2)))),
    "end": lambda e, r: end_event(event_id=e.pk),
    "resume": lambda e, r: resume_event(event_id=e.pk),
    "undo": lambda e, r: undo_action(event_id=e.pk, action_id=r.choice(list(e.actions.all())).pk),
}


def state_of(event: Event) -> dict[str, Any]:
    """Return everything that a director can change, without values that the database generates."""
    event = Event.objects.get(pk=event.pk)
    return {
        "event": (event.state, event.table_count, event.ranking, event.signs_up, event.most_entries),
        "entries": list(event.entries.order_by("number").values()),
        "adjustments": sorted(event.adjustments.values_list("entry", "metric", "amount", "reason")),
        "rounds": [
            {
                "round": (drawn.number, drawn.state, drawn.seed, drawn.held, drawn.price, drawn.order),
                "times": (drawn.published_at, drawn.started_at, drawn.closed_at),
                "lineup": lineup_to_json(lineup_of(drawn)),
                "rulings": list(drawn.tables.order_by("number").values_list("number", "ruling")),
            }
            for drawn in event.rounds.order_by("number")
        ],
        "standings": compute_standings(event),
    }


def check_whole(event: Event) -> None:
    """Check the invariants that always hold: consecutive rounds, and matches only at published tables."""
    event = Event.objects.get(pk=event.pk)
    check_round_order(event)
    for drawn in event.rounds.all():
        lineup = lineup_of(drawn)
        seated = [entry for table in lineup.tables for entry in (*table.a, *table.b)]
        seated += [bye.entry for bye in lineup.byes]
        assert len(seated) == len(set(seated))
        assert event.entries.filter(pk__in=seated, is_waiting=False).count() == len(seated)
        matches = Match.objects.filter(table__round=drawn)
        if drawn.state == RoundState.DRAFT:
            assert not drawn.tables.exists()
        else:
            assert matches.count() == len(lineup.tables)
            is_closed = drawn.state == RoundState.CLOSED
            assert not matches.filter(closed_at__isnull=is_closed).exists()
            assert not matches.filter(withdrawn_at__isnull=False).exists()
    assert not event.rounds.filter(tables__isnull=True, state=RoundState.CLOSED).exists()


def build_event_with_waiting_list() -> Event:
    event = build_event(7, tables=3)
    change_sign_up(event_id=event.pk, is_open=True, most_entries=7)
    for surname in ("Wagner", "Weiss"):
        add_entry(event_id=event.pk, players=[f"Wanda {surname}", f"Willy {surname}"])
    return start_event(event_id=event.pk)


@pytest.mark.long
@settings(
    max_examples=choose_count(10, long=200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    names=st.lists(st.sampled_from([*ACTIONS, *["draw", "publish", "decide", "close"] * 3]), max_size=18),
    seed=st.integers(0, 10**6),
)
def test_undoing_everything_restores_the_event(names: list[str], seed: int) -> None:
    random = Random(seed)
    event = build_event_with_waiting_list()
    started, first = state_of(event), event.actions.first()
    assert first is not None
    for name in names:
        try:
            ACTIONS[name](Event.objects.get(pk=event.pk), random)
        except Refusal:
            continue
        check_whole(event)
    while (last := find_last_standing_action(event, since=first)) is not None:
        undo_action(event_id=event.pk, action_id=last.pk)
        check_whole(event)
    assert state_of(event) == started


def find_last_standing_action(event: Event, *, since: Action) -> Action | None:
    """Return the last action still in effect that changed something; the undo of an undo counts as an action."""
    standing: list[Action] = []
    for action in event.actions.filter(pk__gt=since.pk).order_by("pk"):
        if action.undoes_id is None:
            standing.append(action)
        else:
            pair = action.undoes
            if pair in standing:
                standing.remove(pair)
            else:
                standing.append(action)
    return next((each for each in reversed(standing) if any(each.changes.values())), None)


@pytest.mark.postgresql("constraints, and savepoints")
class TestUndo:
    @pytest.mark.slow
    def test_undone_substitution_restores_the_player_at_the_table(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        seated = [player.person for player in match.players.order_by("seat")]
        entry = event.entries.get(player_1=seated[0])
        substitute_player(event_id=event.pk, number=entry.number, place=1, name="Zoé Zed")
        assert match.players.get(seat=0).person.name == "Zoé Zed"
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [player.person for player in match.players.order_by("seat")] == seated

    @pytest.mark.long
    def test_undone_swap_restores_both_entries(self) -> None:
        event = build_running_night(pairs=6)
        before = state_of(event)
        swap_entries(event_id=event.pk, number=1, one=1, other=find_entry_at_other_table(event, 1))
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert state_of(event) == before

    @pytest.mark.long
    def test_swap_leaves_a_finished_match_to_its_players(self) -> None:
        event = build_running_night(pairs=6)
        match = matches_of(event)[0]
        win(match)
        numbers = dict(event.entries.values_list("pk", "number"))
        table = lineup_of(event.rounds.get()).get_table(1)
        a, b = numbers[table.a[0]], numbers[table.b[0]]
        played = [player.person for player in match.players.order_by("seat")]
        substitute_player(event_id=event.pk, number=a, place=1, name="Zoé Zed")
        swap_entries(event_id=event.pk, number=1, one=b, other=find_entry_at_other_table(event, b))
        assert [player.person for player in match.players.order_by("seat")][::2] == played[::2]

    @pytest.mark.long
    def test_undone_publishing_can_be_redone_with_recorded_hands(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        mark(match, "A 6 made")
        undone = undo_action(event_id=event.pk, action_id=event.actions.get(kind="publish_round").pk)
        assert event.rounds.get().state == "draft"
        undo_action(event_id=event.pk, action_id=undone.pk)
        assert matches_of(event)[0] == match

    def test_repeated_undo_applies_once(self) -> None:
        event = build_running_night()
        action = event.actions.get(kind="publish_round")
        first = undo_action(event_id=event.pk, action_id=action.pk)
        assert undo_action(event_id=event.pk, action_id=action.pk) == first

    @pytest.mark.long
    def test_undo_restores_a_discarded_draft(self) -> None:
        event = start_event(event_id=build_event(6).pk)
        draw_round(event_id=event.pk, seed=5)
        hold_table(event_id=event.pk, number=1, table=2, is_held=True)
        before = state_of(event)
        discard_draft(event_id=event.pk, number=1)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert state_of(event) == before

    @pytest.mark.long
    def test_undone_reopening_restores_the_next_draft(self) -> None:
        event = build_played_night()
        draw_round(event_id=event.pk, seed=5)
        before = state_of(event)
        reopen_round(event_id=event.pk, number=1)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert state_of(event) == before

    @pytest.mark.long
    def test_closing_before_a_later_round_cannot_be_undone(self) -> None:
        event = build_played_night()
        start_next_round(event)
        action = event.actions.get(kind="close_round")
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=action.pk) == "later_steps_rest_on_it"

    @pytest.mark.slow
    def test_start_before_a_draft_cannot_be_undone(self) -> None:
        event = start_event(event_id=build_event(6).pk)
        draw_round(event_id=event.pk)
        action = event.actions.get(kind="start_event")
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=action.pk) == "later_steps_rest_on_it"

    @pytest.mark.long
    def test_forfeit_that_decides_a_closed_round_cannot_be_undone(self) -> None:
        event = build_running_night()
        win(matches_of(event)[1])
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        forfeit = event.actions.latest("pk")
        close_round(event_id=event.pk, number=1)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=forfeit.pk) == "tables_missing"

    @pytest.mark.long
    def test_swap_before_a_later_swap_cannot_be_undone(self) -> None:
        event = build_running_night(pairs=6)
        swap_entries(event_id=event.pk, number=1, one=1, other=find_entry_at_other_table(event, 1))
        first = event.actions.latest("pk")
        swap_entries(event_id=event.pk, number=1, one=1, other=find_entry_at_other_table(event, 1))
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=first.pk) == "changed_since"

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", ["add_entry", "let_in"])
    def test_arrival_of_a_drawn_entry_cannot_be_undone(self, kind: str) -> None:
        event = build_event_with_waiting_list()
        if kind == "let_in":
            admit_entry(event_id=event.pk, number=9)
        else:
            add_entry(event_id=event.pk, players=["Zoé Zed", "Zach Zed"])
        came = event.actions.latest("pk")
        draw_round(event_id=event.pk)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=came.pk) == "later_steps_rest_on_it"
        publish_round(event_id=event.pk, number=1)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=came.pk) in {
            "later_steps_rest_on_it",
            "changed_since",
        }

    @pytest.mark.slow
    def test_starting_list_in_use_cannot_be_undone(self) -> None:
        event = build_event(6)
        order_entries(event_id=event.pk, way="lot")
        ordered = event.actions.latest("pk")
        start_event(event_id=event.pk)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=ordered.pk) == "later_steps_rest_on_it"

    def test_addition_of_a_penalized_entry_cannot_be_undone(self) -> None:
        event = build_event(6)
        add_entry(event_id=event.pk, players=["Zoé Zed", "Zach Zed"])
        came = event.actions.latest("pk")
        adjust_entry(event_id=event.pk, number=7, metric="points_for", amount=-2, by=Actor(reason="Late"))
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=came.pk) == "changed_since"
        assert event.adjustments.exists()

    @pytest.mark.slow
    def test_extra_table_with_a_ruling_cannot_be_undone(self) -> None:
        event = build_running_night()
        for name in ("Zed", "Zwicky"):
            add_entry(event_id=event.pk, players=[f"Zoé {name}", f"Zach {name}"])
        seat_more(event_id=event.pk, number=1, one=5, other=6)
        more = event.actions.latest("pk")
        forfeit_table(event_id=event.pk, number=1, table=3, winner=Side.A)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=more.pk) == "rulings_stand"

    @pytest.mark.long
    def test_action_of_another_event_cannot_be_undone(self) -> None:
        event, other = build_running_night(), build_running_night()
        action = other.actions.latest("pk")
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=action.pk) == "no_such_action"


def find_entry_at_other_table(event: Event, number: int) -> int:
    """Return the number of an entry at another table."""
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = [{numbers[entry] for entry in (*t.a, *t.b)} for t in lineup_of(event.rounds.get()).tables]
    return min(next(table for table in tables if number not in table))


class TestResubmittedForm:
    """A form sent again from an outdated page, as after going back in the browser."""

    def test_resubmitted_form_does_not_repeat_an_undone_step(self) -> None:
        event, by = build_running_night(), Actor(key=uuid4())
        begin_round(event_id=event.pk, number=1, by=by)
        hold_round(event_id=event.pk, number=1)
        assert get_refusal_code(begin_round, event_id=event.pk, number=1, by=by) == "changed_since"
        assert event.rounds.get().state == RoundState.PUBLISHED

    @pytest.mark.long
    def test_resubmitted_form_does_not_redraw_a_discarded_draft(self) -> None:
        event, by = start_event(event_id=build_event(6).pk), Actor(key=uuid4())
        draw_round(event_id=event.pk, by=by)
        discard_draft(event_id=event.pk, number=1)
        assert get_refusal_code(draw_round, event_id=event.pk, by=by) == "changed_since"

    def test_resubmitted_form_does_not_replace_a_newer_ruling(self) -> None:
        event, by = build_running_night(), Actor(key=uuid4())
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A, by=by)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        where = {"event_id": event.pk, "number": 1, "table": 1}
        assert get_refusal_code(forfeit_table, **where, winner=Side.A, by=by) == "changed_since"


def get_seated_number(event: Event, side: Side) -> int:
    """Return the number of the entry on that side of table 1 in round 1."""
    at = Seating.objects.get(round__event=event, round__number=1, table__number=1, side=side)
    return at.entry.number


class TestHistory:
    def test_history_records_author_reason_and_details(self) -> None:
        event, director = build_running_night(), build_account()
        by = Actor(account=director, reason="Left at nine")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A, by=by)
        line = event.actions.latest("pk")
        assert (line.account, line.reason, line.kind) == (director, "Left at nine", "forfeit_table")
        assert line.details == {
            "round": 1,
            "table": 1,
            "sides": [[get_seated_number(event, Side.A)], [get_seated_number(event, Side.B)]],
            "kind": "forfeit",
            "winner": "A",
        }

    @pytest.mark.long
    def test_history_records_a_late_hand_correction(self) -> None:
        event, director = build_running_night(), build_account()
        play_round(event)
        start_next_round(event)
        match = matches_of(event)[0]
        mark(match, "B 7 made", replaced=match.marks.get(number=1), director=director, reason="Misheard")
        line = event.actions.latest("pk")
        assert (line.kind, line.account, line.reason) == ("correct_result", director, "Misheard")
        assert line.details == {
            "round": 1,
            "table": 1,
            "sides": [[get_seated_number(event, Side.A)], [get_seated_number(event, Side.B)]],
            "before": "32–6",
            "after": "32–7",
        }
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=line.pk) == "cannot_be_undone"

    @pytest.mark.long
    def test_history_knows_which_lines_wrote_changes(self) -> None:
        event = build_event()
        plan_tables(event_id=event.pk, table_count=event.table_count)
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        match = matches_of(event)[0]
        mark(match, "B 7 made", replaced=match.marks.get(number=1), director=build_account())
        has_changes_by_kind = {line.kind: line.has_changes for line in get_actions(event)}  # type: ignore[attr-defined]
        assert has_changes_by_kind == {line.kind: any(line.changes.values()) for line in event.actions.all()}
        assert [kind for kind in has_changes_by_kind if not has_changes_by_kind[kind]] == [
            "correct_result",
            "plan_tables",
        ]

    def test_history_has_no_line_without_a_change(self) -> None:
        event = build_running_night()
        before = event.actions.count()
        publish_round(event_id=event.pk, number=1)
        let_cards_count(event_id=event.pk, number=1, table=1)
        assert event.actions.count() == before
