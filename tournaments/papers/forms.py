"""Order of a paper, read from a form."""

from collections.abc import Collection, Mapping
from typing import Any

from errors import Refusal
from web.forms import FormReader

from .orders import MAX_COPIES, Order, Paper
from .presenters import parse_table_numbers
from .typesetting.documents import Size

MAX_TABLES_LENGTH = 80
SHEET_PAPERS = (Paper.SHEETS, Paper.BLANK)
SHEETS_PER_PAGE = ("1", "2")
"""Numbers of score sheets on a page."""


def read_order(data: Mapping[str, Any], *, subject_id: int, allowed: Collection[Paper], sections: int = 0) -> Order:
    """Read the order of one of the ``allowed`` papers; ``sections`` is the number of sections of the event.

    Refuses: form_refused, with the refusal of each field.
    """
    form = FormReader(data)
    paper = form.read_choice("paper", allowed)
    size = form.read_choice("size", tuple(Size))
    copies_entered = form.read_number("copies")
    copies = 1 if copies_entered is None else copies_entered
    if not 1 <= copies <= MAX_COPIES:
        form.refuse(Refusal("too_many_copies", field="copies", most=MAX_COPIES))
    per_page = form.read_choice("per_page", SHEETS_PER_PAGE) if "per_page" in data else SHEETS_PER_PAGE[0]
    place = form.read_number("section")
    tables = str(data.get("tables", "")).strip()
    if len(tables) > MAX_TABLES_LENGTH:
        form.refuse(Refusal("not_table_numbers", field="tables", value=tables[:40]))
    else:
        try:
            parse_table_numbers(tables)
        except Refusal as refusal:
            form.refuse(refusal)
    number = form.read_number("round") or 0
    form.raise_refusals()
    return Order(
        paper=Paper(paper),
        of=subject_id,
        size=Size(size),
        round=number,
        tables=tables,
        place=place if place is not None and 0 <= place < sections else -1,
        copies=copies,
        per_page=int(per_page) if paper in SHEET_PAPERS else 1,
    )
