"""Verification of an event file, and its result in words, for the command and for browsers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext, ngettext

from engine.signed_logs import Checkpoint, SignedLog, head_of
from tournaments.event_files import (
    VerificationReport,
    check_clocks,
    check_log,
    check_signature,
    read_event_path,
    verify,
)
from wording.labels.event_files import describe_counts, describe_difference, describe_signature, told_in_short
from wording.sentences import SENTENCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Result of a verification in words.

    ``short`` is one line, ``differences`` are only errors, and ``told`` has what was computed and who signed.
    """

    short: str
    notes: list[str]
    differences: list[str]
    told: list[str]


def check(
    file: Path | None,
    *,
    key: str = "",
    log: SignedLog | None = None,
    older: Checkpoint | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Verdict:
    """Verify the file, if there is one, and the log. Refuses: what ``read_event_path`` does."""
    report = VerificationReport(sum="")
    if file is not None:
        content = read_event_path(file)
        report = verify(content, progress=progress)
        check_clocks(content, report)
        check_signature(content, report, pinned=key, log=log)
    if log is not None:
        check_log(log, report, pinned=key, older=older)
    told = [describe_counts(report), describe_signature(report)] if file is not None else []
    if log is not None:
        told.append(_told_log(log))
    return Verdict(
        short=told_in_short(report, is_key_known=bool(key)) if file or report.differences else told[-1],
        notes=[
            gettext("Note: %(sentence)s") % {"sentence": describe_difference(note, SENTENCES)}
            for note in report.notes
        ],
        differences=[describe_difference(difference, SENTENCES) for difference in report.differences],
        told=told,
    )


def _told_log(log: SignedLog) -> str:
    size = len(log.entries)
    told = ngettext(
        "Results log verified: %(size)s entry. Latest checkpoint: %(root)s",
        "Results log verified: %(size)s entries. Latest checkpoint: %(root)s",
        size,
    )
    return told % {"size": size, "root": head_of(log.entries).root.hex()}
