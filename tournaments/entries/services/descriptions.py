"""Details of an entry that the director notes: their checks."""

from typing import Any, TypedDict

from errors import Refusal
from rules import Side
from tournaments.entries.entry_import.values import MAX_RATING, clean_label, clean_team, find_section
from tournaments.entries.queries.entries import last_published_round, section_names
from tournaments.models import Entry, Event


class Description(TypedDict, total=False):
    """Details of an entry noted by the director.

    These are its section, its team, its rating, the fixed table and side where it sits, the families and cars
    that it shares with others, its labels for prize categories, and whether it is of the house.
    """

    section: str
    team: str
    rating: int | None
    table: int | None
    family: str
    car: str
    labels: str
    side: Side | None
    is_house: bool


def clean_description(event: Event, description: Description, *, entry: Entry | None = None) -> dict[str, Any]:
    """Return the checked details as columns of an entry, new or given; those left out are empty.

    Refuses: no_sections, no_such_section, team_too_long, entry_label_too_long, rating_out_of_range,
    no_table_of_that_number, table_is_anothers.
    """
    rating, table = description.get("rating"), description.get("table")
    if rating is not None and rating > MAX_RATING:
        raise Refusal("rating_out_of_range", field="rating", value=rating, most=MAX_RATING)
    values = {
        "section": find_section(description.get("section", ""), section_names(event)),
        "team": clean_team(description.get("team", "")),
        "rating": rating,
        "table": table,
        **{name: clean_label(name, str(description.get(name, ""))) for name in ("family", "car", "labels")},
        "side": description.get("side"),
        "is_house": description.get("is_house", False),
    }
    if table is not None:
        check_table(event, table, entry=entry)
    return values


def check_table(event: Event, table: int, *, entry: Entry | None) -> None:
    """Check that no other entry always sits at this table. Refuses: no_table_of_that_number,
    table_is_anothers."""
    if not 1 <= table <= event.table_count:
        raise Refusal("no_table_of_that_number", field="table", most=event.table_count)
    following = last_published_round(event) + 1
    for other in event.entries.filter(table=table):
        if other != entry and not other.has_left(following):
            raise Refusal("table_is_anothers", field="table", table=table, entry=other.number)
