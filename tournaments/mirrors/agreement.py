"""Agreement of two installations on an event: which one leads it, and which snapshot the other has. Plain
values, so that tests can try every order of what may happen."""

from dataclasses import dataclass
from datetime import timedelta

from errors import Refusal

ACCEPTED_WITHIN = timedelta(minutes=1)
"""How long a handover may be on its way before the owners are told."""
FOR_OWNERS = frozenset(
    {
        *("mirror_is_led_here", "nobody_leads", "handover_not_accepted"),
        *("copy_here_differs", "copy_there_differs", "snapshot_older", "snapshot_of_other_chain"),
    }
)
"""Codes of the refusals that do not go away by themselves: an owner has to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """State of an event at one installation. ``number`` and ``head`` identify the last snapshot that it made
    or took; ``head`` is "" for none, None where any would do. Each handover raises ``epoch``. The
    installation ``leads`` the event, or ``hands_over`` and waits for the other."""

    number: int = 0
    head: str | None = ""
    epoch: int = 0
    leads: bool = False
    hands_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherSide:
    """Answer of the other installation about an event. ``position`` is None where it does not know the event;
    the flags say whether each installation knows the other's last snapshot."""

    position: Position | None
    is_known_here: bool
    knows_ours: bool


def disagreement(mine: Position, other: OtherSide, *, waited: timedelta = timedelta()) -> Refusal | None:
    """Return what an owner has to settle, or None. None also where the two will agree by themselves. An
    installation that hands over counts as the leader until the other leads."""
    theirs = other.position
    if theirs is None:
        return None if mine.leads else Refusal("nobody_leads")
    if mine.leads and theirs.leads:
        return Refusal("mirror_is_led_here")
    late = Refusal("handover_not_accepted") if waited >= ACCEPTED_WITHIN else None
    if mine.hands_over and theirs.leads:
        return None if other.knows_ours else late
    if mine.leads or mine.hands_over:
        goes_on = goes_on_from(mine, theirs, is_known=other.is_known_here)
        return late if goes_on else Refusal("copy_there_differs")
    if theirs.leads or theirs.hands_over:
        goes_on = goes_on_from(theirs, mine, is_known=other.knows_ours)
        return None if goes_on else Refusal("copy_here_differs")
    return Refusal("nobody_leads")


def goes_on_from(leader: Position, copy: Position, *, is_known: bool) -> bool:
    """Return whether the leader's next snapshot may replace the copy without losing anything. The copy must
    be at a snapshot that the leader knows, or have taken none yet, and must not know of a later handover."""
    is_empty = not copy.head and not copy.hands_over
    return (is_known or is_empty) and copy.epoch <= leader.epoch
