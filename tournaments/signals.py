"""Signals of the core, sent in the transaction of what changed.

Packages subscribe in their ``receivers``, and are told in the order of ``features.RECEIVERS``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.dispatch import Signal

from clubs.audit.log import RecordedRow
from engine.visibility import Visibility

from .models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDifference:
    """Difference that a change made: the event now, and its state and visibility before.

    ``rows`` are the rows written, before and after. ``is_draft_only`` is true if only drafts were written, which
    no public page shows. ``prepared_value`` is a value that a feature computed before the event was locked, if any.
    """

    event: Event
    previous_state: str
    previous_visibility: Visibility
    previous_final: int | None
    rows: Sequence[RecordedRow]
    is_draft_only: bool
    prepared_value: Any = None

    @property
    def has_visibility_change(self) -> bool:
        """Whether what everybody sees is released differently."""
        return self.event.visible != self.previous_visibility

    @property
    def stops_counting(self) -> bool:
        """Whether its results counted publicly, and do not any more."""
        return self.previous_visibility.counts and not self.event.visible.counts

    @property
    def needs_notification(self) -> bool:
        """Whether standings, phones and other systems may have to be told."""
        return not (self.event.is_arriving or self.is_draft_only)


event_changed = Signal()
"""An event changed by ``difference``. The event is locked; receivers may refuse the change."""

ended_event_corrected = Signal()
"""Hands or results of ``event`` were corrected after it had ended."""

standings_changed = Signal()
"""The public standings of ``event`` may have changed; the event is locked."""
