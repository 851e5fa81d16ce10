"""States of events and rounds, and the steps allowed between them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from errors import Refusal


class EventState(models.TextChoices):
    PREPARING = "preparing", _("in preparation")
    RUNNING = "running", _("in progress")
    ENDED = "ended", _("ended")


class RoundState(models.TextChoices):
    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")
    PLAYING = "playing", _("in progress")
    CLOSED = "closed", _("closed")


OPEN_STATES = (RoundState.PUBLISHED, RoundState.PLAYING)
"""States of a round in which tables can record hands. The clock runs only while it is in progress."""

TRANSITIONS: dict[tuple[str, str], str] = {
    (EventState.PREPARING, "start"): EventState.RUNNING,
    (EventState.RUNNING, "end"): EventState.ENDED,
    (EventState.ENDED, "resume"): EventState.RUNNING,
    (RoundState.DRAFT, "publish"): RoundState.PUBLISHED,
    (RoundState.PUBLISHED, "unpublish"): RoundState.DRAFT,
    (RoundState.PUBLISHED, "begin"): RoundState.PLAYING,
    (RoundState.PUBLISHED, "close"): RoundState.CLOSED,
    (RoundState.PLAYING, "unpublish"): RoundState.DRAFT,
    (RoundState.PLAYING, "hold"): RoundState.PUBLISHED,
    (RoundState.PLAYING, "close"): RoundState.CLOSED,
    (RoundState.CLOSED, "reopen"): RoundState.PUBLISHED,
}


def get_next_state(state: str, step: str) -> str:
    """Return the state after this step. Refuses: step_not_allowed."""
    try:
        return TRANSITIONS[state, step]
    except KeyError:
        raise Refusal("step_not_allowed", state=state, step=step) from None
