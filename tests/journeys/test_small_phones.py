"""Every page fits the smallest phone, 320 pixels wide, also with text at 200 % or long names: nothing is clipped.

With ordinary text, no label is on two lines, and axe finds no violations; a long run also checks the colors.
"""

from __future__ import annotations

import re
from itertools import product
from pprint import pformat

import pytest

from clubs.models import Account, Person
from scoring.models import TableCard
from tests import external_tools
from tests.every_page.test_every_page import PATHS_BY_PATTERN, build_full_night
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phones
from tests.journeys.test_layout import LANGUAGES
from tests.journeys.test_new_tournament import OPEN_ALL_SCRIPT
from tests.long_runs import IS_LONG
from tournaments.models import Event

pytestmark = [
    pytest.mark.usefixtures("that_evening"),
    pytest.mark.skipif(external_tools.find_phone_font() is None, reason="letters are wider than a phone's"),
]

FAULTS = """(names) => {
  const faults = new Set(), labels = new Map(), range = document.createRange();
  const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wider > 0) faults.add(`the page scrolls sideways by ${wider}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement, said = text.data.trim().replace(/\\s+/g, " ");
    if (!said || parent.closest(".visually-hidden, svg, noscript")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    for (const option of text.data.matchAll(/--[a-z-]+/g)) {
      range.setStart(text, option.index);
      range.setEnd(text, option.index + option[0].length);
      if (range.getClientRects().length > 1) faults.add(`an option on two lines: ${said}`);
    }
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width < 1) continue;
    const face = 0.3 * box.height, middle = (box.top + box.bottom) / 2;
    const top = middle - face, bottom = middle + face;
    let scrolls = false, isHidden = false, wrong = "";
    for (let around = parent; around !== document.documentElement; around = around.parentElement) {
      const style = getComputedStyle(around), outer = around.getBoundingClientRect();
      if (style.display === "inline" || style.overflowX === "visible") continue;
      scrolls ||= /auto|scroll/.test(style.overflowX);
      isHidden ||= style.clipPath !== "none" || style.textOverflow === "ellipsis";
      isHidden ||= style.webkitLineClamp !== "none"; // shortened on purpose, and whole elsewhere
      isHidden ||= bottom <= outer.top || top >= outer.bottom || box.left >= outer.right;
      const isCut = /hidden|clip/.test(style.overflowY) && (bottom > outer.bottom + 1 || top < outer.top - 1);
      const isCutSideways = !scrolls && (box.right > outer.right + 1 || box.left < outer.left - 1);
      if (isCut || isCutSideways) wrong ||= `clipped by ${around.tagName}.${around.className}: ${said}`;
    }
    if (isHidden) continue;
    if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) wrong ||= `off the screen: ${said}`;
    if (!scrolls && box.left >= 0 && box.left < 4) wrong ||= `at the edge of the screen: ${said}`;
    if (wrong) faults.add(wrong);
    const label = parent.closest("button, .button, .chip, .key");
    if (!label) continue;
    let block = parent;
    while (block !== label && getComputedStyle(block).display.startsWith("inline")) {
      block = block.parentElement;
    }
    const lines = labels.get(block) ?? labels.set(block, []).get(block);
    for (const line of range.getClientRects()) {
      const isNew = lines.every((other) => Math.abs(other - line.bottom) > line.height / 2);
      if (line.width >= 1 && isNew) lines.push(line.bottom);
    }
  }
  for (const [block, lines] of labels) {
    const said = block.innerText.trim().replace(/\\s+/g, " ");
    if (lines.length > 1 && !names.some((name) => said.includes(name))) faults.add(`on two lines: ${said}`);
  }
  return [...faults];
}"""
"""Faults of a page, in words. Only a button that names a person or an event may take two lines."""
WRAPPED = re.compile(r"^on two lines: |: wraps$")
"""Faults that are none with large text or long names."""

LENGTHEN = """(names) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const people = new RegExp(names.join("|"), "g");
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const longer = text.data.replace(people, "Marguerite-Françoise Charbonneau-Desroch");
    text.data = longer.replace(/\\$\\d+(\\.\\d+)?/g, "$$194.50").replace(/\\d+(,\\d+)?\\u00a0\\$/g, "194,50\\u00a0$");
  }
}"""
"""Puts names of 40 letters and amounts of five digits in place of those on a page."""

