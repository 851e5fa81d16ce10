from typing import Any

from django.db import migrations

TELLS_SIDES = {"forfeit_table", "adjust_table", "let_cards_count", "correct_result"}


def tell_sides(apps: Any, schema_editor: Any) -> None:
    """Lines of the history that were kept before they said who sat at the table."""
    action, seating = (apps.get_model("tournaments", name) for name in ("Action", "Seating"))
    for line in action.objects.filter(kind__in=[*TELLS_SIDES, "undo"]):
        details = line.details
        if "sides" in details or (line.kind == "undo" and details["of"] not in TELLS_SIDES):
            continue
        sat = seating.objects.filter(
            round__event=line.event_id, round__number=details["round"], table__number=details["table"]
        ).order_by("place")
        numbers = list(sat.values_list("side", "entry__number"))
        details["sides"] = [[number for at, number in numbers if at == side] for side in (0, 1)]
        line.save(update_fields=["details"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0009_event_key'),
    ]

    operations = [
        migrations.RunPython(tell_sides, migrations.RunPython.noop),
    ]
