"""Rendering of values to PDF, a part at a time: typst lays out, pypdf joins the parts."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import typst
from pypdf import PdfReader, PdfWriter

from web.typesetting import compiler, empty_document

from .documents import Values
from .qr import square

LAYOUTS = Path(__file__).parent / "layouts"

REMEMBERED = 12
"""More than the number of documents that typst caches."""

Progress = Callable[[int, int], None]


def laid_out(layout: str, values: Values) -> bytes:
    """Render one part as PDF, tagged for screen readers: as PDF/UA-1, unless the fonts lack one of its
    letters."""
    compiler = _compiler(layout, values)
    try:
        pdf = compiler.compile(format="pdf", pdf_standards="ua-1")
    except typst.TypstError:
        pdf = compiler.compile(format="pdf")
    assert isinstance(pdf, bytes)
    return pdf


def render_pages(layout: str, values: Values, *, dots_per_inch: float) -> list[bytes]:
    """Render the pages of one part as PNG."""
    pages = _compiler(layout, values).compile(format="png", ppi=dots_per_inch)
    return pages if isinstance(pages, list) else [pages or b""]


def missing_letters(texts: Iterable[str]) -> list[str]:
    """Return the characters that no font of the papers has, in order."""
    letters = sorted({letter for text in texts for letter in text if not letter.isascii()})
    return [] if _can_be_set("".join(letters)) else [each for each in letters if not _can_be_set(each)]


def _can_be_set(text: str) -> bool:
    """Check whether the fonts have all characters: the standard for screen readers allows no others."""
    try:
        compiler(LAYOUTS / "letters.typ", {"text": text}).compile(format="pdf", pdf_standards="ua-1")
    except typst.TypstError:
        return False
    return True


def cut_texts(layout: str, values: Values) -> list[str]:
    """Return the texts that do not fit their place even in the smallest letters."""
    found = json.loads(_compiler(layout, values).query("<cut>", field="value"))
    return [str(each) for each in found]


def layout_text(layout: str) -> str:
    """Return the source of a layout, with the part shared by all layouts."""
    return "".join((LAYOUTS / f"{name}.typ").read_text(encoding="utf-8") for name in ("common", layout))


def write(path: Path, layout: str, parts: Iterable[Values], *, of: int, progress: Progress) -> int:
    """Write the parts to one file, and return its number of pages. ``of`` is the number of parts: a single
    one keeps its tags, which are lost when several are joined."""
    if of == 1:
        (values,) = parts
        path.write_bytes(laid_out(layout, values))
        progress(1, of)
        return len(PdfReader(path).pages)
    whole = PdfWriter()
    for number, values in enumerate(parts, start=1):
        part = path.with_suffix(".part")
        part.write_bytes(laid_out(layout, values))
        whole.append(part)
        part.unlink()
        _forget()
        if number == 1:
            whole.add_metadata({"/Title": values["title"], "/Author": values["author"]})
        progress(number, of)
    whole.compress_identical_objects()
    with path.open("wb") as file:
        whole.write(file)
    return len(whole.pages)


def _forget() -> None:
    """Compile some empty documents, to push the last one out of typst's cache, which 1,000 sheets do not
    need. Measured in bench/results.md."""
    for _ in range(REMEMBERED):
        empty_document().compile(format="pdf")


def _compiler(layout: str, values: Values) -> typst.Compiler:
    items = [_with_square(item) for item in values["items"]]
    shared = {**values, "signed": _with_square(values["signed"])} if "signed" in values else values
    return compiler(LAYOUTS / f"{layout}.typ", {**shared, "items": items})


def _with_square(item: Values) -> Values:
    return {**item, "square": list(square(item["address"]))} if item.get("address") else item
