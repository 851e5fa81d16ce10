"""The treasurer's page: every sum is that of its lines, whatever became of people, pairs, fees and prizes."""

import pytest

from clubs.models import Person
from jobs.models import Job
from tests.builders import an_event, code_of, next_round, play_round, refusal_of, standings_after
from tournaments.cash_rules import STEPS, CashRules
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import describe_entry, substitute_player, withdraw_entry
from tournaments.events.event_settings import (
    event_settings_from_json,
    event_settings_of,
    event_settings_to_json,
)
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.money.presenters.treasurer import TreasurerView, treasurer_view
from tournaments.money.queries.fees import fee_lines
from tournaments.money.services.fees import change_cash_rules, change_rates, pay_fee, record_fee
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.papers.contents import document_of
from tournaments.papers.orders import order_of
from web.money import Totals

from .test_fees import a_night, last, player
from .test_money_pages import Door

pytestmark = pytest.mark.django_db


def seen(event: Event) -> TreasurerView:
    event.refresh_from_db()
    return treasurer_view(event)


def pay_all(event: Event) -> None:
    for line in fee_lines(event):
        pay_fee(event_id=event.pk, person_id=line.person.pk)


def set_cash(event: Event, **given: int) -> None:
    change_cash_rules(event_id=event.pk, rules=CashRules(**given))


def figures(totals: Totals) -> tuple[int, ...]:
    return (totals.asked, totals.paid, totals.owed, totals.too_much, totals.people, totals.settled)


def assert_adds_up(event: Event) -> TreasurerView:
    """Pairs and clubs have the sums of the whole event."""
    view = seen(event)
    for groups in (view.by_entry, view.by_club):
        columns = zip(*(figures(group.totals) for group in groups), strict=True)
        assert tuple(map(sum, columns)) == figures(view.cash.fees)
    return view


def of_pair(event: Event, number: int) -> tuple[int, ...]:
    """Charged, paid, owed, to refund."""
    (group,) = (each for each in seen(event).by_entry if each.entry and each.entry.number == number)
    return figures(group.totals)[:4]


def in_no_entry(event: Event) -> dict[str, tuple[int, ...]]:
    return {each.name: figures(each.totals)[:4] for each in seen(event).by_entry if each.entry is None}


