"""The draft at the desk: why each table is so, swaps with their price, tables held, another lot."""

from typing import Any

import pytest
from django.utils.translation import override

from clubs.audit.log import Actor
from engine.draws import EntryId
from rules import Side
from tests.builders import (
    a_club,
    an_account,
    an_event,
    code_of,
    next_round,
    play_round,
    refusal_of,
    standings_after,
)
from tests.support.browser import Browser, Page
from tournaments.entries.services.bonds import keep_apart
from tournaments.entries.services.entry_actions import adjust_entry, describe_entry, withdraw_entry
from tournaments.entries.services.starting_list import order_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.rounds import close_round, discard_draft, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, hold_table, swap_entries
from wording.templatetags.words import draw_reason

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Desk:
    """A night with the draft of a round, and its director's browser."""

    def __init__(self, pairs: int = 6, *, rounds: int = 1, draw_format: str = "random") -> None:
        self.owner = an_account()
        club = a_club(owner=self.owner)
        self.event: Event = start_event(event_id=an_event(pairs, club=club, draw_format=draw_format).pk)
        for number in range(1, rounds):
            next_round(self.event)
            play_round(self.event, number)
        draw_round(event_id=self.event.pk, seed=7)
        self.browser = Browser(account=self.owner)
        self.path = f"/e/{self.event.short}/desk"

    def seats(self) -> dict[int, tuple[int, ...]]:
        numbers = dict(self.event.entries.values_list("pk", "number"))
        draft = self.event.rounds.order_by("number").last()
        assert draft is not None
        return {
            table.number: tuple(numbers[entry] for entry in (*table.a, *table.b))
            for table in lineup_of(draft).tables
        }


def test_the_draft_says_why_each_table_is_so_and_what_it_costs() -> None:
    desk = Desk(pairs=6, rounds=2, draw_format="swiss")
    page = desk.browser.open(desk.path)
    assert page.text.count("Equal scores: ") == 2
    assert "Unequal scores: 1 and 0." in page.text
    assert "Never met." in page.text
    assert "Differences in wins 1" in page.text
    standings_after(desk.event)
    assert "1 won" in desk.browser.open(desk.path).text


def test_an_evening_between_clubs_that_has_one_begins_and_says_that_nobody_has_an_opponent() -> None:
    owner = an_account()
    event = an_event(4, club=a_club(owner=owner), draw_format="interclub")
    browser = Browser(account=owner)
    entries = browser.open(f"/e/{event.short}/desk/entries")
    page = browser.send(entries, entries.form("/start"))
    assert "Nobody has an opponent" in page.text
    assert "End the event" not in page.text
    describe_entry(event_id=event.pk, number=1, team="Rimouski")
    page = browser.send(page, page.form("/draw"))
    assert "Nobody has an opponent" not in page.text
    assert lineup_of(event.rounds.get()).tables


def test_a_reason_that_costs_something_bears_another_sign_than_one_that_costs_nothing() -> None:
    desk = Desk(pairs=6, rounds=2, draw_format="swiss")
    signs: dict[str, set[tuple[str, str]]] = {}
    for reasons in desk.browser.open(desk.path).every("ul", **{"class": "reasons"}):
        for reason in reasons.every("li"):
            sign = reason.one("use").attrs["href"], reason.attrs.get("class", "")
            signs.setdefault(reason.text.partition(".")[0].partition(":")[0], set()).add(sign)
    assert signs["Never met"] == signs["Equal scores"] == {("#i-check", "")}
    assert signs["Unequal scores"] == {("#i-triangle", "cost")}


def test_a_draft_says_which_table_nobody_won_where_a_lot_decided_who_moved_up() -> None:
    desk = Desk(pairs=6, draw_format="progressive")
    publish_round(event_id=desk.event.pk, number=1)
    adjust_table(event_id=desk.event.pk, number=1, table=1, games=(0, 0), points=(9, 9))
    for table in (2, 3):
        forfeit_table(event_id=desk.event.pk, number=1, table=table, winner=Side.A)
    close_round(event_id=desk.event.pk, number=1)
    draw_round(event_id=desk.event.pk, seed=7)
    path = f"/e/{desk.event.short}/desk/rounds/2"
    assert "No winner at table 1: a lot decided who moved up." in desk.browser.open(path).text
    publish_round(event_id=desk.event.pk, number=2)
    public = desk.browser.open(f"/e/{desk.event.short}/rounds/2/tables/1").text
    assert "No winner at table 1: a lot decided who moved up." in public


