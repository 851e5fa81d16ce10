"""The editor of house rules: it marks what differs, refuses what is no game, and loses nothing typed."""

from typing import Any

import pytest

from clubs.models import HouseRules, Membership, Role
from clubs.services import create_house_rules
from rules import RULESETS
from tests.builders import an_account
from tests.support.browser import Browser, Page
from tests.support.hall import post
from tests.support.office import Office
from tournaments.models import Event

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


class Desk(Office):
    """The owner's desk, where house rules are written."""

    @property
    def list(self) -> str:
        return f"/club/{self.club.slug}/house-rules"

    def new(self, base: str = "bas-saint-laurent") -> Page:
        return self.browser.open(f"{self.list}/new/{base}")

    def save(self, page: Page, **typed: Any) -> Page:
        return self.browser.send(page, page.form(having="target"), **fields(typed))

    def press(self, page: Page, button: str, value: str, **typed: Any) -> Page:
        return self.browser.send(page, page.form(having="target"), (button, value), **fields(typed))

    def some_rules(self, name: str = "Our Tuesdays", **difference: Any) -> HouseRules:
        return create_house_rules(
            club=self.club, name=name, base="bas-saint-laurent", difference=difference or {"target": 25}
        )


def fields(typed: dict[str, Any]) -> dict[str, Any]:
    """Named as in the form: ``contracts__grosse__made`` is ``contracts.grosse.made``."""
    return {name.replace("__", "."): value for name, value in typed.items()}


def difference(page: Page) -> list[str]:
    """Return what the page says that differs."""
    return [
        one.text.replace("\u00a0", " ")
        for one in page.one(id="difference").one("ul", class_="differences").every("li")
    ]


class TestTheList:
    def test_of_a_club_without_any_says_how_to_begin(self) -> None:
        desk = Desk()
        page = desk.browser.open(desk.list)
        assert "No house rules yet" in page.text
        for key in RULESETS:
            assert page.every("a", href=f"{desk.list}/new/{key}")

    def test_is_found_from_the_club_and_from_a_new_night(self) -> None:
        desk = Desk()
        assert desk.browser.open(f"/club/{desk.club.slug}").link("House rules") == desk.list
        assert desk.browser.open(f"/club/{desk.club.slug}/new").link("Set house rules") == desk.list

    def test_says_of_each_what_differs_and_from_what(self) -> None:
        desk = Desk()
        kept = desk.some_rules(target=25, contracts={"grosse": {"made": 10, "failed": 5}})
        said = desk.browser.open(desk.list).one(id=f"house-{kept.pk}").text.replace("\u00a0", " ")
        assert said.startswith("Our Tuesdays Bas-Saint-Laurent")
        assert "To 25 instead of 21. High Card No Trump pays 10 / 5 instead of 8 / 8." in said

    @pytest.mark.snapshot
    def test_removes_and_puts_back(self) -> None:
        desk = Desk()
        kept = desk.some_rules()
        page = desk.browser.open(desk.list)
        page = desk.browser.send(page, page.form("/remove"))
        assert page.path == desk.list
        assert not page.every(id=f"house-{kept.pk}")
        page = desk.browser.send(page, page.form("/put-back"))
        assert page.one(id=f"house-{kept.pk}")

    def test_puts_back_nothing_whose_name_is_taken_and_says_so(self) -> None:
        desk = Desk()
        desk.some_rules()
        page = desk.browser.open(desk.list)
        page = desk.browser.send(page, page.form("/remove"))
        desk.some_rules(target=30)
        page = desk.browser.send(page, page.form("/put-back"))
        assert page.status == 422
        assert page.alert.startswith("House rules “Our Tuesdays” already exist.")


