"""Combined standings of a federation as JSON, written and read."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urljoin

from engine.federations import FederationStandings, Feed
from federations.models import Federation

JsonObject = dict[str, Any]


def federation_standings_to_json(
    standings: FederationStandings, feeds: Sequence[Feed], addresses: Mapping[str, str]
) -> JsonObject:
    """Convert combined standings to JSON. ``addresses`` are those of the feeds, by id, for the pages of their
    nights::

        {"nights": [{"club": …, "name": …, "held_on": …, "page": …, "revision": 1, "signed": …, "of": 12}],
         "ladder": [{"key": …, "names": […], "clubs": […], "rank": 1, "total": 24, "bonus": 0,
                     "gains": [[night, entry, rank, of, gained, is_counted]]}],
         "ratings": [{"key": …, "name": …, …, "steps": [[night, rating, matches]]}],
         "dates": [{"day": …, "starts_at": "19:30", "club": …, "name": …, "place": …, "page": …, …}]}
    """
    return {
        "nights": [
            {
                "club": feed.club,
                "name": night.name,
                "held_on": night.held_on.isoformat(),
                "page": get_page_url(addresses[feed.id], night.page),
                "revision": night.revision,
                "log": get_log_url(addresses[feed.id], night.log_line),
                "of": len(night.places),
            }
            for feed, night in standings.nights
        ],
        "ladder": [
            {
                **{name: value for name, value in asdict(line).items() if name != "gains"},
                "gains": [
                    [
                        score.event,
                        score.entry,
                        score.rank,
                        score.of,
                        score.gained,
                        score.is_counted,
                    ]
                    for score in line.scores
                ],
            }
            for line in standings.ladder
        ],
        "ratings": [asdict(line) for line in standings.ratings],
        "dates": [
            {
                **asdict(date),
                "day": date.day.isoformat(),
                "page": get_page_url(addresses[feed.id], date.page),
                "club": feed.club,
            }
            for feed, date in sorted(
                ((feed, date) for feed in feeds for date in feed.dates),
                key=lambda one: (one[1].day, one[1].starts_at or "24", one[0].club, one[1].name),
            )
        ],
    }


def get_page_url(address: str, path: str) -> str:
    """Return the address of a club's page, given the address of its feed; "" without a page."""
    return urljoin(address, path) if path else ""


def get_log_url(address: str, entry_number: int | None) -> str:
    """Return the address of the log entry that signs a night, next to the feed; "" if none does."""
    return "" if entry_number is None else urljoin(address, f"log#entry-{entry_number}")


def get_stored_standings(federation: Federation) -> JsonObject:
    """Return the standings last computed; empty before the first time."""
    return {"nights": [], "ladder": [], "ratings": [], "dates": [], **federation.worked_out}
