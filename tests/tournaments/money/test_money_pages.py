"""Pages of fees, prizes, attendance and dues without scripts: what each button does, and who sees what."""

import pytest

from clubs.models import Dues, DuesPeriod, Family, Membership, Person, Role
from tests.builders import build_account, compute_standings, play_round, start_next_round
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.services.lifecycle import start_event
from tournaments.fee_rates import Rates
from tournaments.models import Fee, Prize
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.publishing.services.publishing import publish_final

from .test_fees import build_night, get_last_action, get_player

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class CheckInDesk(Office):
    """A night of three pairs with a fee of $5; the first two are checked in."""

    def __init__(self) -> None:
        super().__init__(pairs=3)
        change_rates(event_id=self.event.pk, rates=Rates(member=500, guest=500))
        for number in (1, 2):
            mark_present(event_id=self.event.pk, number=number, is_present=True)

    @property
    def desk(self) -> str:
        return f"/e/{self.event.short}/desk"

    @property
    def person(self) -> Person:
        found: Person = self.event.entries.get(number=1).player_1
        return found

    def add_helper(self) -> Browser:
        account = build_account()
        Membership.objects.create(club=self.club, account=account, role=Role.DESK)
        return Browser(account=account)

    def tap(self, page: Page, name: str, pk: int, browser: Browser | None = None) -> Page:
        form = next(one for one in page.find_all("form") if list(one.find_all("button", name=name, value=str(pk))))
        return (browser or self.browser).send(page, form, (name, str(pk)))


