"""House rules editor: it marks differences, refuses impossible rules and keeps typed values."""

from typing import Any

import pytest

from clubs.models import HouseRules, Membership, Role
from clubs.services.house_rules import create_house_rules
from rules import RULESETS
from tests.builders import build_account
from tests.support.browser import Browser, Page
from tests.support.hall import post_form
from tests.support.office import Office
from tournaments.models import Event

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


class Desk(Office):
    """A club whose owner edits house rules in the browser."""

    @property
    def list(self) -> str:
        return f"/club/{self.club.slug}/house-rules"

    def open_new_form(self, base: str = "bas-saint-laurent") -> Page:
        return self.browser.open(f"{self.list}/new/{base}")

    def save(self, page: Page, **typed: Any) -> Page:
        return self.browser.send(page, page.find_form(control_name="target"), **convert_field_names(typed))

    def press(self, page: Page, button: str, value: str, **typed: Any) -> Page:
        return self.browser.send(
            page, page.find_form(control_name="target"), (button, value), **convert_field_names(typed)
        )

    def create_rules(self, name: str = "Our Tuesdays", **difference: Any) -> HouseRules:
        return create_house_rules(
            club=self.club, name=name, base="bas-saint-laurent", difference=difference or {"target": 25}
        )


def convert_field_names(typed: dict[str, Any]) -> dict[str, Any]:
    """Return the values by field name: ``contracts__grosse__made`` becomes ``contracts.grosse.made``."""
    return {name.replace("__", "."): value for name, value in typed.items()}


def list_differences(page: Page) -> list[str]:
    """Return the differences that the page lists."""
    return [
        one.text.replace("\u00a0", " ")
        for one in page.find_one(id="difference").find_one("ul", class_="differences").find_all("li")
    ]


