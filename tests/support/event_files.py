"""Events as files: made by the services that the desk calls, and checked."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from engine.presets import PRESETS
from errors import Refusal
from jobs.models import Job
from rules import CANADIAN
from tests.builders import (
    ONE_GAME,
    TUESDAY,
    a_club,
    play_round,
    player_names,
)
from tournaments.entries.services.entries import add_entries
from tournaments.event_files import PLACE, Content, read_event_file, serialize_event_file, verify, with_sums
from tournaments.event_files.queries import event_file_of
from tournaments.events.services.lifecycle import create_event, start_event
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.standings.services import refresh_standings


def a_tournament(entries: int = 9, **settings: Any) -> Event:
    """One that has begun, without a round yet; some are of one club."""
    event = create_event(
        club=a_club(),
        name="Tournoi d'automne",
        held_on=TUESDAY,
        ruleset=CANADIAN,
        match_format=ONE_GAME,
        table_count=max(4, entries // 2),
        **settings,
    )
    add_entries(event_id=event.pk, entries=player_names(entries, size=event.entry_size))
    event.entries.filter(number__lte=4).update(team="Rimouski")
    return start_event(event_id=event.pk)


def of_preset(key: str, entries: int = 9) -> Event:
    preset = PRESETS[key]
    return a_tournament(entries, stages=[dict(stage) for stage in preset.stages(entries, 5)])


def has_another_round(event: Event, seed: int) -> bool:
    """Draws it, if there is one."""
    try:
        draw_round(event_id=event.pk, seed=seed)
    except Refusal as refusal:
        if refusal.code != "nothing_left_to_draw":
            raise
        return False
    return True


def play_to_the_end(event: Event) -> int:
    rounds = 0
    while has_another_round(event, rounds + 1):
        rounds += 1
        publish_round(event_id=event.pk, number=rounds)
        play_round(event, rounds)
    return rounds


def count_standings(event: Event) -> None:
    """As the worker does."""
    refresh_standings(event_id=event.pk)
    Job.objects.filter(kind="refresh_standings").delete()


def file_of(event: Event) -> Content:
    """As it is written to a file and read again."""
    count_standings(event)
    return read_event_file(
        serialize_event_file(event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk)))
    )


def differences(content: Content) -> list[tuple[Any, ...]]:
    return [(each.where, each.code, each.details) for each in verify(content).differences]


def with_right_sums(content: Content) -> Content:
    return with_sums(json.loads(json.dumps(content)))


Path = tuple[str | int, ...]


def leaves(value: Any, at: Path = ()) -> Iterator[Path]:
    """The way to everything in it that is no list and no object, and to those that are empty."""
    if isinstance(value, dict | list) and value:
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[step], (*at, step))
    else:
        yield at


def value_at(content: Any, path: Path) -> Any:
    for step in path:
        content = content[step]
    return content


def with_value(content: Content, path: Path, value: Any) -> Content:
    """A copy in which that is said there."""
    changed: Content = json.loads(json.dumps(content))
    value_at(changed, path[:-1])[path[-1]] = value
    return changed


def another(value: Any, chance: Random) -> Any:
    """Something else of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice((-1, 1))
        case str():
            return chance.choice(sorted({"A", "B", value + "e", value[1:]} - {value}))
        case None:
            return chance.choice((1, "A"))
        case _:
            return [1]


def but_for_the_place(content: Content) -> bytes:
    sums = {name: each for name, each in content["sums"].items() if name != PLACE}
    return serialize_event_file({**content, "sums": sums, PLACE: None})


def brought(content: Content, **more: object) -> Event:
    return bring_in_event(club=a_club("Another club"), content=content, **more)  # type: ignore[arg-type]


def assert_the_same(content: Content) -> Event:
    event = brought(content)
    again = file_of(event)
    assert but_for_the_place(again) == but_for_the_place(content)
    assert again["sum"] == content["sum"]
    return event
