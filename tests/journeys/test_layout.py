"""What fits on which screen: nothing to scroll for an ordinary hand, nothing sideways anywhere."""

from collections.abc import Callable

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

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
DOWNWARDS = "document.documentElement.scrollHeight - window.innerHeight"
CUT_OFF = """[...document.querySelectorAll("main *, header *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1);
}).map((element) => element.outerHTML.slice(0, 120))"""


def is_nothing_cut_off_sideways(phone: Phone) -> None:
    assert phone.runs(CUT_OFF) == []
    assert phone.runs(SIDEWAYS) == 0


def boxes(keys: Locator) -> list[FloatRect]:
    return [box for key in keys.all() if (box := key.bounding_box())]


def gaps(keys: list[FloatRect]) -> set[int]:
    """How far each key is from the next one in its row, and its row from the next row, of one lane."""
    found = set()
    for one in keys:
        right = [b["x"] - one["x"] - one["width"] for b in keys if b["y"] == one["y"] and b["x"] > one["x"]]
        below = [b["y"] - one["y"] - one["height"] for b in keys if b["y"] > one["y"]]
        found |= {round(min(distances)) for distances in (right, below) if distances}
    return found


def long_names_at(match: Match) -> None:
    """Whatever the lot said, side A has names as long as they come."""
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


