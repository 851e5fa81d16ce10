"""Night templates of a club, as a table."""

from collections.abc import Iterable

from clubs.models import Club, UsualNight
from tournaments.events.event_settings import event_settings_from_json
from web.sheets.tables import Sheet, convert_to_dollars, money_column, number_column, text_column


def build_night_templates_table(club: Club, templates: Iterable[UsualNight]) -> Sheet:
    """Return each night template with its rules, tables and fees."""
    settings = [(usual.name, event_settings_from_json(usual.settings)) for usual in templates]
    return Sheet(
        key="usual_nights",
        about=(club.name,),
        columns=(
            text_column("name", heading_key="night"),
            text_column("ruleset", formatter="ruleset"),
            text_column("rules_name"),
            text_column("draw", formatter="draw_format"),
            number_column("tables"),
            money_column("member_fee"),
            money_column("guest_fee"),
        ),
        rows=[
            [
                name,
                template.ruleset.key,
                template.rules_name,
                template.plan[0].format,
                template.table_count,
                convert_to_dollars(template.rates.member),
                convert_to_dollars(template.rates.guest),
            ]
            for name, template in settings
        ],
    )
