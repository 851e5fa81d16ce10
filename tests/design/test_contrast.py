"""Contrasts of the design, recomputed from the colours of the style sheet (WCAG 2.2)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BASE_CSS = Path(__file__).parents[2] / "static" / "css" / "base.css"
TOKEN = re.compile(
    r"^ +--(?P<name>[a-z0-9-]+): "
    r"(?:(?P<both>#[0-9A-F]{6})|"
    r"var\(--light, (?P<light>#[0-9A-F]{6})\) var\(--dark, (?P<dark>#[0-9A-F]{6})\));$",
    re.MULTILINE,
)

Palette = dict[str, str]


def read_palettes() -> tuple[Palette, Palette]:
    """Return the light and the dark value of each colour token."""
    light: Palette = {}
    dark: Palette = {}
    for token in TOKEN.finditer(BASE_CSS.read_text(encoding="utf-8")):
        light[token["name"]] = token["both"] or token["light"]
        dark[token["name"]] = token["both"] or token["dark"]
    return light, dark


def get_luminance(colour: str) -> float:
    """Return the relative luminance, 0 for black and 1 for white."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def get_contrast(one: str, other: str) -> float:
    """Return how many times lighter the lighter colour is, from 1 to 21."""
    darker, lighter = sorted([get_luminance(one), get_luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


LIGHT, DARK = read_palettes()

# Foreground, background, and the contrasts that the design states for the light and the dark palette.
MINIMUM_CONTRASTS = [
    ("ink", "paper", 14.8, 15.7),
    ("ink2", "paper", 8.1, 10.6),
    ("ink2", "sunk", 7.2, 11.1),
    ("edge", "paper", 3.9, 5.4),
    ("blue-on", "blue", 7.9, 5.5),
    ("orange-on", "orange", 8.3, 8.2),
    ("blue-ink", "card", 10.7, 10.2),
    ("blue-ink", "blue-tint", 9.0, 9.6),
    ("orange-ink", "card", 8.4, 10.3),
    ("orange-ink", "orange-tint", 7.3, 9.7),
    ("orange-edge", "card", 4.4, 7.1),
    ("ok", "ok-tint", 5.9, 8.2),
    ("bad", "bad-tint", 6.5, 8.0),
    ("warn", "warn-tint", 7.7, 9.7),
    ("onact", "act", 12.4, 12.7),
    ("red", "face", 6.8, 6.8),
    ("gold", "royal", 5.1, 9.3),
]


@pytest.mark.parametrize(
    ("text", "ground", "light", "dark"),
    MINIMUM_CONTRASTS,
    ids=[f"{one} on {other}" for one, other, _, _ in MINIMUM_CONTRASTS],
)
def test_contrast_matches_the_design_specification(text: str, ground: str, light: float, dark: float) -> None:
    assert round(get_contrast(LIGHT[text], LIGHT[ground]), 1) == light
    assert round(get_contrast(DARK[text], DARK[ground]), 1) == dark


@pytest.mark.parametrize("ground", ["paper", "card", "sunk"])
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_grey_text_has_a_contrast_of_at_least_seven(palette: Palette, ground: str) -> None:
    assert get_contrast(palette["ink2"], palette[ground]) >= 7


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("side", ["blue", "orange"])
def test_key_outline_contrasts_with_its_surroundings(palette: Palette, side: str) -> None:
    grounds = [palette["card"], palette[f"{side}-tint"], palette["paper"]]
    assert min(get_contrast(palette[f"{side}-edge"], ground) for ground in grounds) >= 3


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_focus_ring_contrasts_with_every_surface(palette: Palette) -> None:
    assert min(get_contrast(palette["act"], palette[ground]) for ground in ("paper", "card", "sunk")) >= 3


def test_sides_differ_in_brightness_and_not_only_in_hue() -> None:
    assert round(get_contrast(LIGHT["blue"], LIGHT["orange"]), 1) == 3.8


def test_ornamental_colours_have_their_documented_contrast() -> None:
    assert round(get_contrast(LIGHT["gold"], LIGHT["paper"]), 1) == 2.4
    assert round(get_contrast(LIGHT["orange"], LIGHT["paper"]), 1) == 1.9
