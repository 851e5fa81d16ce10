"""Changes of an entry during the evening, and what is noted of it."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.services import undo_club_action
from engine.draws.stages import stage_plan
from rules import BAS_SAINT_LAURENT, TWO_PLAYER
from tests.builders import (
    a_club,
    a_played_night,
    a_running_night,
    an_account,
    an_event,
    code_of,
    draw_input,
    matches_of,
    next_round,
    play_round,
    refusal_of,
    standings_after,
    win,
)
from tests.long import often
from tournaments.entries.presenters.entries import LeftOver, entries_view, left_over
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

laws = settings(max_examples=often(12, long=200), deadline=None)


def entry(event: Event, number: int = 1) -> Entry:
    return event.entries.get(number=number)


def seated(event: Event, number: int) -> set[int]:
    """The numbers of those who sit at a table in that round, or sit out."""
    return set(event.entries.filter(seatings__round__number=number).values_list("number", flat=True))


def rows_of(event: Event) -> list[Any]:
    """Everything that is kept of an event and of who takes part in it."""
    return [
        list(event.entries.order_by("pk").values()),
        list(event.adjustments.order_by("pk").values()),
        list(Event.objects.filter(pk=event.pk).values()),
    ]


def last_action() -> Action:
    return Action.objects.latest("pk")


def because(reason: str = BECAUSE) -> Actor:
    return Actor(account=an_account(), reason=reason)


class TestAWithdrawal:
    def test_counts_from_the_round_after_the_last_one_published(self) -> None:
        event = a_running_night(pairs=4)
        assert withdraw_entry(event_id=event.pk, number=2).leaves_after == 1
        play_round(event)
        next_round(event)
        assert seated(event, 2) == {1, 3, 4}

    def test_before_the_first_round_leaves_somebody_out_altogether(self) -> None:
        event = start_event(event_id=an_event(pairs=5).pk)
        assert withdraw_entry(event_id=event.pk, number=2).leaves_after == 0
        next_round(event)
        assert seated(event, 1) == {1, 3, 4, 5}

    @pytest.mark.slow
    def test_may_be_for_later_but_not_for_what_was_drawn(self) -> None:
        event = a_played_night(pairs=4)
        next_round(event)
        refusal = refusal_of(withdraw_entry, event_id=event.pk, number=2, after=1)
        assert (refusal.code, refusal.details["round"]) == ("withdraws_too_early", 2)
        withdraw_entry(event_id=event.pk, number=2, after=3)
        play_round(event, 2)
        next_round(event)
        assert 2 in seated(event, 3)

    @pytest.mark.long("cheaper tests reach each of its lines")
    @pytest.mark.parametrize("rounds_away", [0, 1, 2])
    def test_is_followed_by_a_return_and_the_rounds_between_are_noted(self, rounds_away: int) -> None:
        event = a_running_night(pairs=4)
        withdraw_entry(event_id=event.pk, number=2)
        for number in range(1, rounds_away + 1):
            play_round(event, number)
            next_round(event)
        back = return_entry(event_id=event.pk, number=2)
        assert (back.leaves_after, back.withdrawn) == (None, list(range(2, rounds_away + 2)))
        play_round(event, rounds_away + 1)
        next_round(event)
        assert 2 in seated(event, rounds_away + 2)

    def test_during_a_round_may_forfeit_the_table_and_is_one_step_of_the_history(self) -> None:
        event = a_running_night(pairs=4)
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

    def test_of_who_has_left_already_may_still_forfeit_the_table(self) -> None:
        event = a_running_night(pairs=4)
        withdraw_entry(event_id=event.pk, number=2)
        for _ in range(2):
            withdraw_entry(event_id=event.pk, number=2, forfeits_table=True)
        seating = Seating.objects.get(entry__event=event, entry__number=2)
        assert seating.table is not None
        assert seating.table.ruling == {"kind": "forfeit", "winner": "A" if seating.side else "B"}
        assert event.actions.filter(kind="withdraw_entry").count() == 2

    def test_leaves_a_table_with_a_result_as_it_is(self) -> None:
        event = a_running_night(pairs=4)
        for match in matches_of(event):
            win(match)
        withdraw_entry(event_id=event.pk, number=2, forfeits_table=True)
        assert not Table.objects.exclude(ruling=None).exists()

    def test_of_who_signs_up_again_is_offered_to_be_taken_back(self) -> None:
        event = a_running_night(pairs=4)
        one, other = event.entries.get(number=2).players
        withdraw_entry(event_id=event.pk, number=2, after=3)
        for again in (
            refusal_of(add_entry, event_id=event.pk, players=[other.name.upper(), one.name]),
            refusal_of(enter_people, event_id=event.pk, people=[one.pk, other.pk]),
            refusal_of(enter_people, event_id=event.pk, people=[one.pk], guest=other.name),
        ):
            assert (again.code, again.details["entry"]) == ("has_withdrawn", 2)
        withdraw_entry(event_id=event.pk, number=2)
        add_entry(event_id=event.pk, players=[one.name, "Zoé Zed"])
        assert event.entries.count() == 5

    def test_done_twice_is_one_and_so_is_a_return(self) -> None:
        event = a_running_night()
        for _ in range(2):
            withdraw_entry(event_id=event.pk, number=2)
        for _ in range(2):
            return_entry(event_id=event.pk, number=2)
        kinds = [action.kind for action in Action.objects.order_by("pk")][-2:]
        assert kinds == ["withdraw_entry", "return_entry"]

    def test_is_not_undone_by_a_return_where_one_of_them_plays_with_somebody_else_by_now(self) -> None:
        event = a_running_night()
        gone = withdraw_entry(event_id=event.pk, number=2)
        add_entry(event_id=event.pk, players=[gone.player_1.name, "Paul Côté"])
        assert code_of(return_entry, event_id=event.pk, number=2) == "entered_twice"

    def test_is_of_who_takes_part_in_an_evening_under_way(self) -> None:
        event = an_event(pairs=2)
        assert code_of(withdraw_entry, event_id=event.pk, number=2) == "event_not_running"
        change_sign_up(event_id=event.pk, is_open=False, most_entries=2)
        add_entry(event_id=event.pk, players=["Anne A", "Paul A"])
        start_event(event_id=event.pk)
        assert code_of(withdraw_entry, event_id=event.pk, number=3) == "still_waiting"
        assert code_of(withdraw_entry, event_id=event.pk, number=1, after=100) == "round_out_of_range"


class TestASubstitute:
    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_plays_from_now_on_and_what_was_played_keeps_who_played_it(self) -> None:
        event = a_played_night(pairs=2)
        before = entry(event).players
        changed = substitute_player(event_id=event.pk, number=1, place=2, name="  Omer   Paradis ")
        assert [person.name for person in changed.players] == [before[0].name, "Omer Paradis"]
        next_round(event)
        sat = [
            {player.person.name for match in matches_of(event, number) for player in match.players.all()}
            for number in (1, 2)
        ]
        assert sat[0] - sat[1] == {before[1].name}
        assert sat[1] - sat[0] == {"Omer Paradis"}

    @pytest.mark.parametrize("make", [a_running_night, an_event], ids=["at the door", "on a list beforehand"])
    def test_whom_the_club_does_not_know_is_a_guest_at_the_door(self, make: Callable[..., Event]) -> None:
        event = make(pairs=2)
        substitute_player(event_id=event.pk, number=1, place=2, name="Omer Paradis")
        assert entry(event).players[1].is_guest == (event.state == EventState.RUNNING)

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
    def test_has_a_name_and_a_place(self, place: int, name: str, code: str) -> None:
        event = a_running_night()
        assert code_of(substitute_player, event_id=event.pk, number=1, place=place, name=name) == code

    def test_does_not_take_part_already(self) -> None:
        event = a_running_night()
        taken = entry(event, 2).player_1.name
        assert code_of(substitute_player, event_id=event.pk, number=1, place=1, name=taken) == "entered_twice"

    def test_is_one_person_where_people_play_alone(self) -> None:
        event = an_event(pairs=2, ruleset=TWO_PLAYER)
        substitute_player(event_id=event.pk, number=1, place=1, name="Omer Paradis")
        assert str(entry(event)) == "Omer Paradis"
        assert (
            code_of(substitute_player, event_id=event.pk, number=1, place=2, name="Anne") == "no_such_place"
        )

    def test_comes_too_late_once_the_evening_has_ended(self) -> None:
        event = a_played_night()
        end_event(event_id=event.pk)
        assert code_of(substitute_player, event_id=event.pk, number=1, place=1, name="Omer") == "event_ended"


class TestACorrectedName:
    def test_is_the_same_person_here_and_in_what_was_played_before(self) -> None:
        event = a_played_night(pairs=4)
        person = entry(event).player_1
        correct_player_name(event_id=event.pk, number=1, place=1, name="Zoé  Zed")
        assert entry(event).player_1 == person
        assert str(entry(event)).startswith("Zoé Zed / ")
        sat = {player.person.name for match in matches_of(event) for player in match.players.all()}
        assert "Zoé Zed" in sat
        assert person.name not in sat
        assert not event.actions.filter(kind="substitute_player").exists()

    def test_stands_in_the_history_of_the_club_and_is_undone_there(self) -> None:
        event = an_event()
        before = entry(event).player_1.name
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
        assert entry(event).player_1.name == before

    def test_may_differ_by_an_accent_alone(self) -> None:
        event = an_event()
        correct_player_name(event_id=event.pk, number=1, place=1, name="Zoe Zed")
        correct_player_name(event_id=event.pk, number=1, place=1, name="Zoé Zed")
        assert entry(event).player_1.name == "Zoé Zed"

    @pytest.mark.parametrize(
        ("place", "name", "field", "code"),
        [
            (3, "Zoé Zed", "place", "no_such_place"),
            (1, " ", "spelling", "name_required"),
            (1, "Zoé 2", "spelling", "strange_character"),
            (1, "x" * 81, "spelling", "name_too_long"),
        ],
    )
    def test_is_a_name(self, place: int, name: str, field: str, code: str) -> None:
        refusal = refusal_of(correct_player_name, event_id=an_event().pk, number=1, place=place, name=name)
        assert (refusal.field, refusal.code) == (field, code)

    def test_is_not_that_of_somebody_else_whom_the_club_knows(self) -> None:
        event = an_event()
        taken = entry(event, 2).player_1
        refusal = refusal_of(correct_player_name, event_id=event.pk, number=1, place=1, name=taken.name)
        assert (refusal.code, refusal.details["person"]) == ("name_known", taken.pk)


@pytest.mark.postgresql("names are compared by the database")
class TestATeam:
    def test_is_set_for_many_at_once_and_undone_with_its_guests(self) -> None:
        event = an_event(pairs=4)
        set_team(event_id=event.pk, numbers=[1, 3], team=" Matane ")
        set_team(event_id=event.pk, numbers=[1, 3], team="Matane")
        assert [each.team for each in event.entries.all()] == ["Matane", "", "Matane", ""]
        done = event.actions.get(kind="set_team")
        assert done.details == {"entries": [1, 3], "team": "Matane"}
        guests = event.club.people.filter(is_guest=True)
        assert set(guests) == {*entry(event, 1).players, *entry(event, 3).players}
        undo_action(event_id=event.pk, action_id=done.pk)
        assert {each.team for each in event.entries.all()} == {""}
        assert not guests.all().exists()

    def test_of_another_club_makes_no_guest_of_a_member_who_was_here_before(self) -> None:
        club = a_club()
        add_entries(event_id=an_event(0, club=club).pk, entries={1: ["Anne Roy", "Paul Roy"]})
        event = an_event(0, club=club)
        add_entries(event_id=event.pk, entries={1: ["Anne Roy", "Zoé Zed"]})
        describe_entry(event_id=event.pk, number=1, team="Matane")
        assert [person.is_guest for person in entry(event).players] == [False, True]

    def test_of_the_club_itself_makes_no_guests(self) -> None:
        event = an_event()
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
    def test_is_refused(self, numbers: list[int], team: str, code: str) -> None:
        event = an_event()
        assert code_of(set_team, event_id=event.pk, numbers=numbers, team=team) == code
        assert not event.actions.filter(kind="set_team").exists()


class TestWhatIsNoted:
    def test_of_an_entry_is_its_section_team_rating_and_table(self) -> None:
        event = an_event()
        event.sections = [{"name": "Mixte", "first_table": None, "last_table": None}]
        event.save()
        said: dict[str, Any] = {"section": "mixte", "team": " Matane ", "rating": 1500, "table": 2}
        for _ in range(2):
            kept = describe_entry(event_id=event.pk, number=1, **said)
        assert (kept.section, kept.team, kept.rating, kept.table) == ("Mixte", "Matane", 1500, 2)
        assert Action.objects.filter(kind="describe_entry").count() == 1
        (line,) = (each for each in draw_input(event, seed=0).entrants if each.number == 1)
        assert (line.section, line.table) == ("Mixte", 2)

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            ({"section": "Mixte"}, "no_sections"),
            ({"team": "x" * 81}, "team_too_long"),
            ({"rating": 10_000}, "rating_out_of_range"),
            ({"table": 0}, "no_table_of_that_number"),
            ({"table": 3}, "no_table_of_that_number"),
            ({"table": 2}, "table_is_anothers"),
        ],
    )
    def test_of_an_entry_is_possible(self, said: dict[str, Any], code: str) -> None:
        event = an_event(pairs=4, tables=2)
        describe_entry(event_id=event.pk, number=2, table=2)
        assert code_of(describe_entry, event_id=event.pk, number=1, **said) == code

    def test_as_the_table_of_somebody_who_has_withdrawn_is_free_for_others(self) -> None:
        event = a_running_night(pairs=4)
        describe_entry(event_id=event.pk, number=2, table=2)
        withdraw_entry(event_id=event.pk, number=2)
        assert describe_entry(event_id=event.pk, number=1, table=2).table == 2
        assert code_of(return_entry, event_id=event.pk, number=2) == "table_is_anothers"


class TestAnAdjustment:
    def test_counts_and_is_taken_back(self) -> None:
        event = a_played_night(pairs=2)
        points = {row["entry"]: row["points_for"] for row in standings_after(event)}
        adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=-10, by=because())
        kept = Adjustment.objects.get()
        assert (kept.reason, kept.round) == (BECAUSE, None)
        assert {row["entry"]: row["points_for"] for row in standings_after(event)}[1] == points[1] - 10
        for _ in range(2):
            remove_adjustment(event_id=event.pk, number=1, adjustment_id=kept.pk)
        assert {row["entry"]: row["points_for"] for row in standings_after(event)} == points
        assert last_action().kind == "remove_adjustment"

    def test_sent_twice_is_one(self) -> None:
        event, by = a_running_night(), Actor(key=uuid4(), reason=BECAUSE)
        for _ in range(2):
            adjust_entry(event_id=event.pk, number=1, metric="match_points", amount=1, round_number=1, by=by)
        assert Adjustment.objects.count() == 1

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            ({"metric": "charm"}, "no_such_choice"),
            ({"amount": 0}, "amount_out_of_range"),
            ({"amount": -1_000}, "amount_out_of_range"),
            ({"round_number": 0}, "round_out_of_range"),
            ({"by": Actor(reason="")}, "reason_required"),
        ],
    )
    def test_has_an_amount_and_a_reason(self, said: dict[str, Any], code: str) -> None:
        usual: dict[str, Any] = {"metric": "points_for", "amount": 5, "by": Actor(reason=BECAUSE)}
        assert code_of(adjust_entry, event_id=a_running_night().pk, number=1, **usual | said) == code


ACTS: dict[str, Callable[[Event], object]] = {
    "late": lambda event: add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"]),
    "present": lambda event: mark_present(event_id=event.pk, number=3, is_present=True),
    "withdraw": lambda event: withdraw_entry(event_id=event.pk, number=2),
    "withdraw later": lambda event: withdraw_entry(event_id=event.pk, number=4, after=6),
    "return": lambda event: return_entry(event_id=event.pk, number=2),
    "absent": lambda event: change_attendance(
        event_id=event.pk, number=3, round_number=2, attendance="absent"
    ),
    "bye": lambda event: change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye"),
    "substitute": lambda event: substitute_player(event_id=event.pk, number=1, place=2, name="Omer Paradis"),
    "describe": lambda event: describe_entry(event_id=event.pk, number=1, team="Matane", table=1),
    "adjust": lambda event: adjust_entry(
        event_id=event.pk, number=1, metric="points_for", amount=-3, by=Actor(reason=BECAUSE)
    ),
}


@pytest.mark.slow
@laws
@given(st.lists(st.sampled_from(list(ACTS)), unique=True))
def test_every_act_undone_restores_the_entries_exactly_and_undone_again_does_it_again(
    acts: list[str],
) -> None:
    event = a_running_night(pairs=5)
    known = set(Action.objects.values_list("pk", flat=True))
    states = [rows_of(event)]
    for act in acts:
        ACTS[act](event)
        states.append(rows_of(event))
    actions = list(Action.objects.exclude(pk__in=known).order_by("-pk"))
    changed = [state for state, following in pairwise(states) if state != following]
    assert len(actions) == len(changed)
    undone = [undo_action(event_id=event.pk, action_id=action.pk) for action in actions]
    assert rows_of(event) == states[0]
    for action in reversed(undone):
        undo_action(event_id=event.pk, action_id=action.pk)
    assert rows_of(event) == states[-1]


@pytest.mark.slow
@laws
@given(st.lists(st.sampled_from(list(ACTS)), unique=True), st.integers(0, 3))
def test_nobody_is_drawn_before_arriving_or_once_withdrawn_or_while_absent(
    acts: list[str], seed: int
) -> None:
    event = a_running_night(pairs=6)
    for act in acts:
        ACTS[act](event)
    here = {one.number: one for one in event.entries.all()}
    for number in (2, 3):
        play_round(event, number - 1)
        next_round(event, seed=seed)
        expected = {
            one.number
            for one in here.values()
            if one.arrives <= number
            and (one.leaves_after is None or one.leaves_after >= number)
            and number not in one.absent
        }
        assert seated(event, number) == expected


@pytest.mark.parametrize(
    ("stage", "size", "playing", "left"),
    [
        ({"format": "random"}, 2, 8, LeftOver()),
        ({"format": "random"}, 2, 7, LeftOver(sit_out=1)),
        ({"format": "knockout"}, 2, 7, LeftOver()),
        ({"format": "pools"}, 2, 9, LeftOver(odd_pools=3)),
        ({"format": "pools"}, 2, 10, LeftOver(odd_pools=2)),
        ({"format": "pools"}, 2, 11, LeftOver(odd_pools=1)),
        ({"format": "pools"}, 2, 12, LeftOver()),
        ({"format": "pools", "settings": {"pool_size": 5}}, 2, 15, LeftOver(odd_pools=3)),
        ({"format": "swiss_individual"}, 1, 22, LeftOver(sit_out=2)),
        ({"format": "swiss_individual"}, 1, 21, LeftOver(sit_out=1)),
        (
            {"format": "swiss_individual", "settings": {"odd": "two_player_table"}},
            1,
            22,
            LeftOver(two_play=True),
        ),
        (
            {"format": "swiss_individual", "settings": {"odd": "two_player_table"}},
            1,
            23,
            LeftOver(sit_out=1, two_play=True),
        ),
    ],
)
def test_what_becomes_of_an_odd_number(
    stage: dict[str, Any], size: int, playing: int, left: LeftOver
) -> None:
    event = an_event(pairs=0, stages=[stage])
    assert stage_plan(event.stages)
    assert (event.entry_size, left_over(event, playing)) == (size, left)


@pytest.mark.slow
def test_the_list_parts_those_in_those_waiting_and_those_gone() -> None:
    event = an_event(pairs=4, ruleset=BAS_SAINT_LAURENT)
    change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
    add_entry(event_id=event.pk, players=["Anne A", "Paul A"])
    event = start_event(event_id=event.pk)
    next_round(event)
    withdraw_entry(event_id=event.pk, number=2)
    change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye")
    view = entries_view(event)
    parts = [[one.number for one in part] for part in (view.taking_part, view.waiting, view.gone)]
    assert parts == [[1, 3, 4], [5], [2]]
    assert (view.people, view.playing, view.next_round) == (6, 2, 2)
