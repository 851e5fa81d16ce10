"""Scene of a phone that receives alerts about its owner's seat."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.builders import build_running_night, matches_of
from tests.interleaving.calls import Scene
from tournaments.alerts import services as alerts
from tournaments.alerts.queries import get_current_seats
from tournaments.entries.services import entry_actions, merging
from tournaments.rounds.services import tables

ADDRESS = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/phone",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
"""The keys are those of the example in RFC 8291."""


def build_alerts_scene() -> Scene:
    """Build a running night in which one phone receives alerts, and calls that change or use the subscription."""
    event = build_running_night(pairs=5)
    one, other = (player.person for player in matches_of(event)[0].players.order_by("seat")[:2])
    spare = {**ADDRESS, "endpoint": f"{ADDRESS['endpoint']}/spare"}
    subscription_values: dict[str, Any] = {"event": event, "channel": "webpush", "language": "fr"}
    subscription = alerts.subscribe_to_alerts(person=one, address=ADDRESS, **subscription_values)
    seat = get_current_seats(event, {one.pk})[one.pk][1]
    return [
        partial(alerts.subscribe_to_alerts, person=one, address=ADDRESS, **subscription_values),
        partial(alerts.subscribe_to_alerts, person=other, address=ADDRESS, **subscription_values),
        partial(alerts.subscribe_to_alerts, person=one, address=spare, **subscription_values),
        partial(alerts.stop_alerts, subscription.pk),
        partial(alerts.record_sent_news, subscription.pk, seat),
        partial(tables.swap_entries, event_id=event.pk, number=1, one=1, other=5),
        partial(entry_actions.withdraw_entry, event_id=event.pk, number=1),
        partial(merging.merge_people, club_id=event.club_id, target_id=other.pk, source_id=one.pk),
    ]
