"""Each layout by itself: whatever somebody typed is printed as it stands, in fonts that are in the file."""

from operator import methodcaller
from typing import Any

import pytest
import segno
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.long import often
from tournaments.papers.typesetting import Size
from tournaments.papers.typesetting.qr import POINTS

from .papers import ADDRESS, LAYOUTS, PAGES, a_document, fonts_of, items_of, printed, sheet, tags_of, text_of

get_object = methodcaller("get_object")
POINTS_OF = {Size.LETTER: (612, 792), Size.A4: (595, 842)}
SQUARE = "Figure: Word"
TOLD = {"H1", "H2", "H3", "Table", "TH", SQUARE}
"""The tags by which somebody finds their way."""
TOLD_OF = {
    "sheets": ["H1", SQUARE, "Table", *["TH"] * 8],
    "cards": ["H1", SQUARE],
    "badges": [],
    "certificates": ["H1"],
    "lists": ["H1", "Table", *["TH"] * 4],
    "charts": ["H1", "H2", "H3", "H2", "Table", *["TH"] * 5],
    "poster": ["H1", SQUARE],
    "treasurer": ["H1", "H2", "Table", "TH", "TH"],
}
NAMED = [layout for layout in LAYOUTS if layout != "cards"]
"""Those with something on them that people typed."""


