"""Marks of a table until the server has answered them.

Without a network they wait, and after a lost answer they are sent again, under the same key.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random

from .http_device import DeviceResponse, HttpDevice, NetworkDown
from .measurements import Measurements

MIN_PAUSE, MAX_PAUSE = 0.1, 3.0
"""Shortest and longest pause, in seconds, before waiting forms are sent again; pauses grow."""
TIMEOUT = 600.0
"""Seconds after which a form that still waits is an error."""


class TableLost(Exception):  # noqa: N818 -- said in the errors
    """The table cannot go on."""


@dataclass(slots=True, kw_only=True)
class PendingForm:
    """Form of the table's page, to post to ``path``."""

    kind: str
    path: str
    form: dict[str, str]

    @property
    def key(self) -> str:
        return self.form.get("entry_key", "")


@dataclass(slots=True, kw_only=True)
class Outbox:
    """Outbox of one phone.

    ``lost_answer_share`` is the share of requests whose answer is lost, ``repeat_share`` of those sent twice.
    ``recorded_keys`` are the keys that the server has recorded. ``phone_report`` reports the phone's copy of its match.
    """

    http_device: HttpDevice
    measures: Measurements
    chance: Random
    lost_answer_share: float
    repeat_share: float
    phone_report: str = ""
    pending_forms: list[PendingForm] = field(default_factory=list)
    recorded_keys: set[str] = field(default_factory=set)

    def add(self, kind: str, path: str, form: dict[str, str]) -> None:
        self.pending_forms.append(PendingForm(kind=kind, path=path, form=form))

    def flush(self) -> None:
        """Send waiting forms in the order of tapping, until one is not answered."""
        while self.pending_forms:
            try:
                is_answered = self._send(self.pending_forms[0])
            except NetworkDown:
                return
            if not is_answered:
                return
            self.pending_forms.pop(0)

    def flush_all(self) -> None:
        """Send until no form waits. Raises TableLost."""
        pause, deadline = MIN_PAUSE, time.monotonic() + TIMEOUT
        self.flush()
        while self.pending_forms:
            if time.monotonic() > deadline:
                raise TableLost(f"{len(self.pending_forms)} things are not answered")
            time.sleep(pause * self.chance.uniform(0.8, 1.2))
            pause = min(MAX_PAUSE, 1.5 * pause)
            self.flush()

    def _send(self, pending_form: PendingForm) -> bool:
        """Return whether the server has settled a form: a mark by its key, any other form by its status."""
        reads_response = self.chance.random() > self.lost_answer_share
        if not reads_response or self.chance.random() < self.repeat_share:
            self._post_form(pending_form, reads_response=reads_response)
        reply = self._post_form(pending_form)
        key, _, outcome = reply.headers.get("charlemagne-entry", "").partition(" ")
        if pending_form.key and key == pending_form.key:
            return self._handle_outcome(pending_form, outcome, reply)
        if reply.status >= 400:
            self.measures.record_error(f"{pending_form.kind}: {pending_form.path} answered {reply.status}")
        return reply.status < 400 or not pending_form.key

    def _handle_outcome(self, pending_form: PendingForm, outcome: str, reply: DeviceResponse) -> bool:
        if outcome == "asked":
            self.measures.count("hands read aloud at the server's question")
            pending_form.form["confirmed"] = "1"
            return False
        if outcome != "recorded":
            reason = reply.headers.get("charlemagne-reason")
            self.measures.record_error(f"{pending_form.kind}: {pending_form.path} {outcome}: {reason}")
        self.recorded_keys.add(pending_form.key)
        return True

    def _post_form(self, pending_form: PendingForm, *, reads_response: bool = True) -> DeviceResponse:
        headers = {
            "Charlemagne_Phone": f"{self.phone_report}&waiting={len(self.pending_forms)}",
            "Charlemagne_Draws": "1",
        }
        return self.http_device.submit(
            pending_form.kind, pending_form.path, pending_form.form, reads_response=reads_response, **headers
        )
