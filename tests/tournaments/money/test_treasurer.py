"""The treasurer's page: every total equals the sum of its lines, after any change of people, entries, fees and
prizes."""

import pytest

from clubs.models import Person
from jobs.models import Job
from tests.builders import build_event, compute_standings, get_refusal, get_refusal_code, play_round, start_next_round
from tournaments.cash_rules import ROUNDING_STEPS, CashRules
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import describe_entry, substitute_player, withdraw_entry
from tournaments.events.event_settings import event_settings_from_json, event_settings_to_json, read_event_settings
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.money.presenters.treasurer import TreasurerView, build_treasurer_view
from tournaments.money.queries.fees import list_fees
from tournaments.money.services.fees import change_cash_rules, change_rates, pay_fee, record_fee
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.papers.contents import document_of
from tournaments.papers.orders import parse_order
from web.money import Totals

from .test_fees import build_night, get_last_action, get_player
from .test_money_pages import CheckInDesk

pytestmark = pytest.mark.django_db


def get_treasurer_view(event: Event) -> TreasurerView:
    event.refresh_from_db()
    return build_treasurer_view(event)


def pay_all(event: Event) -> None:
    for line in list_fees(event):
        pay_fee(event_id=event.pk, person_id=line.person.pk)


def set_cash(event: Event, **given: int) -> None:
    change_cash_rules(event_id=event.pk, rules=CashRules(**given))


def get_figures(totals: Totals) -> tuple[int, ...]:
    return (totals.amount, totals.paid, totals.owed, totals.overpaid, totals.people, totals.settled)


def assert_adds_up(event: Event) -> TreasurerView:
    """Check that the totals by entry and by club both add up to those of the event; return the view."""
    view = get_treasurer_view(event)
    for groups in (view.entry_fees, view.club_fees):
        columns = zip(*(get_figures(group.totals) for group in groups), strict=True)
        assert tuple(map(sum, columns)) == get_figures(view.cash.fees)
    return view


def get_pair_figures(event: Event, number: int) -> tuple[int, ...]:
    """Return the amounts charged, paid, owed and to be refunded for an entry."""
    (group,) = (each for each in get_treasurer_view(event).entry_fees if each.entry and each.entry.number == number)
    return get_figures(group.totals)[:4]


def get_figures_without_entry(event: Event) -> dict[str, tuple[int, ...]]:
    return {
        each.name: get_figures(each.totals)[:4] for each in get_treasurer_view(event).entry_fees if each.entry is None
    }


