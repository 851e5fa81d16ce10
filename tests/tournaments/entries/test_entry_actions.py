"""Changes of an entry during a night, and the history and rows that they leave."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.services.undo import undo_club_action
from engine.draws.stages import parse_stage_plan
from rules import BAS_SAINT_LAURENT, TWO_PLAYER
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    get_draw_input,
    get_refusal,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.long_runs import choose_count
from tournaments.entries.presenters.entries import UnseatedEntries, build_entries_view, count_unseated
from tournaments.entries.services.check_in import change_attendance, mark_present
from tournaments.entries.services.entries import add_entries, add_entry, enter_people
from tournaments.entries.services.entry_actions import (
    adjust_entry,
    correct_player_name,
    describe_entry,
    remove_adjustment,
    return_entry,
    substitute_player,
    withdraw_entry,
)
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.services.teams import set_team
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import EventState
from tournaments.models import Action, Adjustment, Entry, Event, Seating, Table

pytestmark = pytest.mark.django_db

BECAUSE = "Came an hour late"

property_settings = settings(max_examples=choose_count(12, long=200), deadline=None)


def get_entry(event: Event, number: int = 1) -> Entry:
    return event.entries.get(number=number)


def list_placed_numbers(event: Event, number: int) -> set[int]:
    """Return the numbers of the entries that have a table or a bye in the round."""
    return set(event.entries.filter(seatings__round__number=number).values_list("number", flat=True))


def read_event_rows(event: Event) -> list[Any]:
    """Return all stored rows of an event, its entries and their adjustments."""
    return [
        list(event.entries.order_by("pk").values()),
        list(event.adjustments.order_by("pk").values()),
        list(Event.objects.filter(pk=event.pk).values()),
    ]


def get_last_action() -> Action:
    return Action.objects.latest("pk")


def build_actor(reason: str = BECAUSE) -> Actor:
    return Actor(account=build_account(), reason=reason)


class TestWithdrawal:
    @pytest.mark.long
    def test_withdrawal_takes_effect_after_the_published_round(self) -> None:
        event = build_running_night(pairs=4)
        assert withdraw_entry(event_id=event.pk, number=2).leaves_after == 1
        play_round(event)
        start_next_round(event)
        assert list_placed_numbers(event, 2) == {1, 3, 4}

    @pytest.mark.long
    def test_withdrawal_before_the_first_round_skips_all_rounds(self) -> None:
        event = start_event(event_id=build_event(pairs=5).pk)
        assert withdraw_entry(event_id=event.pk, number=2).leaves_after == 0
        start_next_round(event)
        assert list_placed_numbers(event, 1) == {1, 3, 4, 5}

    @pytest.mark.slow
    def test_withdrawal_can_be_later_but_not_before_a_drawn_round(self) -> None:
        event = build_played_night(pairs=4)
        start_next_round(event)
        refusal = get_refusal(withdraw_entry, event_id=event.pk, number=2, after=1)
        assert (refusal.code, refusal.details["round"]) == ("withdraws_too_early", 2)
        withdraw_entry(event_id=event.pk, number=2, after=3)
        play_round(event, 2)
        start_next_round(event)
        assert 2 in list_placed_numbers(event, 3)

    @pytest.mark.long
    @pytest.mark.parametrize("rounds_away", [0, 1, 2])
    def test_returning_entry_records_its_missed_rounds(self, rounds_away: int) -> None:
        event = build_running_night(pairs=4)
        withdraw_entry(event_id=event.pk, number=2)
        for number in range(1, rounds_away + 1):
            play_round(event, number)
            start_next_round(event)
        back = return_entry(event_id=event.pk, number=2)
        assert (back.leaves_after, back.withdrawn) == (None, list(range(2, rounds_away + 2)))
        play_round(event, rounds_away + 1)
        start_next_round(event)
        assert 2 in list_placed_numbers(event, rounds_away + 2)

    @pytest.mark.long
    def test_withdrawal_with_forfeit_is_one_undoable_history_step(self) -> None:
        event = build_running_night(pairs=4)
        seating = Seating.objects.get(entry__event=event, entry__number=2)
        table = seating.table
        assert table is not None
        for _ in range(2):
            withdraw_entry(event_id=event.pk, number=2, forfeits_table=True)
        table.refresh_from_db()
        assert table.ruling == {"kind": "forfeit", "winner": "A" if seating.side else "B"}
        action = event.actions.get(kind="withdraw_entry")
        assert action.details == {"entry": 2, "after": 1, "table": table.number}
        undo_action(event_id=event.pk, action_id=action.pk)
        table.refresh_from_db()
        assert (table.ruling, event.entries.get(number=2).leaves_after) == (None, None)

    def test_withdrawn_entry_can_still_forfeit_its_table(self) -> None:
        event = build_running_night(pairs=4)
        withdraw_entry(event_id=event.pk, number=2)
        for _ in range(2):
            withdraw_entry(event_id=event.pk, number=2, forfeits_table=True)
        seating = Seating.objects.get(entry__event=event, entry__number=2)
        assert seating.table is not None
        assert seating.table.ruling == {"kind": "forfeit", "winner": "A" if seating.side else "B"}
        assert event.actions.filter(kind="withdraw_entry").count() == 2

    @pytest.mark.long
    def test_withdrawal_keeps_an_existing_result(self) -> None:
        event = build_running_night(pairs=4)
        for match in matches_of(event):
            win(match)
        withdraw_entry(event_id=event.pk, number=2, forfeits_table=True)
        assert not Table.objects.exclude(ruling=None).exists()

    @pytest.mark.long
    def test_sign_up_of_a_withdrawn_pair_offers_its_return(self) -> None:
        event = build_running_night(pairs=4)
        one, other = event.entries.get(number=2).players
        withdraw_entry(event_id=event.pk, number=2, after=3)
        for again in (
            get_refusal(add_entry, event_id=event.pk, players=[other.name.upper(), one.name]),
            get_refusal(enter_people, event_id=event.pk, people=[one.pk, other.pk]),
            get_refusal(enter_people, event_id=event.pk, people=[one.pk], guest=other.name),
        ):
            assert (again.code, again.details["entry"]) == ("has_withdrawn", 2)
        withdraw_entry(event_id=event.pk, number=2)
        add_entry(event_id=event.pk, players=[one.name, "Zoé Zed"])
        assert event.entries.count() == 5

    def test_repeated_withdrawal_or_return_counts_once(self) -> None:
        event = build_running_night()
        for _ in range(2):
            withdraw_entry(event_id=event.pk, number=2)
        for _ in range(2):
            return_entry(event_id=event.pk, number=2)
        kinds = [action.kind for action in Action.objects.order_by("pk")][-2:]
        assert kinds == ["withdraw_entry", "return_entry"]

    def test_return_is_refused_when_a_partner_plays_elsewhere(self) -> None:
        event = build_running_night()
        gone = withdraw_entry(event_id=event.pk, number=2)
        add_entry(event_id=event.pk, players=[gone.player_1.name, "Paul Côté"])
        assert get_refusal_code(return_entry, event_id=event.pk, number=2) == "entered_twice"

    @pytest.mark.slow
    def test_withdrawal_requires_a_playing_entry_of_a_started_event(self) -> None:
        event = build_event(pairs=2)
        assert get_refusal_code(withdraw_entry, event_id=event.pk, number=2) == "event_not_running"
        change_sign_up(event_id=event.pk, is_open=False, most_entries=2)
        add_entry(event_id=event.pk, players=["Anne A", "Paul A"])
        start_event(event_id=event.pk)
        assert get_refusal_code(withdraw_entry, event_id=event.pk, number=3) == "still_waiting"
        assert get_refusal_code(withdraw_entry, event_id=event.pk, number=1, after=100) == "round_out_of_range"


class TestSubstitute:
    @pytest.mark.long
    def test_substitute_plays_from_the_next_round_without_changing_the_past(self) -> None:
        event = build_played_night(pairs=2)
        before = get_entry(event).players
        changed = substitute_player(event_id=event.pk, number=1, place=2, name="  Omer   Paradis ")
        assert [person.name for person in changed.players] == [before[0].name, "Omer Paradis"]
        start_next_round(event)
        sat = [
            {player.person.name for match in matches_of(event, number) for player in match.players.all()}
            for number in (1, 2)
        ]
        assert sat[0] - sat[1] == {before[1].name}
        assert sat[1] - sat[0] == {"Omer Paradis"}

    @pytest.mark.long
    @pytest.mark.parametrize("make", [build_running_night, build_event], ids=["at the door", "on a list beforehand"])
    def test_unknown_substitute_during_play_is_a_guest(self, make: Callable[..., Event]) -> None:
        event = make(pairs=2)
        substitute_player(event_id=event.pk, number=1, place=2, name="Omer Paradis")
        assert get_entry(event).players[1].is_guest == (event.state == EventState.RUNNING)

    @pytest.mark.parametrize(
        ("place", "name", "code"),
        [
            (0, "Omer Paradis", "no_such_place"),
            (3, "Omer Paradis", "no_such_place"),
            (1, " ", "name_required"),
            (1, "Omer 2", "strange_character"),
            (1, "x" * 81, "name_too_long"),
        ],
    )
    def test_substitute_needs_a_valid_name_and_place(self, place: int, name: str, code: str) -> None:
        event = build_running_night()
        assert get_refusal_code(substitute_player, event_id=event.pk, number=1, place=place, name=name) == code

    def test_substitute_cannot_already_be_entered(self) -> None:
        event = build_running_night()
        taken = get_entry(event, 2).player_1.name
        assert get_refusal_code(substitute_player, event_id=event.pk, number=1, place=1, name=taken) == "entered_twice"

    def test_singles_entry_is_replaced_by_one_person(self) -> None:
        event = build_event(pairs=2, ruleset=TWO_PLAYER)
        substitute_player(event_id=event.pk, number=1, place=1, name="Omer Paradis")
        assert str(get_entry(event)) == "Omer Paradis"
        assert get_refusal_code(substitute_player, event_id=event.pk, number=1, place=2, name="Anne") == "no_such_place"

    def test_substitute_after_the_end_is_refused(self) -> None:
        event = build_played_night()
        end_event(event_id=event.pk)
        assert get_refusal_code(substitute_player, event_id=event.pk, number=1, place=1, name="Omer") == "event_ended"


class TestNameCorrection:
    def test_corrected_name_applies_to_past_matches(self) -> None:
        event = build_played_night(pairs=4)
        person = get_entry(event).player_1
        correct_player_name(event_id=event.pk, number=1, place=1, name="Zoé  Zed")
        assert get_entry(event).player_1 == person
        assert str(get_entry(event)).startswith("Zoé Zed / ")
        sat = {player.person.name for match in matches_of(event) for player in match.players.all()}
        assert "Zoé Zed" in sat
        assert person.name not in sat
        assert not event.actions.filter(kind="substitute_player").exists()

    def test_name_correction_is_undone_in_the_club_history(self) -> None:
        event = build_event()
        before = get_entry(event).player_1.name
        by = Actor(key=uuid4())
        for _ in range(2):
            correct_player_name(event_id=event.pk, number=1, place=1, name="Zoé Zed", by=by)
        done = event.club.actions.get()
        assert (done.kind, done.details["name"], done.details["before"]) == (
            "correct_name",
            "Zoé Zed",
            before,
        )
        undo_club_action(club_id=event.club.pk, action_id=done.pk)
        assert get_entry(event).player_1.name == before

    def test_name_correction_can_change_only_an_accent(self) -> None:
        event = build_event()
        correct_player_name(event_id=event.pk, number=1, place=1, name="Zoe Zed")
        correct_player_name(event_id=event.pk, number=1, place=1, name="Zoé Zed")
        assert get_entry(event).player_1.name == "Zoé Zed"

    @pytest.mark.parametrize(
        ("place", "name", "field", "code"),
        [
            (3, "Zoé Zed", "place", "no_such_place"),
            (1, " ", "spelling", "name_required"),
            (1, "Zoé 2", "spelling", "strange_character"),
            (1, "x" * 81, "spelling", "name_too_long"),
        ],
    )
    def test_invalid_name_correction_is_refused(self, place: int, name: str, field: str, code: str) -> None:
        refusal = get_refusal(correct_player_name, event_id=build_event().pk, number=1, place=place, name=name)
        assert (refusal.field, refusal.code) == (field, code)

    def test_name_of_another_known_person_is_refused(self) -> None:
        event = build_event()
        taken = get_entry(event, 2).player_1
        refusal = get_refusal(correct_player_name, event_id=event.pk, number=1, place=1, name=taken.name)
        assert (refusal.code, refusal.details["person"]) == ("name_known", taken.pk)


@pytest.mark.postgresql("comparisons of names")
class TestTeams:
    def test_bulk_team_change_is_undone_with_its_guests(self) -> None:
        event = build_event(pairs=4)
        set_team(event_id=event.pk, numbers=[1, 3], team=" Matane ")
        set_team(event_id=event.pk, numbers=[1, 3], team="Matane")
        assert [each.team for each in event.entries.all()] == ["Matane", "", "Matane", ""]
        done = event.actions.get(kind="set_team")
        assert done.details == {"entries": [1, 3], "team": "Matane"}
        guests = event.club.people.filter(is_guest=True)
        assert set(guests) == {*get_entry(event, 1).players, *get_entry(event, 3).players}
        undo_action(event_id=event.pk, action_id=done.pk)
        assert {each.team for each in event.entries.all()} == {""}
        assert not guests.all().exists()

    @pytest.mark.long
    def test_returning_member_in_another_team_is_not_a_guest(self) -> None:
        club = build_club()
        add_entries(event_id=build_event(0, club=club).pk, entries={1: ["Anne Roy", "Paul Roy"]})
        event = build_event(0, club=club)
        add_entries(event_id=event.pk, entries={1: ["Anne Roy", "Zoé Zed"]})
        describe_entry(event_id=event.pk, number=1, team="Matane")
        assert [person.is_guest for person in get_entry(event).players] == [False, True]

    def test_own_club_as_team_makes_no_guests(self) -> None:
        event = build_event()
        set_team(event_id=event.pk, numbers=[1], team=event.club.name.upper())
        assert not event.club.people.filter(is_guest=True).exists()

    @pytest.mark.parametrize(
        ("numbers", "team", "code"),
        [
            ([], "Matane", "nobody_chosen"),
            ([9], "Matane", "no_such_entry_now"),
            ([1], "x" * 81, "team_too_long"),
        ],
    )
    def test_invalid_team_change_is_refused(self, numbers: list[int], team: str, code: str) -> None:
        event = build_event()
        assert get_refusal_code(set_team, event_id=event.pk, numbers=numbers, team=team) == code
        assert not event.actions.filter(kind="set_team").exists()


class TestEntryDetails:
    def test_entry_stores_section_team_rating_and_table(self) -> None:
        event = build_event()
        event.sections = [{"name": "Mixte", "first_table": None, "last_table": None}]
        event.save()
        details: dict[str, Any] = {"section": "mixte", "team": " Matane ", "rating": 1500, "table": 2}
        for _ in range(2):
            entry = describe_entry(event_id=event.pk, number=1, **details)
        assert (entry.section, entry.team, entry.rating, entry.table) == ("Mixte", "Matane", 1500, 2)
        assert Action.objects.filter(kind="describe_entry").count() == 1
        (line,) = (each for each in get_draw_input(event, seed=0).entrants if each.number == 1)
        assert (line.section, line.table) == ("Mixte", 2)

    @pytest.mark.parametrize(
        ("details", "code"),
        [
            ({"section": "Mixte"}, "no_sections"),
            ({"team": "x" * 81}, "team_too_long"),
            ({"rating": 10_000}, "rating_out_of_range"),
            ({"table": 0}, "no_table_of_that_number"),
            ({"table": 3}, "no_table_of_that_number"),
            ({"table": 2}, "table_is_anothers"),
        ],
    )
    def test_impossible_entry_details_are_refused(self, details: dict[str, Any], code: str) -> None:
        event = build_event(pairs=4, tables=2)
        describe_entry(event_id=event.pk, number=2, table=2)
        assert get_refusal_code(describe_entry, event_id=event.pk, number=1, **details) == code

    def test_withdrawn_entry_frees_its_reserved_table(self) -> None:
        event = build_running_night(pairs=4)
        describe_entry(event_id=event.pk, number=2, table=2)
        withdraw_entry(event_id=event.pk, number=2)
        assert describe_entry(event_id=event.pk, number=1, table=2).table == 2
        assert get_refusal_code(return_entry, event_id=event.pk, number=2) == "table_is_anothers"


class TestAdjustments:
    @pytest.mark.slow
    def test_adjustment_changes_the_standings_until_removed(self) -> None:
        event = build_played_night(pairs=2)
        points = {row["entry"]: row["points_for"] for row in compute_standings(event)}
        adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=-10, by=build_actor())
        adjustment = Adjustment.objects.get()
        assert (adjustment.reason, adjustment.round) == (BECAUSE, None)
        assert {row["entry"]: row["points_for"] for row in compute_standings(event)}[1] == points[1] - 10
        for _ in range(2):
            remove_adjustment(event_id=event.pk, number=1, adjustment_id=adjustment.pk)
        assert {row["entry"]: row["points_for"] for row in compute_standings(event)} == points
        assert get_last_action().kind == "remove_adjustment"

    def test_resent_adjustment_counts_once(self) -> None:
        event, by = build_running_night(), Actor(key=uuid4(), reason=BECAUSE)
        for _ in range(2):
            adjust_entry(event_id=event.pk, number=1, metric="match_points", amount=1, round_number=1, by=by)
        assert Adjustment.objects.count() == 1

    @pytest.mark.parametrize(
        ("invalid_values", "code"),
        [
            ({"metric": "charm"}, "no_such_choice"),
            ({"amount": 0}, "amount_out_of_range"),
            ({"amount": -1_000}, "amount_out_of_range"),
            ({"round_number": 0}, "round_out_of_range"),
            ({"by": Actor(reason="")}, "reason_required"),
        ],
    )
    def test_adjustment_requires_a_valid_amount_and_a_reason(self, invalid_values: dict[str, Any], code: str) -> None:
        usual: dict[str, Any] = {"metric": "points_for", "amount": 5, "by": Actor(reason=BECAUSE)}
        assert (
            get_refusal_code(adjust_entry, event_id=build_running_night().pk, number=1, **usual | invalid_values)
            == code
        )


ACTS: dict[str, Callable[[Event], object]] = {
    "late": lambda event: add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"]),
    "present": lambda event: mark_present(event_id=event.pk, number=3, is_present=True),
    "withdraw": lambda event: withdraw_entry(event_id=event.pk, number=2),
    "withdraw later": lambda event: withdraw_entry(event_id=event.pk, number=4, after=6),
    "return": lambda event: return_entry(event_id=event.pk, number=2),
    "absent": lambda event: change_attendance(event_id=event.pk, number=3, round_number=2, attendance="absent"),
    "bye": lambda event: change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye"),
    "substitute": lambda event: substitute_player(event_id=event.pk, number=1, place=2, name="Omer Paradis"),
    "describe": lambda event: describe_entry(event_id=event.pk, number=1, team="Matane", table=1),
    "adjust": lambda event: adjust_entry(
        event_id=event.pk, number=1, metric="points_for", amount=-3, by=Actor(reason=BECAUSE)
    ),
}


@pytest.mark.long
@property_settings
@given(st.lists(st.sampled_from(list(ACTS)), unique=True))
def test_undo_and_redo_restore_entries_exactly(
    acts: list[str],
) -> None:
    event = build_running_night(pairs=5)
    earlier_pks = set(Action.objects.values_list("pk", flat=True))
    states = [read_event_rows(event)]
    for act in acts:
        ACTS[act](event)
        states.append(read_event_rows(event))
    actions = list(Action.objects.exclude(pk__in=earlier_pks).order_by("-pk"))
    changed = [state for state, following in pairwise(states) if state != following]
    assert len(actions) == len(changed)
    undone = [undo_action(event_id=event.pk, action_id=action.pk) for action in actions]
    assert read_event_rows(event) == states[0]
    for action in reversed(undone):
        undo_action(event_id=event.pk, action_id=action.pk)
    assert read_event_rows(event) == states[-1]


@pytest.mark.long
@property_settings
@given(st.lists(st.sampled_from(list(ACTS)), unique=True), st.integers(0, 3))
def test_draw_includes_only_present_entries(acts: list[str], seed: int) -> None:
    event = build_running_night(pairs=6)
    for act in acts:
        ACTS[act](event)
    here = {one.number: one for one in event.entries.all()}
    for number in (2, 3):
        play_round(event, number - 1)
        start_next_round(event, seed=seed)
        expected = {
            one.number
            for one in here.values()
            if one.arrives <= number
            and (one.leaves_after is None or one.leaves_after >= number)
            and number not in one.absent
        }
        assert list_placed_numbers(event, number) == expected


@pytest.mark.parametrize(
    ("stage", "size", "playing", "left"),
    [
        ({"format": "random"}, 2, 8, UnseatedEntries()),
        ({"format": "random"}, 2, 7, UnseatedEntries(byes=1)),
        ({"format": "knockout"}, 2, 7, UnseatedEntries()),
        ({"format": "pools"}, 2, 9, UnseatedEntries(odd_pools=3)),
        ({"format": "pools"}, 2, 10, UnseatedEntries(odd_pools=2)),
        ({"format": "pools"}, 2, 11, UnseatedEntries(odd_pools=1)),
        ({"format": "pools"}, 2, 12, UnseatedEntries()),
        ({"format": "pools", "settings": {"pool_size": 5}}, 2, 15, UnseatedEntries(odd_pools=3)),
        ({"format": "swiss_individual"}, 1, 22, UnseatedEntries(byes=2)),
        ({"format": "swiss_individual"}, 1, 21, UnseatedEntries(byes=1)),
        (
            {"format": "swiss_individual", "settings": {"odd": "two_player_table"}},
            1,
            22,
            UnseatedEntries(has_table_for_two=True),
        ),
        (
            {"format": "swiss_individual", "settings": {"odd": "two_player_table"}},
            1,
            23,
            UnseatedEntries(byes=1, has_table_for_two=True),
        ),
    ],
)
def test_odd_field_leaves_the_expected_number_unseated(
    stage: dict[str, Any], size: int, playing: int, left: UnseatedEntries
) -> None:
    event = build_event(pairs=0, stages=[stage | {"settings": {}}])
    event.stages = [stage]
    assert parse_stage_plan(event.stages)
    assert (event.entry_size, count_unseated(event, playing)) == (size, left)


@pytest.mark.long
def test_entries_view_separates_playing_waiting_and_withdrawn() -> None:
    event = build_event(pairs=4, ruleset=BAS_SAINT_LAURENT)
    change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
    add_entry(event_id=event.pk, players=["Anne A", "Paul A"])
    event = start_event(event_id=event.pk)
    start_next_round(event)
    withdraw_entry(event_id=event.pk, number=2)
    change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye")
    view = build_entries_view(event)
    parts = [[one.number for one in part] for part in (view.taking_part, view.waiting, view.withdrawn)]
    assert parts == [[1, 3, 4], [5], [2]]
    assert (view.people, view.drawn_count, view.next_round) == (6, 2, 2)