class TestFeesByPairAndClub:
    def test_have_the_sums_of_the_event_for_members_and_guests(self) -> None:
        event = a_night(pairs=3, present=2)
        Person.objects.filter(pk=player(event, 1).pk).update(is_guest=True)
        pay_all(event)
        change_rates(event_id=event.pk, rates=Rates(member=600, guest=900))
        assert_adds_up(event)
        assert (of_pair(event, 1), of_pair(event, 2)) == ((1500, 1300, 200, 0), (1200, 1000, 200, 0))
        assert of_pair(event, 3) == (1200, 1000, 200, 0), "who paid counts before the check-in"

    def test_are_owed_by_nobody_who_stayed_at_home(self) -> None:
        event = a_night(pairs=2, present=1)
        assert_adds_up(event)
        assert of_pair(event, 2) == (0, 0, 0, 0)

    def test_keep_who_was_replaced_and_who_left_the_list_until_they_are_refunded(self) -> None:
        event = a_night(pairs=3, present=2)
        pay_all(event)
        replaced, removed = player(event, 1), player(event, 3)
        substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zed")
        remove_entry(event_id=event.pk, number=3)
        view = assert_adds_up(event)
        assert in_no_entry(event)[replaced.name] == (0, 500, 0, 500)
        assert in_no_entry(event)[removed.name] == (0, 500, 0, 500)
        assert view.by_club[-1].name == ""
        assert (view.cash.in_the_box, view.cash.came_in, view.cash.after_all) == (3000, 1500, 1500)
        for line in fee_lines(event):
            if line.is_off_the_list:
                record_fee(event_id=event.pk, person_id=line.person.pk, paid=0, other=None)
        assert in_no_entry(event) == {}
        assert assert_adds_up(event).cash.in_the_box == 1500

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_of_a_withdrawn_pair_that_played_stay_and_those_of_a_fee_waived_are_nothing(self) -> None:
        event = a_night(pairs=4, present=4)
        pay_all(event)
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        withdraw_entry(event_id=event.pk, number=1)
        record_fee(event_id=event.pk, person_id=player(event, 1).pk, paid=0, other=0)
        assert_adds_up(event)
        assert of_pair(event, 1) == (500, 500, 0, 0)

    def test_of_somebody_who_withdrew_and_came_in_again_are_charged_once(self) -> None:
        event = a_night(pairs=3, present=3)
        event.entries.filter(number=1).update(leaves_after=1)
        event.entries.filter(number=3).update(player_1=player(event, 1))
        assert_adds_up(event)
        assert (of_pair(event, 1)[0], of_pair(event, 3)[0]) == (500, 1000)

    def test_of_namesakes_are_told_apart(self) -> None:
        event = a_night(pairs=3, present=3)
        for number in (1, 3):
            for place, name in enumerate(("Jean Roy", "Lise Cyr"), start=1):
                Person.objects.filter(pk=player(event, number, place).pk).update(name=name, folded_name=name)
        names = [group.name for group in assert_adds_up(event).by_entry]
        assert len(set(names)) == 3
        assert names[0].endswith("(no. 1)")

    def test_of_a_club_spelled_two_ways_are_one_line(self) -> None:
        event = a_night(pairs=4, present=4)
        for number, club in ((1, "Sainte-Luce"), (2, "SAINTE LUCE"), (3, "les joyeux atouts")):
            describe_entry(event_id=event.pk, number=number, team=club)
        view = assert_adds_up(event)
        assert [(club.name, club.totals.asked) for club in view.by_club] == [
            ("Les Joyeux Atouts", 2000),
            ("Sainte-Luce", 3200),  # all of them guests
        ]

    def test_of_a_free_event_are_nothing(self) -> None:
        event = an_event(pairs=2)
        set_cash(event, prize_share=60, starting_cash=2000)
        view = assert_adds_up(event)
        assert (view.cash.fund, view.cash.in_the_box, view.cash.after_all) == (0, 2000, 2000)


class TestThePrizeFund:
    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_a_share_of_the_fees_rounded_down_to_the_step(self) -> None:
        event = a_night(pairs=4, present=4)
        for number in (1, 2, 3):
            pay_fee(event_id=event.pk, person_id=player(event, number).pk)
        record_fee(event_id=event.pk, person_id=player(event, 4).pk, paid=333, other=None)
        for step, fund in ((1, 1099), (5, 1095), (25, 1075), (100, 1000), (500, 1000)):
            set_cash(event, prize_share=60, rounding_step=step)
            assert seen(event).cash.fund == fund

    def test_has_no_part_of_what_is_to_be_given_back(self) -> None:
        event = a_night(pairs=2, present=2)
        record_fee(event_id=event.pk, person_id=player(event, 1).pk, paid=2000, other=None)
        set_cash(event, prize_share=100)
        assert seen(event).cash.fund == 500

    def test_says_what_is_left_of_it_and_what_prizes_go_beyond(self) -> None:
        event = a_night(pairs=2, present=2)
        pay_all(event)
        set_cash(event, prize_share=50)
        give_prize(event_id=event.pk, winners=[player(event, 1).pk], details=PrizeDetails(name="Ham"))
        add_prize_category(event_id=event.pk, details=CategoryDetails(name="Main", amounts=(600,)))
        cash = seen(event).cash
        assert (cash.prizes, cash.left_of_fund, cash.beyond_fund) == (600, 400, 0)
        details = PrizeDetails(name="Best hand", amount=700)
        give_prize(event_id=event.pk, winners=[player(event, 2).pk], details=details)
        cash = seen(event).cash
        assert (cash.prizes, cash.left_of_fund, cash.beyond_fund) == (1300, 0, 300)
        assert (cash.in_the_box, cash.after_all) == (2000, 700)
        set_cash(event, prize_share=0)
        assert seen(event).cash.beyond_fund == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("step", STEPS)
    def test_pays_three_who_share_a_prize_exactly_that_prize(self, step: int) -> None:
        event = a_night(pairs=6, present=6)
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)  # three winners, all level
        standings_after(event)
        set_cash(event, rounding_step=step)
        add_prize_category(event_id=event.pk, details=CategoryDetails(name="Main", amounts=(10_000,)))
        view = seen(event)
        shares = [winner.award.amount for winner in view.by_category[0].winners]
        assert len(shares) == 3
        assert (sum(shares), view.cash.prizes) == (10_000, 10_000)
        assert max(shares) - min(shares) <= step

    def test_counts_only_prizes_that_somebody_wins_once_there_is_a_result(self) -> None:
        event = a_night(pairs=4, present=4)
        add_prize_category(event_id=event.pk, details=CategoryDetails(name="Main", amounts=(3000,)))
        of_none = CategoryDetails(name="Juniors", among="label", group="Juniors", amounts=(1000,))
        add_prize_category(event_id=event.pk, details=of_none)
        assert seen(event).cash.prizes == 4000
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        standings_after(event)
        assert seen(event).cash.prizes == 3000


