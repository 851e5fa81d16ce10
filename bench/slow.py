"""Measure the time until table and public pages are shown on a slow connection, in a real browser.

The network is a slow 3G profile: 400 kbit/s, and 400 ms from each request to the first byte of its answer. Each
page is opened by a new browser (first), and then by the same browser, which revalidates its cache (again).
"""

from __future__ import annotations

import argparse
import re
import statistics
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.hall import open_hall
from tests import external_tools

LATENCY_MS = 400
BYTES_PER_SECOND = 400_000 / 8
PHONE: ViewportSize = {"width": 390, "height": 844}

TIMINGS_SCRIPT = """() => {
  const [loaded] = performance.getEntriesByType("navigation");
  const painted = performance.getEntriesByName("first-contentful-paint")[0];
  const parts = performance.getEntriesByType("resource");
  return {
    painted: painted ? painted.startTime : null,
    usable: loaded.domContentLoadedEventEnd,
    kb: [loaded, ...parts].reduce((sum, part) => sum + part.transferSize, 0) / 1000,
    requests: 1 + parts.length,
  };
}"""
"""Script that returns milliseconds from the tap on a link; a page is usable once its deferred scripts have run."""
_NUMBER = re.compile(r"\d+")


def main(argv: list[str]) -> dict[str, Any]:
    """Return medians by page, ``first`` and ``again``: ``painted`` and ``usable`` in ms, ``kb``, and ``requests``."""
    parser = argparse.ArgumentParser(prog="bench slow")
    parser.add_argument("--tables", type=int, default=25, help="of the night")
    parser.add_argument("--times", type=int, default=5, help="each page is opened, first and again")
    options = parser.parse_args(argv)
    with open_hall(tables=options.tables, role="public") as venue, venue.serve() as port, sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=external_tools.find_chromium(), args=["--no-sandbox"])
        figures: dict[str, Any] = {"latency_ms": LATENCY_MS, "kbit_s": BYTES_PER_SECOND * 8 / 1000}
        for address in (f"/t/{venue.tables[0]['code']}", *venue.pages):
            visits = [_visit_twice(chromium, f"http://127.0.0.1:{port}{address}") for _ in range(options.times)]
            name = "table at the table" if address.startswith("/t/") else address.replace(venue.event, "event")
            figures[_NUMBER.sub("n", name)] = {
                visit_name: {
                    metric: round(statistics.median(visit[visit_name][metric] for visit in visits), 1)
                    for metric in ("painted", "usable", "kb", "requests")
                }
                for visit_name in ("first", "again")
            }
        chromium.close()
    return figures


def _visit_twice(chromium: Browser, address: str) -> dict[str, dict[str, float]]:
    """Open the page in a new browser, then once more."""
    # the pages' content security policy would block our script
    context = chromium.new_context(viewport=PHONE, locale="fr-CA", bypass_csp=True)
    visit: Callable[[], dict[str, float]] = lambda: _visit(context.new_page(), address)  # noqa: E731
    shown = {"first": visit(), "again": visit()}
    context.close()
    return shown


def _visit(page: Page, address: str) -> dict[str, float]:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        },
    )
    page.goto(address, wait_until="load")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    shown: dict[str, float] = page.evaluate(TIMINGS_SCRIPT)
    page.close()
    return shown
