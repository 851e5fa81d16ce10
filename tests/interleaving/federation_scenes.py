"""Scene of a federation: a club publishes its feed, runs a federation and enters identity codes."""

from __future__ import annotations

import datetime
from functools import partial
from typing import Any

from clubs.audit.log import Actor
from clubs.services import people
from federations.services import federation_settings, identities, publishing
from tests.builders import build_account, build_club
from tests.interleaving.calls import Scene, iter_client_ids

CODE = "K7QM-K7QM-K7QM"
YEAR: dict[str, Any] = {"starts": datetime.date(2026, 9, 1), "ends": datetime.date(2027, 6, 30)}


def build_federation_scene() -> Scene:
    """Build a club with a feed and a federation that follows two feeds; one person has an identity code."""
    club = build_club(owner=build_account())
    here: dict[str, Any] = {"club_id": club.pk}
    publishing.switch_feed_on(**here)
    publishing.write_feed(club.pk)
    rule = {"counts": "match_wins"}
    federation = federation_settings.open_federation(**here, name="Région", **YEAR, ladder=rule)
    this: dict[str, Any] = {**here, "federation_id": federation.pk}
    feed, _ = (
        federation_settings.follow_feed(**this, address=f"https://example.org/c/{name}/feed.json")
        for name in ("matane", "rimouski")
    )
    anne, bruno = people.find_or_add_people(club=club, full_names=("Anne Aubé", "Bruno Bossé"))
    identities.enter_identity_code(**here, person_id=anne.pk, code=CODE)
    key = iter_client_ids()
    return [
        partial(publishing.switch_feed_on, **here, by=Actor(key=next(key))),
        partial(publishing.switch_feed_off, **here, by=Actor(key=next(key))),
        partial(publishing.write_feed, club.pk),
        partial(
            federation_settings.open_federation,
            **here,
            name="Côte",
            **YEAR,
            ladder=rule,
            by=Actor(key=next(key)),
        ),
        partial(federation_settings.change_federation, **this, name="Bas-du-Fleuve", **YEAR, ladder=rule),
        partial(federation_settings.end_federation, **this, by=Actor(key=next(key))),
        partial(federation_settings.follow_feed, **this, address="https://example.org/c/gaspe/feed.json"),
        partial(federation_settings.unfollow_feed, **this, feed_id=feed.pk, by=Actor(key=next(key))),
        partial(federation_settings.fetch_now, **this),
        partial(identities.enter_identity_code, **here, person_id=bruno.pk, code=CODE),
        partial(identities.enter_identity_code, **here, person_id=anne.pk, code=CODE),
        partial(identities.take_back_identity, **here, person_id=anne.pk, by=Actor(key=next(key))),
        partial(people.change_person, **here, person_id=anne.pk, details=people.PersonDetails(name="Anne")),
    ]