class TestItsRules:
    def test_are_changed_once_and_undone(self) -> None:
        event = an_event()
        for _ in range(2):
            set_cash(event, prize_share=60, rounding_step=100, starting_cash=5000)
        assert event.actions.filter(kind="change_cash_rules").count() == 1
        undo_action(event_id=event.pk, action_id=last(event).pk)
        event.refresh_from_db()
        assert event.cash_rules == CashRules()

    @pytest.mark.parametrize(
        ("given", "code"),
        [
            ({"prize_share": 101}, "percentage_out_of_range"),
            ({"prize_share": -1}, "percentage_out_of_range"),
            ({"rounding_step": 0}, "no_such_choice"),
            ({"starting_cash": -1}, "not_an_amount"),
        ],
    )
    def test_that_cannot_be_are_refused_at_their_field(self, given: dict[str, int], code: str) -> None:
        refused = refusal_of(change_cash_rules, event_id=an_event().pk, rules=CashRules(**given))
        assert (refused.code, refused.field) == (code, *given)

    def test_go_into_the_settings_and_the_next_evening_and_old_settings_have_none(self) -> None:
        event = an_event()
        set_cash(event, prize_share=60, rounding_step=5, starting_cash=5000)
        event.refresh_from_db()
        plain = event_settings_to_json(event_settings_of(event))
        again = make_event(
            club=event.club,
            settings=event_settings_from_json(plain),
            like=event.name,
            name="Next",
            held_on=event.held_on,
        )
        assert again.cash_rules == event.cash_rules
        del plain["cash"]
        assert event_settings_from_json(plain).cash == CashRules()


def test_a_prize_for_three_people_is_refused_and_not_cut_to_two() -> None:
    event = an_event(pairs=4)
    three = [player(event, number).pk for number in (1, 2, 3)]
    refused = code_of(give_prize, event_id=event.pk, winners=three, details=PrizeDetails(name="Ham"))
    assert refused == "too_many_winners"


