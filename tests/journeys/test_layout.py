"""Screens without scrolling for an ordinary hand, and without sideways scrolling anywhere."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from clubs.models import Person
from clubs.services import create_house_rules
from rules import RULESETS
from scoring.models import Match
from scoring.services import name_first_dealer
from tests import parts
from tests.builders import TWO_GAMES, matches_of, next_round, play, play_round, standings_after, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.rounds.services.rounds import close_round, draw_round

pytestmark = pytest.mark.skipif(parts.phone_font() is None, reason="letters are wider than a phone's")

LANGUAGES = (
    pytest.param("en", marks=pytest.mark.long("French words are longer, and each run looks at them")),
    "fr-CA",
)
"""In which it is tried whether words fit."""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
DOWNWARDS = "document.documentElement.scrollHeight - window.innerHeight"
CUT_OFF = """[...document.querySelectorAll("main *, header *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && element.checkVisibility() && (box.right > innerWidth + 1 || box.left < -1);
}).map((element) => element.outerHTML.slice(0, 120))"""


def is_nothing_cut_off_sideways(phone: Phone, where: object = "") -> None:
    """The failure says where."""
    assert phone.runs(CUT_OFF) == [], where
    assert phone.runs(SIDEWAYS) == 0, where


BOXES = """elements => elements.filter((element) => element.getClientRects().length)
  .map((element) => element.getBoundingClientRect())
  .map(({x, y, width, height}) => ({x, y, width, height}))"""


def boxes(keys: Locator) -> list[FloatRect]:
    """Of all that are drawn, at once."""
    found: list[FloatRect] = keys.evaluate_all(BOXES)
    return found


def gaps(keys: list[FloatRect]) -> set[int]:
    """Return how far each key is from the next one in its row, and its row from the next row, of one lane."""
    found = set()
    for one in keys:
        right = [b["x"] - one["x"] - one["width"] for b in keys if b["y"] == one["y"] and b["x"] > one["x"]]
        below = [b["y"] - one["y"] - one["height"] for b in keys if b["y"] > one["y"]]
        found |= {round(min(distances)) for distances in (right, below) if distances}
    return found


def long_names_at(match: Match) -> None:
    """Give side A names as long as they come, whatever the lot said."""
    names = ("Marie-Paule Saint-Pierre-Desrosiers", "Jean-Baptiste de la Bruère-Montarville")
    for player, name in zip(match.players.filter(seat__in=(0, 2)), names, strict=True):
        Person.objects.filter(pk=player.person_id).update(name=name)


def test_an_ordinary_hand_needs_no_scrolling_by_the_canadian_rules(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    for dealer in range(4):
        name_first_dealer(match_id=hall.match.pk, seat=dealer)
        phone.open(hall.table)
        phone.picture(f"dealer-{dealer}")
        assert int(str(phone.runs(DOWNWARDS))) <= 0
    phone.tap(phone.contract("A-6"))
    phone.picture("tricks")
    assert int(str(phone.runs(DOWNWARDS))) <= 0
    phone.tap(phone.result("A-6-7"))
    phone.sees_totals(6, 0)
    phone.mark("A-charlemagne-7")  # the longest line that the last hand may have
    phone.sees_totals(6, 8)
    phone.picture("long-contract")
    expect(phone.button("Undo")).to_be_in_viewport(ratio=1)
    for name in ("All pass", "Misdeal"):
        key, foot = boxes(phone.button(name))[0], boxes(phone.page.locator(".foot.last"))[0]
        assert key["y"] + key["height"] <= foot["y"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Needs of the keys of bids on a screen."""

    size: tuple[int, int]
    least_height: int
    rows: int | None = None


KEYS = {
    "phone": Keys(size=(390, 844), least_height=72),
    "small phone": Keys(size=(320, 640), least_height=56),
    "phone on its side": Keys(size=(844, 390), least_height=64, rows=3),
}


