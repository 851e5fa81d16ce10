"""Each side's chance of winning the match at a table, as far as its totals are visible."""

from engine.chances import Chance, Chances, Position, get_chances
from engine.visibility import Results
from rules import get_side
from tournaments.models import Event, Table


def compute_event_chances(event: Event) -> Chances:
    """Return the chances in matches of the event. No query."""
    return get_chances(event.terms.ruleset, event.terms.match_format)


def compute_table_chance(table: Table, chances: Chances, visible_results: Results) -> Chance | None:
    """Return the chances at a table with its match, which may have terms of its own. None if totals are
    hidden, before the first hand, after the end, and while two phones differ. No query."""
    match = table.match
    if match is None or visible_results is Results.NOTHING or table.ruling is not None:
        return None
    summary = match.summary
    if match.is_over or match.has_rivals or summary["next"] == 1 or "dealer" not in summary:
        return None
    (a, b), running_points, games = summary["points"], summary["running"], summary["games_won"]
    position = Position(
        points=(running_points[0], running_points[1]),
        games=(games[0], games[1]),
        lead=a - b,
        dealing_side=get_side(summary["dealer"]),
        deals=summary["deals"],
    )
    if match.own_terms is not None:
        chances = get_chances(match.ruleset, match.match_format)
    return chances.get_chance(position)
