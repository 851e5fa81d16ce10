"""Measure how soon a tap at a table is drawn offline, in a real browser on a slow processor."""

from __future__ import annotations

import argparse
import statistics
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.hall import open_hall
from tests import external_tools

PHONE: ViewportSize = {"width": 390, "height": 844}
HAND = "A-6-7"
PAUSE_MS = 400

TAP_SCRIPT = """said => new Promise((done) => {
  const begun = performance.now();
  document.addEventListener("htmx:afterSwap", () => {
    const swapped = performance.now() - begun;
    requestAnimationFrame(() => setTimeout(() => done({swapped, drawn: performance.now() - begun})));
  }, {once: true});
  document.querySelector(`[name=said][value="${said}"]`).click();
})"""
"""Script that returns milliseconds from the tap until the next screen is in the page, and until it is painted."""
CONTINUE_SCRIPT = """() => {
  const next = document.querySelector(".sheet button[name=confirmed], #screen a[href*='?game=']");
  next?.click();
  return next !== null;
}"""
"""Script that confirms a hand that is read aloud, or leaves a finished game, and returns whether it did."""


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``hands``, and by ``N_times_slower`` the milliseconds until a tap is drawn.

    These are the medians ``swapped_ms`` (in the page) and ``drawn_ms`` (painted), and ``longest_ms``.
    """
    parser = argparse.ArgumentParser(prog="bench tap")
    parser.add_argument("--hands", type=int, default=12)
    parser.add_argument("--times", type=int, default=15, help="taps that count")
    parser.add_argument("--slower", type=int, nargs="+", default=[1, 4, 6])
    options = parser.parse_args(argv)
    with open_hall(tables=2) as venue, venue.serve() as port, sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=external_tools.find_chromium(), args=["--no-sandbox"])
        address = f"http://127.0.0.1:{port}/t/{venue.tables[0]['code']}"
        figures = {
            f"{slower}_times_slower": _measure_taps(chromium, address, slower, options.hands, options.times)
            for slower in options.slower
        }
        chromium.close()
    return {"hands": options.hands, **figures}


def _measure_taps(chromium: Browser, address: str, slower: int, hands: int, times: int) -> dict[str, float]:
    # the pages' content security policy would block our script
    context = chromium.new_context(viewport=PHONE, bypass_csp=True)
    page = context.new_page()
    page.goto(address)
    page.locator("body[data-drawn]").wait_for(state="attached")
    context.set_offline(True)
    _mark(page, hands)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    taps = _mark(page, times)
    context.close()
    return {
        "swapped_ms": round(statistics.median(tap["swapped"] for tap in taps), 1),
        "drawn_ms": round(statistics.median(tap["drawn"] for tap in taps), 1),
        "longest_ms": round(max(tap["drawn"] for tap in taps), 1),
    }


def _mark(page: Page, hands: int) -> list[dict[str, float]]:
    """Tap each hand after the previous one is drawn, and confirm hands that are read aloud."""
    taps: list[dict[str, float]] = []
    for _ in range(hands):
        taps.append(page.evaluate(TAP_SCRIPT, HAND))
        page.wait_for_timeout(PAUSE_MS)
        while page.evaluate(CONTINUE_SCRIPT):
            page.wait_for_timeout(PAUSE_MS)
    return taps