class TestHouseRulesList:
    def test_empty_list_links_to_every_ruleset(self) -> None:
        desk = Desk()
        page = desk.browser.open(desk.list)
        assert "No house rules yet" in page.text
        for key in RULESETS:
            assert page.find_all("a", href=f"{desk.list}/new/{key}")

    def test_list_is_linked_from_club_and_new_night_pages(self) -> None:
        desk = Desk()
        assert desk.browser.open(f"/club/{desk.club.slug}").find_link("House rules") == desk.list
        assert desk.browser.open(f"/club/{desk.club.slug}/new").find_link("Set house rules") == desk.list

    def test_list_shows_base_rules_and_differences(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules(target=25, contracts={"grosse": {"made": 10, "failed": 5}})
        text = desk.browser.open(desk.list).find_one(id=f"house-{house_rules.pk}").text.replace("\u00a0", " ")
        assert text.startswith("Our Tuesdays Bas-Saint-Laurent")
        assert "To 25 instead of 21. High Card No Trump pays 10 / 5 instead of 8 / 8." in text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_list_removes_and_restores_house_rules(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules()
        page = desk.browser.open(desk.list)
        page = desk.browser.send(page, page.find_form("/remove"))
        assert page.path == desk.list
        assert not page.find_all(id=f"house-{house_rules.pk}")
        page = desk.browser.send(page, page.find_form("/put-back"))
        assert page.find_one(id=f"house-{house_rules.pk}")

    @pytest.mark.slow
    def test_list_refuses_to_restore_a_taken_name(self) -> None:
        desk = Desk()
        desk.create_rules()
        page = desk.browser.open(desk.list)
        page = desk.browser.send(page, page.find_form("/remove"))
        desk.create_rules(target=30)
        page = desk.browser.send(page, page.find_form("/put-back"))
        assert page.status == 422
        assert page.alert.startswith("House rules “Our Tuesdays” already exist.")


class TestHouseRulesEditor:
    @pytest.mark.parametrize("base", RULESETS)
    def test_new_form_starts_with_the_standard_rules(self, base: str) -> None:
        page = Desk().open_new_form(base)
        assert page.find_field("target").value == str(RULESETS[base].target)
        assert list_differences(page) == ["Same as the standard rules."]
        assert not page.find_all("button", name="reset")

    def test_editor_saves_changes_as_differences(self) -> None:
        desk = Desk()
        page = desk.save(
            desk.open_new_form(),
            name=" Our Tuesdays ",
            target="25",
            contracts__petite__bid=[],
            contracts__grosse__made="10",
            contracts__grosse__failed="5",
        )
        house_rules = HouseRules.objects.get()
        assert page.path == desk.list
        assert (house_rules.name, house_rules.base) == ("Our Tuesdays", "bas-saint-laurent")
        assert house_rules.difference == {
            "target": 25,
            "ladder": [key for key in RULESETS[house_rules.base].ladder if key != "petite"],
            "contracts": {"grosse": {"made": 10, "failed": 5}},
        }

    @pytest.mark.slow
    def test_editor_loads_and_changes_saved_rules(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules(target=25)
        page = desk.browser.open(f"{desk.list}/{house_rules.pk}")
        assert (page.find_field("name").value, page.find_field("target").value) == ("Our Tuesdays", "25")
        assert list_differences(page) == ["To 25 instead of 21."]
        assert desk.save(page, name="Wednesdays", target="21").path == desk.list
        house_rules.refresh_from_db()
        assert (house_rules.name, house_rules.difference) == ("Wednesdays", {})

    @pytest.mark.long
    def test_reset_button_restores_the_standard_value(self) -> None:
        desk = Desk()
        page = desk.press(desk.open_new_form(), "check", "1", target="25", games_to_win="1", name="Ours")
        assert page.find_one(id="state-target").text.startswith("Changed. Standard: 21")
        assert page.find_one(id="state-contracts-5").text == "Standard: 5 / 5"
        assert list_differences(page) == ["To 25 instead of 21.", "Games to win a match: 1 instead of 2."]
        page = desk.press(page, "reset", "target")
        assert page.find_field("target").value == "21"
        assert list_differences(page) == ["Games to win a match: 1 instead of 2."]
        assert page.find_field("name").value == "Ours"
        assert not HouseRules.objects.exists()

    @pytest.mark.parametrize("button", [("check", "1"), ("reset", "all_pass"), ("reset", "nothing")])
    def test_check_and_reset_buttons_save_nothing(self, button: tuple[str, str]) -> None:
        desk = Desk()
        page = desk.press(desk.open_new_form(), *button, target="25")
        assert (page.status, page.alert) == (200, "")
        assert not HouseRules.objects.exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_htmx_response_contains_only_changed_parts(self) -> None:
        desk = Desk()
        page = desk.open_new_form()
        desk.browser.client.defaults |= HTMX
        part = desk.press(page, "check", "1", target="25")
        assert list_differences(part) == ["To 25 instead of 21."]
        assert part.find_one(id="count").text == "1 difference"
        assert not part.find_all("form")
        assert not part.find_all("input")
        swapped = {one.attrs["id"] for one in part.find_all(**{"hx-swap-oob": "true"})}
        assert swapped <= {one.attrs["id"] for one in page.find_all() if "id" in one.attrs}

    def test_enter_key_presses_the_save_button(self) -> None:
        form = Desk().open_new_form().find_form(control_name="target")
        first = next(form.find_all("button"))
        assert first.attrs.get("name") is None
        assert first.text == "Save rules"

    @pytest.mark.long
    def test_double_click_saves_one_set_of_rules(self) -> None:
        desk = Desk()
        page = desk.open_new_form()
        for _ in range(2):
            assert desk.save(page, name="Our Tuesdays", target="25").path == desk.list
        assert HouseRules.objects.count() == 1

    def test_editor_refuses_a_taken_name_at_its_field(self) -> None:
        desk = Desk()
        desk.create_rules()
        page = desk.save(desk.open_new_form(), name="our tuesdays", target="30")
        assert page.status == 422
        assert page.get_field_error("name").startswith("House rules “Our Tuesdays” already exist.")
        assert page.find_field("target").value == "30"

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
    def test_refused_form_keeps_typed_values(self, field: str, typed: str, sentence: str) -> None:
        desk = Desk()
        form_values = {"name": "Our Tuesdays", "contracts.6.made": "7", "all_pass": "next_dealer"}
        page = desk.save(desk.open_new_form(), **form_values | {field: typed})
        assert page.status == 422
        assert page.alert
        assert page.get_field_error(field) == sentence
        assert page.find_field(field).value == typed
        assert page.find_field("contracts.6.made").value == "7"
        assert page.list_checked_values("all_pass") == ["next_dealer"]
        assert not HouseRules.objects.exists()

    @pytest.mark.long
    def test_editor_reports_all_errors_with_links(self) -> None:
        desk = Desk()
        page = desk.save(desk.open_new_form("maine"), name="", target="0", contracts__5__bid=[])
        errors = [page.get_field_error(name) for name in ("name", "target", "forced_bid")]
        assert all(errors)
        assert errors[2] == "The order of bids lacks the dealer’s forced bid (5). Add or change it."
        links = page.find_one(id="difference").find_all("a")
        for link in links:
            assert page.find_one(id=link.attrs["href"].removeprefix("#"))
        assert [link.text for link in page.find_one(id="difference").find_all("a")] == [
            "Points that win a game",
            "When all pass",
        ]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_editor_refuses_rules_without_bids(self) -> None:
        desk = Desk()
        nothing: dict[str, list[str]] = {
            f"contracts.{contract.key}.bid": [] for contract in RULESETS["canadian"].contracts
        }
        page = desk.save(desk.open_new_form("canadian"), name="Ours", **nothing)
        assert page.status == 422
        assert page.find_one(id="state-ladder").text == "No bids are left. Keep at least one."

    def test_editor_refuses_a_charlemagne_without_modes(self) -> None:
        desk = Desk()
        page = desk.save(desk.open_new_form(), name="Ours", contracts__charlemagne__modes=[])
        assert page.status == 422
        assert "Choose at least one way to play." in page.find_one(id="state-contracts-charlemagne").text

    @pytest.mark.parametrize("address", ["new/whist", "0", "99"])
    def test_unknown_rules_have_no_editor_page(self, address: str) -> None:
        desk = Desk()
        assert desk.browser.open(f"{desk.list}/{address}").status == 404

    def test_removed_rules_have_no_editor_page(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules()
        page = desk.browser.open(desk.list)
        desk.browser.send(page, page.find_form("/remove"))
        assert desk.browser.open(f"{desk.list}/{house_rules.pk}").status == 404


@pytest.mark.long
class TestEditorPermissions:
    def add_helper(self, desk: Desk, role: Role) -> Browser:
        account = build_account()
        Membership.objects.create(club=desk.club, account=account, role=role)
        return Browser(account=account)

    def test_director_can_create_house_rules(self) -> None:
        desk = Desk()
        desk.browser = self.add_helper(desk, Role.DIRECTOR)
        assert desk.save(desk.open_new_form(), name="Ours", target="25").path == desk.list

    def test_desk_helper_can_only_read_house_rules(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules()
        helper = self.add_helper(desk, Role.DESK)
        page = helper.open(desk.list)
        assert "To 25 instead of 21." in page.text
        assert "New night" not in page.text
        assert not [link for link in page.find_all("a") if f"{desk.list}/" in link.attrs["href"]]
        assert not [form for form in page.find_all("form") if desk.list in form.attrs.get("action", "")]
        for path in ("new/maine", f"{house_rules.pk}", f"{house_rules.pk}/remove", f"{house_rules.pk}/put-back"):
            refused = post_form(helper, f"{desk.list}/{path}", {"name": "Mine", "target": "1"})
            assert refused.status == 403
            assert "Only the director can do this." in refused.text
        assert HouseRules.objects.get().difference == {"target": 25}
        assert not HouseRules.objects.get().is_removed

    def test_house_rules_of_another_club_cannot_be_changed(self) -> None:
        desk, other = Desk(), Desk()
        house_rules = other.create_rules()
        for path in (f"{house_rules.pk}", f"{house_rules.pk}/remove", f"{house_rules.pk}/put-back"):
            assert post_form(desk.browser, f"{desk.list}/{path}", {"name": "Mine", "target": "1"}).status == 404
            assert post_form(desk.browser, f"{other.list}/{path}", {"name": "Mine", "target": "1"}).status == 404
        assert "Our Tuesdays" not in desk.browser.open(desk.list).text
        assert HouseRules.objects.get().difference == {"target": 25}


class TestNewNight:
    def test_new_night_form_offers_house_rules_with_differences(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules()
        page = desk.browser.open(f"/club/{desk.club.slug}/new")
        offered = next(one for one in page.find_all("label") if list(one.find_all("input", value=house_rules.choice)))
        assert offered.text == "Our Tuesdays Bas-Saint-Laurent. To 25 instead of 21."
        assert page.list_checked_values("ruleset") == ["canadian"]

    @pytest.mark.slow
    def test_new_night_copies_the_house_rules(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules(target=25, games_to_win=3)
        page = desk.browser.open(desk.browser.open(desk.list).find_link("New night"))
        assert page.list_checked_values("ruleset") == [house_rules.choice]
        assert page.find_field("games_to_win").value == "3"
        page = desk.browser.send(page, page.find_form(control_name="table_count"), name="Tuesday")
        terms = Event.objects.get(short="tuesday").terms
        assert (terms.ruleset, terms.rules_name) == (house_rules.ruleset, "Our Tuesdays")

    @pytest.mark.slow
    def test_pages_name_the_house_rules_of_a_night(self) -> None:
        desk = Desk()
        house_rules = desk.create_rules()
        desk.create_night(name="Tuesday", ruleset=house_rules.choice)
        assert "Our Tuesdays (Bas-Saint-Laurent)" in desk.browser.open(f"/club/{desk.club.slug}").text
        assert "house rules: Our Tuesdays (Bas-Saint-Laurent), games to 25" in Browser().open("/e/tuesday").text

    @pytest.mark.slow
    def test_new_night_refuses_house_rules_of_another_club(self) -> None:
        desk, other = Desk(), Desk()
        page = desk.create_night(name="Tuesday", ruleset=other.create_rules().choice)
        assert page.status == 422
        assert "House rules removed. Choose others, or restore them." in page.text
        assert not Event.objects.filter(short="tuesday").exists()
