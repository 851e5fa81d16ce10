"""Conversion of older event files to the newest form."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from engine.visibility import USUAL, release_to_json
from errors import Refusal
from tournaments.announcement import NOTHING, announcement_to_json

from .form import MARK, VERSION, Content
from .writer import with_sums


def in_newest_form(content: Content) -> Content:
    """Convert an event file to the newest form, with new sums; a newest one is returned unchanged.

    Refuses: namesakes_untold, where a file of the first form has one name in two entries, whose hands nobody
    could tell apart.
    """
    if content[MARK] > 1:
        return {**content, MARK: VERSION}
    people: dict[str, int] = {}
    for entry in content["entries"]:
        for name in entry["players"]:
            if name in people:
                raise Refusal("namesakes_untold", field="file", name=name)
            people[name] = len(people) + 1
    for match in _matches(content):
        for name in match["players"]:  # former players, now in no entry
            people.setdefault(name, len(people) + 1)
    plain = deepcopy({name: part for name, part in content.items() if name not in ("sum", "sums")})
    for holder in (*plain["entries"], *_matches(plain)):
        holder["players"] = [people[name] for name in holder["players"]]
    event, standings = plain["event"], plain["standings"]
    counted_at = None if standings is None else standings.pop("computed_at")
    event["settings"] |= {"release": release_to_json(USUAL), "announcement": announcement_to_json(NOTHING)}
    plain["place"] = {"club": event.pop("club"), "short": event.pop("short"), "counted_at": counted_at}
    return with_sums(plain | {"people": list(people)})


def _matches(content: Content) -> Iterator[dict[str, Any]]:
    for drawn in content["rounds"]:
        yield from (table["match"] for table in drawn["tables"] if table["match"] is not None)
    yield from (aside["match"] for aside in content["set_aside"])