class TestFeeTotals:
    @pytest.mark.long
    def test_fee_lines_add_up_for_members_and_guests(self) -> None:
        event = build_night(pairs=3, present=2)
        Person.objects.filter(pk=get_player(event, 1).pk).update(is_guest=True)
        pay_all(event)
        change_rates(event_id=event.pk, rates=Rates(member=600, guest=900))
        assert_adds_up(event)
        assert (get_pair_figures(event, 1), get_pair_figures(event, 2)) == ((1500, 1300, 200, 0), (1200, 1000, 200, 0))
        assert get_pair_figures(event, 3) == (1200, 1000, 200, 0), "who paid counts before the check-in"

    def test_absent_entry_owes_nothing(self) -> None:
        event = build_night(pairs=2, present=1)
        assert_adds_up(event)
        assert get_pair_figures(event, 2) == (0, 0, 0, 0)

    def test_absent_pair_owes_nothing_in_the_file_either(self) -> None:
        event = build_night(pairs=3, present=2)
        change_attendance(event_id=event.pk, number=3, round_number=1, attendance="absent")
        owed = {line.entry: line.due.owed for line in list_fees(event)}
        assert owed == {1: 500, 2: 500, 3: 0}
        assert sum(line.due.owed for line in list_fees(event)) == get_treasurer_view(event).cash.fees.owed

    def test_absent_person_who_has_paid_stays_in_the_file(self) -> None:
        event = build_night(pairs=2, present=1)
        pay_fee(event_id=event.pk, person_id=get_player(event, 2).pk)
        change_attendance(event_id=event.pk, number=2, round_number=1, attendance="absent")
        charges = [(line.due.amount, line.due.paid) for line in list_fees(event) if line.entry == 2]
        assert sorted(charges) == [(0, 0), (500, 500)]

    @pytest.mark.long
    def test_pair_that_never_came_owes_nothing_once_the_event_has_ended(self) -> None:
        event = build_night(pairs=3, present=2)
        assert {line.due.owed for line in list_fees(event) if line.entry == 3} == {500}
        start_event(event_id=event.pk)
        end_event(event_id=event.pk)
        event.refresh_from_db()
        assert {line.due.owed for line in list_fees(event) if line.entry == 3} == {0}

    @pytest.mark.long
    def test_replaced_and_removed_people_stay_until_refunded(self) -> None:
        event = build_night(pairs=3, present=2)
        pay_all(event)
        replaced, removed = get_player(event, 1), get_player(event, 3)
        substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zed")
        remove_entry(event_id=event.pk, number=3)
        view = assert_adds_up(event)
        assert get_figures_without_entry(event)[replaced.name] == (0, 500, 0, 500)
        assert get_figures_without_entry(event)[removed.name] == (0, 500, 0, 500)
        assert view.club_fees[-1].name == ""
        assert (view.cash.expected_cash, view.cash.income, view.cash.final_cash) == (3000, 1500, 1500)
        for line in list_fees(event):
            if line.is_unlisted:
                record_fee(event_id=event.pk, person_id=line.person.pk, paid=0, other=None)
        assert get_figures_without_entry(event) == {}
        assert assert_adds_up(event).cash.expected_cash == 1500

    @pytest.mark.long
    def test_withdrawn_pair_keeps_its_fee_and_a_waived_fee_counts_zero(self) -> None:
        event = build_night(pairs=4, present=4)
        pay_all(event)
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        withdraw_entry(event_id=event.pk, number=1)
        record_fee(event_id=event.pk, person_id=get_player(event, 1).pk, paid=0, other=0)
        assert_adds_up(event)
        assert get_pair_figures(event, 1) == (500, 500, 0, 0)

    @pytest.mark.long
    def test_person_who_reenters_is_charged_once(self) -> None:
        event = build_night(pairs=3, present=3)
        event.entries.filter(number=1).update(leaves_after=1)
        event.entries.filter(number=3).update(player_1=get_player(event, 1))
        assert_adds_up(event)
        assert (get_pair_figures(event, 1)[0], get_pair_figures(event, 3)[0]) == (500, 1000)

    @pytest.mark.long
    def test_namesake_pairs_get_distinct_names(self) -> None:
        event = build_night(pairs=3, present=3)
        for number in (1, 3):
            for place, name in enumerate(("Jean Roy", "Lise Cyr"), start=1):
                Person.objects.filter(pk=get_player(event, number, place).pk).update(name=name, folded_name=name)
        names = [group.name for group in assert_adds_up(event).entry_fees]
        assert len(set(names)) == 3
        assert names[0].endswith("(no. 1)")

    @pytest.mark.long
    def test_spellings_of_one_club_share_a_line(self) -> None:
        event = build_night(pairs=4, present=4)
        for number, club in ((1, "Sainte-Luce"), (2, "SAINTE LUCE"), (3, "les joyeux atouts")):
            describe_entry(event_id=event.pk, number=number, team=club)
        view = assert_adds_up(event)
        assert [(club.name, club.totals.amount) for club in view.club_fees] == [
            ("Les Joyeux Atouts", 2000),
            ("Sainte-Luce", 3200),  # all its players are guests
        ]

    def test_free_event_has_no_fund(self) -> None:
        event = build_event(pairs=2)
        set_cash(event, prize_share=60, starting_cash=2000)
        view = assert_adds_up(event)
        assert (view.cash.fund, view.cash.expected_cash, view.cash.final_cash) == (0, 2000, 2000)