@pytest.mark.slow
class TestThePage:
    def test_is_for_directors_and_says_what_must_be_in_the_box(self) -> None:
        door = Door()
        pay_all(door.event)
        set_cash(door.event, prize_share=60, rounding_step=100, starting_cash=5000)
        page = door.browser.open(page_of(door, "Treasurer"))
        for said in (
            "Cash expected in the box $80",
            "$18: 60% of $30, rounded down to $1.",
            "Total $30 $30 $0",
        ):
            assert said in page.text
        assert "Not yet a prize: $18." in page.text
        helper = door.helper()
        assert "Treasurer" not in helper.open(f"{door.desk}/fees").text
        assert "Ask the director." in helper.open(f"{door.desk}/fees/treasurer").text

    def test_of_its_rules_refuses_at_the_field_and_leaves_the_fees_as_they_are(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/fees/rates")
        form = page.form(having="prize_share")
        page = door.browser.send(page, form, prize_share="160", starting_cash="40", rounding_step="5")
        assert page.said_at("prize_share") == "Enter a percentage from 0 to 100."
        assert page.field("starting_cash").value == "40"
        assert page.field("member_fee").value == "5"
        page = door.browser.send(page, page.form(having="prize_share"), prize_share="60")
        door.event.refresh_from_db()
        kept = CashRules(prize_share=60, rounding_step=5, starting_cash=4000)
        assert (door.event.cash_rules, door.event.rates) == (kept, Rates(member=500, guest=500))
        assert "Cash expected in the box $40" in page.text
        history = door.browser.open(f"{door.desk}/history").text
        assert "Prizes: 60% of fees, rounded to $0.05. Starting cash: $40" in history

    def test_of_a_category_shares_the_fund_by_percentages_to_the_last_step(self) -> None:
        door = Door()
        address = f"{door.desk}/prizes/categories/new"
        page = door.browser.open(address)
        refused = {
            "50%; 20": "Enter either amounts or percentages of the prize fund.",
            "60%; 50%": "These percentages add up to more than 100. Lower one.",
            "x%": "Enter a percentage from 0 to 100.",
            "50%; 30%; 20%": "There is no prize fund yet. Set its share of the fees, or enter amounts.",
        }
        for typed, said in refused.items():
            page = door.browser.send(page, page.form(having="among"), name="Main", amounts=typed)
            assert page.said_at("amounts") == said
            assert page.field("amounts").value == typed
        pay_all(door.event)
        set_cash(door.event, prize_share=77, rounding_step=100)  # of $30, rounded down to $23
        page = door.browser.open(address)
        door.browser.send(page, page.form(having="among"), name="Main", amounts="50 %; 30 %; 20 %")
        assert door.event.prize_categories.get().amounts == [1300, 600, 400]
        assert seen(door.event).cash.left_of_fund == 0

    def test_of_a_fee_refunds_who_paid_too_much_and_who_left(self) -> None:
        door = Door()
        pay_all(door.event)
        record_fee(event_id=door.event.pk, person_id=door.person.pk, paid=800, other=None)
        address, helper = f"{door.desk}/fees/{door.person.pk}", door.helper()
        page = helper.open(address)
        assert "Refund $3" in page.text
        page = helper.send(page, page.form(having="refund"), ("refund", "1"))
        assert of_pair(door.event, 1) == (1000, 1000, 0, 0)
        assert "Refund" not in helper.open(address).text, "a director waives fees"
        page = door.browser.open(address)
        assert "Refund $5, no fee" in page.text
        door.browser.send(page, page.form(having="refund"), ("refund", "1"))
        assert of_pair(door.event, 1) == (500, 500, 0, 0)
        absent = player(door.event, 3)
        page = helper.open(f"{door.desk}/fees/{absent.pk}")
        helper.send(page, page.form(having="refund"), ("refund", "1"))
        assert of_pair(door.event, 3) == (500, 500, 0, 0)
        assert assert_adds_up(door.event).cash.in_the_box == 2000


def page_of(door: Door, link: str) -> str:
    return door.browser.open(f"{door.desk}/fees").link(link)


@pytest.mark.slow
def test_the_sheet_to_sign_has_every_prize_and_sum_and_is_for_directors() -> None:
    door = Door()
    pay_all(door.event)
    details = PrizeDetails(name="Best hand", amount=700)
    give_prize(event_id=door.event.pk, winners=[door.person.pk], details=details)
    page = door.browser.open(f"{door.desk}/fees/treasurer")
    door.browser.send(page, page.form(having="size"), ("paper", "treasurer"))
    (job,) = Job.objects.filter(kind="print_treasurer")
    (_, prizes, clubs, pairs) = document_of(order_of(job.key)).items
    assert prizes["rows"] == [["Best hand", door.person.name, "$7", ""]]
    assert clubs["total"] == pairs["total"] == ["Total", "$30", "$30", "$0"]
    assert len(pairs["rows"]) == 3
    helper = door.helper()
    assert "Treasurer" not in helper.open(f"{door.desk}/print").text
    form = helper.open(f"{door.desk}/print").form(having="size")
    helper.send(helper.open(f"{door.desk}/print"), form, ("paper", "treasurer"))
    assert Job.objects.filter(kind="print_treasurer").count() == 1
