"""Screens without scrolling for an ordinary hand, and without sideways scrolling anywhere."""

from dataclasses import dataclass
from itertools import product

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from clubs.models import Person
from rules import RULESETS
from scoring.models import Match
from scoring.services.matches import name_first_dealer
from tests import external_tools
from tests.builders import compute_standings, matches_of, play, play_round, start_next_round, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.rounds.services.rounds import close_round, draw_round

pytestmark = pytest.mark.skipif(external_tools.find_phone_font() is None, reason="letters are wider than a phone's")

LANGUAGES = (
    pytest.param("en", marks=pytest.mark.long("French words are longer, and always checked")),
    "fr-CA",
)
"""Languages in which texts must fit."""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
DOWNWARDS = "document.documentElement.scrollHeight - window.innerHeight"
CUT_OFF_SCRIPT = """[...document.querySelectorAll("main *, header *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && element.checkVisibility() && (box.right > innerWidth + 1 || box.left < -1);
}).map((element) => element.outerHTML.slice(0, 120))"""


def is_nothing_cut_off_sideways(phone: Phone, where: object = "") -> None:
    """Check that nothing exceeds the width of the page; the failure names ``where``."""
    assert phone.run_script(CUT_OFF_SCRIPT) == [], where
    assert phone.run_script(SIDEWAYS) == 0, where


BOXES = """elements => elements.filter((element) => element.getClientRects().length)
  .map((element) => element.getBoundingClientRect())
  .map(({x, y, width, height}) => ({x, y, width, height}))"""


def list_boxes(keys: Locator) -> list[FloatRect]:
    """Return the boxes of all drawn elements, measured at once."""
    found: list[FloatRect] = keys.evaluate_all(BOXES)
    return found


def list_gaps(keys: list[FloatRect]) -> set[int]:
    """Return the gaps between neighbouring keys of a lane, within rows and between rows."""
    found = set()
    for one in keys:
        right = [b["x"] - one["x"] - one["width"] for b in keys if b["y"] == one["y"] and b["x"] > one["x"]]
        below = [b["y"] - one["y"] - one["height"] for b in keys if b["y"] > one["y"]]
        found |= {round(min(distances)) for distances in (right, below) if distances}
    return found


def set_long_names(match: Match) -> None:
    """Give the players of side A very long names."""
    names = ("Marie-Paule Saint-Pierre-Desrosiers", "Jean-Baptiste de la Bruère-Montarville")
    for player, name in zip(match.players.filter(seat__in=(0, 2)), names, strict=True):
        Person.objects.filter(pk=player.person_id).update(name=name)


