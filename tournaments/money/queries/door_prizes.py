"""Door prizes: the winner drawn, and the people still in the draw."""

from dataclasses import dataclass

from clubs.models import Person
from tournaments.entries.queries.entries import get_entries, last_published_round
from tournaments.models import Event

DRAW_ACTION, CLEAR_ACTION = "draw_door_prize", "clear_door_prize"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorPrize:
    """A winner drawn ``among`` so many people by the lot ``seed``, and the prize."""

    person: Person
    prize: str
    among: int
    seed: int


def find_door_prize(event: Event) -> DoorPrize | None:
    """Return the door prize that is announced. Two queries at most."""
    action = event.actions.filter(kind__in=(DRAW_ACTION, CLEAR_ACTION)).order_by("-pk").first()
    if action is None or action.kind == CLEAR_ACTION:
        return None
    details = action.details
    person = Person.objects.filter(pk=details["person"]).first()
    if person is None:
        return None
    return DoorPrize(person=person, prize=details["prize"], among=details["among"], seed=details["seed"])


def list_door_prize_candidates(event: Event) -> list[Person]:
    """List the people present who have not won yet, without the house, in a stable order. Three queries."""
    winner_ids = set(event.actions.filter(kind=DRAW_ACTION).values_list("details__person", flat=True))
    next_round = last_published_round(event) + 1
    present = [
        person
        for entry in get_entries(event)
        if entry.present_at is not None and not (entry.is_waiting or entry.is_house or entry.has_left(next_round))
        for person in entry.players
    ]
    return sorted((person for person in present if person.pk not in winner_ids), key=lambda person: person.pk)