class TestFeesPage:
    @pytest.mark.long
    @pytest.mark.parametrize("rates", [Rates(guest=800), Rates(member=800)], ids=["guests", "members"])
    def test_fee_may_apply_to_members_or_guests_only(self, rates: Rates) -> None:
        check_in_desk = CheckInDesk()
        Person.objects.filter(pk=check_in_desk.person.pk).update(is_guest=True)
        change_rates(event_id=check_in_desk.event.pk, rates=rates)
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees")
        payer_count = 1 if rates.guest else 3
        assert f"$0 of ${8 * payer_count} paid" in page.text

    def test_unset_fee_is_set_by_directors_only(self) -> None:
        check_in_desk = CheckInDesk()
        change_rates(event_id=check_in_desk.event.pk, rates=Rates())
        for browser, notice, may_set in (
            (check_in_desk.browser, "Set what members and guests pay.", True),
            (check_in_desk.add_helper(), "The director sets the fee.", False),
        ):
            page = browser.open(f"{check_in_desk.desk}/fees")
            assert notice in page.text
            assert ("Set a fee" in page.text) is may_set

    def test_helper_records_and_undoes_a_payment(self) -> None:
        check_in_desk = CheckInDesk()
        helper = check_in_desk.add_helper()
        page = helper.open(f"{check_in_desk.desk}/fees")
        assert "$0 of $20 paid" in page.text
        page = check_in_desk.tap(page, "person", check_in_desk.person.pk, helper)
        assert f"{check_in_desk.person.name}: $5 paid" in page.text
        assert "$5 of $20 paid" in page.text
        page = helper.send(page, page.find_one("div", id="done").find_one("form"))
        assert "$0 of $20 paid" in page.text
        page = helper.send(page, page.find_one("div", id="done").find_one("form"))
        assert "$5 of $20 paid" in page.text
        assert "Set a fee" not in page.text

    @pytest.mark.long
    def test_confirmation_shows_only_a_payment_of_this_event(self) -> None:
        check_in_desk = CheckInDesk()
        checked_in = check_in_desk.event.actions.latest("pk")
        for entry in check_in_desk.event.entries.filter(number__in=(1, 2)):
            pay_fee(event_id=check_in_desk.event.pk, person_id=entry.player_1.pk)
        paid = check_in_desk.event.actions.get(details__person=check_in_desk.person.pk)
        elsewhere = build_night()
        pay_fee(event_id=elsewhere.pk, person_id=get_player(elsewhere, 1).pk)
        others = [(checked_in.pk, ""), (get_last_action(elsewhere).pk, ""), ("x", "")]
        for done, notice in ((paid.pk, f"{check_in_desk.person.name}: $5 paid"), *others):
            page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees?done={done}")
            assert (notice or "Tap a name: fully paid.") in page.find_one("div", id="done").text

    @pytest.mark.parametrize("one", ["person", "family"])
    def test_double_tap_pays_once_and_still_offers_undo(self, one: str) -> None:
        check_in_desk = CheckInDesk()
        family = Family.objects.create(club=check_in_desk.club, name="Famille Roy")
        Person.objects.filter(club=check_in_desk.club).update(family=family)
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees")
        check_in_desk.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        pk = check_in_desk.person.pk if one == "person" else family.pk
        for _ in range(2):
            answer = check_in_desk.tap(page, one, pk)
            assert answer.find_one("button", id="undo-done").text == "Undo"
        assert Fee.objects.get(person=check_in_desk.person).paid == 500

    @pytest.mark.snapshot
    def test_name_search_keeps_the_unpaid_filter(self) -> None:
        check_in_desk = CheckInDesk()
        paid, owes = (person.name for person in check_in_desk.event.entries.get(number=1).players)
        page = check_in_desk.tap(
            check_in_desk.browser.open(f"{check_in_desk.desk}/fees"), "person", check_in_desk.person.pk
        )
        for link, shown in (("Unpaid", [False, True]), ("All", [True, True])):
            page = check_in_desk.browser.open(page.find_link(link))
            found = []
            for name in (paid, owes):
                looked = check_in_desk.browser.send(page, page.find_form(control_name="search"), search=name)
                found.append(bool(looked.find_all("ul", class_="boxes")))
            assert found == shown

    @pytest.mark.long
    def test_payment_does_not_replace_the_directors_last_action(self) -> None:
        """The desk still offers to undo the director's action, not the payment that a helper recorded."""
        check_in_desk = CheckInDesk()
        start_event(event_id=check_in_desk.event.pk)
        before = check_in_desk.browser.open(check_in_desk.desk).find_one("div", class_="last-action").text
        check_in_desk.tap(check_in_desk.browser.open(f"{check_in_desk.desk}/fees"), "person", check_in_desk.person.pk)
        assert check_in_desk.browser.open(check_in_desk.desk).find_one("div", class_="last-action").text == before

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_replaced_players_payment_is_overpaid_until_refunded(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.tap(
            check_in_desk.browser.open(f"{check_in_desk.desk}/fees"), "person", check_in_desk.person.pk
        )
        assert "overpaid" not in page.text
        gone = check_in_desk.person
        substitute_player(event_id=check_in_desk.event.pk, number=1, place=1, name="Zoé Zed")
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees")
        assert "$5 of $20 paid" in page.text
        assert "$20 owed · $5 overpaid" in page.text
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees/{gone.pk}")
        page = check_in_desk.browser.send(page, page.find_form(control_name="asked"), paid="0")
        assert "overpaid" not in page.text

    def test_family_pays_with_one_tap(self) -> None:
        check_in_desk = CheckInDesk()
        family = Family.objects.create(club=check_in_desk.club, name="Famille Roy")
        Person.objects.filter(club=check_in_desk.club).update(family=family)
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees")
        assert "$20 for 4 people present" in page.text
        page = check_in_desk.tap(page, "family", family.pk)
        assert "Famille Roy, 4 people: $20 paid" in page.text

    @pytest.mark.snapshot
    def test_script_family_payment_updates_all_its_boxes(self) -> None:
        check_in_desk = CheckInDesk()
        family = Family.objects.create(club=check_in_desk.club, name="Famille Roy")
        Person.objects.filter(club=check_in_desk.club).update(family=family)
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees")
        check_in_desk.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        part = check_in_desk.tap(page, "family", family.pk)
        paid = {person.name for person in family.people.all() if person.name in part.text}
        assert len(paid) == 4

    @pytest.mark.snapshot
    def test_invalid_amounts_are_refused_and_input_kept(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees/{check_in_desk.person.pk}")
        page = check_in_desk.browser.send(
            page, page.find_form(control_name="asked"), paid="five", asked="other", other=""
        )
        assert page.status == 422
        assert page.get_field_error("paid").startswith("“five” is not an amount.")
        assert page.get_field_error("other") == "Enter the amount."
        assert page.find_field("paid").value == "five"
        assert page.list_checked_values("asked") == ["other"]

    @pytest.mark.long
    def test_only_a_director_sets_an_individual_fee(self) -> None:
        check_in_desk = CheckInDesk()
        address = f"{check_in_desk.desk}/fees/{check_in_desk.person.pk}"
        page = check_in_desk.browser.open(address)
        check_in_desk.browser.send(page, page.find_form(control_name="asked"), paid="3,50", asked="other", other="4")
        assert Fee.objects.values_list("paid", "other").get() == (350, 400)
        helper = check_in_desk.add_helper()
        page = helper.open(address)
        assert page.find_all("input", name="asked") == []
        page = helper.send(page, page.find_form(control_name="paid"), paid="4", asked="nothing")
        assert Fee.objects.values_list("paid", "other").get() == (400, 400)
        assert "Ask the director." in helper.open(f"{check_in_desk.desk}/fees/rates").text

    def test_payment_recorded_meanwhile_is_not_overwritten(self) -> None:
        check_in_desk, fee_amounts = CheckInDesk(), Fee.objects.values_list("paid", "other")
        address = f"{check_in_desk.desk}/fees/{check_in_desk.person.pk}"
        opened = check_in_desk.browser.open(address)
        helper = check_in_desk.add_helper()
        check_in_desk.tap(helper.open(f"{check_in_desk.desk}/fees"), "person", check_in_desk.person.pk, helper)
        page = check_in_desk.browser.send(opened, opened.find_form(control_name="asked"), asked="other", other="2,50")
        assert page.status == 409
        assert "This has changed meanwhile" in page.text
        assert fee_amounts.get() == (500, None)
        assert page.find_field("paid").value == "5"
        check_in_desk.browser.send(page, page.find_form(control_name="asked"), asked="other", other="2,50")
        assert fee_amounts.get() == (500, 250)

    def test_french_amounts_are_accepted(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees/rates")
        check_in_desk.browser.send(page, page.find_form(control_name="member_fee"), member_fee="5,50 $", guest_fee="")
        check_in_desk.event.refresh_from_db()
        assert (check_in_desk.event.member_fee, check_in_desk.event.guest_fee) == (550, 0)

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_public_pages_show_only_the_price(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/fees")
        check_in_desk.tap(page, "person", check_in_desk.person.pk)
        public = f"/e/{check_in_desk.event.short}"
        for address in ("", "/standings", "/board", "/rules"):
            assert "$" not in Browser().open(public + address).text.replace("Price $5", "")


class TestPrizesPage:
    def test_prizes_and_amounts_are_public_only_when_chosen(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/prizes")
        winner = str(check_in_desk.person.pk)
        form = page.find_form("/prizes", control_name="amount")
        page = check_in_desk.browser.send(page, form, prize="A ham", winner=winner, amount="20")
        assert "A ham, $20" in page.text
        public = f"/e/{check_in_desk.event.short}"
        assert "ham" not in Browser().open(public).text
        prize = Prize.objects.get()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/prizes/{prize.pk}")
        page = check_in_desk.browser.send(page, page.find_form(control_name="prize"), is_public="on")
        seen = Browser().open(public).text
        assert "A ham" in seen
        assert "$20" not in seen
        assert check_in_desk.person.name not in seen
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/prizes/{prize.pk}")
        check_in_desk.browser.send(page, page.find_form(control_name="prize"), is_public="on", shows_amount="on")
        assert "A ham, $20" in Browser().open(public).text

    @pytest.mark.snapshot
    def test_prize_without_winner_or_name_is_refused_at_the_field(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/prizes")
        form = page.find_form("/prizes", control_name="amount")
        page = check_in_desk.browser.send(page, form, prize="A ham", winner="")
        assert page.status == 422
        assert page.get_field_error("winner") == "Choose the winner."
        page = check_in_desk.browser.send(page, page.find_form("/prizes", control_name="amount"), prize="")
        assert page.get_field_error("prize") == "Enter the prize."


class TestDuesPage:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_dues_are_charged_paid_and_undone(self) -> None:
        check_in_desk = CheckInDesk()
        club = f"/club/{check_in_desk.club.slug}"
        page = check_in_desk.browser.open(f"{club}/dues/new")
        page = check_in_desk.browser.send(page, page.find_form(control_name="amount"), amount="twenty")
        assert page.get_field_error("amount").startswith("“twenty” is not an amount.")
        page = check_in_desk.browser.send(page, page.find_form(control_name="amount"), amount="20")
        assert DuesPeriod.objects.get().amount == 2000
        page = check_in_desk.browser.open(f"{club}/people?group=owing")
        assert "6 people" in page.text
        of_nobody = page.find_form("/dues", control_name="in_full")
        of_nobody.attrs["action"] = f"{club}/people/99999/dues"
        assert check_in_desk.browser.send(page, of_nobody, ("in_full", "1")).status == 404
        page = check_in_desk.browser.open(f"{club}/people?group=owing")
        page = check_in_desk.browser.send(page, page.find_form("/dues", control_name="in_full"), ("in_full", "1"))
        assert "5 people" in page.text
        page = check_in_desk.browser.send(page, page.find_form("/undo"))
        assert "Undid: " in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_dues_of_one_person_are_corrected_on_their_page(self) -> None:
        check_in_desk = CheckInDesk()
        club = f"/club/{check_in_desk.club.slug}"
        page = check_in_desk.browser.open(f"{club}/dues/new")
        check_in_desk.browser.send(page, page.find_form(control_name="amount"), amount="20")
        address = f"{club}/people/{check_in_desk.person.pk}"
        page = check_in_desk.browser.open(address)
        page = check_in_desk.browser.send(page, page.find_form("/dues", control_name="asked"), paid="x", asked="usual")
        assert page.status == 422
        assert page.get_field_error("paid").startswith("“x” is not an amount.")
        page = check_in_desk.browser.send(page, page.find_form("/dues", control_name="asked"), paid="12,50")
        assert page.path == address
        assert "$7.50 to pay" in page.text

    @pytest.mark.long
    def test_dues_recorded_meanwhile_are_not_overwritten(self) -> None:
        check_in_desk = CheckInDesk()
        club = f"/club/{check_in_desk.club.slug}"
        page = check_in_desk.browser.open(f"{club}/dues/new")
        check_in_desk.browser.send(page, page.find_form(control_name="amount"), amount="20")
        opened = check_in_desk.browser.open(f"{club}/people/{check_in_desk.person.pk}")
        check_in_desk.browser.send(opened, opened.find_form("/dues", control_name="in_full"), ("in_full", "1"), key="")
        dues_form = opened.find_form("/dues", control_name="asked")
        page = check_in_desk.browser.send(opened, dues_form, asked="other", other="10")
        assert "This has changed meanwhile" in page.text
        page = check_in_desk.browser.send(opened, dues_form, asked="other", other="10", key="")
        assert "This has changed meanwhile" in page.text
        assert Dues.objects.values_list("paid", "other").get() == (2000, None)


class TestAttendancePage:
    @pytest.mark.long
    def test_attendance_page_covers_the_typed_days(self) -> None:
        check_in_desk = CheckInDesk()
        address = f"/club/{check_in_desk.club.slug}/attendance"
        held = check_in_desk.event.held_on.isoformat()
        page = check_in_desk.browser.open(f"{address}?starts={held}&ends={held}")
        assert "4 people" in page.text
        assert "1 of 1 nights" in page.text
        assert "4 members" in check_in_desk.browser.open(f"{address}/nights?starts={held}&ends={held}").text
        page = check_in_desk.browser.open(f"{address}?starts=2026-12-01&ends=2026-11-01")
        assert page.status == 422
        assert page.get_field_error("ends").startswith("The last day is before the first.")
        assert page.find_field("starts").value == "2026-12-01"


class TestPrizeCategoriesPage:
    @pytest.mark.snapshot
    def test_director_adds_a_category_and_ticks_its_entries(self) -> None:
        check_in_desk = CheckInDesk()
        page = check_in_desk.browser.open(f"{check_in_desk.desk}/prizes/categories/new")
        form = page.find_form(control_name="among")
        page = check_in_desk.browser.send(page, form, name="Best women", among="label", amounts="50; x")
        assert page.get_field_error("amounts") == "“x” is not an amount. Enter one like 5 or 5.50."
        page = check_in_desk.browser.send(page, page.find_form(control_name="among"), amounts="30; 50")
        assert page.get_field_error("amounts").startswith("Enter the amounts from largest to smallest")
        page = check_in_desk.browser.send(page, page.find_form(control_name="among"), amounts="50; 30")
        assert page.get_field_error("group") == "Enter the entries’ label. For example, “Women”."
        page = check_in_desk.browser.send(page, page.find_form(control_name="among"), group="Women")
        page = check_in_desk.browser.send(page, page.find_form(control_name="label"), ("label", "1"), entry=["1", "3"])
        assert list(check_in_desk.event.entries.values_list("labels", flat=True)) == ["Women", "", "Women"]
        assert "2 eligible" in page.text
        assert check_in_desk.event.prize_categories.get().amounts == [5000, 3000]  # one place per amount
        page = check_in_desk.browser.send(page, page.find_form(control_name="add_up"), ("add_up", "yes"))
        assert "Entries can win in several categories." in page.text

    @pytest.mark.snapshot
    def test_category_prizes_are_public_with_the_final_standings(self) -> None:
        night = Office(pairs=4)
        start_event(event_id=night.event.pk)
        start_next_round(night.event)
        play_round(night.event)
        rows = compute_standings(night.event)
        for details in (
            CategoryDetails(name="Main", amounts=(2000,), shows_amount=True),
            CategoryDetails(name="Secret", is_public=False),
        ):
            add_prize_category(event_id=night.event.pk, details=details)
        winner = night.event.entries.get(number=rows[0]["entry"]).player_1
        public = f"/e/{night.event.short}"
        for path in (public, f"{public}/standings"):
            assert "Main" not in night.browser.open(path).text
        publish_final(event_id=night.event.pk)
        for path in (public, f"{public}/standings"):
            text = Browser().open(path).text
            assert "Main" in text
            assert "$10" in text, "two are level, and share $20"
            assert "Secret" not in text
            assert winner.name not in text