def test_ordinary_canadian_hand_needs_no_scrolling(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    for dealer in range(4):
        name_first_dealer(match_id=hall.match.pk, seat=dealer)
        phone.open(hall.table)
        phone.take_picture(f"dealer-{dealer}")
        assert int(str(phone.run_script(DOWNWARDS))) <= 0
    phone.tap(phone.find_contract_key("A-6"))
    phone.take_picture("tricks")
    assert int(str(phone.run_script(DOWNWARDS))) <= 0
    phone.tap(phone.find_result_key("A-6-7"))
    phone.expect_sent_totals(6, 0)
    phone.mark("A-charlemagne-7")  # the longest line that the last hand may have
    phone.expect_sent_totals(6, 8)
    phone.take_picture("long-contract")
    expect(phone.find_button("Undo")).to_be_in_viewport(ratio=1)
    for name in ("All pass", "Misdeal"):
        key, foot = list_boxes(phone.find_button(name))[0], list_boxes(phone.page.locator(".foot.last"))[0]
        assert key["y"] + key["height"] <= foot["y"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Required size and rows of the bid keys on a screen, in pixels."""

    size: tuple[int, int]
    min_height: int
    rows: int | None = None


KEYS = {
    "phone": Keys(size=(390, 844), min_height=72),
    "small phone": Keys(size=(320, 640), min_height=56),
    "phone on its side": Keys(size=(844, 390), min_height=64, rows=3),
}


def test_bid_keys_are_large_and_evenly_spaced(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    for screen, wanted in KEYS.items():
        phone.resize(*wanted.size)
        for lane in phone.page.locator(".lane").all():
            keys = list_boxes(lane.locator(".key"))
            assert len(keys) == 8, screen
            assert min(key["height"] for key in keys) >= wanted.min_height, screen
            assert list_gaps(keys) == {8}, screen
            assert wanted.rows in {None, len({key["y"] for key in keys})}, screen
        is_nothing_cut_off_sideways(phone, screen)


def test_detail_choices_are_large_enough_for_a_finger(hall: Hall, phones: Phones) -> None:
    hall.build_night(ruleset=RULESETS["bas-saint-laurent"], details=("declarer", "trump", "mode"))
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.find_contract_key("A-charlemagne"))
    choices = phone.page.locator("[id='A-charlemagne']").locator(".choices label, select")
    expect(choices).to_have_count(7)
    assert min(box["height"] for box in list_boxes(choices)) >= 56
    phone.tap(phone.page.get_by_role("radio", name="hearts").locator("visible=true"))
    phone.take_picture("details")
    phone.tap(phone.find_result_key("A-charlemagne-failed"))
    phone.tap(phone.find_button("Yes, that’s right"))
    expect(phone.page.locator(".agree")).to_be_visible()
    phone.has_sent()
    assert hall.match.marks.get().record_data["trump"] == "H"


@pytest.mark.parametrize("language", ["en-CA", "fr-CA"])
def test_small_phone_never_scrolls_sideways(hall: Hall, phones: Phones, language: str) -> None:
    phone = phones(locale=language)
    phone.resize(320, 640)
    for key, ruleset in RULESETS.items():
        if key.startswith("bas") == (language == "fr-CA"):
            hall.build_night(ruleset=ruleset)
            phone.open(hall.table)
            phone.take_picture("lanes")
            is_nothing_cut_off_sideways(phone, key)
            for contract in ruleset.playable:
                phone.open(f"{hall.table}#A-{contract.key}")
                is_nothing_cut_off_sideways(phone, (key, contract.key))
            phone.take_picture("tricks")


def get_hands_path(hall: Hall) -> str:
    return f"{hall.table}/hands"


def get_event_path(hall: Hall) -> str:
    assert hall.event is not None
    return f"/e/{hall.event.short}"


def get_desk_path(hall: Hall) -> str:
    return f"{get_event_path(hall)}/desk"


def get_entries_path(hall: Hall) -> str:
    return f"{get_desk_path(hall)}/entries"


BROKEN = """[...document.querySelectorAll("table .num, th[scope=row], .hand b:first-child, .hand .num")]
  .filter((cell) => {
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let text = words.nextNode(); text; text = words.nextNode()) {
      for (const { index, 0: number } of text.data.matchAll(/[0-9]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + number.length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) return true;
      }
    }
    return false;
  }).map((cell) => cell.textContent.trim())"""
"""Hand numbers whose digits break over several lines, so that 12 reads as a 1 above a 2."""


@pytest.mark.long
def test_double_text_size_keeps_hand_numbers_on_one_line(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    set_long_names(hall.match)
    play(hall.match, "A 6 7", "B 6 made", "B 7 made", "A 5 made", "B 5 made")
    phone = phones(locale="fr-CA")
    for path in (get_hands_path(hall), f"/e/{event.short}/rounds/1/tables/1"):
        phone.open(path)
        for width in (390, 320):
            phone.resize(width, text=32)
            phone.take_picture(f"hands-{width}{path.replace('/', '-')}")
            assert phone.run_script(BROKEN) == [], (path, width)
            is_nothing_cut_off_sideways(phone, (path, width))


@pytest.mark.long
def test_last_hand_shows_its_points_despite_long_names(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    set_long_names(hall.match)
    play(hall.match, "A 6 7")
    phone = phones()
    phone.open(hall.table)
    line = phone.page.locator(".last .gain")
    for screen in product((360, 390, 844), (844,), (16, 24)):
        phone.resize(*screen)
        (whole,), (brought,) = list_boxes(line), list_boxes(line.get_by_text("+6"))
        assert whole["y"] <= brought["y"], screen
        assert brought["y"] + brought["height"] <= whole["y"] + whole["height"] + 1, screen
        is_nothing_cut_off_sideways(phone, screen)


def test_phone_standings_have_one_line_per_pair(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=8)
    set_long_names(hall.match)
    play_round(event)
    start_next_round(event)
    play_round(event, 2)
    compute_standings(event)
    phone = phones(locale="fr-CA")
    for path, width in product((get_event_path(hall), f"{get_event_path(hall)}/standings"), (390, 320)):
        where = path, width
        phone.resize(width)
        phone.open(path)
        rows = phone.page.locator(".standings li summary")
        expect(rows).to_have_count(8)
        for row in rows.all():
            expect(row.locator(":scope > span:not(.pair):visible"), str(where)).to_have_count(2)
            (line,) = list_boxes(row)
            for box in list_boxes(row.locator(":scope > :visible")):
                middle = box["y"] + box["height"] / 2
                assert abs(middle - line["y"] - line["height"] / 2) < 4, ("below the name", *where)
        phone.take_picture("standings")
        is_nothing_cut_off_sideways(phone, where)
        phone.tap(rows.first)
        opened = phone.page.locator(".standings li details[open]")
        expect(opened.locator("summary"), str(where)).to_contain_text("Parties gagnées")
        for other in opened.locator("summary .more").all():
            expect(other, str(where)).to_be_visible()
        expect(opened.get_by_role("heading", name="Rondes"), str(where)).to_be_visible()
        is_nothing_cut_off_sideways(phone, where)
        phone.take_picture("opened")
    laptop = phones.open_laptop()
    laptop.open(f"{get_event_path(hall)}/standings")
    expect(laptop.page.locator(".standings li summary").first.locator(":scope > span:visible")).to_have_count(5)


@pytest.mark.long
def test_whole_standings_row_is_on_the_screen(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=8)
    play_round(event)
    start_next_round(event)
    play_round(event, 2)
    compute_standings(event)
    phone = phones()
    phone.open(get_event_path(hall))
    rows = phone.page.locator(".standings li summary")
    expect(rows).to_have_count(8)
    for row in rows.all():
        for box in list_boxes(row.locator(":scope > *:visible")):
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
        texts = [text.strip() for text in row.locator(":scope > span:not(.pair):visible").all_inner_texts()]
        assert len(texts) == 2
    is_nothing_cut_off_sideways(phone)
    assert min(box["height"] for box in list_boxes(phone.page.locator(".band a"))) >= 40
    phone.take_picture("standings")
    phone.tap(rows.first)
    is_nothing_cut_off_sideways(phone)
    phone.take_picture("why")


def test_keys_do_not_move_when_a_total_changes(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    before = list_boxes(phone.page.locator(".lanes .key"))
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
    phone.has_sent()
    assert list_boxes(phone.page.locator(".lanes .key")) == before


@pytest.mark.long
def test_laptop_desk_has_one_line_per_table(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=8)
    win(matches_of(event)[1])
    play(matches_of(event)[2], "A 6 7")
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(get_desk_path(hall))
    laptop.take_picture("desk")
    assert max(box["height"] for box in list_boxes(laptop.page.locator(".tables > li"))) < 70
    assert laptop.run_script(SIDEWAYS) == 0
    play_round_of_the_others(hall)
    draw_round(event_id=event.pk)
    laptop.open(get_desk_path(hall))
    laptop.take_picture("draft")
    assert laptop.run_script(SIDEWAYS) == 0


def play_round_of_the_others(hall: Hall) -> None:
    assert hall.event is not None
    for match in matches_of(hall.event):
        if not match.is_over:
            play(match, "A gros_charlemagne made")
    close_round(event_id=hall.event.pk, number=1)


@pytest.mark.long
def test_overlong_and_one_letter_names_stay_within_the_page(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    endless = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft"
    for match in matches_of(event):
        for player, name in zip(match.players.order_by("seat"), (endless, "A"), strict=False):
            Person.objects.filter(pk=player.person_id).update(name=name, shows_full_name=True)
    win(matches_of(event)[0])
    compute_standings(event)
    desk = phones()
    desk.sign_in(hall.owner)
    of_the_desk = ("", "/rounds/1", "/entries", "/entries/check-in", "/fees")
    for page in (
        *("", "/rounds/1", "/rounds/1/tables/1", "/standings"),
        *(f"/desk{one}" for one in of_the_desk),
    ):
        desk.open(f"/e/{event.short}{page}")
        is_whole_on_both_phones(desk, page)
    phone = phones()
    for match in matches_of(event):
        phone.open(f"/t/{match.card.code}")
        is_whole_on_both_phones(phone, match.card)
    phone.tap(phone.find_contract_key("A-6"))
    is_whole_on_both_phones(phone, "a result")


def is_whole_on_both_phones(phone: Phone, page: object) -> None:
    for width in (390, 320):
        phone.resize(width)
        is_nothing_cut_off_sideways(phone, (page, width))


def test_result_keys_are_large_and_need_no_scrolling(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    play(hall.match, "B 5 made")
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    phone.tap(phone.find_contract_key("A-6"))
    results, figures = (phone.page.locator(f".step:target {part} .key") for part in (".outcomes", ".tricks"))
    for screen in ((390, 844), (360, 640)):
        phone.resize(*screen)
        assert [box["height"] >= 120 for box in list_boxes(results)] == [True, True], screen
        assert [box["height"] >= 56 for box in list_boxes(figures)] == [True] * 9, screen
        for key in (*results.all(), *figures.all(), phone.find_button("Annuler la main 1")):
            expect(key, str(screen)).to_be_in_viewport(ratio=1)
    expect(results.first).to_contain_text("+6 →\xa06", use_inner_text=True)
    expect(results.last).to_contain_text("+6 aux autres", use_inner_text=True)


@pytest.mark.long
def test_long_club_name_stays_within_the_page(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    event.entries.update(team="Club des Joyeux Lurons de Saint-Jean-de-la-Lande", labels="Débutantes, Femmes, Juniors")
    phone = phones()
    phone.sign_in(hall.owner)
    for page in ("", "/teams", "/1"):
        phone.open(f"{get_entries_path(hall)}{page}")
        is_whole_on_both_phones(phone, page)
    phone.take_picture("long-club")