@pytest.mark.parametrize(
    ("is_drawn", "name", "won"),
    [(True, "Differences in half wins", "½ won"), (False, "Differences in wins", "1 won")],
)
def test_a_draft_counts_differences_in_the_unit_of_its_scores(is_drawn: bool, name: str, won: str) -> None:
    desk = Desk(pairs=6, draw_format="swiss")
    publish_round(event_id=desk.event.pk, number=1)
    for table in (1, 2, 3):
        if is_drawn and table == 1:
            adjust_table(event_id=desk.event.pk, number=1, table=1, games=(0, 0), points=(9, 9))
        else:
            forfeit_table(event_id=desk.event.pk, number=1, table=table, winner=Side.A)
    if is_drawn:
        withdraw_entry(event_id=desk.event.pk, number=1)
    close_round(event_id=desk.event.pk, number=1)
    draw_round(event_id=desk.event.pk, seed=7)
    standings_after(desk.event)
    text = desk.browser.open(desk.path).text
    assert f"{name} " in text
    assert f"{name} 0" not in text
    assert won in text


class TestAFirstRoundByResults:
    def drafted(self, *, way: str = "", ratings: bool = False, stages: Any = ()) -> str:
        owner = an_account()
        event = an_event(4, club=a_club(owner=owner), draw_format="swiss")
        if stages:
            change_stages(event_id=event.pk, stages=stages)
        for entry in event.entries.all() if ratings else ():
            Entry.objects.filter(pk=entry.pk).update(rating=1000 + 100 * entry.number)
        if way:
            order_entries(event_id=event.pk, way=way)
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk, seed=7)
        return Browser(account=owner).open(f"/e/{event.short}/desk").text

    def test_of_a_list_as_entered_says_that_it_is_by_lot(self) -> None:
        text = self.drafted()
        assert "Drawn by lot: the starting list is not by strength." in text
        assert text.count("Drawn by lot.") == 2

    def test_of_ratings_that_nobody_ordered_by_says_that_the_draw_does_not_go_by_them(self) -> None:
        assert "To use ratings, sort the starting list by rating before the start." in self.drafted(
            ratings=True
        )

    def test_in_order_of_rating_is_by_rating_and_says_so(self) -> None:
        text = self.drafted(way="rating", ratings=True)
        assert "By rating, highest first." in text
        assert text.count("By rank.") == 2

    def test_to_be_accelerated_says_where_nobody_can_have_a_head_start(self) -> None:
        said = "Not accelerated: the starting list is unranked."
        stages = [{"format": "swiss", "settings": {"accelerated_rounds": 2}}]
        assert said in self.drafted(stages=stages)
        assert said not in self.drafted(stages=stages, way="lot")
        assert said not in self.drafted()

    @pytest.mark.parametrize("draw_format", ["by_rank", "swiss_individual"])
    def test_of_persons_says_that_it_is_by_lot_while_nobody_has_a_rank(self, draw_format: str) -> None:
        desk = Desk(8, draw_format=draw_format)
        text = desk.browser.open(desk.path).text
        assert "Drawn by lot: the starting list is not by strength." in text

    @pytest.mark.parametrize("draw_format", ["knockout", "double_elimination"])
    def test_of_a_bracket_says_that_the_first_of_the_list_have_its_byes(self, draw_format: str) -> None:
        desk = Desk(13, draw_format=draw_format)
        text = desk.browser.open(desk.path).text
        assert "By starting number." in text
        drawn = lineup_of(desk.event.rounds.get())
        numbers = dict(desk.event.entries.values_list("pk", "number"))
        assert {numbers[bye.entry] for bye in drawn.byes} == {1, 2, 3}

    def test_of_a_list_drawn_by_lot_is_by_that_list(self) -> None:
        assert "By starting number." in self.drafted(way="lot")


def test_a_list_with_ratings_that_the_draw_does_not_go_by_says_so_until_it_does() -> None:
    owner = an_account()
    event = an_event(4, club=a_club(owner=owner), draw_format="swiss")
    event.entries.update(rating=1500)
    browser = Browser(account=owner)
    for path in (f"/e/{event.short}/desk/entries", f"/e/{event.short}/desk/entries/order"):
        assert "The draw ignores the ratings" in browser.open(path).text
    order_entries(event_id=event.pk, way="rating")
    for path in (f"/e/{event.short}/desk/entries", f"/e/{event.short}/desk/entries/order"):
        assert "The draw ignores the ratings" not in browser.open(path).text


def test_a_table_is_held_by_a_tap_and_let_go_by_the_next() -> None:
    desk = Desk()
    page = desk.browser.open(desk.path)
    for pressed in ("true", "false", "true"):
        button = page.one(id="hold-1")
        form = next(form for form in page.every("form") if button in form.every("button"))
        page = desk.browser.send(page, form, ("held", button.attrs["value"]))
        assert page.one(id="hold-1").attrs["aria-pressed"] == pressed
        assert ("Locked" in page.one(id="table-1").one("summary").text) == (pressed == "true")


