"""The draft at the desk: reasons for each table, swaps with their price, held tables, and another draw."""

from typing import Any

import pytest
from django.utils.translation import override

from clubs.audit.log import Actor
from engine.draws import EntryId
from rules import Side
from tests.builders import (
    build_account,
    build_club,
    build_event,
    compute_standings,
    get_refusal,
    get_refusal_code,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser, Page
from tournaments.entries.services.bonds import keep_apart
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import adjust_entry, describe_entry, withdraw_entry
from tournaments.entries.services.starting_list import order_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating
from tournaments.rounds.labels import describe_draw_reason
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.rounds import close_round, discard_draft, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, hold_table, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Desk:
    """A night with the draft of its latest round, and its director's browser."""

    def __init__(self, pairs: int = 6, *, rounds: int = 1, draw_format: str = "random") -> None:
        self.owner = build_account()
        club = build_club(owner=self.owner)
        self.event: Event = start_event(event_id=build_event(pairs, club=club, draw_format=draw_format).pk)
        for number in range(1, rounds):
            start_next_round(self.event)
            play_round(self.event, number)
        draw_round(event_id=self.event.pk, seed=7)
        self.browser = Browser(account=self.owner)
        self.path = f"/e/{self.event.short}/desk"

    def list_seats(self) -> dict[int, tuple[int, ...]]:
        numbers = dict(self.event.entries.values_list("pk", "number"))
        draft = self.event.rounds.order_by("number").last()
        assert draft is not None
        return {
            table.number: tuple(numbers[entry] for entry in (*table.a, *table.b)) for table in lineup_of(draft).tables
        }


@pytest.mark.long
def test_draft_explains_each_table_and_its_cost() -> None:
    desk = Desk(pairs=6, rounds=2, draw_format="swiss")
    page = desk.browser.open(desk.path)
    assert page.text.count("Equal scores: ") == 2
    assert "Unequal scores: 1 and 0." in page.text
    assert "Never met." in page.text
    assert "Differences in wins 1" in page.text
    compute_standings(desk.event)
    assert "1 won" in desk.browser.open(desk.path).text


@pytest.mark.long
def test_interclub_event_with_one_club_starts_with_a_warning() -> None:
    owner = build_account()
    event = build_event(4, club=build_club(owner=owner), draw_format="interclub")
    browser = Browser(account=owner)
    entries = browser.open(f"/e/{event.short}/desk/entries")
    page = browser.send(entries, entries.find_form("/start"))
    assert "Nobody has an opponent" in page.text
    assert "End the event" not in page.text
    describe_entry(event_id=event.pk, number=1, team="Rimouski")
    page = browser.send(page, page.find_form("/draw"))
    assert "Nobody has an opponent" not in page.text
    assert lineup_of(event.rounds.get()).tables


@pytest.mark.long
def test_costly_reason_has_a_warning_icon() -> None:
    desk = Desk(pairs=6, rounds=2, draw_format="swiss")
    signs: dict[str, set[tuple[str, str]]] = {}
    for reasons in desk.browser.open(desk.path).find_all("ul", **{"class": "reasons"}):
        for reason in reasons.find_all("li"):
            sign = reason.find_one("use").attrs["href"], reason.attrs.get("class", "")
            signs.setdefault(reason.text.partition(".")[0].partition(":")[0], set()).add(sign)
    assert signs["Never met"] == signs["Equal scores"] == {("#i-check", "")}
    assert signs["Unequal scores"] == {("#i-triangle", "cost")}


def test_draft_reports_a_lot_at_a_table_without_a_winner() -> None:
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
def test_draft_counts_score_differences_in_wins_or_half_wins(is_drawn: bool, name: str, won: str) -> None:
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
    compute_standings(desk.event)
    text = desk.browser.open(desk.path).text
    assert f"{name} " in text
    assert f"{name} 0" not in text
    assert won in text


def test_draft_counts_a_bye_worth_an_average_as_the_standings_do() -> None:
    desk = Desk(pairs=9, rounds=2, draw_format="swiss_individual")
    compute_standings(desk.event)
    text = desk.browser.open(desk.path).text
    assert "½ won" not in text
    assert "In the draw, an average counts as half a win." in text


class TestFirstRoundOrder:
    def get_draft_text(self, *, way: str = "", ratings: bool = False, stages: Any = ()) -> str:
        owner = build_account()
        event = build_event(4, club=build_club(owner=owner), draw_format="swiss")
        if stages:
            change_stages(event_id=event.pk, stages=stages)
        for entry in event.entries.all() if ratings else ():
            Entry.objects.filter(pk=entry.pk).update(rating=1000 + 100 * entry.number)
        if way:
            order_entries(event_id=event.pk, way=way)
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk, seed=7)
        return Browser(account=owner).open(f"/e/{event.short}/desk").text

    @pytest.mark.long
    def test_unordered_list_is_reported_as_drawn_by_lot(self) -> None:
        text = self.get_draft_text()
        assert "Drawn by lot: the starting list is not by strength." in text
        assert text.count("Drawn by lot.") == 2

    @pytest.mark.long
    def test_unused_ratings_are_reported_with_a_hint(self) -> None:
        assert "To use ratings, sort the starting list by rating before the start." in self.get_draft_text(ratings=True)

    @pytest.mark.long
    def test_rating_order_is_reported_as_drawn_by_rating(self) -> None:
        text = self.get_draft_text(way="rating", ratings=True)
        assert "By rating, highest first." in text
        assert text.count("By rank.") == 2

    @pytest.mark.long
    def test_acceleration_of_an_unranked_list_is_reported_as_off(self) -> None:
        notice = "Not accelerated: the starting list is unranked."
        stages = [{"format": "swiss", "settings": {"accelerated_rounds": 2}}]
        assert notice in self.get_draft_text(stages=stages)
        assert notice not in self.get_draft_text(stages=stages, way="lot")
        assert notice not in self.get_draft_text()

    @pytest.mark.long
    @pytest.mark.parametrize("draw_format", ["by_rank", "swiss_individual"])
    def test_individual_draw_without_ranks_is_reported_as_by_lot(self, draw_format: str) -> None:
        desk = Desk(8, draw_format=draw_format)
        text = desk.browser.open(desk.path).text
        assert "Drawn by lot: the starting list is not by strength." in text

    @pytest.mark.parametrize("draw_format", ["knockout", "double_elimination"])
    def test_bracket_gives_its_byes_to_the_top_seeds(self, draw_format: str) -> None:
        desk = Desk(13, draw_format=draw_format)
        text = desk.browser.open(desk.path).text
        assert "By starting number." in text
        drawn = lineup_of(desk.event.rounds.get())
        numbers = dict(desk.event.entries.values_list("pk", "number"))
        assert {numbers[bye.entry] for bye in drawn.byes} == {1, 2, 3}

    @pytest.mark.long
    def test_list_ordered_by_lot_is_drawn_by_starting_number(self) -> None:
        assert "By starting number." in self.get_draft_text(way="lot")


