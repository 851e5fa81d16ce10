"""How a club usually plays."""

from collections.abc import Iterable

from clubs.models import Club, UsualNight
from tournaments.events.event_settings import stored_event_settings
from web.sheets import Table
from web.sheets.tables import dollars, money, number, text


def usual_nights_table(club: Club, kept: Iterable[UsualNight]) -> Table:
    """Each with its rules, tables and fees."""
    settings = [(usual.name, stored_event_settings(usual.settings)) for usual in kept]
    return Table(
        key="usual_nights",
        about=(club.name,),
        columns=(
            text("name", called="night"),
            text("ruleset", said="ruleset"),
            text("rules_name"),
            text("draw", said="draw_format"),
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
