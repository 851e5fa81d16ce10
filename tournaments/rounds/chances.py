"""Each side's chance of winning the match at a table, as far as its totals are visible."""

from engine.chances import Chance, Chances, Position, chances_in
from engine.visibility import Results
from rules import side_of
from tournaments.models import Event, Table


def chances_of_event(event: Event) -> Chances:
    """Return the chances in matches of the event. No query."""
    return chances_in(event.terms.ruleset, event.terms.match_format)


def chance_at(table: Table, chances: Chances, seen: Results) -> Chance | None:
    """Return the chances at a table with its match, which may have terms of its own. None if totals are
    hidden, before the first hand, after the end, and while two phones differ. No query."""
    match = table.match
    if match is None or seen is Results.NOTHING or table.ruling is not None:
        return None
    known = match.summary
    if match.is_over or match.has_rivals or known["next"] == 1 or "dealer" not in known:
        return None
    (a, b), running, games = known["points"], known["running"], known["games_won"]
    position = Position(
        points=(running[0], running[1]),
        games=(games[0], games[1]),
        lead=a - b,
        dealing=side_of(known["dealer"]),
        deals=known["deals"],
    )
    if match.own_terms is not None:
        chances = chances_in(match.ruleset, match.match_format)
    return chances.at(position)
