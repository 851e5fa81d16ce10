"""Door prizes drawn among the people present, and announced on the wall."""

import random
import secrets

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.money.queries.door_prizes import door_prize_of, people_in_the_hat
from web.names import clean_text

PRIZE_LENGTH = 60
_LOTS = 10_000  # four digits, so that the lot can be read aloud


@transaction.atomic
def draw_door_prize(
    *, event_id: int, prize: str = "", seed: int | None = None, by: Actor = NOBODY
) -> Person | None:
    """Draw a door prize among the people present, with equal chances. Nobody wins twice in one evening. The
    same seed draws the same name. Safe to repeat with the same idempotency key.

    Refuses: nobody_in_the_hat, prize_too_long.
    """
    change = Change(event_id, "draw_door_prize", by)
    if change.is_repeat:
        known = door_prize_of(change.event)
        return None if known is None else known.person
    prize = clean_text(prize)
    if len(prize) > PRIZE_LENGTH:
        raise Refusal("prize_too_long", field="prize", most=PRIZE_LENGTH)
    hat = people_in_the_hat(change.event)
    if not hat:
        raise Refusal("nobody_in_the_hat", field="prize")
    lot = secrets.randbelow(_LOTS) if seed is None else seed
    drawn = random.Random(lot).choice(hat)  # noqa: S311 - the lot is kept, so that anybody can draw again
    change.record(person=drawn.pk, name=drawn.name, prize=prize, among=len(hat), seed=lot)
    return drawn


@transaction.atomic
def clear_door_prize(*, event_id: int, by: Actor = NOBODY) -> None:
    """Stop announcing the door prize. The winner stays in the history. Safe to repeat."""
    change = Change(event_id, "clear_door_prize", by)
    known = door_prize_of(change.event)
    if known is not None:
        change.record(name=known.person.name)
