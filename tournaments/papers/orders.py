"""Order of a paper: a frozen value, also stored as text."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum

from tournaments.papers.typesetting.documents import Size


class Paper(StrEnum):
    """Kinds of papers."""

    SHEETS = "sheets"
    BLANK = "blank"
    CARDS = "cards"
    TABLES = "tables"
    NAMES = "names"
    STANDINGS = "standings"
    CLUBS = "clubs"
    CHARTS = "charts"
    ENTRIES = "entries"
    BADGES = "badges"
    PODIUM = "podium"
    EVERYBODY = "everybody"
    POSTER = "poster"
    TREASURER = "treasurer"
    MEMBERS = "members"
    ATTENDANCE = "attendance"


ROUND_PAPERS = frozenset({Paper.SHEETS, Paper.TABLES, Paper.NAMES})
CLUB_PAPERS = frozenset({Paper.MEMBERS, Paper.ATTENDANCE})
"""Papers of a club; the others are of an event."""
DIRECTOR_PAPERS = frozenset({Paper.TREASURER})
"""Papers that may show prizes which only directors see."""

MAX_COPIES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order: ``of`` is the id of the event or of the club. Fields that do not apply keep their defaults.

    ``tables`` is as typed, ``1, 4-6``. ``place`` is the index of a section in the event, from 0; -1 means all
    of them. Score sheets come one or two ``per_page``. ``starts`` and ``ends`` are days, ``group`` a group of
    people. ``origin`` is the address at which phones reach the program. With ``drafts``, the round may be one
    that is not published.
    """

    paper: Paper
    of: int
    size: Size = Size.LETTER
    language: str = "fr"
    round: int = 0
    tables: str = ""
    place: int = -1
    copies: int = 1
    per_page: int = 1
    starts: str = ""
    ends: str = ""
    group: str = ""
    origin: str = ""
    drafts: bool = False

    @property
    def key(self) -> str:
        """Text of the whole order. Equal orders have equal keys."""
        values = asdict(self)
        return json.dumps({name: value for name, value in values.items() if value != _DEFAULTS.get(name)})

    @property
    def is_for_directors(self) -> bool:
        return self.drafts or self.paper in DIRECTOR_PAPERS

    @property
    def kind(self) -> str:
        """Kind of the task that makes it."""
        return get_job_kind(self.paper)


_DEFAULTS: Mapping[str, object] = {
    field.name: field.default for field in fields(Order) if field.name not in ("paper", "of")
}


def get_job_kind(paper: Paper) -> str:
    return f"print_{paper}"


def parse_order(key: str) -> Order:
    """Return the order with this key. Raises ValueError for any other text: a bug."""
    order = Order(**json.loads(key))
    return replace(order, paper=Paper(order.paper), size=Size(order.size))
