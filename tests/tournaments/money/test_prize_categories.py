"""Prizes by category: who is in one, who wins, and what everybody sees of it."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Person
from engine.visibility import RanksRelease, Release
from tests.builders import an_event, code_of, refusal_of, standings_after
from tests.tournaments.standings.test_final_ranks import an_event_of, play
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.presenters.names import full_names
from tournaments.history.services.undo import undo_action
from tournaments.models import Among, Event, PrizeCategory
from tournaments.money.presenters.awards import awards_now, public_awards
from tournaments.money.services.prize_categories import (
    CategoryDetails,
    add_prize_category,
    change_prize_category,
    label_entries,
    remove_prize_category,
    set_prizes_add_up,
)
from tournaments.publishing.services.publishing import change_release, publish_final

pytestmark = pytest.mark.django_db

SWISS, POOLS = {"format": "swiss"}, {"format": "pools", "settings": {"pools": 2}}


def details(**given: Any) -> CategoryDetails:
    return CategoryDetails(**{"name": "Prizes", **given})


def add(event: Event, by: Actor | None = None, **given: Any) -> PrizeCategory:
    added = add_prize_category(event_id=event.pk, details=details(**given), by=by or Actor())
    assert added is not None
    return added


def played(pairs: int = 8, *stages: dict[str, Any], rounds: int = 3) -> Event:
    """The lower number wins at every table."""
    event = an_event_of(pairs, *(stages or (SWISS,)))
    for _ in range(rounds):
        play(event)
    standings_after(event)
    return event


def winners(event: Event) -> list[list[object]]:
    """By category and group, who wins, by number; clubs by name."""
    found = awards_now(event, entries_of(event), full_names)
    return [[one.award.winner for one in each.winners] for each in found]


@pytest.mark.slow
class TestWhoCompetes:
    def test_everybody_a_rating_a_label_a_section_a_club_and_the_clubs_themselves(self) -> None:
        event = played(6, {"format": "round_robin"}, rounds=5)
        event.sections = [{"name": "A", "first_table": None, "last_table": None}]
        event.save(update_fields=["sections"])
        rows = [row["entry"] for row in standings_after(event)]
        for number, club in ((rows[2], "Sainte-Luce"), (rows[5], "SAINTE LUCE")):
            describe_entry(
                event_id=event.pk, number=number, rating=900, team=club, section="A", labels="Juniors, x"
            )
        set_prizes_add_up(event_id=event.pk, add_up=True)
        for given in (
            {"among": Among.RATING, "highest": 1000, "places": 3},
            {"among": Among.LABEL, "group": "juniors"},
            {"among": Among.SECTION, "group": "a"},
            {"among": Among.CLUB},
            {"among": Among.CLUBS, "places": 2},
            {"places": 2},
        ):
            add(event, **given)
        standings_after(event)
        event.refresh_from_db()
        assert winners(event) == [
            [rows[0], rows[1]],  # main prizes come first
            [rows[2], rows[5]],  # of three places
            [rows[2]],
            [rows[2]],
            [rows[0]],  # the club that holds the event, and
            [rows[2]],  # Sainte-Luce
            ["Les Joyeux Atouts", "Sainte-Luce"],
        ]
        assert event.prize_categories.get(among=Among.SECTION).group == "A"  # as the event writes it

    def test_those_of_a_pool_in_the_order_of_the_pool(self) -> None:
        event = played(8, POOLS)
        add(event, among=Among.POOL)
        found = awards_now(event, entries_of(event), full_names)
        assert [each.group for each in found] == ["A", "B"]
        assert [[one.award.winner for one in each.winners] for each in found] == [[1], [2]]
        assert [each.members for each in found] == [4, 4]
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        assert awards_now(event, entries_of(event), full_names) == found

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_also_an_entry_all_of_whose_people_are_in_the_group_of_the_club(self) -> None:
        event = played()
        add(event, among=Among.LABEL, group="Young women")
        assert winners(event) == [[]]
        one, other = event.entries.get(number=3).players
        Person.objects.filter(pk=one.pk).update(labels=["young-women"])
        assert winners(event) == [[]]
        Person.objects.filter(pk=other.pk).update(labels=["Young Women"])
        assert winners(event) == [[3]]

    def test_nobody_in_a_band_without_ratings_so_that_its_prizes_are_not_won(self) -> None:
        event = played()
        add(event, among=Among.RATING, lowest=1200, places=2, amounts=(500,))
        (found,) = awards_now(event, entries_of(event), full_names)
        assert (found.members, found.winners, found.not_won) == (0, (), (500, 0))

    def test_and_nobody_wins_before_there_is_a_result(self) -> None:
        event = an_event(8)
        add(event)
        assert winners(event) == [[]]


class TestACategory:
    def test_is_added_once_a_form_changed_removed_and_comes_back(self) -> None:
        event, key = an_event(), uuid4()
        added = add(event, by=Actor(key=key), amounts=(5000, 3000), places=3)
        assert add(event, by=Actor(key=key)) == added
        assert added.amounts == [5000, 3000, 0]
        change_prize_category(event_id=event.pk, category_id=added.pk, details=details(name=" Best  club "))
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
    def test_that_cannot_be_is_refused_at_its_field(
        self, given: dict[str, Any], code: str, field: str
    ) -> None:
        refused = refusal_of(add_prize_category, event_id=an_event().pk, details=details(**given))
        assert (refused.code, refused.field) == (code, field)

    def test_of_another_event_is_not_there(self) -> None:
        added = add(an_event())
        call = {"event_id": an_event().pk, "category_id": added.pk, "details": details()}
        assert code_of(change_prize_category, **call) == "no_such_prize"


class TestALabel:
    def test_is_that_of_these_entries_and_no_others_beside_their_other_ones(self) -> None:
        event = an_event(4)
        describe_entry(event_id=event.pk, number=1, labels="Juniors, WOMEN")
        for _ in range(2):
            label_entries(event_id=event.pk, label="Women", numbers=[2, 3])
        kept = event.entries.order_by("number").values_list("labels", flat=True)
        assert list(kept) == ["Juniors", "Women", "Women", ""]
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert event.entries.get(number=1).labels == "Juniors, WOMEN"

    def test_of_nobody_who_is_there_or_without_a_word_is_refused(self) -> None:
        event = an_event(4)
        assert code_of(label_entries, event_id=event.pk, label="Women", numbers=[9]) == "no_such_entry_now"
        assert code_of(label_entries, event_id=event.pk, label=" ", numbers=[1]) == "label_required"


@pytest.mark.slow
class TestEverybody:
    def test_sees_who_won_once_the_standings_are_final_and_as_they_were_published(self) -> None:
        event = played()
        add(event, places=5)
        add(event, is_public=False)
        assert public_awards(event, entries_of(event)) == ()
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        (before,) = public_awards(event, entries_of(event))
        play(event)
        standings_after(event)
        (after,) = public_awards(event, entries_of(event))
        assert before.winners == after.winners
        assert before.winners[0].name != full_names(event.entries.get(number=1))

    def test_sees_nobody_where_standings_are_not_released(self) -> None:
        event = played()
        add(event)
        publish_final(event_id=event.pk)
        change_release(event_id=event.pk, release=Release(ranked=RanksRelease.NEVER))
        event.refresh_from_db()
        assert public_awards(event, entries_of(event)) == ()
