"""Accessibility violations that axe finds on a screen, in the light and the dark theme."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]

from tests.journeys.phone import Phone

RULES: dict[Any, dict[str, Any]] = {"dark": {"runOnly": ["color-contrast"]}, "light": {}}
"""Rules by colour scheme: the dark theme changes only colours, so only contrast is checked there."""
RULES_WITHOUT_COLORS: dict[Any, dict[str, Any]] = {"light": {"rules": {"color-contrast": {"enabled": False}}}}
LOOK = """rules => axe.run(
    {exclude: ["#swagger-ui"]}, {resultTypes: ["violations"], preload: false, selectors: false, ...rules}
  ).then((found) => found.violations)"""
"""Skips media and selectors, which would take half of the time: no page has media, and HTML names the element. Skips
what Swagger UI renders: its colors fade when the theme changes."""


def find_violations(phone: Phone, *, with_colors: bool = True) -> list[tuple[str, str, list[str]]]:
    """Return each violation with its colour scheme and elements; the screen is left in the light theme.

    Checking colors takes most of the time.
    """
    page = phone.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = []
    for scheme, rules in (RULES if with_colors else RULES_WITHOUT_COLORS).items():
        page.emulate_media(color_scheme=scheme)
        found += [(scheme, each["id"], _list_nodes(each)) for each in page.evaluate(LOOK, rules)]
    return found


def _list_nodes(violation: dict[str, Any]) -> list[str]:
    return [node["html"][:160] + node["failureSummary"] for node in violation["nodes"][:3]]