def test_a_phone_on_its_side_has_all_bids_of_a_side_in_three_rows(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones(width=844, height=390)
    phone.open(hall.table)
    for lane in phone.page.locator(".lane").all():
        keys = boxes(lane.locator(".key"))
        assert len({key["y"] for key in keys}) == 3
        assert min(key["height"] for key in keys) >= 64
        assert gaps(keys) == {8}
    is_nothing_cut_off_sideways(phone)


@pytest.mark.parametrize(
    ("width", "height", "least"), [(390, 844, 72), (320, 640, 56)], ids=["phone", "small phone"]
)
def test_every_key_is_large_and_apart_from_the_others(
    hall: Hall, phones: Phones, width: int, height: int, least: int
) -> None:
    hall.a_night()
    phone = phones(width=width, height=height)
    phone.open(hall.table)
    for lane in phone.page.locator(".lane").all():
        keys = boxes(lane.locator(".key"))
        assert len(keys) == 8
        assert min(key["height"] for key in keys) >= least
        assert gaps(keys) == {8}
    phone.tap(phone.contract("B-mulot"))
    for box in phone.page.locator("[id='B-mulot'] .box").all():
        keys = boxes(box.locator(".key"))
        assert min(key["height"] for key in keys) >= 72
        assert min(key["width"] for key in keys) >= 60


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
    phone.tap(phone.button("Yes, that is right"))
    expect(phone.page.locator(".agree")).to_be_visible()
    phone.has_sent()
    assert hall.match.marks.get().record_data["trump"] == "H"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_a_small_phone_scrolls_down_but_never_sideways(hall: Hall, phones: Phones, ruleset: object) -> None:
    hall.a_night(ruleset=ruleset)
    phone = phones(width=320, height=640, locale="fr-CA" if "bas" in str(ruleset) else "en-CA")
    phone.open(hall.table)
    phone.picture("lanes")
    is_nothing_cut_off_sideways(phone)
    for contract in ruleset.playable:  # type: ignore[attr-defined]
        phone.open(f"{hall.table}#A-{contract.key}")
        is_nothing_cut_off_sideways(phone)
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


@pytest.mark.parametrize("width", [390, 320])
def test_letters_of_twice_the_size_leave_the_numbers_of_the_hands_whole(
    hall: Hall, phones: Phones, width: int
) -> None:
    event = hall.a_night(pairs=4)
    long_names_at(hall.match)
    play(hall.match, "A 6 7", "B 6 made", "B 7 made", "A 5 made", "B 5 made")
    phone = phones(locale="fr-CA", width=width)
    for path in (hands(hall), f"/e/{event.short}/rounds/1/tables/1"):
        phone.open(path)
        phone.reads_text_of(32)
        phone.picture(f"hands-{width}{path.replace('/', '-')}")
        assert phone.runs(BROKEN) == [], path
        is_nothing_cut_off_sideways(phone)


@pytest.mark.parametrize("language", ["en", "fr-CA"])
def test_no_page_is_wider_than_a_phone(hall: Hall, phones: Phones, language: str) -> None:
    event = hall.a_night(pairs=7, match_format=TWO_GAMES, tables=4)
    long_names_at(hall.match)
    for match in matches_of(event)[:-1]:
        play(match, "A 6 7", "B mulot failed")
    standings_after(event)
    phone = phones(locale=language)
    phone.sign_in(hall.owner)
    if language == "fr-CA":
        phone.page.locator("button[name=language]").click()
    expect(phone.page.locator("html")).to_have_attribute("lang", language)
    wrong = {}
    for page in (home, *PAGES):
        phone.open("about:blank")  # a step is another page, too
        phone.open(page(hall))
        for screen, (width, height, text) in SCREENS.items():
            phone.page.set_viewport_size({"width": width, "height": height})
            phone.reads_text_of(text)
            phone.picture(f"{page.__name__}-{screen}")
            if cut_off := phone.runs(CUT_OFF):
                wrong[page.__name__, screen] = cut_off
            elif phone.runs(SIDEWAYS):
                wrong[page.__name__, screen] = "scrolls sideways"
    assert wrong == {}


@pytest.mark.parametrize("text", [16, 24])
def test_the_last_hand_says_what_it_brought_however_long_the_names_are(
    hall: Hall, phones: Phones, text: int
) -> None:
    hall.a_night()
    long_names_at(hall.match)
    play(hall.match, "A 6 7")
    for width in (360, 390, 844):
        phone = phones(width=width)
        phone.reads_text_of(text)
        phone.open(hall.table)
        line = phone.page.locator(".last .gain")
        (whole,), (brought,) = boxes(line), boxes(line.get_by_text("+6"))
        assert whole["y"] <= brought["y"]
        assert brought["y"] + brought["height"] <= whole["y"] + whole["height"] + 1
        is_nothing_cut_off_sideways(phone)


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
        texts = [text.strip() for text in row.locator(":scope > span:not(.pair)").all_inner_texts()]
        assert len(texts) == 4
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


@pytest.mark.parametrize("width", [320, 390])
def test_a_name_of_one_endless_word_and_one_of_a_letter_stay_within_the_page(
    hall: Hall, phones: Phones, width: int
) -> None:
    event = hall.a_night(pairs=4)
    endless = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft"
    for match in matches_of(event):
        for player, name in zip(match.players.order_by("seat"), (endless, "A"), strict=False):
            Person.objects.filter(pk=player.person_id).update(name=name, shows_full_name=True)
    win(matches_of(event)[0])
    standings_after(event)
    phone = phones(width=width)
    phone.sign_in(hall.owner)
    night, of_the_desk = f"/e/{event.short}", ("", "/rounds/1", "/entries", "/entries/check-in", "/fees")
    for page in (
        "",
        "/rounds/1",
        "/rounds/1/tables/1",
        "/standings",
        *(f"/desk{one}" for one in of_the_desk),
    ):
        phone.open(night + page)
        is_nothing_cut_off_sideways(phone)
    phone = phones(width=width)
    for match in matches_of(event):
        phone.open(f"/t/{match.card.code}")
        is_nothing_cut_off_sideways(phone)
    phone.tap(phone.contract("A-6"))
    is_nothing_cut_off_sideways(phone)


@pytest.mark.parametrize("width", [390, 320])
def test_made_and_failed_stay_whole_beside_whose_points_they_are(
    hall: Hall, phones: Phones, width: int
) -> None:
    hall.a_night()
    phone = phones(locale="fr-CA", width=width)
    phone.open(hall.table)
    phone.tap(phone.contract("A-6"))
    for outcome in ("Réussi", "Manqué"):
        (box,) = boxes(phone.page.locator(".box > p > strong", has_text=outcome).locator("visible=true"))
        assert box["height"] < 2 * 22, outcome  # its letters are 22 pixels high


@pytest.mark.parametrize("width", [320, 390])
def test_a_club_with_a_long_name_stays_within_the_page(hall: Hall, phones: Phones, width: int) -> None:
    event = hall.a_night()
    event.entries.update(
        team="Club des Joyeux Lurons de Saint-Jean-de-la-Lande", labels="Débutantes, Femmes, Juniors"
    )
    phone = phones(width=width)
    phone.sign_in(hall.owner)
    for page in ("", "/teams", "/1"):
        phone.open(f"{entries(hall)}{page}")
        is_nothing_cut_off_sideways(phone)
    phone.picture("long-club")