@pytest.mark.parametrize("rest", ["swap", "comparison", "meeting", "tables/1"])
def test_of_a_round_that_there_is_not_is_a_friendly_404(rest: str) -> None:
    desk = Desk()
    page = desk.browser.open(f"{desk.path}/rounds/9/{rest}")
    assert page.status == 404
    assert "Page not found" in page.text


def test_two_taps_and_a_look_at_the_price_swap_two() -> None:
    desk = Desk(pairs=8, rounds=2, draw_format="swiss")
    assert "Who changes places?" in desk.browser.open(f"{desk.path}/rounds/2/swap").text
    before = desk.seats()
    page = desk.browser.open(desk.path)
    page = desk.browser.open(page.one(id="swap-1").attrs["href"])
    one, other = before[1][1], before[2][0]
    assert "With whom?" in page.text
    page = desk.browser.open(f"{desk.path}/rounds/2/swap?one={one}&other={other}")
    assert "as drawn" in page.text
    page = desk.browser.send(page, page.form("/swap"), reason="Near the door")
    assert desk.seats()[1] == (before[1][0], other)
    assert "swapped" in page.text
    assert desk.event.actions.first().reason == "Near the door"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("language", "rounds", "sentence"),
    [
        ("en", [1], "Met in round 1."),
        ("en", [1, 2, 4], "Met in rounds 1, 2 and 4."),
        ("fr", [1, 2], "Revanche\u00a0: rondes 1 et 2."),
    ],
)
def test_a_reason_names_one_round_or_several(language: str, rounds: list[int], sentence: str) -> None:
    with override(language):
        assert draw_reason({"code": "met_before", "rounds": rounds}) == sentence


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ({"code": "score_group", "score": 6}, "Equal scores: 3."),
        ({"code": "score_group", "score": 5, "accelerated": True}, "Equal scores, head start included: 2½."),
        ({"code": "floated", "scores": [6, 5]}, "Unequal scores: 3 and 2½."),
        ({"code": "lowest_score", "score": 0}, "Lowest score: 0."),
        ({"code": "score_group"}, "Equal scores."),
    ],
)
def test_a_reason_tells_the_scores_that_it_speaks_of(reason: dict[str, Any], sentence: str) -> None:
    with override("en"):
        assert draw_reason(reason) == sentence


def test_two_directors_do_not_overwrite_a_draft_that_the_other_has_changed() -> None:
    desk = Desk()
    first, second = desk.seats()[1], desk.seats()[2]
    draft, swap = desk.browser.open(desk.path), desk.browser.open(f"{desk.path}/rounds/1/swap?one=1&other=2")
    swap_entries(event_id=desk.event.pk, number=1, one=first[0], other=second[0])
    swapped = desk.seats()
    for page, form in ((draft, "/desk/draw"), (draft, "/publish"), (swap, "/swap")):
        refused = desk.browser.send(page, page.form(form))
        assert refused.status == 409, form
        assert "changed" in refused.alert, form
    assert desk.seats() == swapped
    assert desk.event.rounds.get().state == RoundState.DRAFT
    page = desk.browser.open(desk.path)
    desk.browser.send(page, page.form("/publish"))
    assert desk.event.rounds.get().state == RoundState.PUBLISHED


def test_a_swap_that_costs_more_says_so_and_leaves_the_draw_first() -> None:
    desk = Desk(pairs=4, rounds=2)
    met = {frozenset(pair) for pair in desk_seats_of_round(desk, 1)}
    seats = desk.seats()
    one = seats[1][1]
    other = next(entry for entry in seats[2] if frozenset((seats[1][0], entry)) in met)
    page = desk.browser.open(f"{desk.path}/rounds/2/swap?one={one}&other={other}")
    assert "Swap anyway" in page.text
    assert "Met in round 1." in page.text
    assert page.every("a", **{"class": "button primary"})[0].text == "Keep the draw"


def desk_seats_of_round(desk: Desk, number: int) -> list[tuple[int, ...]]:
    numbers = dict(desk.event.entries.values_list("pk", "number"))
    lineup = lineup_of(desk.event.rounds.get(number=number))
    return [tuple(numbers[entry] for entry in (*table.a, *table.b)) for table in lineup.tables]


def test_two_of_one_side_cannot_be_swapped_and_are_told() -> None:
    desk = Desk(pairs=8, draw_format="rotation")
    one, other = desk.seats()[1][:2]
    page = desk.browser.open(f"{desk.path}/rounds/1/swap?one={one}&other={other}")
    assert page.status == 422
    assert "These two are together." in page.text


