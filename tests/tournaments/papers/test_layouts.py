"""Print layouts: text that people typed is printed unchanged, in embedded fonts."""

import json
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from operator import methodcaller
from typing import Any

import pytest
import segno
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from tests.long_runs import choose_count
from tournaments.papers.typesetting.documents import Document, Size
from tournaments.papers.typesetting.layout import POINTS_PER_MODULE, render_pages

from .documents import (
    ADDRESS,
    LAYOUTS,
    PAGES,
    build_document,
    build_items,
    build_sheet,
    extract_text,
    list_fonts,
    list_sizes,
    list_tags,
    print_document,
)

get_object = methodcaller("get_object")
PAGE_POINTS = {Size.LETTER: (612, 792), Size.A4: (595, 842)}
QR_CODE_FIGURE = "Figure: Word"
ALLOWED_TAGS = {"H1", "H2", "H3", "Table", "TH", QR_CODE_FIGURE}
"""Tags that screen readers navigate by."""
TAGS_BY_LAYOUT = {
    "sheets": ["H1", QR_CODE_FIGURE, "Table", *["TH"] * 8],
    "cards": ["H1", QR_CODE_FIGURE],
    "badges": [],
    "certificates": ["H1"],
    "lists": ["H1", "Table", *["TH"] * 4],
    "charts": ["H1", "H2", "H3", "H2", "Table", *["TH"] * 5],
    "poster": ["H1", QR_CODE_FIGURE],
    "treasurer": ["H1", "H2", "Table", "TH", "TH"],
}
PARISH_EVENT = "Grand tournoi annuel du centenaire de la paroisse Notre-Dame-du-Saint-Rosaire"
LAYOUTS_WITH_NAMES = [layout for layout in LAYOUTS if layout != "cards"]
"""Layouts that print text typed by people."""


