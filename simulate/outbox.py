"""Marks of a table until the server has answered: without a network they wait, and after a lost answer
they are sent once more, under the same key."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random

from .lines import Line, NoNetwork, Reply
from .measures import Measures

PAUSE, LONGEST_PAUSE = 0.1, 3.0
"""Seconds until what waits is sent again, growing."""
PATIENCE = 600.0
"""Seconds after which something that still waits is an error."""


class TableLost(Exception):  # noqa: N818 -- said in the errors
    """The table cannot go on."""


@dataclass(slots=True, kw_only=True)
class Kept:
    """A form of the table's page, for this ``path``."""

    kind: str
    path: str
    form: dict[str, str]

    @property
    def key(self) -> str:
        return self.form.get("entry_key", "")


@dataclass(slots=True, kw_only=True)
class Outbox:
    """Of one phone: how often, of all that it sends, an answer is ``unheard``, or something is ``repeated``.
    ``recorded`` are the keys that the server has; ``held`` says what the phone knows of its match."""

    line: Line
    measures: Measures
    chance: Random
    unheard: float
    repeated: float
    held: str = ""
    waiting: list[Kept] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)

    def keep(self, kind: str, path: str, form: dict[str, str]) -> None:
        self.waiting.append(Kept(kind=kind, path=path, form=form))

    def flush(self) -> None:
        """Sends what waits, in the order of tapping, until something is not answered."""
        while self.waiting:
            try:
                is_answered = self._send(self.waiting[0])
            except NoNetwork:
                return
            if not is_answered:
                return
            self.waiting.pop(0)

    def flush_all(self) -> None:
        """Until nothing waits. Raises TableLost."""
        pause, until = PAUSE, time.monotonic() + PATIENCE
        self.flush()
        while self.waiting:
            if time.monotonic() > until:
                raise TableLost(f"{len(self.waiting)} things are not answered")
            time.sleep(pause * self.chance.uniform(0.8, 1.2))
            pause = min(LONGEST_PAUSE, 1.5 * pause)
            self.flush()

    def _send(self, kept: Kept) -> bool:
        """Whether the server has said what became of it: of a mark by its key, of anything else by its
        status."""
        hears = self.chance.random() > self.unheard
        if not hears or self.chance.random() < self.repeated:
            self._send_kept(kept, hears=hears)
        reply = self._send_kept(kept)
        key, _, outcome = reply.headers.get("charlemagne-entry", "").partition(" ")
        if kept.key and key == kept.key:
            return self._hear(kept, outcome, reply)
        if reply.status >= 400:
            self.measures.error(f"{kept.kind}: {kept.path} answered {reply.status}")
        return reply.status < 400 or not kept.key

    def _hear(self, kept: Kept, outcome: str, reply: Reply) -> bool:
        if outcome == "asked":
            self.measures.count("hands read aloud at the server's question")
            kept.form["confirmed"] = "1"
            return False
        if outcome != "recorded":
            why = reply.headers.get("charlemagne-reason")
            self.measures.error(f"{kept.kind}: {kept.path} {outcome}: {why}")
        self.recorded.add(kept.key)
        return True

    def _send_kept(self, kept: Kept, *, hears: bool = True) -> Reply:
        said = {"Charlemagne_Phone": f"{self.held}&waiting={len(self.waiting)}", "Charlemagne_Draws": "1"}
        return self.line.post(kept.kind, kept.path, kept.form, hears=hears, **said)
