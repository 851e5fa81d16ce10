"""Night templates of a club, as a table."""

from collections.abc import Iterable

from clubs.models import Club, UsualNight
from tournaments.events.event_settings import event_settings_from_json
from web.sheets import Sheet
from web.sheets.tables import dollars, money, number, text_column


def usual_nights_table(club: Club, kept: Iterable[UsualNight]) -> Sheet:
    """Return each night template with its rules, tables and fees."""
    settings = [(usual.name, event_settings_from_json(usual.settings)) for usual in kept]
    return Sheet(
        key="usual_nights",
        about=(club.name,),
        columns=(
            text_column("name", called="night"),
            text_column("ruleset", said="ruleset"),
            text_column("rules_name"),
            text_column("draw", said="draw_format"),
            number("tables"),
            money("member_fee"),
            money("guest_fee"),
        ),
        rows=[
            [
                name,
                one.ruleset.key,
                one.rules_name,
                one.plan[0].format,
                one.table_count,
                dollars(one.rates.member),
                dollars(one.rates.guest),
            ]
            for name, one in settings
        ],
    )
