"""Door prizes: the winner drawn, and the people still in the draw."""

from dataclasses import dataclass

from clubs.models import Person
from tournaments.entries.queries.entries import entries_of, last_published_round
from tournaments.models import Event

DRAWN, CLEARED = "draw_door_prize", "clear_door_prize"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorPrize:
    """A winner drawn ``among`` so many people by the lot ``seed``, and the prize."""

    person: Person
    prize: str
    among: int
    seed: int


def door_prize_of(event: Event) -> DoorPrize | None:
    """Return the door prize that is announced. Two queries at most."""
    action = event.actions.filter(kind__in=(DRAWN, CLEARED)).order_by("-pk").first()
    if action is None or action.kind == CLEARED:
        return None
    told = action.details
    person = Person.objects.filter(pk=told["person"]).first()
    if person is None:
        return None
    return DoorPrize(person=person, prize=told["prize"], among=told["among"], seed=told["seed"])


def people_in_the_hat(event: Event) -> list[Person]:
    """List the people present who have not won yet, without the house, in a stable order. Three queries."""
    drawn = set(event.actions.filter(kind=DRAWN).values_list("details__person", flat=True))
    following = last_published_round(event) + 1
    present = [
        person
        for entry in entries_of(event)
        if entry.present_at is not None
        and not (entry.is_waiting or entry.is_house or entry.has_left(following))
        for person in entry.players
    ]
    return sorted((person for person in present if person.pk not in drawn), key=lambda person: person.pk)