@pytest.mark.long
def test_entry_pages_warn_when_the_draw_ignores_ratings() -> None:
    owner = build_account()
    event = build_event(4, club=build_club(owner=owner), draw_format="swiss")
    event.entries.update(rating=1500)
    browser = Browser(account=owner)
    for path in (f"/e/{event.short}/desk/entries", f"/e/{event.short}/desk/entries/order"):
        assert "The draw ignores the ratings" in browser.open(path).text
    order_entries(event_id=event.pk, way="rating")
    for path in (f"/e/{event.short}/desk/entries", f"/e/{event.short}/desk/entries/order"):
        assert "The draw ignores the ratings" not in browser.open(path).text


@pytest.mark.long
def test_hold_button_toggles_the_table() -> None:
    desk = Desk()
    page = desk.browser.open(desk.path)
    for pressed in ("true", "false", "true"):
        button = page.find_one(id="hold-1")
        form = next(form for form in page.find_all("form") if button in form.find_all("button"))
        page = desk.browser.send(page, form, ("held", button.attrs["value"]))
        assert page.find_one(id="hold-1").attrs["aria-pressed"] == pressed
        assert ("Locked" in page.find_one(id="table-1").find_one("summary").text) == (pressed == "true")


@pytest.mark.long
@pytest.mark.parametrize("rest", ["swap", "comparison", "meeting", "tables/1"])
def test_unknown_round_shows_a_friendly_404_page(rest: str) -> None:
    desk = Desk()
    page = desk.browser.open(f"{desk.path}/rounds/9/{rest}")
    assert page.status == 404
    assert "Page not found" in page.text


def test_swap_page_previews_and_swaps_two_entries() -> None:
    desk = Desk(pairs=8, rounds=2, draw_format="swiss")
    assert "Who changes places?" in desk.browser.open(f"{desk.path}/rounds/2/swap").text
    before = desk.list_seats()
    page = desk.browser.open(desk.path)
    page = desk.browser.open(page.find_one(id="swap-1").attrs["href"])
    one, other = before[1][1], before[2][0]
    assert "With whom?" in page.text
    page = desk.browser.open(f"{desk.path}/rounds/2/swap?one={one}&other={other}")
    assert "as drawn" in page.text
    page = desk.browser.send(page, page.find_form("/swap"), reason="Near the door")
    assert desk.list_seats()[1] == (before[1][0], other)
    assert "swapped" in page.text
    assert desk.event.actions.first().reason == "Near the door"  # type: ignore[union-attr]


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "rounds", "sentence"),
    [
        ("en", [1], "Met in round 1."),
        ("en", [1, 2, 4], "Met in rounds 1, 2 and 4."),
        ("fr", [1, 2], "Revanche\u00a0: rondes 1 et 2."),
    ],
)
def test_rematch_reason_names_one_or_several_rounds(language: str, rounds: list[int], sentence: str) -> None:
    with override(language):
        assert describe_draw_reason({"code": "met_before", "rounds": rounds}) == sentence