@pytest.mark.long
class TestPrizeFund:
    def test_fund_is_a_share_of_fees_rounded_down(self) -> None:
        event = build_night(pairs=4, present=4)
        for number in (1, 2, 3):
            pay_fee(event_id=event.pk, person_id=get_player(event, number).pk)
        record_fee(event_id=event.pk, person_id=get_player(event, 4).pk, paid=333, other=None)
        for step, fund in ((1, 1099), (5, 1095), (25, 1075), (100, 1000), (500, 1000)):
            set_cash(event, prize_share=60, rounding_step=step)
            assert get_treasurer_view(event).cash.fund == fund

    def test_prize_fund_excludes_overpayments(self) -> None:
        event = build_night(pairs=2, present=2)
        record_fee(event_id=event.pk, person_id=get_player(event, 1).pk, paid=2000, other=None)
        set_cash(event, prize_share=100)
        assert get_treasurer_view(event).cash.fund == 500

    def test_fund_reports_its_remainder_and_overrun(self) -> None:
        event = build_night(pairs=2, present=2)
        pay_all(event)
        set_cash(event, prize_share=50)
        give_prize(event_id=event.pk, winners=[get_player(event, 1).pk], details=PrizeDetails(name="Ham"))
        add_prize_category(event_id=event.pk, details=CategoryDetails(name="Main", amounts=(600,)))
        cash = get_treasurer_view(event).cash
        assert (cash.prizes, cash.remaining_fund, cash.fund_overrun) == (600, 400, 0)
        details = PrizeDetails(name="Best hand", amount=700)
        give_prize(event_id=event.pk, winners=[get_player(event, 2).pk], details=details)
        cash = get_treasurer_view(event).cash
        assert (cash.prizes, cash.remaining_fund, cash.fund_overrun) == (1300, 0, 300)
        assert (cash.expected_cash, cash.final_cash) == (2000, 700)
        set_cash(event, prize_share=0)
        assert get_treasurer_view(event).cash.fund_overrun == 0

    @pytest.mark.parametrize("step", ROUNDING_STEPS)
    def test_tied_winners_share_exactly_the_prize(self, step: int) -> None:
        event = build_night(pairs=6, present=6)
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)  # three winners, all tied
        compute_standings(event)
        set_cash(event, rounding_step=step)
        add_prize_category(event_id=event.pk, details=CategoryDetails(name="Main", amounts=(10_000,)))
        view = get_treasurer_view(event)
        shares = [winner.award.amount for winner in view.category_awards[0].winners]
        assert len(shares) == 3
        assert (sum(shares), view.cash.prizes) == (10_000, 10_000)
        assert max(shares) - min(shares) <= step

    def test_unclaimed_prizes_stop_counting_after_the_first_result(self) -> None:
        event = build_night(pairs=4, present=4)
        add_prize_category(event_id=event.pk, details=CategoryDetails(name="Main", amounts=(3000,)))
        of_none = CategoryDetails(name="Juniors", among="label", group="Juniors", amounts=(1000,))
        add_prize_category(event_id=event.pk, details=of_none)
        assert get_treasurer_view(event).cash.prizes == 4000
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        compute_standings(event)
        assert get_treasurer_view(event).cash.prizes == 3000


