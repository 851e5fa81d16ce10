"""Prize categories: eligibility, winners, and the public list."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Person
from engine.visibility import RanksRelease, Release
from tests.builders import build_event, compute_standings, get_refusal, get_refusal_code, start_next_round
from tests.tournaments.standings.test_final_ranks import build_event_with_stages, play
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.presenters.names import format_full_names
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, PrizeCategory, PrizeScope
from tournaments.money.presenters.awards import get_current_awards, get_public_awards
from tournaments.money.services.prize_categories import (
    CategoryDetails,
    add_prize_category,
    change_prize_category,
    label_entries,
    remove_prize_category,
    set_prizes_add_up,
)
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.tables import forfeit_table

pytestmark = pytest.mark.django_db

SWISS, POOLS = {"format": "swiss"}, {"format": "pools", "settings": {"pools": 2}}


def build_details(**given: Any) -> CategoryDetails:
    return CategoryDetails(**{"name": "Prizes", **given})


def add(event: Event, by: Actor | None = None, **given: Any) -> PrizeCategory:
    added = add_prize_category(event_id=event.pk, details=build_details(**given), by=by or Actor())
    assert added is not None
    return added


def play_event(pairs: int = 8, *stages: dict[str, Any], rounds: int = 3) -> Event:
    """Play an event in which the lower number wins at every table."""
    event = build_event_with_stages(pairs, *(stages or (SWISS,)))
    for _ in range(rounds):
        play(event)
    compute_standings(event)
    return event


def list_winners(event: Event) -> list[list[object]]:
    """Return the winners of each category and group: numbers of entries, or names of clubs."""
    found = get_current_awards(event, get_entries(event), format_full_names)
    return [[one.award.winner for one in each.winners] for each in found]


@pytest.mark.slow
class TestCategoryEligibility:
    def test_every_category_scope_selects_its_winners(self) -> None:
        event = play_event(6, {"format": "round_robin"}, rounds=5)
        event.sections = [{"name": "A", "first_table": None, "last_table": None}]
        event.save(update_fields=["sections"])
        rows = [row["entry"] for row in compute_standings(event)]
        for number, club in ((rows[2], "Sainte-Luce"), (rows[5], "SAINTE LUCE")):
            describe_entry(event_id=event.pk, number=number, rating=900, team=club, section="A", labels="Juniors, x")
        set_prizes_add_up(event_id=event.pk, add_up=True)
        for given in (
            {"among": PrizeScope.RATING, "highest": 1000, "places": 3},
            {"among": PrizeScope.LABEL, "group": "juniors"},
            {"among": PrizeScope.SECTION, "group": "a"},
            {"among": PrizeScope.CLUB},
            {"among": PrizeScope.CLUBS, "places": 2},
            {"places": 2},
        ):
            add(event, **given)
        compute_standings(event)
        event.refresh_from_db()
        assert list_winners(event) == [
            [rows[0], rows[1]],  # main prizes come first
            [rows[2], rows[5]],  # three places, but only two entries are eligible
            [rows[2]],
            [rows[2]],
            [rows[0]],  # the club that holds the event
            [rows[2]],  # Sainte-Luce
            ["Les Joyeux Atouts", "Sainte-Luce"],
        ]
        assert event.prize_categories.get(among=PrizeScope.SECTION).group == "A"  # in the event's own spelling

    def test_pool_category_follows_the_pool_standings(self) -> None:
        event = play_event(8, POOLS)
        add(event, among=PrizeScope.POOL)
        found = get_current_awards(event, get_entries(event), format_full_names)
        assert [each.group for each in found] == ["A", "B"]
        assert [[one.award.winner for one in each.winners] for each in found] == [[1], [2]]
        assert [each.members for each in found] == [4, 4]
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        assert get_current_awards(event, get_entries(event), format_full_names) == found

    @pytest.mark.long
    @pytest.mark.parametrize("final", ["knockout", "round_robin"])
    def test_finals_do_not_change_the_prizes_of_a_pool(self, final: str) -> None:
        event = play_event(8, POOLS, {"format": final, "takes": "pool_top", "count": 2, "carried": "none"})
        add(event, among=PrizeScope.POOL, places=3, amounts=(5000, 3000, 1000))
        found = get_current_awards(event, get_entries(event), format_full_names)
        assert [[one.award.winner for one in each.winners] for each in found] == [[1, 4, 5], [2, 3, 6]]
        start_next_round(event)
        for table in (1, 2):
            forfeit_table(event_id=event.pk, number=4, table=table, winner=None)
        compute_standings(event)
        event.refresh_from_db()
        assert get_current_awards(event, get_entries(event), format_full_names) == found

    @pytest.mark.long
    def test_entry_qualifies_when_both_people_have_the_label(self) -> None:
        event = play_event()
        add(event, among=PrizeScope.LABEL, group="Young women")
        assert list_winners(event) == [[]]
        one, other = event.entries.get(number=3).players
        Person.objects.filter(pk=one.pk).update(labels=["young-women"])
        assert list_winners(event) == [[]]
        Person.objects.filter(pk=other.pk).update(labels=["Young Women"])
        assert list_winners(event) == [[3]]

    @pytest.mark.long
    def test_unrated_entries_leave_rating_prizes_unclaimed(self) -> None:
        event = play_event()
        add(event, among=PrizeScope.RATING, lowest=1200, places=2, amounts=(500,))
        (found,) = get_current_awards(event, get_entries(event), format_full_names)
        assert (found.members, found.winners, found.unclaimed) == (0, (), (500, 0))

    def test_category_has_no_winner_before_the_first_result(self) -> None:
        event = build_event(8)
        add(event)
        assert list_winners(event) == [[]]


class TestPrizeCategory:
    @pytest.mark.slow
    def test_resent_category_is_added_once_and_removal_is_undone(self) -> None:
        event, key = build_event(), uuid4()
        added = add(event, by=Actor(key=key), amounts=(5000, 3000), places=3)
        assert add(event, by=Actor(key=key)) == added
        assert added.amounts == [5000, 3000, 0]
        change_prize_category(event_id=event.pk, category_id=added.pk, details=build_details(name=" Best  club "))
        for _ in range(2):
            remove_prize_category(event_id=event.pk, category_id=added.pk)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [one.name for one in event.prize_categories.all()] == ["Best club"]

    @pytest.mark.parametrize(
        ("given", "code", "field"),
        [
            ({"name": " "}, "category_required", "name"),
            ({"prize": "x" * 61}, "prize_too_long", "prize"),
            ({"among": "nobody"}, "no_such_choice", "among"),
            ({"places": 0}, "too_many_places", "places"),
            ({"amounts": (1, 1)}, "too_many_amounts", "amounts"),
            ({"amounts": (1, 2), "places": 2}, "amounts_rise", "amounts"),
            ({"amounts": (-1,)}, "not_an_amount", "amounts"),
            ({"among": "label"}, "label_required", "group"),
            ({"among": "label", "group": "a, b"}, "no_commas", "group"),
            ({"among": "section", "group": "C"}, "no_such_section", "group"),
            ({"among": "rating"}, "rating_required", "lowest"),
            ({"among": "rating", "lowest": 10_000}, "rating_out_of_range", "lowest"),
            ({"among": "rating", "lowest": 5, "highest": 4}, "no_rating_between", "highest"),
        ],
    )
    def test_impossible_category_is_refused_at_its_field(self, given: dict[str, Any], code: str, field: str) -> None:
        refused = get_refusal(add_prize_category, event_id=build_event().pk, details=build_details(**given))
        assert (refused.code, refused.field) == (code, field)

    def test_category_of_another_event_is_unreachable(self) -> None:
        added = add(build_event())
        call = {"event_id": build_event().pk, "category_id": added.pk, "details": build_details()}
        assert get_refusal_code(change_prize_category, **call) == "no_such_prize"


class TestCategoryLabel:
    @pytest.mark.long
    def test_label_is_set_on_the_chosen_entries_only(self) -> None:
        event = build_event(4)
        describe_entry(event_id=event.pk, number=1, labels="Juniors, WOMEN")
        for _ in range(2):
            label_entries(event_id=event.pk, label="Women", numbers=[2, 3])
        labels = event.entries.order_by("number").values_list("labels", flat=True)
        assert list(labels) == ["Juniors", "Women", "Women", ""]
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert event.entries.get(number=1).labels == "Juniors, WOMEN"

    def test_empty_label_or_unknown_entry_is_refused(self) -> None:
        event = build_event(4)
        assert get_refusal_code(label_entries, event_id=event.pk, label="Women", numbers=[9]) == "no_such_entry_now"
        assert get_refusal_code(label_entries, event_id=event.pk, label=" ", numbers=[1]) == "label_required"


@pytest.mark.long
class TestPublicAwards:
    def test_winners_are_public_as_of_the_final_standings(self) -> None:
        event = play_event()
        add(event, places=5)
        add(event, is_public=False)
        assert get_public_awards(event, get_entries(event)) == ()
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        (before,) = get_public_awards(event, get_entries(event))
        play(event)
        compute_standings(event)
        (after,) = get_public_awards(event, get_entries(event))
        assert before.winners == after.winners
        assert before.winners[0].name != format_full_names(event.entries.get(number=1))

    def test_unreleased_standings_hide_the_winners(self) -> None:
        event = play_event()
        add(event)
        publish_final(event_id=event.pk)
        change_release(event_id=event.pk, release=Release(ranked=RanksRelease.NEVER))
        event.refresh_from_db()
        assert get_public_awards(event, get_entries(event)) == ()