@pytest.mark.long
@pytest.mark.parametrize(("rounds", "sentence"), [([], "First bye."), ([2], "Fewest missed rounds so far.")])
def test_first_bye_is_called_so(rounds: list[int], sentence: str) -> None:
    assert describe_draw_reason({"code": "fewest_byes", "rounds": rounds}) == sentence


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
def test_score_reason_states_its_scores(reason: dict[str, Any], sentence: str) -> None:
    with override("en"):
        assert describe_draw_reason(reason) == sentence


def test_stale_page_cannot_change_another_directors_draft() -> None:
    desk = Desk()
    first, second = desk.list_seats()[1], desk.list_seats()[2]
    draft, swap = desk.browser.open(desk.path), desk.browser.open(f"{desk.path}/rounds/1/swap?one=1&other=2")
    swap_entries(event_id=desk.event.pk, number=1, one=first[0], other=second[0])
    swapped = desk.list_seats()
    for page, form in ((draft, "/desk/draw"), (draft, "/publish"), (swap, "/swap")):
        refused = desk.browser.send(page, page.find_form(form))
        assert refused.status == 409, form
        assert "changed" in refused.alert, form
    assert desk.list_seats() == swapped
    assert desk.event.rounds.get().state == RoundState.DRAFT
    page = desk.browser.open(desk.path)
    desk.browser.send(page, page.find_form("/publish"))
    assert desk.event.rounds.get().state == RoundState.PUBLISHED


@pytest.mark.long
def test_costly_swap_warns_and_prefers_the_draw() -> None:
    desk = Desk(pairs=4, rounds=2)
    met = {frozenset(pair) for pair in list_round_seats(desk, 1)}
    seats = desk.list_seats()
    one = seats[1][1]
    other = next(entry for entry in seats[2] if frozenset((seats[1][0], entry)) in met)
    page = desk.browser.open(f"{desk.path}/rounds/2/swap?one={one}&other={other}")
    assert "Swap anyway" in page.text
    assert "Met in round 1." in page.text
    assert page.find_all("a", **{"class": "button primary"})[0].text == "Keep the draw"


def list_round_seats(desk: Desk, number: int) -> list[tuple[int, ...]]:
    numbers = dict(desk.event.entries.values_list("pk", "number"))
    lineup = lineup_of(desk.event.rounds.get(number=number))
    return [tuple(numbers[entry] for entry in (*table.a, *table.b)) for table in lineup.tables]


def test_bracket_seeds_are_swapped_with_a_preview() -> None:
    desk = Desk(6, draw_format="knockout")
    two, three = (desk.event.entries.get(number=number).pk for number in (2, 3))
    discard_draft(event_id=desk.event.pk, number=1)
    keep_apart(event_id=desk.event.pk, text="1, 2", always=False)
    draw_round(event_id=desk.event.pk, seed=7)
    page = desk.browser.open(f"{desk.path}/rounds/1/swap?one=1&other=3")
    prices = [cell.text for cell in page.find_all("td")]
    assert prices == ["0", "1 worse", "1", "0", "0", "2 worse"]
    assert "Not to be paired, may meet in round 2" in page.text
    assert page.text.count("First against ") == page.text.count("Then against ") == 2
    desk.browser.send(page, page.find_form("/swap"))
    drawn = desk.event.rounds.get(number=1)
    assert {bye.entry: bye.slot for bye in lineup_of(drawn).byes} == {three: "1:S1", two: "1:S2"}
    page = desk.browser.open(f"{desk.path}/rounds/1/swap?one=2&other=3")
    desk.browser.send(page, page.find_form("/swap"))
    publish_round(event_id=desk.event.pk, number=1)
    play_round(desk.event)
    assert [row["match_wins"] for row in compute_standings(desk.event)].count(1) == 2


def test_swap_of_partners_is_refused_with_a_message() -> None:
    desk = Desk(pairs=8, draw_format="rotation")
    one, other = desk.list_seats()[1][:2]
    page = desk.browser.open(f"{desk.path}/rounds/1/swap?one={one}&other={other}")
    assert page.status == 422
    assert "These two are together." in page.text


def test_held_table_stays_when_redrawn_from_the_desk() -> None:
    desk = Desk(pairs=12)
    held = desk.list_seats()[1]
    page = desk.browser.open(desk.path)
    hold = next(form for form in page.find_all("form") if any(form.find_all("button", id="hold-1")))
    page = desk.browser.send(page, hold, ("held", "1"))
    assert page.find_one(id="hold-1").attrs["aria-pressed"] == "true"
    again = next(form for form in page.find_all("form") if any(form.find_all("button", id="draw-again")))
    page = desk.browser.send(page, again, seed="4182")
    assert desk.list_seats()[1] == held
    assert "draw 4182" in page.text


