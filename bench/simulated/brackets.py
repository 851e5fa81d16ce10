"""Rules of brackets: eliminations, missing winners, and final places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from errors import Refusal

from .course import Course, Round
from .tally import count_losses


def check_eliminated(course: Course, round_: Round) -> Iterator[str]:
    """Check that no eliminated entry plays, unless the director changed the bracket."""
    lives = _get_lives(course)
    if course.troubles & {"locked", "by_hand"} or lives is None:
        return
    losses = count_losses(round_.draw_input.history)
    for table in round_.tables:
        for entry in (*table.a, *table.b):
            if losses[entry] >= lives:
                yield f"entry {entry} plays after {losses[entry]} losses"


def check_missing_winner(course: Course, round_: Round) -> Iterator[str]:
    """Check that a round with a missing winner is drawn without it, or refused because it is needed."""
    decided = [place for place, table in enumerate(round_.draw_input.history) if table.b]
    if not decided:
        return
    history = list(round_.draw_input.history)
    place = Random(round_.draw_input.seed).choice(decided)
    history[place] = replace(history[place], winner=None)
    try:
        course.format.draw(replace(round_.draw_input, history=tuple(history)))
    except Refusal as refusal:
        if refusal.code != "winner_missing" or not refusal.details.get("slot"):
            yield f"refused as {refusal.code}"


def check_final_places(course: Course) -> Iterator[str]:
    """Check final places: tied entries share their best place, and nobody ties if all places are played."""
    if not course.is_whole or course.troubles - {"bonds", "apart", "sides", "tables", "forfeits"}:
        return
    last = course.rounds[-1].draw_input
    places = course.format.places(last).final
    ranked = sorted(places.values())
    if len(places) != len(last.entrants):
        yield f"{len(places)} places for {len(last.entrants)} entrants"
    if any(place != ranked.index(place) + 1 for place in ranked):
        yield f"places {ranked}"
    if course.settings.get("places") == "all" and len(set(ranked)) < len(ranked):
        yield f"shared places {ranked}"
    losses = count_losses(course.history)
    lives = {"consolation": 1, "double_elimination": 1 + course.settings.get("second_final", True)}
    standing = [entrant.id for entrant in last.entrants if losses[entrant.id] < lives.get(course.format.key, 1)]
    if [entry for entry, place in places.items() if place == 1] != standing[:1] and len(standing) == 1:
        yield f"{standing} should have won"


def check_match_count(course: Course) -> Iterator[str]:
    if not course.is_whole or course.troubles - {"bonds", "apart", "sides", "tables", "forfeits"}:
        return
    count = len(course.rounds[-1].draw_input.entrants)
    matches = sum(bool(table.b) for table in course.history)
    places = course.settings.get("places", "winner")
    expected = {
        "knockout": {"winner": (0, 0), "third": (count > 3,) * 2, "all": (0, 10**6)}[places],
        "double_elimination": (count - 1, count - 1 + course.settings.get("second_final", True)),
    }
    minimum, maximum = expected[course.format.key]
    if count > 1 and not minimum <= matches - (count - 1) <= maximum:
        yield f"{matches} matches of {count} entrants"


def _get_lives(course: Course) -> int | None:
    places = course.settings.get("places", "winner")
    if course.format.key == "knockout":
        return {"winner": 1, "third": 2}.get(places)
    if course.format.key == "double_elimination":
        return 2
    return 2 if course.settings.get("feed_in", 1) == 1 else None