@pytest.mark.parametrize(("language", "size"), [("fr", Size.LETTER), ("en", Size.A4)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_fills_its_pages_in_each_size(layout: str, language: str, size: Size) -> None:
    items = build_items(layout, "Zoé Œuvray", "Noëlla Bélanger")
    pdf = print_document(build_document(layout, items, size=size, language=language))
    assert len(pdf.pages) == PAGES.get(layout, 1)
    for page in pdf.pages:
        sides = sorted((round(page.mediabox.width), round(page.mediabox.height)))
        assert sides == sorted(PAGE_POINTS[size])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_accessible_as_pdf_ua(layout: str) -> None:
    """The compiler refuses PDF/UA-1 if a drawing or a heading has no text."""
    pdf = print_document(build_document(layout, build_items(layout, "Zoé Œuvray", "Noëlla Bélanger"), title="Soirée"))
    root: Any = pdf.root_object
    assert (root["/MarkInfo"]["/Marked"], root["/Lang"]) == (True, "fr")
    assert pdf.metadata is not None
    assert (pdf.metadata.title, pdf.metadata.author) == ("Soirée", "Soirée")
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert [tag for tag in list_tags(pdf) if tag in ALLOWED_TAGS] == TAGS_BY_LAYOUT[layout]


def test_missing_glyph_drops_the_pdf_ua_claim_but_not_the_tags() -> None:
    one, other = (
        print_document(build_document("lists", build_items("lists", name, "Noëlla Bélanger")))
        for name in ("Anne", "中")
    )
    metadata: Any = other.root_object["/Metadata"]
    assert b"pdfuaid" not in metadata.get_data()
    assert list_tags(other) == list_tags(one)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_font_is_embedded_from_the_bundled_families(layout: str) -> None:
    fonts = list_fonts(print_document(build_document(layout, build_items(layout, "Œdipe « É »", "Ουζό ᐃᓄᒃ عمر"))))
    assert fonts
    assert all(fonts.values())
    families = ("SourceSansPro", "LibertinusSerif", "NotoSansCanadianAboriginal", "DejaVuSansMono", "NewCM")
    assert [name for name in fonts if not any(family in name for family in families)] == []


@pytest.mark.parametrize("layout", LAYOUTS_WITH_NAMES)
@pytest.mark.parametrize(
    "typed",
    [
        "Œuvray, Zoé-Noëlla « Ti-Cœur » d’Aÿ",
        "#panic() #import",
        "$x^2$ *bold* _it_ `raw`",
        r"\ @label <label> ~ -- // /* */ = -",
        "]#[ } { #{ \"quote\" 'quote'",
    ],
)
def test_typed_text_is_printed_verbatim(layout: str, typed: str) -> None:
    text = extract_text(print_document(build_document(layout, build_items(layout, typed, "Noëlla Bélanger"))))
    assert "".join(typed.split()) in "".join(text.split())


@pytest.mark.parametrize("two", [False, True])
def test_head_and_players_of_a_score_sheet_are_printed_in_nine_points_or_more(*, two: bool) -> None:
    name = "Marguerite-Françoise Charbonneau-Desroch"
    about = f"brouillon, pas encore publiée · {PARISH_EVENT}, 18 novembre 2026 · ronde 12 · finale principale"
    rules = "Bas-Saint-Laurent avec Jokers, à 21 · Un match : 2 parties gagnantes ou 45 minutes."
    items = [{**build_sheet(f"{name}\net {name}", "Ève\net Léo"), "about": about, "rules": rules}]
    pdf = print_document(build_document("sheets", items, two=two))
    for word, count in (("Charbonneau", 2), ("centenaire", 1), ("Jokers", 1), ("bidding", 1)):
        sizes = list_sizes(pdf, word)
        assert len(sizes) == count
        assert min(sizes) >= 9, word


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_text_is_printed_in_nine_points_or_more(layout: str) -> None:
    items = build_items(layout, "Marguerite-Françoise Charbonneau-Desroch", "Jean-François Beauregard-Charlebois-Riou")
    about = f"{PARISH_EVENT}, 18 novembre 2026 · non définitif : pendant la ronde 2"
    if layout == "badges":
        about = f"{PARISH_EVENT.upper()}, 18 novembre 2026"
    document = build_document(layout, items, about=about, title=PARISH_EVENT)
    signed = {"signed": {"text": "Signed by the club: results log, line 14. Key: 8f2e1a77.", "address": ADDRESS}}
    pdf = print_document(replace(document, common={**document.common, **signed}))
    assert min(list_sizes(pdf, "")) >= 9


@pytest.mark.parametrize("layout", ["lists", "treasurer", "charts"])
def test_long_title_of_a_list_stays_on_the_page(layout: str) -> None:
    title = "Les Vaillants Compagnons de Saint-Octave-de-Métis – Les Joyeux Atouts de Sainte-Anne-des-Monts · Ronde 12"
    page = draw_page(build_document(layout, build_items(layout, "Anne", "Luc"), title=title, about=PARISH_EVENT))
    darkest = min(page.crop((0, 0, page.width, DPI // 5)).tobytes())
    assert darkest > INK


@pytest.mark.slow
@given(one=st.text(max_size=90), other=st.text(max_size=300), layout=st.sampled_from(LAYOUTS_WITH_NAMES))
@settings(max_examples=choose_count(15, long=450), suppress_health_check=list(HealthCheck))
def test_no_name_fails_or_adds_a_page(one: str, other: str, layout: str) -> None:
    pdf = print_document(build_document(layout, build_items(layout, one, other), title=other))
    assert len(pdf.pages) == PAGES.get(layout, 1)


JOINED, TURNED = "\N{ZERO WIDTH JOINER}", "\N{RIGHT-TO-LEFT MARK}"


@pytest.mark.parametrize("name", ["é" * 80, "W" * 80, "Marie-Ève " * 8, f"😀{JOINED}☠" * 20, f"محمد{TURNED} عبد " * 9])
@pytest.mark.parametrize("layout", LAYOUTS_WITH_NAMES)
def test_long_name_stays_in_its_place(layout: str, name: str) -> None:
    pdf = print_document(build_document(layout, build_items(layout, name, name)))
    assert len(pdf.pages) == PAGES.get(layout, 1)


@pytest.mark.parametrize(("name", "size"), [("W" * 80, Size.LETTER), ("Marie-Ève " * 8, Size.A4)])
@pytest.mark.long
def test_two_score_sheets_share_a_page(size: Size, name: str) -> None:
    sheets = [build_sheet(f"{name} {table}", name, table=str(table)) for table in range(71, 74)]
    pdf = print_document(build_document("sheets", sheets, size=size, two=True))
    assert [page.mediabox.width > page.mediabox.height for page in pdf.pages] == [True, True]
    tables = [[each for each in ("71", "72", "73") if each in page.extract_text()] for page in pdf.pages]
    assert tables == [["71", "72"], ["73"]]


@pytest.mark.long
def test_long_list_repeats_its_heading_on_every_page() -> None:
    rows = [{"cells": [str(number), f"Name {number}", "", "x"]} for number in range(1, 201)]
    pdf = print_document(build_document("lists", rows, title="Presences"))
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) > 5
    for number, text in enumerate(texts, start=1):
        assert "Presences" in text
        assert f"{number} / {len(texts)}" in text
    assert [text.count("Present") for text in texts] == [1] * len(texts)
    assert all(f"Name {number}" in " ".join(texts) for number in range(1, 201))


@pytest.mark.parametrize("layout", ["sheets", "cards", "poster"])
def test_qr_code_modules_match_the_address(layout: str) -> None:
    (page,) = print_document(build_document(layout, build_items(layout, "One", "Other"))).pages
    objects: Any = page["/Resources"]
    (drawn,) = [one for one in map(get_object, objects["/XObject"].values()) if "/Width" in one]
    width, height, data = drawn["/Width"], drawn["/Height"], drawn.get_data()
    line = len(data) // height  # in bytes; a pixel is one bit, or one or more bytes
    found = [
        [
            _is_dark(data, y * line, x, points=width, octets=line)
            for x in range(POINTS_PER_MODULE // 2, width, POINTS_PER_MODULE)
        ]
        for y in range(POINTS_PER_MODULE // 2, height, POINTS_PER_MODULE)
    ]
    matrix = segno.make(ADDRESS, error="m", micro=False).matrix
    assert found == [[bool(module) for module in row] for row in matrix]


def _is_dark(data: bytes, start: int, x: int, *, points: int, octets: int) -> bool:
    """Return whether pixel ``x`` of the line that begins at byte ``start`` is black."""
    if octets >= points:
        return data[start + x * (octets // points)] == 0
    return not data[start + x // 8] >> (7 - x % 8) & 1


def test_equal_input_makes_an_equal_pdf() -> None:
    document = build_document("sheets", [build_sheet("One", "Other")])
    one, other = (print_document(document) for _ in range(2))
    assert one.pages[0].extract_text() == other.pages[0].extract_text()
    assert list_fonts(one) == list_fonts(other)


def test_long_name_shrinks_before_breaking_at_a_hyphen() -> None:
    names = "Marie-Paule Saint-Pierre-Desrosiers\nand Jean-Baptiste de la Bruère-Montarville"
    drawn = build_sheet("Tuesday") | {"sides": [names, "Lise Roy\nand Paul Roy"]}
    assert names in print_document(build_document("sheets", [drawn])).pages[0].extract_text()


def test_accent_of_a_capital_is_never_cut() -> None:
    """The first line of names has no room above its capitals but for their accents; the second has a line there."""
    accents = ImageChops.difference(*(draw_sheet_of(f"{letter}\n{letter}") for letter in "ÉE"))
    is_inked = [max(accents.crop((0, y, accents.width, y + 1)).tobytes()) > INK for y in range(accents.height)]
    first, second = [len(list(rows)) for inked, rows in groupby(is_inked) if inked]
    assert abs(first - second) <= 1


DPI = 150
INK = 128
"""Difference of two greys that is no smoothing of an edge."""


def draw_sheet_of(names: str) -> Image.Image:
    """Draw a score sheet with these names of the blue side."""
    return draw_page(build_document("sheets", [build_sheet("Tuesday") | {"sides": [names, "Other"]}]))


def draw_page(document: Document) -> Image.Image:
    """Draw the first page of a document."""
    (part,) = document.iter_parts()
    page, *_ = render_pages(document.layout, json.loads(json.dumps(part)), dpi=DPI)
    return Image.open(BytesIO(page)).convert("L")