@pytest.mark.long
def test_second_click_draws_only_once() -> None:
    desk = Desk(pairs=12)
    page = desk.browser.open(desk.path)
    again = next(form for form in page.find_all("form") if any(form.find_all("button", id="draw-again")))
    desk.browser.send(page, again)
    drawn = desk.list_seats()
    desk.browser.send(page, again)
    assert desk.list_seats() == drawn


@pytest.mark.long
@pytest.mark.snapshot
def test_manual_draft_is_compared_with_the_automatic_draw() -> None:
    desk = Desk(pairs=8, rounds=2)
    page = desk.browser.open(f"{desk.path}/rounds/2/comparison")
    assert "Same tables in both." in page.text
    seats = desk.list_seats()
    page = desk.browser.open(f"{desk.path}/rounds/2/swap?one={seats[1][1]}&other={seats[2][0]}")
    desk.browser.send(page, page.find_form("/swap"))
    page = desk.browser.open(f"{desk.path}/rounds/2/comparison")
    assert "Only in this draft" in page.text
    assert "Only in the automatic draw" in page.text


@pytest.mark.long
def test_swap_without_a_rematch_costs_nothing_in_a_random_draw() -> None:
    desk = Desk(pairs=4)
    seats = desk.list_seats()
    page = desk.browser.open(f"{desk.path}/rounds/1/swap?one={seats[1][1]}&other={seats[2][0]}")
    assert "No compromises in either draw." in page.text
    assert "Swap anyway" not in page.text


