"""The pages of fees, prizes, attendance and dues: what a tap does without scripts, and who sees what."""

import pytest

from clubs.models import Dues, DuesPeriod, Family, Membership, Person, Role
from tests.builders import an_account, next_round, play_round, standings_after
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

from .test_fees import a_night, last, player

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Door(Office):
    """A night of three pairs that costs 5 $, the first two here."""

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

    def helper(self) -> Browser:
        account = an_account()
        Membership.objects.create(club=self.club, account=account, role=Role.DESK)
        return Browser(account=account)

    def tap(self, page: Page, name: str, pk: int, browser: Browser | None = None) -> Page:
        form = next(one for one in page.every("form") if list(one.every("button", name=name, value=str(pk))))
        return (browser or self.browser).send(page, form, (name, str(pk)))


class TestFees:
    @pytest.mark.parametrize("rates", [Rates(guest=800), Rates(member=800)], ids=["guests", "members"])
    def test_may_be_asked_of_some_only(self, rates: Rates) -> None:
        door = Door()
        Person.objects.filter(pk=door.person.pk).update(is_guest=True)
        change_rates(event_id=door.event.pk, rates=rates)
        page = door.browser.open(f"{door.desk}/fees")
        asked = 1 if rates.guest else 3
        assert f"$0 of ${8 * asked} paid" in page.text

    def test_where_none_is_asked_yet_are_set_by_a_director_and_not_by_a_helper(self) -> None:
        door = Door()
        change_rates(event_id=door.event.pk, rates=Rates())
        for browser, said, may_set in (
            (door.browser, "Set what members and guests pay.", True),
            (door.helper(), "The director sets the fee.", False),
        ):
            page = browser.open(f"{door.desk}/fees")
            assert said in page.text
            assert ("Set a fee" in page.text) is may_set

    def test_are_noted_by_a_helper_with_a_tap_and_taken_back(self) -> None:
        door = Door()
        helper = door.helper()
        page = helper.open(f"{door.desk}/fees")
        assert "$0 of $20 paid" in page.text
        page = door.tap(page, "person", door.person.pk, helper)
        assert f"{door.person.name}: $5 paid" in page.text
        assert "$5 of $20 paid" in page.text
        page = helper.send(page, page.one("div", id="done").one("form"))
        assert "$0 of $20 paid" in page.text
        page = helper.send(page, page.one("div", id="done").one("form"))
        assert "$5 of $20 paid" in page.text
        assert "Set a fee" not in page.text

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_say_the_payment_that_the_address_names_and_nothing_else(self) -> None:
        door = Door()
        checked_in = door.event.actions.latest("pk")
        for entry in door.event.entries.filter(number__in=(1, 2)):
            pay_fee(event_id=door.event.pk, person_id=entry.player_1.pk)
        paid = door.event.actions.get(details__person=door.person.pk)
        elsewhere = a_night()
        pay_fee(event_id=elsewhere.pk, person_id=player(elsewhere, 1).pk)
        others = [(checked_in.pk, ""), (last(elsewhere).pk, ""), ("x", "")]
        for done, said in ((paid.pk, f"{door.person.name}: $5 paid"), *others):
            page = door.browser.open(f"{door.desk}/fees?done={done}")
            assert (said or "Tap a name: fully paid.") in page.one("div", id="done").text

    @pytest.mark.parametrize("one", ["person", "family"])
    def test_are_noted_once_by_a_tap_that_comes_twice_and_both_answers_offer_to_undo_it(
        self, one: str
    ) -> None:
        door = Door()
        family = Family.objects.create(club=door.club, name="Famille Roy")
        Person.objects.filter(club=door.club).update(family=family)
        page = door.browser.open(f"{door.desk}/fees")
        door.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        pk = door.person.pk if one == "person" else family.pk
        for _ in range(2):
            answer = door.tap(page, one, pk)
            assert answer.one("button", id="undo-done").text == "Undo"
        assert Fee.objects.get(person=door.person).paid == 500

    @pytest.mark.snapshot
    def test_of_a_name_are_looked_for_among_those_who_still_owe_and_among_all(self) -> None:
        door = Door()
        paid, owes = (person.name for person in door.event.entries.get(number=1).players)
        page = door.tap(door.browser.open(f"{door.desk}/fees"), "person", door.person.pk)
        for link, shown in (("Unpaid", [False, True]), ("All", [True, True])):
            page = door.browser.open(page.link(link))
            found = []
            for name in (paid, owes):
                looked = door.browser.send(page, page.form(having="search"), search=name)
                found.append(bool(looked.every("ul", class_="boxes")))
            assert found == shown

    def test_do_not_take_the_place_of_what_the_director_did_last(self) -> None:
        """The desk offers to undo that, and not what a helper noted at the door."""
        door = Door()
        start_event(event_id=door.event.pk)
        before = door.browser.open(door.desk).one("div", class_="last-deed").text
        door.tap(door.browser.open(f"{door.desk}/fees"), "person", door.person.pk)
        assert door.browser.open(door.desk).one("div", class_="last-deed").text == before

    @pytest.mark.snapshot
    def test_of_who_made_room_for_somebody_are_said_to_be_too_much_until_they_are_given_back(self) -> None:
        door = Door()
        page = door.tap(door.browser.open(f"{door.desk}/fees"), "person", door.person.pk)
        assert "overpaid" not in page.text
        gone = door.person
        substitute_player(event_id=door.event.pk, number=1, place=1, name="Zoé Zed")
        page = door.browser.open(f"{door.desk}/fees")
        assert "$5 of $20 paid" in page.text
        assert "$20 owed · $5 overpaid" in page.text
        page = door.browser.open(f"{door.desk}/fees/{gone.pk}")
        page = door.browser.send(page, page.form(having="asked"), paid="0")
        assert "overpaid" not in page.text

    def test_of_a_family_are_one_tap(self) -> None:
        door = Door()
        family = Family.objects.create(club=door.club, name="Famille Roy")
        Person.objects.filter(club=door.club).update(family=family)
        page = door.browser.open(f"{door.desk}/fees")
        assert "$20 for 4 people present" in page.text
        page = door.tap(page, "family", family.pk)
        assert "Famille Roy, 4 people: $20 paid" in page.text

    @pytest.mark.snapshot
    def test_of_a_family_with_a_script_are_the_boxes_of_all_of_them(self) -> None:
        door = Door()
        family = Family.objects.create(club=door.club, name="Famille Roy")
        Person.objects.filter(club=door.club).update(family=family)
        page = door.browser.open(f"{door.desk}/fees")
        door.browser.client.defaults["HTTP_HX_REQUEST"] = "true"
        part = door.tap(page, "family", family.pk)
        paid = {person.name for person in family.people.all() if person.name in part.text}
        assert len(paid) == 4

    @pytest.mark.snapshot
    def test_that_cannot_be_read_are_said_at_the_field_and_nothing_typed_is_lost(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/fees/{door.person.pk}")
        page = door.browser.send(page, page.form(having="asked"), paid="five", asked="other", other="")
        assert page.status == 422
        assert page.said_at("paid").startswith("“five” is not an amount.")
        assert page.said_at("other") == "Enter the amount."
        assert page.field("paid").value == "five"
        assert page.chosen("asked") == ["other"]

    def test_are_another_amount_or_none_only_by_a_director(self) -> None:
        door = Door()
        address = f"{door.desk}/fees/{door.person.pk}"
        page = door.browser.open(address)
        door.browser.send(page, page.form(having="asked"), paid="3,50", asked="other", other="4")
        assert Fee.objects.values_list("paid", "other").get() == (350, 400)
        helper = door.helper()
        page = helper.open(address)
        assert page.every("input", name="asked") == []
        page = helper.send(page, page.form(having="paid"), paid="4", asked="nothing")
        assert Fee.objects.values_list("paid", "other").get() == (400, 400)
        assert "Ask the director." in helper.open(f"{door.desk}/fees/rates").text

    def test_that_a_helper_noted_meanwhile_are_not_written_over(self) -> None:
        door, kept = Door(), Fee.objects.values_list("paid", "other")
        address = f"{door.desk}/fees/{door.person.pk}"
        opened = door.browser.open(address)
        helper = door.helper()
        door.tap(helper.open(f"{door.desk}/fees"), "person", door.person.pk, helper)
        page = door.browser.send(opened, opened.form(having="asked"), asked="other", other="2,50")
        assert page.status == 409
        assert "This has changed meanwhile" in page.text
        assert kept.get() == (500, None)
        assert page.field("paid").value == "5"
        door.browser.send(page, page.form(having="asked"), asked="other", other="2,50")
        assert kept.get() == (500, 250)

    def test_are_set_as_people_type_them_and_shown_in_french(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/fees/rates")
        door.browser.send(page, page.form(having="member_fee"), member_fee="5,50 $", guest_fee="")
        door.event.refresh_from_db()
        assert (door.event.member_fee, door.event.guest_fee) == (550, 0)

    @pytest.mark.snapshot
    def test_stand_on_no_page_that_everybody_sees_but_for_the_price(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/fees")
        door.tap(page, "person", door.person.pk)
        public = f"/e/{door.event.short}"
        for address in ("", "/standings", "/board", "/rules"):
            assert "$" not in Browser().open(public + address).text.replace("Price $5", "")


class TestPrizes:
    def test_are_public_only_where_somebody_said_so_and_so_are_their_amounts(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/prizes")
        winner = str(door.person.pk)
        form = page.form("/prizes", having="amount")
        page = door.browser.send(page, form, prize="A ham", winner=winner, amount="20")
        assert "A ham, $20" in page.text
        public = f"/e/{door.event.short}"
        assert "ham" not in Browser().open(public).text
        prize = Prize.objects.get()
        page = door.browser.open(f"{door.desk}/prizes/{prize.pk}")
        page = door.browser.send(page, page.form(having="prize"), is_public="on")
        seen = Browser().open(public).text
        assert "A ham" in seen
        assert "$20" not in seen
        assert door.person.name not in seen
        page = door.browser.open(f"{door.desk}/prizes/{prize.pk}")
        door.browser.send(page, page.form(having="prize"), is_public="on", shows_amount="on")
        assert "A ham, $20" in Browser().open(public).text

    @pytest.mark.snapshot
    def test_without_a_winner_or_a_name_are_refused_at_the_field(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/prizes")
        form = page.form("/prizes", having="amount")
        page = door.browser.send(page, form, prize="A ham", winner="")
        assert page.status == 422
        assert page.said_at("winner") == "Choose the winner."
        page = door.browser.send(page, page.form("/prizes", having="amount"), prize="")
        assert page.said_at("prize") == "Enter the prize."


class TestDues:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_are_asked_paid_from_the_list_and_taken_back(self) -> None:
        door = Door()
        club = f"/club/{door.club.slug}"
        page = door.browser.open(f"{club}/dues/new")
        page = door.browser.send(page, page.form(having="amount"), amount="twenty")
        assert page.said_at("amount").startswith("“twenty” is not an amount.")
        page = door.browser.send(page, page.form(having="amount"), amount="20")
        assert DuesPeriod.objects.get().amount == 2000
        page = door.browser.open(f"{club}/people?group=owing")
        assert "6 people" in page.text
        of_nobody = page.form("/dues", having="in_full")
        of_nobody.attrs["action"] = f"{club}/people/99999/dues"
        assert door.browser.send(page, of_nobody, ("in_full", "1")).status == 404
        page = door.browser.open(f"{club}/people?group=owing")
        page = door.browser.send(page, page.form("/dues", having="in_full"), ("in_full", "1"))
        assert "5 people" in page.text
        page = door.browser.send(page, page.form("/undo"))
        assert "Undid: " in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_of_one_person_are_corrected_on_their_page(self) -> None:
        door = Door()
        club = f"/club/{door.club.slug}"
        page = door.browser.open(f"{club}/dues/new")
        door.browser.send(page, page.form(having="amount"), amount="20")
        address = f"{club}/people/{door.person.pk}"
        page = door.browser.open(address)
        page = door.browser.send(page, page.form("/dues", having="asked"), paid="x", asked="usual")
        assert page.status == 422
        assert page.said_at("paid").startswith("“x” is not an amount.")
        page = door.browser.send(page, page.form("/dues", having="asked"), paid="12,50")
        assert page.path == address
        assert "$7.50 to pay" in page.text

    def test_that_another_director_noted_meanwhile_are_not_written_over(self) -> None:
        door = Door()
        club = f"/club/{door.club.slug}"
        page = door.browser.open(f"{club}/dues/new")
        door.browser.send(page, page.form(having="amount"), amount="20")
        opened = door.browser.open(f"{club}/people/{door.person.pk}")
        door.browser.send(opened, opened.form("/dues", having="in_full"), ("in_full", "1"), key="")
        asked = opened.form("/dues", having="asked")
        page = door.browser.send(opened, asked, asked="other", other="10")
        assert "This has changed meanwhile" in page.text
        page = door.browser.send(opened, asked, asked="other", other="10", key="")
        assert "This has changed meanwhile" in page.text
        assert Dues.objects.values_list("paid", "other").get() == (2000, None)


class TestAttendance:
    def test_is_shown_for_the_days_that_are_typed(self) -> None:
        door = Door()
        address = f"/club/{door.club.slug}/attendance"
        held = door.event.held_on.isoformat()
        page = door.browser.open(f"{address}?starts={held}&ends={held}")
        assert "4 people" in page.text
        assert "1 of 1 nights" in page.text
        assert "4 members" in door.browser.open(f"{address}/nights?starts={held}&ends={held}").text
        page = door.browser.open(f"{address}?starts=2026-12-01&ends=2026-11-01")
        assert page.status == 422
        assert page.said_at("ends").startswith("The last day is before the first.")
        assert page.field("starts").value == "2026-12-01"


class TestPrizesByCategory:
    @pytest.mark.snapshot
    def test_are_added_and_their_entries_ticked_and_refused_at_the_field(self) -> None:
        door = Door()
        page = door.browser.open(f"{door.desk}/prizes/categories/new")
        form = page.form(having="among")
        page = door.browser.send(page, form, name="Best women", among="label", amounts="50; x")
        assert page.said_at("amounts") == "“x” is not an amount. Enter one like 5 or 5.50."
        page = door.browser.send(page, page.form(having="among"), amounts="30; 50")
        assert page.said_at("amounts").startswith("Enter the amounts from largest to smallest")
        page = door.browser.send(page, page.form(having="among"), amounts="50; 30")
        assert page.said_at("group") == "Enter the entries’ label. For example, “Women”."
        page = door.browser.send(page, page.form(having="among"), group="Women")
        page = door.browser.send(page, page.form(having="label"), ("label", "1"), entry=["1", "3"])
        assert list(door.event.entries.values_list("labels", flat=True)) == ["Women", "", "Women"]
        assert "2 eligible" in page.text
        assert door.event.prize_categories.get().amounts == [5000, 3000]  # as many places as amounts
        page = door.browser.send(page, page.form(having="add_up"), ("add_up", "yes"))
        assert "Entries can win in several categories." in page.text

    @pytest.mark.snapshot
    def test_are_public_with_the_final_standings_by_public_names(self) -> None:
        night = Office(pairs=4)
        start_event(event_id=night.event.pk)
        next_round(night.event)
        play_round(night.event)
        rows = standings_after(night.event)
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