class TestTheEditor:
    @pytest.mark.parametrize("base", RULESETS)
    def test_begins_as_built_in(self, base: str) -> None:
        page = Desk().new(base)
        assert page.field("target").value == str(RULESETS[base].target)
        assert difference(page) == ["Same as the standard rules."]
        assert not page.every("button", name="reset")

    def test_keeps_what_was_typed_as_a_difference(self) -> None:
        desk = Desk()
        page = desk.save(
            desk.new(),
            name=" Our Tuesdays ",
            target="25",
            contracts__petite__bid=[],
            contracts__grosse__made="10",
            contracts__grosse__failed="5",
        )
        kept = HouseRules.objects.get()
        assert page.path == desk.list
        assert (kept.name, kept.base) == ("Our Tuesdays", "bas-saint-laurent")
        assert kept.difference == {
            "target": 25,
            "ladder": [key for key in RULESETS[kept.base].ladder if key != "petite"],
            "contracts": {"grosse": {"made": 10, "failed": 5}},
        }

    def test_shows_again_what_was_kept_and_changes_it(self) -> None:
        desk = Desk()
        kept = desk.some_rules(target=25)
        page = desk.browser.open(f"{desk.list}/{kept.pk}")
        assert (page.field("name").value, page.field("target").value) == ("Our Tuesdays", "25")
        assert difference(page) == ["To 25 instead of 21."]
        assert desk.save(page, name="Wednesdays", target="21").path == desk.list
        kept.refresh_from_db()
        assert (kept.name, kept.difference) == ("Wednesdays", {})

    def test_marks_a_changed_setting_beside_how_it_is_built_in_and_puts_it_back(self) -> None:
        desk = Desk()
        page = desk.press(desk.new(), "check", "1", target="25", games_to_win="1", name="Ours")
        assert page.one(id="state-target").text.startswith("Changed. Standard: 21")
        assert page.one(id="state-contracts-5").text == "Standard: 5 / 5"
        assert difference(page) == ["To 25 instead of 21.", "Games to win a match: 1 instead of 2."]
        page = desk.press(page, "reset", "target")
        assert page.field("target").value == "21"
        assert difference(page) == ["Games to win a match: 1 instead of 2."]
        assert page.field("name").value == "Ours"
        assert not HouseRules.objects.exists()

    @pytest.mark.parametrize("button", [("check", "1"), ("reset", "all_pass"), ("reset", "nothing")])
    def test_checks_without_asking_for_a_name_and_keeps_nothing(self, button: tuple[str, str]) -> None:
        desk = Desk()
        page = desk.press(desk.new(), *button, target="25")
        assert (page.status, page.alert) == (200, "")
        assert not HouseRules.objects.exists()

    @pytest.mark.snapshot
    def test_brings_only_what_changes_where_a_script_asks(self) -> None:
        desk = Desk()
        page = desk.new()
        desk.browser.client.defaults |= HTMX
        part = desk.press(page, "check", "1", target="25")
        assert difference(part) == ["To 25 instead of 21."]
        assert part.one(id="count").text == "1 difference"
        assert not part.every("form")
        assert not part.every("input")
        swapped = {one.attrs["id"] for one in part.every(**{"hx-swap-oob": "true"})}
        assert swapped <= {one.attrs["id"] for one in page.every() if "id" in one.attrs}

    def test_saves_with_the_button_that_enter_presses(self) -> None:
        form = Desk().new().form(having="target")
        first = next(form.every("button"))
        assert first.attrs.get("name") is None
        assert first.text == "Save rules"

    def test_saved_twice_by_a_double_click_makes_one(self) -> None:
        desk = Desk()
        page = desk.new()
        for _ in range(2):
            assert desk.save(page, name="Our Tuesdays", target="25").path == desk.list
        assert HouseRules.objects.count() == 1

    def test_refuses_a_name_that_is_taken_at_its_field(self) -> None:
        desk = Desk()
        desk.some_rules()
        page = desk.save(desk.new(), name="our tuesdays", target="30")
        assert page.status == 422
        assert page.said_at("name").startswith("House rules “Our Tuesdays” already exist.")
        assert page.field("target").value == "30"

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", "", "Enter a name."),
            ("name", "x" * 81, "Name too long: at most 80 characters."),
            ("target", "0", "Enter 1 point or more."),
            ("target", "", "Enter 1 point or more."),
            ("target", "-3", "Enter 1 point or more."),
            ("target", "thirty", "“thirty” is not a whole number. Use digits."),
            ("target", "9" * 30, f"“{'9' * 30}” is not a whole number. Use digits."),
            ("games_to_win", "0", "Enter 1 game or more."),
            ("contracts.grosse.made", "-1", "Enter 0 points or more."),
            ("contracts.5.failed", "", "Enter 0 points or more."),
        ],
    )
    def test_refuses_an_impossible_game_at_the_field_and_keeps_what_was_typed(
        self, field: str, typed: str, sentence: str
    ) -> None:
        desk = Desk()
        said = {"name": "Our Tuesdays", "contracts.6.made": "7", "all_pass": "next_dealer"}
        page = desk.save(desk.new(), **said | {field: typed})
        assert page.status == 422
        assert page.alert
        assert page.said_at(field) == sentence
        assert page.field(field).value == typed
        assert page.field("contracts.6.made").value == "7"
        assert page.chosen("all_pass") == ["next_dealer"]
        assert not HouseRules.objects.exists()

    def test_refuses_all_that_is_wrong_at_once_and_leads_to_each(self) -> None:
        desk = Desk()
        page = desk.save(desk.new("maine"), name="", target="0", contracts__5__bid=[])
        said = [page.said_at(name) for name in ("name", "target", "forced_bid")]
        assert all(said)
        assert said[2] == "The order of bids lacks the dealer’s forced bid (5). Add or change it."
        links = page.one(id="difference").every("a")
        for link in links:
            assert page.one(id=link.attrs["href"].removeprefix("#"))
        assert [link.text for link in page.one(id="difference").every("a")] == [
            "Points that win a game",
            "When all pass",
        ]

    @pytest.mark.snapshot
    def test_refuses_a_ladder_of_no_bids_at_the_list_of_contracts(self) -> None:
        desk = Desk()
        nothing: dict[str, list[str]] = {
            f"contracts.{contract.key}.bid": [] for contract in RULESETS["canadian"].contracts
        }
        page = desk.save(desk.new("canadian"), name="Ours", **nothing)
        assert page.status == 422
        assert page.one(id="state-ladder").text == "No bids are left. Keep at least one."

    def test_refuses_a_charlemagne_that_can_be_played_in_no_way(self) -> None:
        desk = Desk()
        page = desk.save(desk.new(), name="Ours", contracts__charlemagne__modes=[])
        assert page.status == 422
        assert "Choose at least one way to play." in page.one(id="state-contracts-charlemagne").text

    @pytest.mark.parametrize("address", ["new/whist", "0", "99"])
    def test_of_rules_that_there_are_not_is_no_page(self, address: str) -> None:
        desk = Desk()
        assert desk.browser.open(f"{desk.list}/{address}").status == 404

    def test_of_removed_rules_is_no_page(self) -> None:
        desk = Desk()
        kept = desk.some_rules()
        page = desk.browser.open(desk.list)
        desk.browser.send(page, page.form("/remove"))
        assert desk.browser.open(f"{desk.list}/{kept.pk}").status == 404


