"""Every operation at an address of one night, with a body that it can read."""

import re
from typing import Any

from api.operation import Operation
from clubs.models import ClubAction
from tests.support.hall import Hall
from tournaments.models import Season

HAND = {"side": "A", "contract": "6", "tricks": 7}
VALUES: dict[str, Any] = {
    "act": "ask",
    "add_up": False,
    "address": "https://example.org/hook",
    "always": False,
    "amount": 2,
    "attendance": "absent",
    "device": "Tableur",
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
"""What a field of that name holds."""


def body_of(operation: Operation) -> dict[str, Any]:
    if operation.takes is None:
        return {}
    fields = operation.takes().fields
    return {name: VALUES[name] for name, field in fields.items() if field.required}


def path_of(hall: Hall, operation: Operation) -> str:
    """Its address in this night."""
    values = path_values(hall, operation)
    return re.sub(r"<\w+:(\w+)>", lambda part: str(values[part[1]]), operation.path)


def path_values(hall: Hall, operation: Operation) -> dict[str, Any]:
    """What the words of its address stand for, in this night."""
    club = hall.event.club
    numbers = {"place": 1, "table": 1, "number": 1}
    values: dict[str, Any] = {
        **numbers,
        "slug": club.slug,
        "short": hall.event.short,
        "code": hall.code,
        "person_id": int(hall.played.rpartition("/")[2])
        if operation.path.endswith("/record")
        else club.people.order_by("pk").values_list("pk", flat=True)[0],
        "season_id": Season.objects.filter(club=club).values_list("pk", flat=True).first() or 1,
        "night_id": club.recurring_nights.values_list("pk", flat=True).first() or 1,
        "period_id": club.dues_periods.values_list("pk", flat=True).first() or 1,
        "action_id": _action(hall, operation),
        "prize_id": 1,
        "federation_id": hall.kept_federation.pk,
        "feed_id": hall.kept_federation.feeds.get().pk,
        "key": hall.line_of_federation,
        "year": 2026,
        "month": 9,
        "webhook_id": hall.webhook.pk,
        "delivery_id": hall.webhook.deliveries.get().pk,
        "adjustment_id": 1,
        "category_id": 1,
    }
    return {name: values[name] for name in re.findall(r"<\w+:(\w+)>", operation.path)}


def _action(hall: Hall, operation: Operation) -> int:
    if "slug" in operation.path:
        return ClubAction.objects.filter(club=hall.event.club).values_list("pk", flat=True).first() or 1
    return hall.event.actions.latest("pk").pk
