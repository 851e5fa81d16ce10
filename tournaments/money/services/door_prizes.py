"""Door prizes drawn among the people present, and announced on the wall."""

import random
import secrets

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.money.queries.door_prizes import find_door_prize, list_door_prize_candidates
from web.names import clean_text

MAX_PRIZE_LENGTH = 60
_LOT_COUNT = 10_000  # four digits, so that the lot can be read aloud


@transaction.atomic
def draw_door_prize(*, event_id: int, prize: str = "", seed: int | None = None, by: Actor = NOBODY) -> Person | None:
    """Draw a door prize among the people present, with equal chances. Nobody wins twice in one evening. The
    same seed draws the same name. Safe to repeat with the same idempotency key.

    Refuses: nobody_in_the_hat, prize_too_long.
    """
    change = Change(event_id, "draw_door_prize", by)
    if change.is_repeat:
        current = find_door_prize(change.event)
        return None if current is None else current.person
    prize = clean_text(prize)
    if len(prize) > MAX_PRIZE_LENGTH:
        raise Refusal("prize_too_long", field="prize", most=MAX_PRIZE_LENGTH)
    candidates = list_door_prize_candidates(change.event)
    if not candidates:
        raise Refusal("nobody_in_the_hat", field="prize")
    lot = secrets.randbelow(_LOT_COUNT) if seed is None else seed
    winner = random.Random(lot).choice(candidates)  # noqa: S311 - the lot is kept, so that anybody can draw again
    change.record(person=winner.pk, name=winner.name, prize=prize, among=len(candidates), seed=lot)
    return winner


@transaction.atomic
def clear_door_prize(*, event_id: int, by: Actor = NOBODY) -> None:
    """Stop announcing the door prize. The winner stays in the history. Safe to repeat."""
    change = Change(event_id, "clear_door_prize", by)
    current = find_door_prize(change.event)
    if current is not None:
        change.record(name=current.person.name)
