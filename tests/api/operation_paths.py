"""The path of every operation in one night, and a valid body for it."""

import re
from collections.abc import Callable
from typing import Any

from api.operation import Operation
from api.operations import OPERATIONS
from clubs.models import ClubAction
from tests.every_page.test_permissions import build_hall
from tests.saved_states import saved_state
from tests.support.hall import Hall
from tournaments.models import Season

HAND = {"side": "A", "contract": "6", "tricks": 7}
VALUES: dict[str, Any] = {
    "disqualification": "Insults",
    "act": "ask",
    "answer": "The season ends on Thursday.",
    "add_up": False,
    "address": "https://example.org/hook",
    "always": False,
    "amount": 2,
    "attendance": "absent",
    "device": "Tableur",
    "day": "2026-12-04",
    "draw": True,
    "ends": "2027-06-30",
    "entries": True,
    "first_on": "2026-11-17",
    "game": 1,
    "games": [1, 0],
    "guest": 500,
    "hand": HAND,
    "held_on": "2026-11-17",
    "is_coming": False,
    "is_held": False,
    "is_on": True,
    "is_open": True,
    "is_present": True,
    "is_public": True,
    "is_up": False,
    "kinds": ["table.result"],
    "label": "Juniors",
    "ladder": {"counts": "match_wins"},
    "ladders": [{"name": "General"}],
    "left_out": [],
    "member": 300,
    "metric": "points_for",
    "moved_to": "2026-11-18",
    "name": "Nouvelle soirée",
    "names": "agreed",
    "note": "Come",
    "number": 1,
    "numbers": [1],
    "on": "2026-11-17",
    "one": 1,
    "other": 3,
    "pattern": "weekly",
    "people": [],
    "per_row": 4,
    "players": ["Rita Roy", "Luc Roy"],
    "points": [24, 12],
    "ranking": {},
    "results": "hands",
    "round_number": 2,
    "ruleset": "canadian",
    "ruling": "As marked.",
    "scene": "standings",
    "seat": 1,
    "sections": [],
    "settings": {"tie": "lot"},
    "side": "A",
    "stages": [{"format": "swiss"}],
    "standings": "live",
    "starts": "2026-09-01",
    "starts_at": "19:00",
    "table": 1,
    "table_count": 3,
    "tables": 3,
    "text": "1, 2",
    "way": "by_lot",
    "winner": "A",
    "winners": [1],
}
"""A valid value of each body field, by the name of the field."""


def build_body(operation: Operation) -> dict[str, Any]:
    if operation.request_shape is None:
        return {}
    fields = operation.request_shape().fields
    return {name: VALUES[name] for name, field in fields.items() if field.required}


def _get_action_id(hall: Hall, operation: Operation) -> int:
    if "slug" in operation.path:
        return ClubAction.objects.filter(club=hall.event.club).values_list("pk", flat=True).first() or 1
    return hall.event.actions.latest("pk").pk


PATH_VALUES: dict[str, Callable[[Hall, Operation], Any]] = {
    **dict.fromkeys(("place", "table", "number"), lambda hall, _: 1),
    "slug": lambda hall, _: hall.event.club.slug,
    "short": lambda hall, _: hall.event.short,
    "code": lambda hall, _: hall.code,
    "person_id": lambda hall, operation: (
        int(hall.played_person.rpartition("/")[2])
        if operation.path.endswith("/record")
        else hall.event.club.people.order_by("pk").values_list("pk", flat=True)[0]
    ),
    "season_id": lambda hall, _: Season.objects.filter(club=hall.event.club).values_list("pk", flat=True).first() or 1,
    "night_id": lambda hall, _: hall.event.club.recurring_nights.values_list("pk", flat=True).first() or 1,
    "period_id": lambda hall, _: hall.event.club.dues_periods.values_list("pk", flat=True).first() or 1,
    "action_id": _get_action_id,
    "prize_id": lambda hall, _: 1,
    "federation_id": lambda hall, _: hall.saved_federation.pk,
    "feed_id": lambda hall, _: hall.saved_federation.feeds.get().pk,
    "key": lambda hall, _: hall.federation_line_key,
    "year": lambda hall, _: 2026,
    "month": lambda hall, _: 9,
    "webhook_id": lambda hall, _: hall.webhook.pk,
    "delivery_id": lambda hall, _: hall.webhook.deliveries.get().pk,
    "adjustment_id": lambda hall, _: 1,
    "category_id": lambda hall, _: 1,
}
"""A value of each path parameter, by its name."""


@saved_state
def build_hall_with_values() -> tuple[Hall, dict[str, dict[str, Any]]]:
    """Build a night with an object for every path parameter, and the path values of each operation."""
    hall = build_hall()
    return hall, {one.name: _get_path_values(hall, one) for one in OPERATIONS}


def build_hall_with_paths() -> tuple[Hall, dict[str, str]]:
    """Build the night, and the path of each operation in it."""
    hall, words = build_hall_with_values()
    return hall, {one.name: _format_path(one, words[one.name]) for one in OPERATIONS}


def _get_path_values(hall: Hall, operation: Operation) -> dict[str, Any]:
    return {name: PATH_VALUES[name](hall, operation) for name in re.findall(r"<\w+:(\w+)>", operation.path)}


def _format_path(operation: Operation, path_values: dict[str, Any]) -> str:
    return re.sub(r"<\w+:(\w+)>", lambda part: str(path_values[part[1]]), operation.path)