def test_every_key_is_large_and_apart_from_the_others(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    for screen, wanted in KEYS.items():
        phone.resize(*wanted.size)
        for lane in phone.page.locator(".lane").all():
            keys = boxes(lane.locator(".key"))
            assert len(keys) == 8, screen
            assert min(key["height"] for key in keys) >= wanted.least_height, screen
            assert gaps(keys) == {8}, screen
            assert wanted.rows in {None, len({key["y"] for key in keys})}, screen
        is_nothing_cut_off_sideways(phone, screen)


def test_what_a_hand_asks_for_beside_its_result_is_large_enough_for_a_finger(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night(ruleset=RULESETS["bas-saint-laurent"], details=("declarer", "trump", "mode"))
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.contract("A-charlemagne"))
    choices = phone.page.locator("[id='A-charlemagne']").locator(".choices label, select")
    expect(choices).to_have_count(7)
    assert min(box["height"] for box in boxes(choices)) >= 56
    phone.tap(phone.page.get_by_role("radio", name="hearts").locator("visible=true"))
    phone.picture("details")
    phone.tap(phone.result("A-charlemagne-failed"))
    phone.tap(phone.button("Yes, that’s right"))
    expect(phone.page.locator(".agree")).to_be_visible()
    phone.has_sent()
    assert hall.match.marks.get().record_data["trump"] == "H"


@pytest.mark.parametrize("language", ["en-CA", "fr-CA"])
def test_a_small_phone_scrolls_down_but_never_sideways(hall: Hall, phones: Phones, language: str) -> None:
    phone = phones(locale=language)
    phone.resize(320, 640)
    for key, ruleset in RULESETS.items():
        if key.startswith("bas") == (language == "fr-CA"):
            hall.a_night(ruleset=ruleset)
            phone.open(hall.table)
            phone.picture("lanes")
            is_nothing_cut_off_sideways(phone, key)
            for contract in ruleset.playable:
                phone.open(f"{hall.table}#A-{contract.key}")
                is_nothing_cut_off_sideways(phone, (key, contract.key))
            phone.picture("tricks")


def a_table(hall: Hall) -> str:
    return hall.table


def a_step(hall: Hall) -> str:
    return f"{hall.table}#B-charlemagne"


def more(hall: Hall) -> str:
    return f"{hall.table}#more"


def hands(hall: Hall) -> str:
    return f"{hall.table}/hands"


def public(hall: Hall) -> str:
    assert hall.event is not None
    return f"/e/{hall.event.short}"


def rules(hall: Hall) -> str:
    return f"{public(hall)}/rules"


def ruling(hall: Hall) -> str:
    return f"{public(hall)}/ruling?trump=H&ask=play&tray=hand&trick=AS-X1-KS&hand=QS-JD-10S-9S-8S-7S-AH-KH"


def who_wins(hall: Hall) -> str:
    return "/rules/bas-saint-laurent-jokers/ruling?trump=grosse&trick=AS-X1-KS-10H"


def all_the_rules(hall: Hall) -> str:
    return "/rules"


def desk(hall: Hall) -> str:
    return f"{public(hall)}/desk"


def entries(hall: Hall) -> str:
    return f"{desk(hall)}/entries"


def new_night(hall: Hall) -> str:
    assert hall.event is not None
    return f"/club/{hall.event.club.slug}/new"


def club(hall: Hall) -> str:
    assert hall.event is not None
    return f"/club/{hall.event.club.slug}"


def house_rules(hall: Hall) -> str:
    return f"{club(hall)}/house-rules"


def house_rules_editor(hall: Hall) -> str:
    assert hall.event is not None
    modes = ["partner", "reserve+partner"]
    kept = create_house_rules(
        club=hall.event.club,
        name="Les règles du mardi",
        base="bas-saint-laurent-jokers",
        difference={"target": 25, "contracts": {"grosse": {"made": 10}, "charlemagne": {"modes": modes}}},
    )
    return f"{house_rules(hall)}/{kept.pk}"


def at_the_desk(hall: Hall) -> str:
    return f"/match/{hall.match.pk}"


def paper(hall: Hall) -> str:
    return f"{at_the_desk(hall)}/sheet"


def components(hall: Hall) -> str:
    return "/components"


def components_of_a_table(hall: Hall) -> str:
    return "/components/table"


PAGES: list[Callable[[Hall], str]] = [
    *(house_rules_editor, house_rules),
    *(a_table, a_step, more, hands, public, rules, ruling, who_wins, all_the_rules, desk, entries),
    *(new_night, club, at_the_desk, paper),
    *(components, components_of_a_table),
]
SCREENS = {
    "phone": (390, 844, 16),
    "small phone": (320, 640, 16),
    "text at 150 %": (390, 844, 24),
    "text at 200 %": (390, 844, 32),
    "small phone, text at 200 %": (320, 640, 32),
}


def home(hall: Hall) -> str:
    return "/"


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
"""Numbers of the hands whose digits stand on several lines: 12 reads as a 1 above a 2."""


def test_letters_of_twice_the_size_leave_the_numbers_of_the_hands_whole(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(pairs=4)
    long_names_at(hall.match)
    play(hall.match, "A 6 7", "B 6 made", "B 7 made", "A 5 made", "B 5 made")
    phone = phones(locale="fr-CA")
    for path in (hands(hall), f"/e/{event.short}/rounds/1/tables/1"):
        phone.open(path)
        for width in (390, 320):
            phone.resize(width, text=32)
            phone.picture(f"hands-{width}{path.replace('/', '-')}")
            assert phone.runs(BROKEN) == [], (path, width)
            is_nothing_cut_off_sideways(phone, (path, width))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_a_phone(hall: Hall, phones: Phones, language: str) -> None:
    event = hall.a_night(pairs=7, match_format=TWO_GAMES, tables=4)
    long_names_at(hall.match)
    for match in matches_of(event)[:-1]:
        play(match, "A 6 7", "B mulot failed")
    standings_after(event)
    phone = phones(locale=language)
    hall.owner.language = language[:2]
    hall.owner.save()
    phone.sign_in(hall.owner)
    phone.open("/")
    expect(phone.page.locator("html")).to_have_attribute("lang", language)
    wrong = {}
    for page in (home, *PAGES):
        phone.open("about:blank")  # a step is another page, too
        phone.open(page(hall))
        for screen, (width, height, text) in SCREENS.items():
            phone.resize(width, height, text)
            phone.picture(f"{page.__name__}-{screen}")
            if cut_off := phone.runs(CUT_OFF):
                wrong[page.__name__, screen] = cut_off
            elif phone.runs(SIDEWAYS):
                wrong[page.__name__, screen] = "scrolls sideways"
    assert wrong == {}


def test_the_last_hand_shows_its_points_however_long_the_names_are(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    long_names_at(hall.match)
    play(hall.match, "A 6 7")
    phone = phones()
    phone.open(hall.table)
    line = phone.page.locator(".last .gain")
    for screen in product((360, 390, 844), (844,), (16, 24)):
        phone.resize(*screen)
        (whole,), (brought,) = boxes(line), boxes(line.get_by_text("+6"))
        assert whole["y"] <= brought["y"], screen
        assert brought["y"] + brought["height"] <= whole["y"] + whole["height"] + 1, screen
        is_nothing_cut_off_sideways(phone, screen)


def test_standings_on_a_phone_are_one_line_for_each_pair(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(pairs=8)
    long_names_at(hall.match)
    play_round(event)
    next_round(event)
    play_round(event, 2)
    standings_after(event)
    phone = phones(locale="fr-CA")
    for path, width in product((public(hall), f"{public(hall)}/standings"), (390, 320)):
        where = path, width
        phone.resize(width)
        phone.open(path)
        rows = phone.page.locator(".standings li summary")
        expect(rows).to_have_count(8)
        for row in rows.all():
            expect(row.locator(":scope > span:not(.pair):visible"), str(where)).to_have_count(2)
            (line,) = boxes(row)
            for box in boxes(row.locator(":scope > :visible")):
                middle = box["y"] + box["height"] / 2
                assert abs(middle - line["y"] - line["height"] / 2) < 4, ("below the name", *where)
        phone.picture("standings")
        is_nothing_cut_off_sideways(phone, where)
        phone.tap(rows.first)
        opened = phone.page.locator(".standings li details[open]")
        expect(opened.locator("summary"), str(where)).to_contain_text("Parties gagnées")
        for other in opened.locator("summary .more").all():
            expect(other, str(where)).to_be_visible()
        expect(opened.get_by_role("heading", name="Rondes"), str(where)).to_be_visible()
        is_nothing_cut_off_sideways(phone, where)
        phone.picture("opened")
    laptop = phones.laptop()
    laptop.open(f"{public(hall)}/standings")
    expect(laptop.page.locator(".standings li summary").first.locator(":scope > span:visible")).to_have_count(
        5
    )


def test_the_whole_row_of_a_pair_is_on_the_screen(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(pairs=8)
    play_round(event)
    next_round(event)
    play_round(event, 2)
    standings_after(event)
    phone = phones()
    phone.open(public(hall))
    rows = phone.page.locator(".standings li summary")
    expect(rows).to_have_count(8)
    for row in rows.all():
        for box in boxes(row.locator(":scope > *:visible")):
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
        texts = [text.strip() for text in row.locator(":scope > span:not(.pair):visible").all_inner_texts()]
        assert len(texts) == 2
    is_nothing_cut_off_sideways(phone)
    assert min(box["height"] for box in boxes(phone.page.locator(".band a"))) >= 40
    phone.picture("standings")
    phone.tap(rows.first)
    is_nothing_cut_off_sideways(phone)
    phone.picture("why")


def test_the_keys_stay_where_they_are_when_a_total_changes(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    before = boxes(phone.page.locator(".lanes .key"))
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
    phone.has_sent()
    assert boxes(phone.page.locator(".lanes .key")) == before


def test_the_desk_is_one_line_a_table_on_a_laptop(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(pairs=8)
    win(matches_of(event)[1])
    play(matches_of(event)[2], "A 6 7")
    laptop = phones.laptop()
    laptop.sign_in(hall.owner)
    laptop.open(desk(hall))
    laptop.picture("desk")
    assert max(box["height"] for box in boxes(laptop.page.locator(".tables > li"))) < 70
    assert laptop.runs(SIDEWAYS) == 0
    play_round_of_the_others(hall)
    draw_round(event_id=event.pk)
    laptop.open(desk(hall))
    laptop.picture("draft")
    assert laptop.runs(SIDEWAYS) == 0


def play_round_of_the_others(hall: Hall) -> None:
    assert hall.event is not None
    for match in matches_of(hall.event):
        if not match.is_over:
            play(match, "A gros_charlemagne made")
    close_round(event_id=hall.event.pk, number=1)


def test_a_name_of_one_endless_word_and_one_of_a_letter_stay_within_the_page(
    hall: Hall, phones: Phones
) -> None:
    event = hall.a_night(pairs=4)
    endless = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft"
    for match in matches_of(event):
        for player, name in zip(match.players.order_by("seat"), (endless, "A"), strict=False):
            Person.objects.filter(pk=player.person_id).update(name=name, shows_full_name=True)
    win(matches_of(event)[0])
    standings_after(event)
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
    phone.tap(phone.contract("A-6"))
    is_whole_on_both_phones(phone, "a result")


def is_whole_on_both_phones(phone: Phone, page: object) -> None:
    for width in (390, 320):
        phone.resize(width)
        is_nothing_cut_off_sideways(phone, (page, width))


def test_a_result_takes_two_keys_of_120_pixels_and_a_row_of_figures_without_scrolling(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night()
    play(hall.match, "B 5 made")
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    phone.tap(phone.contract("A-6"))
    results, figures = (phone.page.locator(f".step:target {part} .key") for part in (".outcomes", ".tricks"))
    for screen in ((390, 844), (360, 640)):
        phone.resize(*screen)
        assert [box["height"] >= 120 for box in boxes(results)] == [True, True], screen
        assert [box["height"] >= 56 for box in boxes(figures)] == [True] * 9, screen
        for key in (*results.all(), *figures.all(), phone.button("Annuler la main 1")):
            expect(key, str(screen)).to_be_in_viewport(ratio=1)
    expect(results.first).to_contain_text("+6 →\xa06", use_inner_text=True)
    expect(results.last).to_contain_text("+6 aux autres", use_inner_text=True)


def test_a_club_with_a_long_name_stays_within_the_page(hall: Hall, phones: Phones) -> None:
    event = hall.a_night()
    event.entries.update(
        team="Club des Joyeux Lurons de Saint-Jean-de-la-Lande", labels="Débutantes, Femmes, Juniors"
    )
    phone = phones()
    phone.sign_in(hall.owner)
    for page in ("", "/teams", "/1"):
        phone.open(f"{entries(hall)}{page}")
        is_whole_on_both_phones(phone, page)
    phone.picture("long-club")
