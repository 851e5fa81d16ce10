"""Events whose final standings a club has signed, and forged versions of their files."""

import json
from collections.abc import Callable

from engine.signed_logs import SignedLog
from tests.builders import mark, matches_of, play_round
from tests.support.event_files import build_tournament, export_event, update_standings
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.schema import Content
from tournaments.event_files.writer import add_checksums, serialize_event_file
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.signing.queries import find_signed_log

Forgery = Callable[[Content], None]


def build_signed_event() -> Event:
    """Build a signed event of two rounds; the first hand of each round failed."""
    event = build_tournament(8, stages=[{"format": "swiss", "rounds": 2}])
    for number in (1, 2):
        draw_round(event_id=event.pk, seed=number)
        publish_round(event_id=event.pk, number=number)
        mark(matches_of(event, number)[0], "A 7 3")
        play_round(event, number)
    update_standings(event)
    publish_final(event_id=event.pk)
    event.refresh_from_db()
    return event


def get_log(event: Event) -> SignedLog:
    log = find_signed_log(event.club)
    assert log is not None
    return log


def forge(event: Event, forgery: Forgery) -> Content:
    """Export the event, apply the forgery, compute the checksums again and read the result as a file."""
    content = json.loads(json.dumps(export_event(event)))
    forgery(content)
    return read_event_file(serialize_event_file(add_checksums(content)))


def exchange_names(content: Content) -> None:
    people = content["people"]
    people[0], people[2] = people[2], people[0]
