"""Creating a tournament from questions or a preset, on a phone or by keyboard."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from clubs.models import Club
from tests.builders import build_club
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import list_boxes
from tournaments.models import Event


def open_questions(hall: Hall, phone: Phone, *, preset: str = "") -> Page:
    club: Club = build_club(owner=hall.owner)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/tournament{preset and f'?preset={preset}'}")
    return phone.page


def expect_summary(page: Page, text: str) -> None:
    expect(page.locator("#summary")).to_contain_text(text)


def open_section(phone: Phone, title: str) -> None:
    """Unfold a section of the form."""
    phone.tap(phone.page.locator("summary", has_text=title))


def tap_on(phone: Phone, text: str) -> None:
    """Choose the answer with this text."""
    phone.tap(phone.page.locator(".choice").filter(has_text=text).first)


@pytest.mark.parametrize("screen", ["phone", pytest.param("laptop", marks=pytest.mark.long("the same as on a phone"))])
def test_five_answers_create_a_tournament_and_open_its_entries(hall: Hall, phones: Phones, screen: str) -> None:
    phone = phones() if screen == "phone" else phones.open_laptop()
    page = open_questions(hall, phone)
    phone.take_picture("questions")
    tap_on(phone, "Yes, for the best")
    page.locator("[name=rounds]").fill("7")
    phone.tap(phone.find_button("Suggest a tournament"))
    expect_summary(page, "Ranks 1 to 4: knockout, with a match for third place.")
    phone.take_picture("proposed")
    page.get_by_label("Tournament name").fill("Autumn")
    page.locator("[name='stages.0.rounds']").fill("4")
    open_section(phone, "Ranking rules")
    tap_on(phone, "Half a win")
    expect_summary(page, "By results (Swiss), 4 rounds.")
    expect_summary(page, "A bye counts as half a win.")
    phone.take_picture("changed")
    phone.tap(phone.find_button("Enter participants").last)
    expect(page.get_by_text("0 entries").first).to_be_visible()
    event = Event.objects.get()
    assert (event.name, event.stages[0]["rounds"], event.ranking["bye"]) == ("Autumn", 4, "draw")


def test_format_change_swaps_its_fields_and_shows_impossible_settings(hall: Hall, phones: Phones) -> None:
    phone = phones()
    page = open_questions(hall, phone, preset="swiss_final")
    formats = page.get_by_label("Format").first
    formats.focus()
    formats.select_option("pools")
    expect(page.get_by_label("Entries per pool")).to_be_visible()
    expect(formats).to_be_focused()
    expect_summary(page, "Pools.")
    page.locator("[name='stages.1.takes']").select_option("pool_top")
    expect(page.get_by_label("From rank")).to_be_visible()
    expect_summary(page, "The first 4 of each pool")
    page.locator("[name='stages.1.count']").fill("0")
    page.locator("[name='stages.1.count']").blur()
    expect_summary(page, "0 is too small. Choose 1 or more.")
    phone.take_picture("impossible")
    phone.tap(phone.find_button("Enter participants").last)
    expect(page.locator("[name='stages.1.count']")).to_be_focused()
    phone.take_picture("refused")


class TestSlowAnswers:
    """Slow responses, while the user is already at the next field."""

    @pytest.fixture
    def form(self, hall: Hall, phones: Phones) -> Page:
        page = open_questions(hall, phones(), preset="swiss_final")
        page.route("**/tournament*", self.delay_answer)
        return page

    @staticmethod
    def delay_answer(route: Route) -> None:
        answer = route.fetch()
        route.request.frame.page.wait_for_timeout(300)
        route.fulfill(response=answer)

    @pytest.mark.long
    def test_choice_in_a_second_list_is_kept(self, form: Page) -> None:
        form.get_by_label("Format").first.select_option("pools")
        second = form.locator("[name='stages.1.takes']")
        second.select_option("ranked")
        expect(form.get_by_label("Entries per pool")).to_be_visible()
        expect(second).to_have_value("ranked")
        expect(form.get_by_label("From rank")).to_be_visible()
        expect_summary(form, "Pools.")

    @pytest.mark.long
    def test_open_list_and_unfolded_details_are_kept(self, form: Page) -> None:
        details = form.locator(".stage details").last
        details.locator("summary").click()
        second = form.locator("[name='stages.1.takes']").element_handle()
        assert second is not None
        form.get_by_label("Format").first.select_option("pools")
        second.focus()
        expect(form.get_by_label("Entries per pool")).to_be_visible()
        assert second.evaluate("list => list.isConnected && list === document.activeElement")
        expect(details).to_have_attribute("open", "")

    @pytest.mark.long
    def test_text_being_typed_is_not_overwritten(self, form: Page) -> None:
        form.get_by_label("Format").first.select_option("pools")
        count = form.locator("[name='stages.1.count']")
        count.fill("8")
        expect(form.get_by_label("Entries per pool")).to_be_visible()
        expect(count).to_have_value("8")
        count.blur()
        expect_summary(form, "The top 8")

    def test_added_stage_survives_the_next_choice(self, form: Page) -> None:
        form.get_by_role("button", name="Add a stage").click()
        form.get_by_label("Format").first.select_option("pools")
        expect(form.locator(".stage")).to_have_count(3)
        expect(form.get_by_label("Entries per pool")).to_be_visible()


def test_lines_are_moved_by_keyboard_and_keep_the_focus(hall: Hall, phones: Phones) -> None:
    laptop = phones.open_laptop()
    page = open_questions(hall, laptop, preset="swiss")
    open_section(laptop, "Ranking rules")
    page.locator("[id='change_order.2.up']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[id='change_order.1.up']")).to_be_focused()
    expect_summary(page, "Ranking: matches won. Ties: Buchholz, difference")
    page.keyboard.press("Enter")
    expect(page.locator("[id='change_order.0.up']")).to_be_focused()
    page.get_by_label("Add a criterion").focus()
    page.get_by_label("Add a criterion").select_option("lots")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_summary(page, ", lot.")
    expect(page.locator("[id='change_order.4.up']")).to_be_focused()
    page.get_by_label("Tournament name").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 entries").first).to_be_visible()
    assert Event.objects.get().ranking["order"] == [
        "buchholz",
        "match_wins",
        "difference",
        "points_for",
        "lots",
    ]


OPEN_ALL_SCRIPT = "for (const fold of document.querySelectorAll(`main details`)) fold.open = true"


def test_settings_show_one_line_per_section_until_opened(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/settings")
    assert int(str(phone.run_script("document.documentElement.scrollHeight"))) <= 1.5 * 844
    assert min(box["height"] for box in list_boxes(phone.page.locator(".fold > summary"))) >= 56
    for fold in phone.page.locator(".fold").all():
        phone.tap(fold.locator("> summary"))
        saves = fold.get_by_role("button", name=re.compile("^(Save|Change|Cancel|Archive)"))
        expect(saves.or_(fold.get_by_role("link", name="Whole event")).last).to_be_visible()


def test_running_event_previews_a_settings_change(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/settings")
    page = phone.page
    phone.take_picture("settings")
    phone.tap(page.locator("#part-stages > summary"))
    phone.tap(phone.find_button("Add a stage"))
    expect(page.locator("[name='stages.1.count']")).to_have_value("4")
    page.locator("[name='stages.0.rounds']").fill("3")
    phone.tap(phone.find_button("Save stages").last)
    expect(page.get_by_role("heading", name="Effects")).to_be_visible()
    phone.take_picture("effects")
    phone.tap(phone.find_button("^Apply change$"))
    expect(page.get_by_text("Saved.")).to_be_visible()
    phone.take_picture("saved")
    event.refresh_from_db()
    assert [stage["format"] for stage in event.stages] == ["random", "knockout"]