class TestMeetingExplanation:
    def open_explanation(self, desk: Desk, number: int, one: int, other: int) -> Page:
        return desk.browser.open(f"{desk.path}/rounds/{number}/meeting?one={one}&other={other}")

    def test_draft_links_to_the_meeting_explanation(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        page = desk.browser.open(desk.path)
        address = page.find_one(id="meeting").attrs["href"]
        page = desk.browser.open(address)
        for asks in ("Who is asking?", "Against whom?"):
            assert asks in page.text
            links = page.find_one("ol", **{"class": "pairings choosing"}).find_all("a")
            href = next(link.attrs["href"] for link in links if link.text != "change")
            page = desk.browser.open(address + href.partition("#")[0])
        assert page.find_one(id="answer").text == "Why not these two?"

    @pytest.mark.snapshot
    def test_explanation_names_the_deciding_criterion(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        one, other = (entry.number for entry in list_first_table_entries(desk.event, 1))
        page = self.open_explanation(desk, 2, one, other)
        assert "The best draw with this meeting is worse. Rematches: 2, not 0." in page.text
        assert list_cells(page, "Rematches") == ["0", "2 worse"]

    def test_explanation_names_the_table_where_two_meet(self) -> None:
        desk = Desk(pairs=4)
        one, other = desk.list_seats()[1]
        assert "They do meet, at table 1." in self.open_explanation(desk, 1, one, other).text

    def test_explanation_may_be_the_lot(self) -> None:
        desk = Desk(pairs=4)
        one, other = desk.list_seats()[1][0], desk.list_seats()[2][0]
        page = self.open_explanation(desk, 1, one, other)
        assert "an equally good draw was chosen by lot" in page.text
        assert not page.find_all("table")

    @pytest.mark.long
    def test_explanation_of_a_published_round_uses_its_original_input(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        one, other = (entry.number for entry in list_first_table_entries(desk.event, 1))
        before = list_cells(self.open_explanation(desk, 2, one, other), "Differences in wins")
        publish_round(event_id=desk.event.pk, number=2)
        forfeit_table(event_id=desk.event.pk, number=1, table=1, winner=None)
        assert list_cells(self.open_explanation(desk, 2, one, other), "Differences in wins") == before
        page = desk.browser.open(f"{desk.path}/rounds/2")
        assert page.find_one(id="meeting").attrs["href"].endswith("/rounds/2/meeting")

    def test_explanation_reports_a_held_table_as_impossible(self) -> None:
        desk = Desk(pairs=6)
        hold_table(event_id=desk.event.pk, number=1, table=1, is_held=True)
        draw_round(event_id=desk.event.pk, seed=8)
        page = self.open_explanation(desk, 1, desk.list_seats()[1][0], desk.list_seats()[2][0])
        assert "Not possible:" in page.text

    @pytest.mark.long
    def test_explanation_is_not_offered_for_scheduled_formats(self) -> None:
        desk = Desk(pairs=6, draw_format="round_robin")
        assert not desk.browser.open(desk.path).find_all(id="meeting")
        assert "Not possible:" in self.open_explanation(desk, 1, 1, 2).text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_explanation_works_within_a_group(self) -> None:
        event = build_two_groups()
        seats = [table.a + table.b for table in lineup_of(event.rounds.get()).tables]
        numbers = dict(event.entries.values_list("pk", "number"))
        one, other, beside = numbers[seats[0][0]], numbers[seats[1][0]], numbers[seats[2][0]]
        desk = Browser(account=event.club.memberships.get().account)
        path = f"/e/{event.short}/desk/rounds/1/meeting?one={one}"
        assert "an equally good draw was chosen by lot" in desk.open(f"{path}&other={other}").text
        assert "Not possible:" in desk.open(f"{path}&other={beside}").text

    def test_explanation_refuses_an_unknown_entry(self) -> None:
        assert "99" in self.open_explanation(Desk(pairs=4), 1, 1, 99).text


def list_cells(page: Page, criterion: str) -> list[str]:
    """Return the prices of two draws by this criterion."""
    row = next(row for row in page.find_all("tr") if next(row.find_all("th")).text == criterion)
    return [cell.text for cell in row.find_all("td")]


def list_first_table_entries(event: Event, number: int) -> list[Entry]:
    table = lineup_of(event.rounds.get(number=number)).tables[0]
    return list(event.entries.filter(pk__in=(*table.a, *table.b)))


def test_scheduled_draw_has_no_cost_comparison() -> None:
    desk = Desk(pairs=6, draw_format="round_robin")
    assert "The format determines who meets whom" in desk.browser.open(desk.path).text
    page = desk.browser.open(f"{desk.path}/rounds/1/comparison")
    assert page.status == 422
    assert "This format’s draws have no cost." in page.text


def build_two_groups() -> Event:
    """Build the draft of a first round with two groups of four."""
    event = build_event(8, club=build_club(owner=build_account()))
    one, other = {"takes": "ranked", "last": 4}, {"takes": "ranked", "first": 5, "beside": True}
    stages = [{"format": "swiss", "rounds": 3, **each} for each in (one, other)]
    change_stages(event_id=event.pk, stages=stages)
    start_event(event_id=event.pk)
    draw_round(event_id=event.pk, seed=7)
    return event


def test_draft_says_that_groups_are_drawn_separately() -> None:
    event = build_two_groups()
    owner = event.club.memberships.get().account
    text = Browser(account=owner).open(f"/e/{event.short}/desk").text
    assert "Each group is drawn separately" in text
    assert "The format determines who meets whom." not in text


SWISS = {"format": "swiss", "rounds": 2}


class TestTiedCut:
    def build_second_stage_draft(
        self, *stages: dict[str, Any], first: dict[str, Any] = SWISS, pairs: int = 9, is_seeded: bool = False
    ) -> tuple[Event, str]:
        """Build the draft that follows a first stage in which side A won every match."""
        owner = build_account()
        event = build_event(pairs, club=build_club(owner=owner))
        change_stages(event_id=event.pk, stages=[first, *stages])
        Event.objects.filter(pk=event.pk).update(is_seeded=is_seeded)
        start_event(event_id=event.pk)
        for number in range(1, 1 + first["rounds"]):
            start_next_round(event)
            play_round(event, number)
        compute_standings(event)
        draw_round(event_id=event.pk, seed=7)
        return event, Browser(account=owner).open(f"/e/{event.short}/desk").text

    def test_draft_names_who_advanced_by_lot(self) -> None:
        event, text = self.build_second_stage_draft({"format": "knockout", "takes": "top", "count": 4})
        ranks = {row["entry"]: row["rank"] for row in compute_standings(event)}
        level = {number for number, rank in ranks.items() if rank == 3}
        drawn = lineup_of(event.rounds.get(number=3)).entries
        on = {entry.number for entry in event.entries.all() if entry.pk in drawn} & level
        _, _, cut_text = text.partition("Tie at rank 3, broken by lot. Above the cut: ")
        above, _, below = cut_text.partition(". Below: ")
        below = below.partition(". ")[0]
        assert (len(level), len(on)) == (4, 2)
        assert (above.count(" · "), below.count(" · ")) == (1, 1)
        named = {entry.number: entry.player_1.name for entry in event.entries.all()}
        assert {number for number in level if named[number] in above} == on
        assert {number for number in level if named[number] in below} == level - on

    @pytest.mark.snapshot
    def test_tied_cut_is_explained_for_each_pool(self) -> None:
        pools = {"format": "pools", "settings": {"pools": 2}, "rounds": 3}
        event, text = self.build_second_stage_draft(
            {"format": "knockout", "takes": "pool_top", "count": 1}, first=pools, pairs=6
        )
        pool_of = {
            entry: table.slot[-1]
            for table in lineup_of(event.rounds.get(number=1)).tables
            for entry in (*table.a, *table.b)
        } | {bye.entry: bye.slot[-1] for bye in lineup_of(event.rounds.get(number=1)).byes}
        finalists = lineup_of(event.rounds.get(number=4)).entries
        for pool in "AB":
            _, _, cut_text = text.partition(f"Tie in pool {pool}, broken by lot. Above the cut: ")
            above, _, below = cut_text.partition(". Below: ")
            below = below.partition(". ")[0]
            own = [entry for entry in event.entries.all() if pool_of[EntryId(entry.pk)] == pool]
            assert [entry for entry in own if entry.player_1.name in above] == [
                entry for entry in own if entry.pk in finalists
            ]
            assert sum(entry.player_1.name in below for entry in own) == 2

    def test_tied_cut_follows_a_seeded_starting_list(self) -> None:
        _, text = self.build_second_stage_draft({"format": "knockout", "takes": "top", "count": 4}, is_seeded=True)
        assert "Tie at rank 3, broken by starting list." in text
        assert "broken by lot" not in text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_tied_cut_is_reported_once_for_groups(self) -> None:
        swiss = {"format": "swiss", "rounds": 2, "takes": "ranked"}
        _, text = self.build_second_stage_draft(swiss | {"last": 4}, swiss | {"first": 5, "beside": True})
        assert text.count("broken by lot") == 1
        _, text = self.build_second_stage_draft(swiss | {"last": 2}, swiss | {"first": 3, "beside": True})
        assert "broken by lot" not in text


@pytest.mark.long
def test_rotation_draft_counts_byes_of_each_partner() -> None:
    desk = Desk(pairs=7, rounds=2, draw_format="rotation")
    once = set(desk.event.entries.filter(seatings__table=None).values_list("number", flat=True))
    page = desk.browser.open(desk.path)
    shown = [one.text for one in page.find_one("ol", class_="draft").find_all("small", class_="facts")]
    sides = [numbers[at : at + 2] for numbers in desk.list_seats().values() for at in (0, 2)]
    counted = [tuple(int(number in once) for number in side) for side in sides]
    words: dict[tuple[int, ...], str] = {(1, 1): "1 / 1 byes", (1, 0): "1 / 0 bye", (0, 1): "0 / 1 bye"}
    assert len(once) == 3
    assert shown == [words[side] for side in counted if any(side)]


@pytest.mark.long
def test_rotation_draft_seats_drawn_partners_together() -> None:
    desk = Desk(pairs=8, draw_format="rotation")
    page = desk.browser.open(desk.path)
    assert "Round 1: 2 tables" in page.text
    assert all(len(entries) == 4 for entries in desk.list_seats().values())


@pytest.mark.long
@pytest.mark.snapshot
def test_finished_event_offers_no_further_draw() -> None:
    desk = Desk(pairs=4, rounds=2, draw_format="knockout")
    publish_round(event_id=desk.event.pk, number=2)
    play_round(desk.event, 2)
    page = desk.browser.open(desk.path)
    assert "End the event" in page.text
    assert "Draw round 3" not in page.text


def test_stale_hold_button_is_refused_after_publishing() -> None:
    desk = Desk()
    page = desk.browser.open(desk.path)
    hold = next(form for form in page.find_all("form") if any(form.find_all("button", id="hold-1")))
    publish_round(event_id=desk.event.pk, number=1)
    refused = desk.browser.send(page, hold, ("held", "1"))
    assert refused.status == 409
    assert "Round 1" in desk.browser.open(refused.find_link("Back to the page")).find_one("main").text


class TestWithdrawnEntryInDraft:
    """A draft with a withdrawn entry cannot be published, because its opponent would have nobody to play."""

    def build_desk(self) -> tuple[Desk, int]:
        """Build a draft with a withdrawn entry, and return its number."""
        desk = Desk(pairs=7)
        gone = desk.list_seats()[1][0]
        withdraw_entry(event_id=desk.event.pk, number=gone)
        return desk, gone

    def publish(self, desk: Desk) -> Page:
        page = desk.browser.open(desk.path)
        return desk.browser.send(page, page.find_form("/rounds/1/publish"))

    @pytest.mark.long
    def test_draft_with_a_withdrawn_entry_cannot_be_published(self) -> None:
        desk, gone = self.build_desk()
        refused = self.publish(desk)
        assert refused.status == 422
        assert f"no. {gone}. Draw again or swap them." in refused.text
        assert desk.event.rounds.get().state == "draft"

    @pytest.mark.long
    def test_redrawn_draft_can_be_published(self) -> None:
        desk, _ = self.build_desk()
        draw_round(event_id=desk.event.pk, seed=7)
        assert self.publish(desk).status == 200

    @pytest.mark.long
    def test_draft_can_be_published_after_swapping_in_the_bye(self) -> None:
        desk, gone = self.build_desk()
        seated = {number for numbers in desk.list_seats().values() for number in numbers}
        (sits_out,) = set(range(1, 8)) - seated
        swap_page = desk.browser.open(f"{desk.path}/rounds/1/swap?one={gone}&other={sits_out}")
        assert swap_page.status == 200
        desk.browser.send(swap_page, swap_page.find_form("/swap"))
        assert self.publish(desk).status == 200
        assert not desk.event.entries.get(number=gone).seatings.exists()

    def test_other_entries_can_still_be_swapped(self) -> None:
        desk, gone = self.build_desk()
        one, other = desk.list_seats()[2][0], desk.list_seats()[3][0]
        swap_page = desk.browser.open(f"{desk.path}/rounds/1/swap?one={one}&other={other}")
        desk.browser.send(swap_page, swap_page.find_form("/swap"))
        assert one in desk.list_seats()[3]
        assert gone in desk.list_seats()[1]

    def test_draft_with_a_withdrawn_entry_has_no_price(self) -> None:
        desk, _ = self.build_desk()
        page = desk.browser.open(desk.path)
        assert "No rematches" not in page.text
        assert "Shown once everyone in the draw is present." in page.text
        assert not page.find_all("a", id="compare")
        refused = desk.browser.open(f"{desk.path}/rounds/1/comparison")
        assert "This has changed meanwhile" in refused.text


class TestWithdrawnBye:
    """A withdrawn entry's bye is not published, because it would count as a win."""

    def publish(self) -> tuple[Event, Entry]:
        desk = Desk(pairs=5, rounds=2, draw_format="swiss")
        (gone,) = desk.event.entries.exclude(number__in={one for two in desk.list_seats().values() for one in two})
        withdraw_entry(event_id=desk.event.pk, number=gone.number)
        publish_round(event_id=desk.event.pk, number=2)
        return desk.event, gone

    @pytest.mark.long
    def test_bye_of_a_withdrawn_entry_is_not_published(self) -> None:
        event, gone = self.publish()
        before = next(row for row in compute_standings(event) if row["entry"] == gone.number)
        assert not event.rounds.get(number=2).seatings.filter(table=None).exists()
        play_round(event, 2)
        after = next(row for row in compute_standings(event) if row["entry"] == gone.number)
        assert after["match_wins"] == before["match_wins"]

    @pytest.mark.long
    def test_undone_publishing_restores_the_bye_in_the_draft(self) -> None:
        event, gone = self.publish()
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [bye.entry for bye in lineup_of(event.rounds.get(number=2)).byes] == [gone.pk]

    def test_round_of_requested_byes_is_not_published_once_nobody_plays_it(self) -> None:
        event = Desk(pairs=4, draw_format="swiss").event
        for number in (1, 2, 3):
            change_attendance(event_id=event.pk, number=number, round_number=1, attendance="absent")
        change_attendance(event_id=event.pk, number=4, round_number=1, attendance="bye")
        draw_round(event_id=event.pk, seed=7)
        withdraw_entry(event_id=event.pk, number=4)
        refused = get_refusal(publish_round, event_id=event.pk, number=1, as_drawn=True)
        assert (refused.code, refused.details) == ("drawn_but_away", {"entries": [4]})


class TestWithdrawnBracketEntry:
    """A bracket is drawn again after a withdrawal: as drawn, one entry would have no opponent."""

    @pytest.mark.long
    def test_bracket_must_be_redrawn_after_a_withdrawal(self) -> None:
        desk = Desk(pairs=5, draw_format="knockout")
        event = desk.event
        withdraw_entry(event_id=event.pk, number=1)
        refused = get_refusal(publish_round, event_id=event.pk, number=1)
        assert (refused.code, refused.details) == ("drawn_but_away", {"entries": [1]})
        for number in (1, 2):
            start_next_round(event)
            play_round(event, number)
        places = [(row["rank"], row["match_wins"]) for row in compute_standings(event)]
        assert places[:2] == [(1, 2), (2, 1)]
        assert sum(wins for _, wins in places) == 3, "two semifinals and a final"


class TestDoNotPair:
    def build_night(self, text: str, *, always: bool, pairs: int = 4, draw_format: str = "swiss") -> Desk:
        desk = Desk.__new__(Desk)
        owner = build_account()
        desk.event = build_event(pairs, club=build_club(owner=owner), draw_format=draw_format)
        keep_apart(event_id=desk.event.pk, text=text, always=always)
        start_event(event_id=desk.event.pk)
        draw_round(event_id=desk.event.pk, seed=7)
        desk.browser, desk.path = Browser(account=owner), f"/e/{desk.event.short}/desk"
        return desk

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_unavoidable_do_not_pair_meeting_is_shown_with_its_price(self) -> None:
        page = self.build_night("1, 2", always=True, pairs=2)
        page_text = page.browser.open(page.path).text
        assert "Do not pair" in page_text
        assert "Should not be paired, but no draw breaks fewer rules." in page_text
        assert "Forbidden meetings 1" in page_text

    def test_soft_do_not_pair_rule_is_reported_as_such(self) -> None:
        page = self.build_night("1, 2", always=False, pairs=2)
        page_text = page.browser.open(page.path).text
        assert "Not to be paired if possible, but no draw does better." in page_text
        assert "Meetings to avoid 1" in page_text

    @pytest.mark.long
    def test_scheduled_format_reports_do_not_pair_meetings(self) -> None:
        desk = self.build_night("1, 2, 3, 4", always=True, draw_format="round_robin")
        assert desk.browser.open(desk.path).text.count("Should not be paired, but they meet.") == 2

    def test_do_not_pair_rule_after_the_draw_outdates_the_draft(self) -> None:
        desk = Desk(pairs=4)
        one, other = desk.list_seats()[1]
        keep_apart(event_id=desk.event.pk, text=f"{one}, {other}", always=True)
        assert "Do not pair" in desk.browser.open(desk.path).text
        assert get_refusal_code(publish_round, event_id=desk.event.pk, number=1) == "draft_outdated"
        publish_round(event_id=desk.event.pk, number=1, as_drawn=True)
        public = Browser().open(f"/e/{desk.event.short}").text
        assert [words for words in ("Do not pair", "Should not be paired") if words in public] == []


@pytest.mark.long
class TestTwoDirectors:
    def test_stale_page_cannot_redraw_a_newer_draft(self) -> None:
        desk = Desk(rounds=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        drawn = desk.list_seats()
        page = desk.browser.send(seen, seen.find_form(f"{desk.path}/draw"), seed="7")
        assert "This has changed meanwhile" in page.text
        assert "draw 8" in page.text
        assert desk.list_seats() == drawn
        page = desk.browser.send(page, page.find_form(f"{desk.path}/draw"), seed="7")
        assert "draw 7" in page.text

    def test_stale_page_cannot_publish_a_newer_draft(self) -> None:
        desk = Desk(rounds=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        page = desk.browser.send(seen, seen.find_form("/rounds/2/publish"))
        assert "This has changed meanwhile" in page.text
        assert desk.event.rounds.get(number=2).state == "draft"
        desk.browser.send(page, page.find_form("/rounds/2/publish"))
        assert desk.event.rounds.get(number=2).state == "published"
        assert desk.browser.send(seen, seen.find_form("/rounds/2/publish")).status == 200

    def test_stale_page_cannot_discard_a_newer_draft(self) -> None:
        desk = Desk(rounds=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        page = desk.browser.send(seen, seen.find_form("/rounds/2/discard"))
        assert "This has changed meanwhile" in page.text
        desk.browser.send(page, page.find_form("/rounds/2/discard"))
        assert not desk.event.rounds.filter(number=2).exists()

    def test_page_without_a_draft_cannot_replace_a_new_one(self) -> None:
        desk = Desk(rounds=2)
        discard_draft(event_id=desk.event.pk, number=2)
        seen = desk.browser.open(desk.path)
        draw_round(event_id=desk.event.pk, seed=8)
        page = desk.browser.send(seen, seen.find_form(f"{desk.path}/draw"))
        assert "This has changed meanwhile" in page.text
        assert "draw 8" in page.text


class TestOutdatedDraft:
    """An outdated draft must be drawn again, or published as drawn."""

    def correct_table_1(self, draw_format: str) -> Desk:
        desk = Desk(pairs=4, rounds=2, draw_format=draw_format)
        adjust_table(event_id=desk.event.pk, number=1, table=1, games=(0, 1), points=(6, 32))
        return desk

    @pytest.mark.long
    @pytest.mark.parametrize("draw_format", ["swiss", "knockout"])
    def test_outdated_draft_cannot_be_published_until_redrawn(self, draw_format: str) -> None:
        event = self.correct_table_1(draw_format).event
        assert get_refusal_code(publish_round, event_id=event.pk, number=2) == "draft_outdated"
        draw_round(event_id=event.pk, seed=7)
        publish_round(event_id=event.pk, number=2)

    @pytest.mark.long
    def test_outdated_draft_names_the_table_and_hides_reasons(self) -> None:
        desk = self.correct_table_1("swiss")
        page = desk.browser.open(desk.path)
        assert "Round 1, table 1: result changed" in page.find_one("div", id="outdated").text
        assert not [one for reasons in page.find_all("ul", class_="reasons") for one in reasons.find_all("li")]
        desk.browser.send(page, page.find_form("/publish"))
        assert desk.event.rounds.get(number=2).state == RoundState.PUBLISHED

    @pytest.mark.long
    def test_outdated_published_round_warns_until_it_begins(self) -> None:
        desk = Desk(pairs=4, rounds=2, draw_format="swiss")
        publish_round(event_id=desk.event.pk, number=2)
        assert "Something changed" not in desk.browser.open(desk.path).text
        adjust_table(event_id=desk.event.pk, number=1, table=1, games=(0, 1), points=(6, 32))
        assert "Something changed since round 2 was drawn." in desk.browser.open(desk.path).text
        begin_round(event_id=desk.event.pk, number=2)
        assert "Something changed" not in desk.browser.open(desk.path).text

    @pytest.mark.long
    def test_undone_correction_makes_the_draft_publishable(self) -> None:
        event = self.correct_table_1("swiss").event
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        publish_round(event_id=event.pk, number=2)

    def test_outdated_draft_reports_a_changed_standings_order(self) -> None:
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
        assert "Standings order changed" in page.find_one("div", id="outdated").text
