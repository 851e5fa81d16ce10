"""Agreement of two installations on an event: which one leads it, and which snapshot the other has. Plain
values, so that tests can try every order of what may happen."""

from dataclasses import dataclass
from datetime import timedelta

from errors import Refusal

HANDOVER_TIMEOUT = timedelta(minutes=1)
"""How long a handover may be on its way before the owners are told."""
OWNER_DECISIONS = frozenset(
    {
        *("mirror_is_led_here", "nobody_leads", "handover_not_accepted"),
        *("copy_here_differs", "copy_there_differs", "snapshot_older", "snapshot_of_other_chain"),
    }
)
"""Codes of the refusals that do not go away by themselves: an owner has to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """State of an event at one installation. ``number`` and ``head`` identify the last snapshot that it made
    or received; ``head`` is "" for none, None if any would do. Each handover raises ``epoch``. ``is_leader`` is
    true if the installation leads the event, ``is_handing_over`` while it waits for the other to take over."""

    number: int = 0
    head: str | None = ""
    epoch: int = 0
    is_leader: bool = False
    is_handing_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteState:
    """Answer of the other installation about an event. ``position`` is None where it does not know the event;
    the flags say whether each installation knows the other's last snapshot."""

    position: Position | None
    is_known_here: bool
    knows_our_snapshot: bool


def find_disagreement(local: Position, remote: RemoteState, *, waiting_time: timedelta = timedelta()) -> Refusal | None:
    """Return what an owner has to settle, or None. None also where the two will agree by themselves. An
    installation that hands over counts as the leader until the other leads."""
    remote_position = remote.position
    if remote_position is None or (local.is_handing_over and remote_position.is_handing_over):
        return None if local.is_leader else Refusal("nobody_leads")
    if local.is_leader and remote_position.is_leader:
        return Refusal("mirror_is_led_here")
    is_overdue = waiting_time >= HANDOVER_TIMEOUT
    if local.is_handing_over and remote_position.is_leader:
        return Refusal("copy_here_differs") if is_overdue and not remote.knows_our_snapshot else None
    overdue = Refusal("handover_not_accepted") if is_overdue else None
    if local.is_leader or local.is_handing_over:
        is_continuous = is_continuation(local, remote_position, is_known=remote.is_known_here)
        return overdue if is_continuous else Refusal("copy_there_differs")
    if remote_position.is_leader or remote_position.is_handing_over:
        is_continuous = is_continuation(remote_position, local, is_known=remote.knows_our_snapshot)
        return None if is_continuous else Refusal("copy_here_differs")
    return Refusal("nobody_leads")


def is_continuation(leader: Position, follower: Position, *, is_known: bool) -> bool:
    """Return whether the leader's next snapshot may replace the copy without losing anything. The copy must
    be at a snapshot that the leader knows, or have taken none yet, and must not know of a later handover."""
    is_empty = not follower.head and not follower.is_handing_over
    return (is_known or is_empty) and follower.epoch <= leader.epoch
