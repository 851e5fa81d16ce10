"""Feeds of other clubs, for federation tests: four people who play each other night after night."""

from __future__ import annotations

import datetime
import json
from typing import Any

from django.utils import timezone

from engine.signed_logs import generate_private_key, get_public_key
from federations.feed_files import FIGURES, MARK, VERSION, build_feed_file, read_feed_file, sign_feed
from federations.models import Federation, FollowedFeed

SEASON_START, SEASON_END = datetime.date(2026, 9, 1), datetime.date(2027, 6, 30)
PEOPLE = {f"{number}" * 24: f"Aline {number}." for number in range(1, 5)}


def build_feed(club: str = "Matane", *, nights: int = 1, **values: Any) -> dict[str, Any]:
    """Build an unsigned feed with one night a week, on which the first two people always win."""
    return {
        MARK: VERSION,
        "id": club.encode().hex().ljust(32, "0")[:32],
        "number": 1,
        "at": "2026-11-23T20:00:00+00:00",
        "club": club,
        "keys": [],
        "people": {each: {"name": name, "is_rated": True, "identities": []} for each, name in PEOPLE.items()},
        "nights": [build_night(number) for number in range(nights)],
        "dates": [
            {
                "day": (timezone.localdate() + datetime.timedelta(days=3)).isoformat(),
                "starts_at": "19:30",
                "name": "Our Tuesdays",
                "place": "Hall",
                "page": "",
                "is_off": False,
            }
        ],
        **values,
    }


def build_night(number: int = 0) -> dict[str, Any]:
    one, two, three, four = PEOPLE
    return {
        "id": f"{number:024x}",
        "name": f"Night {number + 1}",
        "held_on": (SEASON_START + datetime.timedelta(weeks=number)).isoformat(),
        "page": f"/e/night-{number + 1}",
        "revision": 1,
        "line": number + 1,
        "places": [
            {"entry": 1, "rank": 1, "people": [one, two], **dict.fromkeys(FIGURES, 2)},
            {"entry": 2, "rank": 2, "people": [three, four], **dict.fromkeys(FIGURES, 0)},
        ],
        "matches": [[[one, two], [three, four], "A"], [[one, two], [three, four], "A"]],
    }


def create_followed_feed(federation: Federation, feed: dict[str, Any]) -> FollowedFeed:
    """Sign a feed and save it as if the federation had fetched it."""
    private = generate_private_key()
    signed_feed = {**feed, "key": get_public_key(private)}
    content = build_feed_file(json.dumps(signed_feed), sign_feed(signed_feed, private=private))
    signed = read_feed_file(content)
    return federation.feeds.create(
        address=f"https://{signed.id}.example.org/c/club/feed.json",
        public_id=signed.id,
        key=signed.key,
        club=feed["club"],
        number=signed.number,
        content=content,
        heard_at=timezone.now(),
        due_at=timezone.now() + datetime.timedelta(minutes=15),
    )
