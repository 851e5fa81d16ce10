"""Which of several phones at a table marks: the first that has marked holds the pencil, and another asks for
it.

The pencil only says whose screen offers the bids. What any phone of the table sends is recorded by the rules
of the log, whoever holds it: a hand that was tapped without a network is never refused for it."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

PATIENCE = timedelta(seconds=30)
"""How long whoever holds the pencil may be silent, once it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pencil:
    """Devices, "" for none: the ``holder`` and the ``asker``, who waits for an answer since ``asked_at``."""

    holder: str = ""
    asker: str = ""
    asked_at: datetime | None = None

    def at(self, now: datetime) -> "Pencil":
        """The pencil at that moment: without an answer it is the asker's; also where it was asked for in the
        future, before the clock was set back."""
        if self.asked_at is None or abs(now - self.asked_at) < PATIENCE:
            return self
        return Pencil(holder=self.asker)

    def marked_by(self, device: str) -> "Pencil":
        """The pencil after a mark: the first one who marks takes it up."""
        return self if self.holder else Pencil(holder=device)

    def asked_for_by(self, device: str, now: datetime) -> "Pencil":
        """The pencil once a device has asked for it; who asks first is answered first."""
        if self.holder in ("", device):
            return Pencil(holder=device)
        return self if self.asker else replace(self, asker=device, asked_at=now)

    def answered_by(self, device: str, *, gives: bool) -> "Pencil":
        """The pencil once its holder has answered; from anybody else it is no answer."""
        if device != self.holder or not self.asker:
            return self
        return Pencil(holder=self.asker if gives else self.holder)


@dataclass(frozen=True, slots=True, kw_only=True)
class PencilView:
    """The pencil as one device sees it. Without an answer it passes to the asker at ``passes_at``, in Unix
    seconds."""

    is_elsewhere: bool
    is_asked_for: bool
    is_asked_for_here: bool
    passes_at: int | None


def pencil_seen_by(pencil: Pencil, device: str) -> PencilView:
    """What its page says of the pencil."""
    return PencilView(
        is_elsewhere=pencil.holder not in ("", device),
        is_asked_for=pencil.asker != "",
        is_asked_for_here=pencil.asker == device != "",
        passes_at=None if pencil.asked_at is None else ceil((pencil.asked_at + PATIENCE).timestamp()),
    )
