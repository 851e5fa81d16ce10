"""Events as files, built by the services that the desk calls, and compared."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from clubs.models import Club
from engine.presets import PRESETS
from errors import Refusal
from jobs.models import Job
from rules import CANADIAN
from tests.builders import ONE_GAME, TUESDAY, build_club, build_player_names, play_round
from tournaments.entries.services.entries import add_entries
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import PLACE_PART, Content
from tournaments.event_files.verifying import verify_event_file
from tournaments.event_files.writer import add_checksums, serialize_event_file
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import start_event
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.standings.services import refresh_standings


def build_tournament(entries: int = 9, *, club: Club | None = None, **settings: Any) -> Event:
    """Start a tournament, without a round yet; its first four entries are of one team."""
    event = create_event(
        club=club or build_club(),
        name="Tournoi d'automne",
        held_on=TUESDAY,
        ruleset=CANADIAN,
        match_format=ONE_GAME,
        table_count=max(4, entries // 2),
        **settings,
    )
    add_entries(event_id=event.pk, entries=build_player_names(entries, size=event.entry_size))
    event.entries.filter(number__lte=4).update(team="Rimouski")
    return start_event(event_id=event.pk)


def build_preset_tournament(key: str, entries: int = 9, *, club: Club | None = None) -> Event:
    preset = PRESETS[key]
    return build_tournament(entries, club=club, stages=[dict(stage) for stage in preset.stages(entries, 5)])


def draw_round_if_any(event: Event, seed: int) -> bool:
    """Draw the next round, and return whether there was one to draw."""
    try:
        draw_round(event_id=event.pk, seed=seed)
    except Refusal as refusal:
        if refusal.code != "nothing_left_to_draw":
            raise
        return False
    return True


def play_all_rounds(event: Event) -> int:
    rounds = 0
    while draw_round_if_any(event, rounds + 1):
        rounds += 1
        publish_round(event_id=event.pk, number=rounds)
        play_round(event, rounds)
    return rounds


def update_standings(event: Event) -> None:
    """Refresh the standings, as the worker does."""
    refresh_standings(event_id=event.pk)
    Job.objects.filter(kind="refresh_standings").delete()


def export_event(event: Event) -> Content:
    """Return the event as it is written to a file and read again."""
    update_standings(event)
    return read_event_file(
        serialize_event_file(build_event_file(Event.objects.select_related("club", "terms").get(pk=event.pk)))
    )


def list_differences(content: Content) -> list[tuple[Any, ...]]:
    return [(each.location, each.code, each.details) for each in verify_event_file(content).differences]


def add_sums(content: Content) -> Content:
    return add_checksums(json.loads(json.dumps(content)))


Path = tuple[str | int, ...]


def iter_leaf_paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of each value that is no list or object, and of each empty list or object."""
    if isinstance(value, dict | list) and value:
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from iter_leaf_paths(value[step], (*path, step))
    else:
        yield path


def get_value(content: Any, path: Path) -> Any:
    for step in path:
        content = content[step]
    return content


def replace_value(content: Content, path: Path, value: Any) -> Content:
    """Return a copy of the content with ``value`` at ``path``."""
    changed: Content = json.loads(json.dumps(content))
    get_value(changed, path[:-1])[path[-1]] = value
    return changed


def choose_other_value(value: Any, chance: Random) -> Any:
    """Return a different value of a similar kind."""
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


def serialize_without_place(content: Content) -> bytes:
    sums = {name: each for name, each in content["sums"].items() if name != PLACE_PART}
    return serialize_event_file({**content, "sums": sums, PLACE_PART: None})


def import_event(content: Content, **options: object) -> Event:
    return bring_in_event(club=build_club("Another club"), content=content, **options)  # type: ignore[arg-type]


def assert_round_trip(content: Content) -> Event:
    event = import_event(content)
    again = export_event(event)
    assert serialize_without_place(again) == serialize_without_place(content)
    assert again["sum"] == content["sum"]
    return event
