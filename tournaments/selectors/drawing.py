"""What a draw depends on, and what comes of it."""

from tournaments.counting import draw_input_of
from tournaments.draws import DrawInput
from tournaments.models import Event

from .played import known_of


def draw_input(event: Event, *, seed: int, before: int | None = None) -> DrawInput:
    """All that a draw of the next round depends on, or of round ``before`` as it would be drawn today. Three
    queries; four with stages."""
    return draw_input_of(known_of(event), seed=seed, before=before)
