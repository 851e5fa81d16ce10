"""Each side's chance of winning the match at a table, as far as its totals are visible."""

from collections import defaultdict

from engine.chances import Chance, Chances, Position, get_chances
from engine.hands import HandCounts, build_own_counts
from engine.records import bids_from_json
from engine.visibility import Results
from rules import Ruleset, get_side
from scoring.models import Terms
from tournaments.events.queries import counts_publicly
from tournaments.models import Event, Table, Tally

MIN_OWN_HANDS = 500
"""The hands from which a club's own frequencies count; before, those of hands played by machine do."""
MAX_OWN_MATCHES = 2000
"""The latest matches whose hands are counted."""


def count_club_hands(event: Event) -> dict[str, list[int]] | None:
    """Count the hands that the club made and failed in earlier events under the event's ruleset, by contract. None if
    there are too few. Two queries."""
    terms = Terms.objects.filter(events__club=event.club_id).exclude(pk=event.terms_id)
    tallies = Tally.objects.filter(
        counts_publicly("match__table__round__event__"),
        match__terms__in=[each.pk for each in terms if each.ruleset == event.terms.ruleset],
        match__own_terms__isnull=True,
    )
    hands: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for data in tallies.order_by("-match").values_list("bids", flat=True)[:MAX_OWN_MATCHES]:
        for bids in bids_from_json(data):
            hands[bids.contract][0] += bids.made
            hands[bids.contract][1] += bids.bid - bids.made
    return dict(hands) if sum(map(sum, hands.values())) >= MIN_OWN_HANDS else None


def get_own_counts(event: Event, ruleset: Ruleset) -> HandCounts | None:
    """Return the counts of the club's own hands, as counted when the event started, for matches under its ruleset.
    None if it had too few."""
    if event.hand_counts is None or ruleset != event.terms.ruleset:
        return None
    return build_own_counts(ruleset, event.hand_counts)


def compute_event_chances(event: Event) -> Chances:
    """Return the chances in matches of the event. No query."""
    ruleset = event.terms.ruleset
    return get_chances(ruleset, event.terms.match_format, get_own_counts(event, ruleset))


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
        counts = chances.counts if match.ruleset == chances.ruleset else None
        chances = get_chances(match.ruleset, match.match_format, counts)
    return chances.get_chance(position)
