"""Order of a paper, read from a form."""

from collections.abc import Collection, Mapping
from typing import Any

from errors import Refusal
from web.forms import FormReader

from .orders import MOST_COPIES, Order, Paper
from .presenters import chosen_tables
from .typesetting import Size

TABLES_LENGTH = 80
SHEETS = (Paper.SHEETS, Paper.BLANK)
PER_PAGE = ("1", "2")
"""Numbers of score sheets on a page."""


def read_order(data: Mapping[str, Any], *, of: int, offered: Collection[Paper], sections: int = 0) -> Order:
    """Read the order of one of the ``offered`` papers; ``sections`` is how many the event has.

    Refuses: form_refused, with what each field refuses.
    """
    form = FormReader(data)
    paper = form.choice("paper", offered)
    size = form.choice("size", tuple(Size))
    asked = form.number("copies")
    copies = 1 if asked is None else asked
    if not 1 <= copies <= MOST_COPIES:
        form.refuse(Refusal("too_many_copies", field="copies", most=MOST_COPIES))
    per_page = form.choice("per_page", PER_PAGE) if "per_page" in data else PER_PAGE[0]
    place = form.number("section")
    tables = str(data.get("tables", "")).strip()
    if len(tables) > TABLES_LENGTH:
        form.refuse(Refusal("not_table_numbers", field="tables", value=tables[:40]))
    else:
        try:
            chosen_tables(tables)
        except Refusal as refusal:
            form.refuse(refusal)
    number = form.number("round") or 0
    form.finish()
    return Order(
        paper=Paper(paper),
        of=of,
        size=Size(size),
        round=number,
        tables=tables,
        place=place if place is not None and 0 <= place < sections else -1,
        copies=copies,
        per_page=int(per_page) if paper in SHEETS else 1,
    )