def test_a_held_table_stays_when_the_rest_is_drawn_again() -> None:
    desk = Desk(pairs=12)
    held = desk.seats()[1]
    page = desk.browser.open(desk.path)
    hold = next(form for form in page.every("form") if any(form.every("button", id="hold-1")))
    page = desk.browser.send(page, hold, ("held", "1"))
    assert page.one(id="hold-1").attrs["aria-pressed"] == "true"
    again = next(form for form in page.every("form") if any(form.every("button", id="draw-again")))
    page = desk.browser.send(page, again, seed="4182")
    assert desk.seats()[1] == held
    assert "draw 4182" in page.text


def test_a_second_click_on_the_same_button_draws_once() -> None:
    desk = Desk(pairs=12)
    page = desk.browser.open(desk.path)
    again = next(form for form in page.every("form") if any(form.every("button", id="draw-again")))
    desk.browser.send(page, again)
    drawn = desk.seats()
    desk.browser.send(page, again)
    assert desk.seats() == drawn


@pytest.mark.snapshot
def test_a_draft_changed_by_hand_is_compared_with_the_program_s() -> None:
    desk = Desk(pairs=8, rounds=2)
    page = desk.browser.open(f"{desk.path}/rounds/2/comparison")
    assert "Same tables in both." in page.text
    seats = desk.seats()
    page = desk.browser.open(f"{desk.path}/rounds/2/swap?one={seats[1][1]}&other={seats[2][0]}")
    desk.browser.send(page, page.form("/swap"))
    page = desk.browser.open(f"{desk.path}/rounds/2/comparison")
    assert "Only in this draft" in page.text
    assert "Only in the automatic draw" in page.text


def test_in_a_draw_by_lot_a_swap_that_makes_nobody_meet_again_costs_nothing() -> None:
    desk = Desk(pairs=4)
    seats = desk.seats()
    page = desk.browser.open(f"{desk.path}/rounds/1/swap?one={seats[1][1]}&other={seats[2][0]}")
    assert "No compromises in either draw." in page.text
    assert "Swap anyway" not in page.text


