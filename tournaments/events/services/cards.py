"""Changes of a table's card: replacing it, and removing a phone's access."""

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from scoring.services.cards import replace_card, turn_phone_away
from tournaments.history.services.changes import Change


@transaction.atomic
def replace_table_card(*, event_id: int, table: int, digits: str, is_kept_by_phones: bool, by: Actor = NOBODY) -> None:
    """Replace the card that has these digits. Safe to repeat."""
    change = Change(event_id, "replace_card" if is_kept_by_phones else "replace_card_and_phones", by)
    topic = change.event.topic
    if replace_card(topic=topic, number=table, digits=digits, are_phones_admitted=is_kept_by_phones):
        change.record(table=table)


@transaction.atomic
def turn_table_phone_away(*, event_id: int, table: int, phone_id: int, by: Actor = NOBODY) -> None:
    """Remove a phone's access to the table. Safe to repeat."""
    change = Change(event_id, "turn_phone_away", by)
    if turn_phone_away(topic=change.event.topic, number=table, phone_id=phone_id):
        change.record(table=table)
