"""All formats, one file each. A new format is a new file, and a line here."""

from collections.abc import Mapping

from engine.draws.formats import (
    by_rank,
    consolation,
    double_elimination,
    interclub,
    interclub_all,
    knockout,
    manual,
    mitchell,
    open_tables,
    pools,
    progressive,
    random,
    rotation,
    round_robin,
    swiss,
    swiss_individual,
    team_matches,
)
from engine.draws.values import Format

FORMATS: Mapping[str, Format] = {
    draw_format.key: draw_format
    for draw_format in (
        by_rank.FORMAT,
        consolation.FORMAT,
        double_elimination.FORMAT,
        interclub.FORMAT,
        interclub_all.FORMAT,
        knockout.FORMAT,
        manual.FORMAT,
        mitchell.FORMAT,
        open_tables.FORMAT,
        pools.FORMAT,
        progressive.FORMAT,
        progressive.INDIVIDUAL,
        random.FORMAT,
        rotation.FORMAT,
        round_robin.FORMAT,
        swiss.FORMAT,
        swiss_individual.FORMAT,
        team_matches.FORMAT,
    )
}
"""Every format by its key."""
