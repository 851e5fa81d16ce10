"""Night templates of a club, as a table."""

from collections.abc import Iterable

from clubs.models import Club, UsualNight
from tournaments.events.event_settings import event_settings_from_json
from web.sheets.tables import Sheet, money_column, number_column, text_column


def build_night_templates_table(club: Club, templates: Iterable[UsualNight]) -> Sheet:
    """Return each night template with its rules, tables and fees."""
    lines = [{"name": each.name, "settings": event_settings_from_json(each.settings)} for each in templates]
    columns = (
        text_column("name", lambda line: line["name"], heading_key="night"),
        text_column("ruleset", lambda line: line["settings"].ruleset.key, formatter="ruleset"),
        text_column("rules_name", lambda line: line["settings"].rules_name),
        text_column("draw", lambda line: line["settings"].plan[0].format, formatter="draw_format"),
        number_column("tables", lambda line: line["settings"].table_count),
        money_column("member_fee", lambda line: line["settings"].rates.member),
        money_column("guest_fee", lambda line: line["settings"].rates.guest),
    )
    return Sheet.from_lines("usual_nights", lines, columns, about=(club.name,))
