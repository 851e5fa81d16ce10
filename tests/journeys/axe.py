"""Faults that axe finds on a screen, in light and dark."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]

from tests.journeys.phone import Phone

RULES: dict[Any, dict[str, Any]] = {"dark": {"runOnly": ["color-contrast"]}, "light": {}}
"""What axe looks for: in the dark a page has other colours, and nothing else."""
LOOK = """rules => axe.run({resultTypes: ["violations"], preload: false, selectors: false, ...rules})
  .then((found) => found.violations)"""
"""Media and selectors would take half of the time: no page has media, and HTML names the element."""


def find_violations(phone: Phone) -> list[tuple[str, str, list[str]]]:
    """Each with the colours that it was found in. The screen is left as it is in the light."""
    page = phone.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = []
    for scheme, rules in RULES.items():
        page.emulate_media(color_scheme=scheme)
        found += [(scheme, each["id"], _list_nodes(each)) for each in page.evaluate(LOOK, rules)]
    return found


def _list_nodes(violation: dict[str, Any]) -> list[str]:
    return [node["html"][:160] + node["failureSummary"] for node in violation["nodes"][:3]]