class TestCashRules:
    def test_cash_rules_change_once_and_can_be_undone(self) -> None:
        event = build_event()
        for _ in range(2):
            set_cash(event, prize_share=60, rounding_step=100, starting_cash=5000)
        assert event.actions.filter(kind="change_cash_rules").count() == 1
        undo_action(event_id=event.pk, action_id=get_last_action(event).pk)
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
    def test_impossible_cash_rules_are_refused_at_their_field(self, given: dict[str, int], code: str) -> None:
        refused = get_refusal(change_cash_rules, event_id=build_event().pk, rules=CashRules(**given))
        assert (refused.code, refused.field) == (code, *given)

    def test_cash_rules_are_copied_to_the_repeated_event(self) -> None:
        event = build_event()
        set_cash(event, prize_share=60, rounding_step=5, starting_cash=5000)
        event.refresh_from_db()
        settings_data = event_settings_to_json(read_event_settings(event))
        again = make_event(
            club=event.club,
            settings=event_settings_from_json(settings_data),
            like=event.name,
            name="Next",
            held_on=event.held_on,
        )
        assert again.cash_rules == event.cash_rules
        del settings_data["cash"]
        assert event_settings_from_json(settings_data).cash == CashRules()


def test_prize_for_three_people_is_refused() -> None:
    event = build_event(pairs=4)
    three = [get_player(event, number).pk for number in (1, 2, 3)]
    refused = get_refusal_code(give_prize, event_id=event.pk, winners=three, details=PrizeDetails(name="Ham"))
    assert refused == "too_many_winners"


