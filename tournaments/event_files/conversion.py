"""Conversion of older event files to the newest form."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from engine.visibility import USUAL, release_to_json
from errors import Refusal
from tournaments.announcement import NO_DETAILS, announcement_to_json

from .schema import FORMAT_KEY, VERSION, Content
from .writer import add_checksums


def upgrade_content(content: Content) -> Content:
    """Convert an event file to the newest form, with new sums; a newest one is returned unchanged.

    Refuses: namesakes_untold, where a file of the first form has one name in two entries, whose hands nobody
    could tell apart.
    """
    if content[FORMAT_KEY] > 1:
        return {**content, FORMAT_KEY: VERSION}
    people: dict[str, int] = {}
    for entry in content["entries"]:
        for name in entry["players"]:
            if name in people:
                raise Refusal("namesakes_untold", field="file", name=name)
            people[name] = len(people) + 1
    for match in _list_matches(content):
        for name in match["players"]:  # former players, now in no entry
            people.setdefault(name, len(people) + 1)
    upgraded = deepcopy({name: part for name, part in content.items() if name not in ("sum", "sums")})
    for holder in (*upgraded["entries"], *_list_matches(upgraded)):
        holder["players"] = [people[name] for name in holder["players"]]
    event, standings = upgraded["event"], upgraded["standings"]
    computed_at = None if standings is None else standings.pop("computed_at")
    event["settings"] |= {"release": release_to_json(USUAL), "announcement": announcement_to_json(NO_DETAILS)}
    upgraded["place"] = {"club": event.pop("club"), "short": event.pop("short"), "counted_at": computed_at}
    return add_checksums(upgraded | {"people": list(people)})


def _list_matches(content: Content) -> Iterator[dict[str, Any]]:
    for round_data in content["rounds"]:
        yield from (table["match"] for table in round_data["tables"] if table["match"] is not None)
    yield from (set_aside["match"] for set_aside in content["set_aside"])