class TestWhyTheseTwoDoNotMeet:
    def asked(self, desk: Desk, number: int, one: int, other: int) -> Page:
        return desk.browser.open(f"{desk.path}/rounds/{number}/meeting?one={one}&other={other}")

    def test_is_asked_by_two_taps_on_a_page_that_the_draft_leads_to(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        page = desk.browser.open(desk.path)
        address = page.one(id="meeting").attrs["href"]
        page = desk.browser.open(address)
        for asks in ("Who is asking?", "Against whom?"):
            assert asks in page.text
            links = page.one("ol", **{"class": "pairings choosing"}).every("a")
            href = next(link.attrs["href"] for link in links if link.text != "change")
            page = desk.browser.open(address + href.partition("#")[0])
        assert page.one(id="answer").text == "Why not these two?"

    @pytest.mark.snapshot
    def test_is_told_by_the_line_that_decides(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        one, other = (entry.number for entry in met_in(desk.event, 1))
        page = self.asked(desk, 2, one, other)
        assert "The best draw with this meeting is worse. Rematches: 2, not 0." in page.text
        assert cells(page, "Rematches") == ["0", "2 worse"]

    def test_who_do_meet_are_told_so(self) -> None:
        desk = Desk(pairs=4)
        one, other = desk.seats()[1]
        assert "They do meet, at table 1." in self.asked(desk, 1, one, other).text

    def test_may_be_chance(self) -> None:
        desk = Desk(pairs=4)
        one, other = desk.seats()[1][0], desk.seats()[2][0]
        page = self.asked(desk, 1, one, other)
        assert "an equally good draw was chosen by lot" in page.text
        assert not page.every("table")

    def test_of_a_published_round_goes_by_what_it_was_drawn_from(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        one, other = (entry.number for entry in met_in(desk.event, 1))
        before = cells(self.asked(desk, 2, one, other), "Differences in wins")
        publish_round(event_id=desk.event.pk, number=2)
        forfeit_table(event_id=desk.event.pk, number=1, table=1, winner=None)
        assert cells(self.asked(desk, 2, one, other), "Differences in wins") == before
        page = desk.browser.open(f"{desk.path}/rounds/2")
        assert page.one(id="meeting").attrs["href"].endswith("/rounds/2/meeting")

    def test_had_no_choice_where_one_of_them_was_held_beforehand(self) -> None:
        desk = Desk(pairs=6)
        hold_table(event_id=desk.event.pk, number=1, table=1, is_held=True)
        draw_round(event_id=desk.event.pk, seed=8)
        page = self.asked(desk, 1, desk.seats()[1][0], desk.seats()[2][0])
        assert "Not possible:" in page.text

    def test_and_where_the_round_is_not_drawn_by_price_it_is_not_offered(self) -> None:
        desk = Desk(pairs=6, draw_format="round_robin")
        assert not desk.browser.open(desk.path).every(id="meeting")
        assert "Not possible:" in self.asked(desk, 1, 1, 2).text

    @pytest.mark.snapshot
    def test_is_told_within_a_group(self) -> None:
        event = two_groups()
        seats = [table.a + table.b for table in lineup_of(event.rounds.get()).tables]
        numbers = dict(event.entries.values_list("pk", "number"))
        one, other, beside = numbers[seats[0][0]], numbers[seats[1][0]], numbers[seats[2][0]]
        desk = Browser(account=event.club.memberships.get().account)
        path = f"/e/{event.short}/desk/rounds/1/meeting?one={one}"
        assert "an equally good draw was chosen by lot" in desk.open(f"{path}&other={other}").text
        assert "Not possible:" in desk.open(f"{path}&other={beside}").text

    def test_refuses_a_number_that_there_is_not(self) -> None:
        assert "99" in self.asked(Desk(pairs=4), 1, 1, 99).text


def cells(page: Page, criterion: str) -> list[str]:
    """Return what two draws cost by it."""
    row = next(row for row in page.every("tr") if next(row.every("th")).text == criterion)
    return [cell.text for cell in row.every("td")]


def met_in(event: Event, number: int) -> list[Entry]:
    """Return those at the first table of a round."""
    table = lineup_of(event.rounds.get(number=number)).tables[0]
    return list(event.entries.filter(pk__in=(*table.a, *table.b)))


def test_a_draw_by_its_schedule_has_no_price_to_compare() -> None:
    desk = Desk(pairs=6, draw_format="round_robin")
    assert "This format does not use these criteria" in desk.browser.open(desk.path).text
    page = desk.browser.open(f"{desk.path}/rounds/1/comparison")
    assert page.status == 422
    assert "This format’s draws have no cost." in page.text


def two_groups() -> Event:
    """The draft of a first round of two groups of four."""
    event = an_event(8, club=a_club(owner=an_account()))
    one, other = {"takes": "ranked", "last": 4}, {"takes": "ranked", "first": 5, "beside": True}
    stages = [{"format": "swiss", "rounds": 3, **each} for each in (one, other)]
    change_stages(event_id=event.pk, stages=stages)
    start_event(event_id=event.pk)
    draw_round(event_id=event.pk, seed=7)
    return event


def test_a_draw_of_several_groups_says_that_each_is_drawn_by_itself() -> None:
    event = two_groups()
    owner = event.club.memberships.get().account
    text = Browser(account=owner).open(f"/e/{event.short}/desk").text
    assert "Each group is drawn separately" in text
    assert "This format does not use these criteria." not in text


SWISS = {"format": "swiss", "rounds": 2}


class TestACutAmongEquals:
    def drafted(
        self, *stages: dict[str, Any], first: dict[str, Any] = SWISS, pairs: int = 9, is_seeded: bool = False
    ) -> tuple[Event, str]:
        """The draft of what follows a first stage in which side A won every match."""
        owner = an_account()
        event = an_event(pairs, club=a_club(owner=owner))
        change_stages(event_id=event.pk, stages=[first, *stages])
        Event.objects.filter(pk=event.pk).update(is_seeded=is_seeded)
        start_event(event_id=event.pk)
        for number in range(1, 1 + first["rounds"]):
            next_round(event)
            play_round(event, number)
        standings_after(event)
        draw_round(event_id=event.pk, seed=7)
        return event, Browser(account=owner).open(f"/e/{event.short}/desk").text

    def test_says_whom_the_lot_has_let_on_and_whom_not(self) -> None:
        event, text = self.drafted({"format": "knockout", "takes": "top", "count": 4})
        ranks = {row["entry"]: row["rank"] for row in standings_after(event)}
        level = {number for number, rank in ranks.items() if rank == 3}
        drawn = lineup_of(event.rounds.get(number=3)).entries
        on = {entry.number for entry in event.entries.all() if entry.pk in drawn} & level
        _, _, said = text.partition("Tie at rank 3, broken by lot. Above the cut: ")
        above, _, below = said.partition(". Below: ")
        below = below.partition(". ")[0]
        assert (len(level), len(on)) == (4, 2)
        assert (above.count(" · "), below.count(" · ")) == (1, 1)
        named = {entry.number: entry.player_1.name for entry in event.entries.all()}
        assert {number for number in level if named[number] in above} == on
        assert {number for number in level if named[number] in below} == level - on

    @pytest.mark.snapshot
    def test_is_told_of_each_pool_by_its_name(self) -> None:
        pools = {"format": "pools", "settings": {"pools": 2}, "rounds": 3}
        event, text = self.drafted(
            {"format": "knockout", "takes": "pool_top", "count": 1}, first=pools, pairs=6
        )
        pool_of = {
            entry: table.slot[-1]
            for table in lineup_of(event.rounds.get(number=1)).tables
            for entry in (*table.a, *table.b)
        } | {bye.entry: bye.slot[-1] for bye in lineup_of(event.rounds.get(number=1)).byes}
        finalists = lineup_of(event.rounds.get(number=4)).entries
        for pool in "AB":
            _, _, said = text.partition(f"Tie in pool {pool}, broken by lot. Above the cut: ")
            above, _, below = said.partition(". Below: ")
            below = below.partition(". ")[0]
            own = [entry for entry in event.entries.all() if pool_of[EntryId(entry.pk)] == pool]
            assert [entry for entry in own if entry.player_1.name in above] == [
                entry for entry in own if entry.pk in finalists
            ]
            assert sum(entry.player_1.name in below for entry in own) == 2

    def test_is_by_the_starting_list_where_that_goes_by_strength(self) -> None:
        _, text = self.drafted({"format": "knockout", "takes": "top", "count": 4}, is_seeded=True)
        assert "Tie at rank 3, broken by starting list." in text
        assert "broken by lot" not in text

    @pytest.mark.snapshot
    def test_is_told_of_groups_once_and_not_of_one_between_ranks(self) -> None:
        swiss = {"format": "swiss", "rounds": 2, "takes": "ranked"}
        _, text = self.drafted(swiss | {"last": 4}, swiss | {"first": 5, "beside": True})
        assert text.count("broken by lot") == 1
        _, text = self.drafted(swiss | {"last": 2}, swiss | {"first": 3, "beside": True})
        assert "broken by lot" not in text


def test_of_partners_that_were_drawn_it_is_said_how_often_each_sat_out() -> None:
    desk = Desk(pairs=7, rounds=2, draw_format="rotation")
    once = set(desk.event.entries.filter(seatings__table=None).values_list("number", flat=True))
    page = desk.browser.open(desk.path)
    shown = [one.text for one in page.one("ol", class_="draft").every("small", class_="facts")]
    sides = [numbers[at : at + 2] for numbers in desk.seats().values() for at in (0, 2)]
    counted = [tuple(int(number in once) for number in side) for side in sides]
    words: dict[tuple[int, ...], str] = {(1, 1): "1 / 1 byes", (1, 0): "1 / 0 bye", (0, 1): "0 / 1 bye"}
    assert len(once) == 3
    assert shown == [words[side] for side in counted if any(side)]


def test_partners_that_were_drawn_sit_together() -> None:
    desk = Desk(pairs=8, draw_format="rotation")
    page = desk.browser.open(desk.path)
    assert "Round 1: 2 tables" in page.text
    assert all(len(entries) == 4 for entries in desk.seats().values())


@pytest.mark.snapshot
def test_once_all_is_played_the_desk_offers_no_further_draw() -> None:
    desk = Desk(pairs=4, rounds=2, draw_format="knockout")
    publish_round(event_id=desk.event.pk, number=2)
    play_round(desk.event, 2)
    page = desk.browser.open(desk.path)
    assert "End the event" in page.text
    assert "Draw round 3" not in page.text


def test_a_table_held_where_another_director_has_published_meanwhile_leads_to_the_desk_as_it_is() -> None:
    desk = Desk()
    page = desk.browser.open(desk.path)
    hold = next(form for form in page.every("form") if any(form.every("button", id="hold-1")))
    publish_round(event_id=desk.event.pk, number=1)
    refused = desk.browser.send(page, hold, ("held", "1"))
    assert refused.status == 409
    assert "Round 1" in desk.browser.open(refused.link("Back to the page")).one("main").text


class TestADraftThatSeatsWhoHasWithdrawn:
    """Their opponents would sit before empty chairs."""

    def desk(self) -> tuple[Desk, int]:
        """And who has withdrawn, by number."""
        desk = Desk(pairs=7)
        gone = desk.seats()[1][0]
        withdraw_entry(event_id=desk.event.pk, number=gone)
        return desk, gone

    def publish(self, desk: Desk) -> Page:
        page = desk.browser.open(desk.path)
        return desk.browser.send(page, page.form("/rounds/1/publish"))

    def test_is_not_published_and_the_page_says_whom_it_is_about(self) -> None:
        desk, gone = self.desk()
        refused = self.publish(desk)
        assert refused.status == 422
        assert f"no. {gone}. Draw again or swap them." in refused.text
        assert desk.event.rounds.get().state == "draft"

    def test_is_published_once_it_is_drawn_again(self) -> None:
        desk, _ = self.desk()
        draw_round(event_id=desk.event.pk, seed=7)
        assert self.publish(desk).status == 200

    def test_is_published_once_who_sat_out_has_their_chairs(self) -> None:
        desk, gone = self.desk()
        seated = {number for numbers in desk.seats().values() for number in numbers}
        (sits_out,) = set(range(1, 8)) - seated
        asked = desk.browser.open(f"{desk.path}/rounds/1/swap?one={gone}&other={sits_out}")
        assert asked.status == 200
        desk.browser.send(asked, asked.form("/swap"))
        assert self.publish(desk).status == 200
        assert not desk.event.entries.get(number=gone).seatings.exists()

    def test_lets_others_swap_before_their_chairs_are_taken(self) -> None:
        desk, gone = self.desk()
        one, other = desk.seats()[2][0], desk.seats()[3][0]
        asked = desk.browser.open(f"{desk.path}/rounds/1/swap?one={one}&other={other}")
        desk.browser.send(asked, asked.form("/swap"))
        assert one in desk.seats()[3]
        assert gone in desk.seats()[1]

    def test_has_no_price_and_is_not_compared_with_the_program_s(self) -> None:
        desk, _ = self.desk()
        page = desk.browser.open(desk.path)
        assert "No rematches" not in page.text
        assert "Shown once everyone drawn is present." in page.text
        assert not page.every("a", id="compare")
        refused = desk.browser.open(f"{desk.path}/rounds/1/comparison")
        assert "This has changed meanwhile" in refused.text


class TestAByeOfWhoHasWithdrawn:
    """It would be worth a win."""

    def publish(self) -> tuple[Event, Entry]:
        desk = Desk(pairs=5, rounds=2, draw_format="swiss")
        (gone,) = desk.event.entries.exclude(number__in={one for two in desk.seats().values() for one in two})
        withdraw_entry(event_id=desk.event.pk, number=gone.number)
        publish_round(event_id=desk.event.pk, number=2)
        return desk.event, gone

    def test_is_not_published_and_counts_nothing(self) -> None:
        event, gone = self.publish()
        before = next(row for row in standings_after(event) if row["entry"] == gone.number)
        assert not event.rounds.get(number=2).seatings.filter(table=None).exists()
        play_round(event, 2)
        after = next(row for row in standings_after(event) if row["entry"] == gone.number)
        assert after["match_wins"] == before["match_wins"]

    def test_is_in_the_draft_again_when_publishing_is_undone(self) -> None:
        event, gone = self.publish()
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [bye.entry for bye in lineup_of(event.rounds.get(number=2)).byes] == [gone.pk]


class TestABracketWithoutWhoHasWithdrawn:
    """It is another one: published as it was drawn, somebody would never have an opponent."""

    def test_is_not_published_until_it_is_drawn_again(self) -> None:
        desk = Desk(pairs=5, draw_format="knockout")
        event = desk.event
        withdraw_entry(event_id=event.pk, number=1)
        refused = refusal_of(publish_round, event_id=event.pk, number=1)
        assert (refused.code, refused.details) == ("drawn_but_away", {"entries": [1]})
        for number in (1, 2):
            next_round(event)
            play_round(event, number)
        places = [(row["rank"], row["match_wins"]) for row in standings_after(event)]
        assert places[:2] == [(1, 2), (2, 1)]
        assert sum(wins for _, wins in places) == 3, "two semifinals and a final"


class TestWhoIsKeptApart:
    def night(self, text: str, *, always: bool, pairs: int = 4, draw_format: str = "swiss") -> Desk:
        desk = Desk.__new__(Desk)
        owner = an_account()
        desk.event = an_event(pairs, club=a_club(owner=owner), draw_format=draw_format)
        keep_apart(event_id=desk.event.pk, text=text, always=always)
        start_event(event_id=desk.event.pk)
        draw_round(event_id=desk.event.pk, seed=7)
        desk.browser, desk.path = Browser(account=owner), f"/e/{desk.event.short}/desk"
        return desk

    @pytest.mark.snapshot
    def test_and_meets_all_the_same_is_told_with_the_table_and_its_price(self) -> None:
        page = self.night("1, 2", always=True, pairs=2)
        said = page.browser.open(page.path).text
        assert "Do not pair" in said
        assert "Should not be paired, but no draw breaks fewer rules." in said
        assert "Forbidden meetings 1" in said

    def test_if_possible_alone_is_told_so(self) -> None:
        page = self.night("1, 2", always=False, pairs=2)
        said = page.browser.open(page.path).text
        assert "Better not paired, but no draw does better." in said
        assert "Meetings to avoid 1" in said

    def test_in_a_format_that_cannot_choose_is_told_with_the_table(self) -> None:
        desk = self.night("1, 2, 3, 4", always=True, draw_format="round_robin")
        assert desk.browser.open(desk.path).text.count("Should not be paired, but they meet.") == 2

    def test_by_the_director_after_the_draw_is_told_too(self) -> None:
        desk = Desk(pairs=4)
        one, other = desk.seats()[1]
        keep_apart(event_id=desk.event.pk, text=f"{one}, {other}", always=True)
        assert "Do not pair" in desk.browser.open(desk.path).text
        assert code_of(publish_round, event_id=desk.event.pk, number=1) == "draft_outdated"
        publish_round(event_id=desk.event.pk, number=1, as_drawn=True)
        public = Browser().open(f"/e/{desk.event.short}").text
        assert [words for words in ("Do not pair", "Should not be paired") if words in public] == []


class TestTwoDirectors:
    def test_the_draft_of_another_is_not_replaced_by_a_page_that_has_not_seen_it(self) -> None:
        desk = Desk(rounds=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        drawn = desk.seats()
        page = desk.browser.send(seen, seen.form(f"{desk.path}/draw"), seed="7")
        assert "This has changed meanwhile" in page.text
        assert "draw 8" in page.text
        assert desk.seats() == drawn
        page = desk.browser.send(page, page.form(f"{desk.path}/draw"), seed="7")
        assert "draw 7" in page.text

    def test_nor_is_it_published_by_a_page_that_has_seen_another(self) -> None:
        desk = Desk(rounds=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        page = desk.browser.send(seen, seen.form("/rounds/2/publish"))
        assert "This has changed meanwhile" in page.text
        assert desk.event.rounds.get(number=2).state == "draft"
        desk.browser.send(page, page.form("/rounds/2/publish"))
        assert desk.event.rounds.get(number=2).state == "published"
        assert desk.browser.send(seen, seen.form("/rounds/2/publish")).status == 200

    def test_nor_is_the_first_one_by_a_page_that_has_seen_none(self) -> None:
        desk = Desk(rounds=2)
        discard_draft(event_id=desk.event.pk, number=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        page = desk.browser.send(seen, seen.form(f"{desk.path}/draw"))
        assert "This has changed meanwhile" in page.text
        assert "draw 8" in page.text


class TestADraftWhoseResultsWereCorrected:
    """It has to be drawn again, or published as drawn."""

    def correct_table_1(self, draw_format: str) -> Desk:
        desk = Desk(pairs=4, rounds=2, draw_format=draw_format)
        adjust_table(event_id=desk.event.pk, number=1, table=1, games=(0, 1), points=(6, 32))
        return desk

    @pytest.mark.parametrize("draw_format", ["swiss", "knockout"])
    def test_is_refused_until_it_is_drawn_again(self, draw_format: str) -> None:
        event = self.correct_table_1(draw_format).event
        assert code_of(publish_round, event_id=event.pk, number=2) == "draft_outdated"
        draw_round(event_id=event.pk, seed=7)
        publish_round(event_id=event.pk, number=2)

    def test_names_the_table_and_hides_outdated_reasons(self) -> None:
        desk = self.correct_table_1("swiss")
        page = desk.browser.open(desk.path)
        assert "Round 1, table 1: result changed" in page.one("div", id="outdated").text
        assert not [one for reasons in page.every("ul", class_="reasons") for one in reasons.every("li")]
        desk.browser.send(page, page.form("/publish"))
        assert desk.event.rounds.get(number=2).state == RoundState.PUBLISHED

    def test_warns_after_publishing_until_the_round_begins(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        publish_round(event_id=desk.event.pk, number=2)
        assert "Something changed" not in desk.browser.open(desk.path).text
        adjust_table(event_id=desk.event.pk, number=1, table=1, games=(0, 1), points=(6, 32))
        assert "Something changed since round 2 was drawn." in desk.browser.open(desk.path).text
        begin_round(event_id=desk.event.pk, number=2)
        assert "Something changed" not in desk.browser.open(desk.path).text

    def test_can_be_published_once_the_correction_is_undone(self) -> None:
        event = self.correct_table_1("swiss").event
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        publish_round(event_id=event.pk, number=2)

    def test_names_a_new_order_without_a_new_result(self) -> None:
        desk = Desk(pairs=8, rounds=2, draw_format="swiss")
        loser = Seating.objects.filter(round__event=desk.event, side=Side.B).latest("pk").entry
        adjust_entry(
            event_id=desk.event.pk,
            number=loser.number,
            metric="points_for",
            amount=99,
            by=Actor(reason="Late"),
        )
        page = desk.browser.open(desk.path)
        assert "Standings order changed" in page.one("div", id="outdated").text
