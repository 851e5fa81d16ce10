"""Whether two installations agree on an event: which of them leads it, and what the other has of it. Plain
values, so that each order of what may happen to the two can be tried."""

from dataclasses import dataclass
from datetime import timedelta

from rules import Refusal

ACCEPTED_WITHIN = timedelta(minutes=1)
"""So long a handover may be on its way before somebody is told."""
FOR_OWNERS = frozenset(
    {
        *("mirror_is_led_here", "nobody_leads", "handover_not_accepted"),
        *("copy_here_differs", "copy_there_differs", "snapshot_older", "snapshot_of_other_chain"),
    }
)
"""What does not go away by itself: the refusals' codes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where an installation stands with an event: the number and the head of the last snapshot that it made
    or took, "" where there is none, None where any would do; in which ``epoch``, which each handover raises;
    whether it ``leads``, or ``hands_over`` and waits for the other."""

    number: int = 0
    head: str | None = ""
    epoch: int = 0
    leads: bool = False
    hands_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherSide:
    """What the other installation says of an event: its position, None where it does not know the event; and
    whether each of the two knows the snapshot at which the other stands."""

    position: Position | None
    is_known_here: bool
    knows_ours: bool


def disagreement(mine: Position, other: OtherSide, *, waited: timedelta = timedelta()) -> Refusal | None:
    """Gives what an owner has to settle; None where the two agree, or will by themselves. A side that hands
    over is the one to go on from until the other leads."""
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
    """Whether the leader's next snapshot may replace the copy, of which nothing is lost: the copy is at a
    snapshot that the leader knows, or has taken none yet, and has not heard of a later handover."""
    is_empty = not copy.head and not copy.hands_over
    return (is_known or is_empty) and copy.epoch <= leader.epoch