@pytest.mark.parametrize(("language", "size"), [("fr", Size.LETTER), ("en", Size.A4)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_fills_its_pages_on_either_size(layout: str, language: str, size: Size) -> None:
    items = items_of(layout, "Zoé Œuvray", "Noëlla Bélanger")
    pdf = printed(a_document(layout, items, size=size, language=language))
    assert len(pdf.pages) == PAGES.get(layout, 1)
    for page in pdf.pages:
        sides = sorted((round(page.mediabox.width), round(page.mediabox.height)))
        assert sides == sorted(POINTS_OF[size])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_told_to_a_screen_reader(layout: str) -> None:
    """As PDF/UA-1, which the compiler refuses to what has a drawing or a heading without words."""
    pdf = printed(a_document(layout, items_of(layout, "Zoé Œuvray", "Noëlla Bélanger"), title="Soirée"))
    root: Any = pdf.root_object
    assert (root["/MarkInfo"]["/Marked"], root["/Lang"]) == (True, "fr")
    assert pdf.metadata is not None
    assert (pdf.metadata.title, pdf.metadata.author) == ("Soirée", "Soirée")
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert [tag for tag in tags_of(pdf) if tag in TOLD] == TOLD_OF[layout]


def test_a_letter_that_no_font_has_takes_the_name_of_the_standard_and_no_tag() -> None:
    one, other = (
        printed(a_document("lists", items_of("lists", name, "Noëlla Bélanger"))) for name in ("Anne", "中")
    )
    metadata: Any = other.root_object["/Metadata"]
    assert b"pdfuaid" not in metadata.get_data()
    assert tags_of(other) == tags_of(one)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_font_is_in_the_file_and_none_is_this_computers(layout: str) -> None:
    fonts = fonts_of(printed(a_document(layout, items_of(layout, "Œdipe « É »", "Ουζό ᐃᓄᒃ عمر"))))
    assert fonts
    assert all(fonts.values())
    families = ("SourceSansPro", "LibertinusSerif", "NotoSansCanadianAboriginal", "DejaVuSansMono", "NewCM")
    assert [name for name in fonts if not any(family in name for family in families)] == []


@pytest.mark.parametrize("layout", NAMED)
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
def test_what_somebody_typed_is_printed_as_it_stands(layout: str, typed: str) -> None:
    text = text_of(printed(a_document(layout, items_of(layout, typed, "Noëlla Bélanger"))))
    assert "".join(typed.split()) in "".join(text.split())


@pytest.mark.slow
@given(one=st.text(max_size=90), other=st.text(max_size=300), layout=st.sampled_from(NAMED))
@settings(max_examples=often(15, long=450), suppress_health_check=list(HealthCheck))
def test_no_name_ever_fails_or_takes_a_page_more(one: str, other: str, layout: str) -> None:
    pdf = printed(a_document(layout, items_of(layout, one, other), title=other))
    assert len(pdf.pages) == PAGES.get(layout, 1)


JOINED, TURNED = "\N{ZERO WIDTH JOINER}", "\N{RIGHT-TO-LEFT MARK}"


@pytest.mark.parametrize(
    "name", ["é" * 80, "W" * 80, "Marie-Ève " * 8, f"😀{JOINED}☠" * 20, f"محمد{TURNED} عبد " * 9]
)
@pytest.mark.parametrize("layout", NAMED)
def test_a_long_name_keeps_to_its_place(layout: str, name: str) -> None:
    pdf = printed(a_document(layout, items_of(layout, name, name)))
    assert len(pdf.pages) == PAGES.get(layout, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [("W" * 80, Size.LETTER), ("Marie-Ève " * 8, Size.A4)])
def test_two_score_sheets_share_a_page_each_on_its_half(size: Size, name: str) -> None:
    sheets = [sheet(f"{name} {table}", name, table=str(table)) for table in range(71, 74)]
    pdf = printed(a_document("sheets", sheets, size=size, two=True))
    assert [page.mediabox.width > page.mediabox.height for page in pdf.pages] == [True, True]
    tables = [[each for each in ("71", "72", "73") if each in page.extract_text()] for page in pdf.pages]
    assert tables == [["71", "72"], ["73"]]


@pytest.mark.slow
def test_a_list_goes_on_from_page_to_page_with_its_heading_on_each() -> None:
    rows = [{"cells": [str(number), f"Name {number}", "", "x"]} for number in range(1, 201)]
    pdf = printed(a_document("lists", rows, title="Presences"))
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) > 5
    for number, text in enumerate(texts, start=1):
        assert "Presences" in text
        assert f"{number} / {len(texts)}" in text
    assert [text.count("Present") for text in texts] == [1] * len(texts)
    assert all(f"Name {number}" in " ".join(texts) for number in range(1, 201))


@pytest.mark.parametrize("layout", ["sheets", "cards", "poster"])
def test_the_square_is_that_of_the_address_point_by_point(layout: str) -> None:
    (page,) = printed(a_document(layout, items_of(layout, "One", "Other"))).pages
    objects: Any = page["/Resources"]
    (drawn,) = [one for one in map(get_object, objects["/XObject"].values()) if "/Width" in one]
    width, height, data = drawn["/Width"], drawn["/Height"], drawn.get_data()
    line = len(data) // height  # octets; a point is one bit, or whole octets
    found = [
        [_is_dark(data, y * line, x, points=width, octets=line) for x in range(POINTS // 2, width, POINTS)]
        for y in range(POINTS // 2, height, POINTS)
    ]
    matrix = segno.make(ADDRESS, error="m", micro=False).matrix
    assert found == [[bool(module) for module in row] for row in matrix]


def _is_dark(data: bytes, start: int, x: int, *, points: int, octets: int) -> bool:
    """Whether a point of the line that starts there is black."""
    if octets >= points:
        return data[start + x * (octets // points)] == 0
    return not data[start + x // 8] >> (7 - x % 8) & 1


def test_the_same_values_make_the_same_file() -> None:
    document = a_document("sheets", [sheet("One", "Other")])
    one, other = (printed(document) for _ in range(2))
    assert one.pages[0].extract_text() == other.pages[0].extract_text()
    assert fonts_of(one) == fonts_of(other)


def test_no_long_name_breaks_at_its_hyphen_while_smaller_letters_hold_it_on_a_line() -> None:
    names = "Marie-Paule Saint-Pierre-Desrosiers\nand Jean-Baptiste de la Bruère-Montarville"
    drawn = sheet("Tuesday") | {"sides": [names, "Lise Roy\nand Paul Roy"]}
    assert names in printed(a_document("sheets", [drawn])).pages[0].extract_text()