class TestWhoMayWriteThem:
    def helper(self, desk: Desk, role: Role) -> Browser:
        account = an_account()
        Membership.objects.create(club=desk.club, account=account, role=role)
        return Browser(account=account)

    def test_a_director_may(self) -> None:
        desk = Desk()
        desk.browser = self.helper(desk, Role.DIRECTOR)
        assert desk.save(desk.new(), name="Ours", target="25").path == desk.list

    def test_a_helper_at_the_desk_reads_them_only(self) -> None:
        desk = Desk()
        kept = desk.some_rules()
        helper = self.helper(desk, Role.DESK)
        page = helper.open(desk.list)
        assert "To 25 instead of 21." in page.text
        assert "New night" not in page.text
        assert not [link for link in page.every("a") if f"{desk.list}/" in link.attrs["href"]]
        assert not [form for form in page.every("form") if desk.list in form.attrs.get("action", "")]
        for path in ("new/maine", f"{kept.pk}", f"{kept.pk}/remove", f"{kept.pk}/put-back"):
            refused = post(helper, f"{desk.list}/{path}", {"name": "Mine", "target": "1"})
            assert refused.status == 403
            assert "Only the director can do this." in refused.text
        assert HouseRules.objects.get().difference == {"target": 25}
        assert not HouseRules.objects.get().is_removed

    @pytest.mark.slow
    def test_nobody_may_write_those_of_another_club(self) -> None:
        desk, other = Desk(), Desk()
        kept = other.some_rules()
        for path in (f"{kept.pk}", f"{kept.pk}/remove", f"{kept.pk}/put-back"):
            assert post(desk.browser, f"{desk.list}/{path}", {"name": "Mine", "target": "1"}).status == 404
            assert post(desk.browser, f"{other.list}/{path}", {"name": "Mine", "target": "1"}).status == 404
        assert "Our Tuesdays" not in desk.browser.open(desk.list).text
        assert HouseRules.objects.get().difference == {"target": 25}


class TestANewNight:
    def test_is_offered_the_clubs_own_rules_with_what_differs(self) -> None:
        desk = Desk()
        kept = desk.some_rules()
        page = desk.browser.open(f"/club/{desk.club.slug}/new")
        offered = next(one for one in page.every("label") if list(one.every("input", value=kept.choice)))
        assert offered.text == "Our Tuesdays Bas-Saint-Laurent. To 25 instead of 21."
        assert page.chosen("ruleset") == ["canadian"]

    def test_is_made_with_them_whole_and_by_name(self) -> None:
        desk = Desk()
        kept = desk.some_rules(target=25, games_to_win=3)
        page = desk.browser.open(desk.browser.open(desk.list).link("New night"))
        assert page.chosen("ruleset") == [kept.choice]
        assert page.field("games_to_win").value == "3"
        page = desk.browser.send(page, page.form(having="table_count"), name="Tuesday")
        terms = Event.objects.get(short="tuesday").terms
        assert (terms.ruleset, terms.rules_name) == (kept.ruleset, "Our Tuesdays")

    @pytest.mark.slow
    def test_says_by_which_rules_it_is_played_wherever_it_is_shown(self) -> None:
        desk = Desk()
        kept = desk.some_rules()
        desk.new_night(name="Tuesday", ruleset=kept.choice)
        assert "Our Tuesdays (Bas-Saint-Laurent)" in desk.browser.open(f"/club/{desk.club.slug}").text
        assert (
            "house rules: Our Tuesdays (Bas-Saint-Laurent), games to 25" in Browser().open("/e/tuesday").text
        )

    def test_cannot_be_made_with_rules_removed_meanwhile_or_of_another_club(self) -> None:
        desk, other = Desk(), Desk()
        page = desk.new_night(name="Tuesday", ruleset=other.some_rules().choice)
        assert page.status == 422
        assert "House rules removed. Choose others, or restore them." in page.text
        assert not Event.objects.filter(short="tuesday").exists()