TIGHT = """[...document.querySelectorAll("main :is(.button, .chip), .band .chip, #menu > ul > li > a")]
  .filter((box) => box.checkVisibility() && !box.closest(".visually-hidden"))
  .flatMap((box) => {
    const outer = box.getBoundingClientRect(), range = document.createRange(), tops = new Set();
    const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const said = box.textContent.trim().replace(/\\s+/g, " ");
    let wrong = outer.left < 4 && box.matches("main .button") ? "is at the edge of the screen" : "";
    for (let text = words.nextNode(); text; text = words.nextNode()) {
      if (text.parentElement.closest(".visually-hidden") || !text.data.trim()) continue;
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        if (line.width < 1) continue;
        tops.add(Math.round(line.top / 4));
        const gap = Math.min(line.left - outer.left, outer.right - line.right);
        if (gap < 0) wrong = "overflows";
        else if (gap < 4) wrong ||= "touches the edge";
      }
    }
    if (!wrong && box.matches(".chip") && tops.size > 1) wrong = "wraps";
    return wrong ? [`${said}: ${wrong}`] : [];
  })"""
"""Buttons, pills and menu entries whose text does not fit, each with its fault. A pill in large text may wrap."""

FAULTS_BESIDE_PILLS = f"""(pills) => pills.flatMap((pill) => {{
  const band = document.querySelector("#screen > .band");
  band.querySelectorAll(".chip").forEach((chip) => chip.remove());
  band.insertAdjacentHTML("beforeend", pill);
  band.lastElementChild.style.display = "inline-flex";
  const said = [band.lastElementChild.textContent.trim(), "Table 128"];
  return ({FAULTS})([]).filter((fault) => said.some((text) => fault.endsWith(`: ${{text}}`)) && !/^on two/.test(fault));
}})"""
"""Faults of the heading of a table beside each of these pills."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_a_phone_of_320_pixels_and_is_accessible(server: Server, phones: Phones, language: str) -> None:
    hall, paths = build_full_night("playing")
    Account.objects.filter(pk=hall.owner.pk).update(language=language[:2])
    names = {word for name in Person.objects.values_list("name", flat=True) for word in name.split()}
    people = sorted(Person.objects.values_list("name", flat=True), key=len, reverse=True)
    names |= {*Event.objects.values_list("name", flat=True), "Roy"}  # the page of components names them too
    phone = phones(locale=language)
    phone.resize(320)
    phone.sign_in(hall.owner)
    faults: dict[str, object] = {}

    def look(page: str, *, is_large: bool) -> None:
        labels = [] if is_large else sorted(names)
        found = [*phone.page.evaluate(FAULTS, labels), *phone.page.evaluate(TIGHT)]
        if wrong := [one for one in found if not (is_large and WRAPPED.search(one))]:
            faults[page] = wrong
        phone.take_picture(page.strip("/").replace("/", "-"))

    for pattern in PATHS_BY_PATTERN:
        phone.open(paths[pattern])
        phone.run_script(OPEN_ALL_SCRIPT)
        look(pattern, is_large=False)
        if violations := find_violations(phone, with_colors=IS_LONG):
            faults[f"{pattern} by axe"] = violations
        phone.set_text_size(32)
        look(f"{pattern} at 200 %", is_large=True)
        phone.set_text_size(16)
        phone.page.evaluate(LENGTHEN, people)
        look(f"{pattern} with long names", is_large=True)
    assert not faults, pformat(faults, width=200)


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_number_is_whole_beside_every_sending_status(hall: Hall, phones: Phones, language: str) -> None:
    hall.build_night()
    table = hall.table
    TableCard.objects.filter(pk=hall.match.card_id).update(number=128)
    laptop, phone = phones.open_laptop(), phones(locale=language)
    Account.objects.filter(pk=hall.owner.pk).update(language=language[:2])
    laptop.sign_in(hall.owner)
    laptop.open("/components/table")
    pills = laptop.page.locator("#pills ~ .row .chip").evaluate_all("(pills) => pills.map((pill) => pill.outerHTML)")
    phone.open(table)
    faults = {}
    for width, text in product((390, 320), (16, 20, 24, 28, 32)):
        phone.resize(width, text=text)
        if found := phone.page.evaluate(FAULTS_BESIDE_PILLS, pills):
            faults[width, text] = found
        phone.take_picture(f"{width}-{text}")
    assert not faults, pformat(faults, width=200)
