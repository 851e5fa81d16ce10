"""Rendering of values to PDF, a part at a time: typst lays out, pypdf joins the parts."""

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path

import segno
import typst
from pypdf import PdfReader, PdfWriter

from web.typesetting import build_compiler, build_empty_compiler

from .documents import Values

POINTS_PER_MODULE = 8
"""Points on a side of each module."""


def render_qr_code(address: str) -> bytes:
    """Return the QR code of the address, as PNG without a border, as the paper around it is white."""
    image = BytesIO()
    segno.make(address, error="m", micro=False).save(image, kind="png", scale=POINTS_PER_MODULE, border=0)
    return image.getvalue()


LAYOUTS = Path(__file__).parent / "layouts"

CACHE_SIZE = 12
"""More than the number of documents that typst caches."""

Progress = Callable[[int, int], None]


def render_pdf(layout: str, values: Values) -> bytes:
    """Render one part as PDF, tagged for screen readers: as PDF/UA-1, unless the fonts lack one of its
    letters."""
    compiler = _build_compiler(layout, values)
    try:
        pdf = compiler.compile(format="pdf", pdf_standards="ua-1")
    except typst.TypstError:
        pdf = compiler.compile(format="pdf")
    assert isinstance(pdf, bytes)
    return pdf


def render_pages(layout: str, values: Values, *, dpi: float) -> list[bytes]:
    """Render the pages of one part as PNG."""
    pages = _build_compiler(layout, values).compile(format="png", ppi=dpi)
    return pages if isinstance(pages, list) else [pages or b""]


def find_missing_letters(texts: Iterable[str]) -> list[str]:
    """Return the characters that no font of the papers has, in order."""
    letters = sorted({letter for text in texts for letter in text if not letter.isascii()})
    return [] if _has_glyphs("".join(letters)) else [character for character in letters if not _has_glyphs(character)]


def _has_glyphs(text: str) -> bool:
    """Check whether the fonts have all characters: the standard for screen readers allows no others."""
    try:
        build_compiler(LAYOUTS / "letters.typ", {"text": text}).compile(format="pdf", pdf_standards="ua-1")
    except typst.TypstError:
        return False
    return True


def find_cut_texts(layout: str, values: Values) -> list[str]:
    """Return the texts that do not fit their place even in the smallest letters."""
    texts = json.loads(_build_compiler(layout, values).query("<cut>", field="value"))
    return [str(text) for text in texts]


def read_layout(layout: str) -> str:
    """Return the source of a layout, with the part shared by all layouts."""
    return "".join((LAYOUTS / f"{name}.typ").read_text(encoding="utf-8") for name in ("common", layout))


def write_pdf(path: Path, layout: str, parts: Iterable[Values], *, part_count: int, progress: Progress) -> int:
    """Write the parts to one file, and return its number of pages. ``part_count`` is the number of parts: a single
    part keeps its tags, which are lost when several are joined."""
    if part_count == 1:
        (values,) = parts
        path.write_bytes(render_pdf(layout, values))
        progress(1, part_count)
        return len(PdfReader(path).pages)
    writer = PdfWriter()
    for number, values in enumerate(parts, start=1):
        part = path.with_suffix(".part")
        part.write_bytes(render_pdf(layout, values))
        writer.append(part)
        part.unlink()
        _clear_cache()
        if number == 1:
            writer.add_metadata({"/Title": values["title"], "/Author": values["author"]})
        progress(number, part_count)
    writer.compress_identical_objects()
    with path.open("wb") as file:
        writer.write(file)
    return len(writer.pages)


def _clear_cache() -> None:
    """Compile some empty documents, to push the last one out of typst's cache, which 1,000 sheets do not
    need. Measured in bench/results.md."""
    for _ in range(CACHE_SIZE):
        build_empty_compiler().compile(format="pdf")


def _build_compiler(layout: str, values: Values) -> typst.Compiler:
    items = [_add_qr_code(item) for item in values["items"]]
    all_values = {**values, "signed": _add_qr_code(values["signed"])} if "signed" in values else values
    return build_compiler(LAYOUTS / f"{layout}.typ", {**all_values, "items": items})


def _add_qr_code(item: Values) -> Values:
    return {**item, "square": list(render_qr_code(item["address"]))} if item.get("address") else item
