"""Main pages fit: text stays whole inside buttons and pills, and each page has one title."""

from pprint import pformat
from typing import Any

import pytest

from scoring.services.agreement import call_desk
from tests.builders import compute_standings, matches_of, play, play_round, start_next_round, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import LANGUAGES, set_long_names
from tests.journeys.test_new_tournament import OPEN_ALL_SCRIPT

TIGHT = """[...document.querySelectorAll("main :is(.button, .chip), .band .chip, #menu > ul > li > a")]
  .filter((box) => box.checkVisibility() && !box.closest(".unseen"))
  .flatMap((box) => {
    const outer = box.getBoundingClientRect(), range = document.createRange(), tops = new Set();
    const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const said = box.textContent.trim().replace(/\\s+/g, " ");
    let wrong = outer.left < EDGE && box.matches("main .button") ? "is at the edge of the screen" : "";
    for (let text = words.nextNode(); text; text = words.nextNode()) {
      if (text.parentElement.closest(".unseen") || !text.data.trim()) continue;
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        if (line.width < 1) continue;
        tops.add(Math.round(line.top / 4));
        const gap = Math.min(line.left - outer.left, outer.right - line.right);
        if (gap < 0) wrong = "overflows";
        else if (gap < EDGE) wrong ||= "touches the edge";
      }
    }
    if (!wrong && box.matches(".chip") && tops.size > 1) wrong = "wraps";
    return wrong ? [`${said}: ${wrong}`] : [];
  })"""
"""Buttons, pills and menu entries whose text does not fit, each with its fault."""

TITLES = """[...document.querySelectorAll("h1")].map((title) => Boolean(title.closest("header.band")))"""
"""For each title, whether it is in the band; a page has one title."""

SCREENS = {
    "phone": (390, 16),
    "small phone": (320, 16),
    "text at 200 %": (390, 32),
    "small, text at 200 %": (320, 32),
}


def list_pages(hall: Hall) -> tuple[str, ...]:
    assert hall.event is not None
    event, club = f"/e/{hall.event.short}", f"/club/{hall.event.club.slug}"
    desk = f"{event}/desk"
    return (
        *(club, f"{club}/new", f"{club}/calendar", f"{club}/people", f"{club}/seasons", f"{club}/webhooks"),
        *(event, f"{event}/standings", f"{event}/rounds/1"),
        *(
            f"{desk}/entries",
            f"{desk}/entries/check-in",
            f"{desk}/standings",
            f"{desk}/settings",
            f"{desk}/fees",
        ),
        *(f"{desk}/print", f"{desk}/publishing", f"{desk}/history", f"{desk}/rounds/1", f"{desk}/codes"),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_fits_in_buttons_and_pills_on_pages_with_one_title(hall: Hall, phones: Phones, language: str) -> None:
    event = hall.build_night(pairs=8)
    set_long_names(hall.match)
    play_round(event)
    start_next_round(event)
    first, second, third, _ = matches_of(event, 2)
    win(first)
    play(second, "A 6 7", "B charlemagne made")
    call_desk(match_id=third.pk)
    compute_standings(event)
    phone = phones(locale=language)
    hall.owner.language = language[:2]
    hall.owner.save()
    phone.sign_in(hall.owner)
    wrong: dict[tuple[str, str], Any] = {}
    for page in list_pages(hall):
        phone.open(page)
        phone.run_script(OPEN_ALL_SCRIPT)
        if (titles := phone.run_script(TITLES)) != [True]:
            wrong[page, "titles"] = titles
        for screen, (width, text) in SCREENS.items():
            phone.page.set_viewport_size({"width": width, "height": 844})
            phone.set_text_size(text)
            if tight := phone.run_script(TIGHT.replace("EDGE", "4")):
                wrong[page, screen] = tight
        phone.set_text_size(16)
    assert not wrong, pformat(wrong)