@pytest.mark.slow
class TestTreasurerPage:
    def test_treasurer_page_shows_expected_cash_to_directors_only(self) -> None:
        check_in_desk = CheckInDesk()
        pay_all(check_in_desk.event)
        set_cash(check_in_desk.event, prize_share=60, rounding_step=100, starting_cash=5000)
        page = check_in_desk.browser.open(get_page_path(check_in_desk, "Treasurer"))
        for expected_text in (
            "Cash expected in the box $80",
            "$18: 60% of $30 (fees paid, less refunds), rounded down to $1.",
            "Total $30 $30 $0",
        ):
            assert expected_text in page.text
        assert "Not yet awarded: $18." in page.text
        helper = check_in_desk.add_helper()
        assert "Treasurer" not in helper.open(f"{check_in_desk.desk}/fees").text
        assert "Ask the director." in helper.open(f"{check_in_desk.desk}/fees/treasurer").text

    def test_event_without_fees_lists_no_fees(self) -> None:
        desk = CheckInDesk()
        change_rates(event_id=desk.event.pk, rates=Rates())
        path = f"{desk.desk}/fees/treasurer"
        assert "Fees by" not in desk.browser.open(path).text
        record_fee(event_id=desk.event.pk, person_id=desk.person.pk, paid=500, other=None)
        assert "Fees by pair" in desk.browser.open(path).text

    def test_invalid_cash_rules_leave_the_fees_unchanged(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees/rates")
        form = page.find_form(control_name="prize_share")
        page = check_in_desk.browser.send(page, form, prize_share="160", starting_cash="40", rounding_step="5")
        assert page.get_field_error("prize_share") == "Enter a percentage from 0 to 100."
        assert page.find_field("starting_cash").value == "40"
        assert page.find_field("member_fee").value == "5"
        page = check_in_desk.browser.send(page, page.find_form(control_name="prize_share"), prize_share="60")
        check_in_desk.event.refresh_from_db()
        cash_rules = CashRules(prize_share=60, rounding_step=5, starting_cash=4000)
        assert (check_in_desk.event.cash_rules, check_in_desk.event.rates) == (cash_rules, Rates(member=500, guest=500))
        assert "Cash expected in the box $40" in page.text
        history = check_in_desk.browser.open(f"{check_in_desk.desk}/history").text
        assert "Prizes: 60% of fees, rounded to $0.05. Starting cash: $40" in history

    def test_category_percentages_share_the_fund_to_the_rounding_step(self) -> None:
        check_in_desk = CheckInDesk()
        address = f"{check_in_desk.desk}/prizes/categories/new"
        page = check_in_desk.browser.open(address)
        refused = {
            "50%; 20": "Enter either amounts or percentages of the prize fund.",
            "60%; 50%": "These percentages add up to more than 100. Lower one.",
            "x%": "Enter a percentage from 0 to 100.",
            "50%; 30%; 20%": "There is no prize fund yet. Set its share of the fees, or enter amounts.",
        }
        for typed, message in refused.items():
            page = check_in_desk.browser.send(page, page.find_form(control_name="among"), name="Main", amounts=typed)
            assert page.get_field_error("amounts") == message
            assert page.find_field("amounts").value == typed
        pay_all(check_in_desk.event)
        set_cash(check_in_desk.event, prize_share=77, rounding_step=100)  # 77% of $30, rounded down to $23
        page = check_in_desk.browser.open(address)
        check_in_desk.browser.send(page, page.find_form(control_name="among"), name="Main", amounts="50 %; 30 %; 20 %")
        assert check_in_desk.event.prize_categories.get().amounts == [1300, 600, 400]
        assert get_treasurer_view(check_in_desk.event).cash.remaining_fund == 0

    def test_fee_page_refunds_overpaid_and_departed_people(self) -> None:
        check_in_desk = CheckInDesk()
        pay_all(check_in_desk.event)
        record_fee(event_id=check_in_desk.event.pk, person_id=check_in_desk.person.pk, paid=800, other=None)
        address, helper = f"{check_in_desk.desk}/fees/{check_in_desk.person.pk}", check_in_desk.add_helper()
        page = helper.open(address)
        assert "Refund $3" in page.text
        page = helper.send(page, page.find_form(control_name="refund"), ("refund", "1"))
        assert get_pair_figures(check_in_desk.event, 1) == (1000, 1000, 0, 0)
        assert "Refund" not in helper.open(address).text, "a director waives fees"
        page = check_in_desk.browser.open(address)
        assert "Refund $5, no fee" in page.text
        check_in_desk.browser.send(page, page.find_form(control_name="refund"), ("refund", "1"))
        assert get_pair_figures(check_in_desk.event, 1) == (500, 500, 0, 0)
        absent = get_player(check_in_desk.event, 3)
        page = helper.open(f"{check_in_desk.desk}/fees/{absent.pk}")
        helper.send(page, page.find_form(control_name="refund"), ("refund", "1"))
        assert get_pair_figures(check_in_desk.event, 3) == (500, 500, 0, 0)
        assert assert_adds_up(check_in_desk.event).cash.expected_cash == 2000


def get_page_path(desk: CheckInDesk, link: str) -> str:
    return desk.browser.open(f"{desk.desk}/fees").find_link(link)


@pytest.mark.slow
def test_signature_sheet_lists_all_sums_for_directors_only() -> None:
    check_in_desk = CheckInDesk()
    pay_all(check_in_desk.event)
    details = PrizeDetails(name="Best hand", amount=700)
    give_prize(event_id=check_in_desk.event.pk, winners=[check_in_desk.person.pk], details=details)
    page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees/treasurer")
    check_in_desk.browser.send(page, page.find_form(control_name="size"), ("paper", "treasurer"))
    (job,) = Job.objects.filter(kind="print_treasurer")
    record_fee(event_id=check_in_desk.event.pk, person_id=check_in_desk.person.pk, paid=1500, other=None)
    (_, prizes, clubs, pairs) = document_of(parse_order(job.key)).items
    assert prizes["rows"] == [["Best hand", check_in_desk.person.name, "$7", ""]]
    assert clubs["total"] == pairs["total"] == ["Total", "$30", "$40", "$0"]
    assert pairs["rows"][0][0].endswith(", $10 to refund")
    assert len(pairs["rows"]) == 3
    helper = check_in_desk.add_helper()
    assert "Treasurer" not in helper.open(f"{check_in_desk.desk}/print").text
    form = helper.open(f"{check_in_desk.desk}/print").find_form(control_name="size")
    helper.send(helper.open(f"{check_in_desk.desk}/print"), form, ("paper", "treasurer"))
    assert Job.objects.filter(kind="print_treasurer").count() == 1
