"""Verification of an event file, and its result in words, for the command and for browsers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext, ngettext

from engine.signed_logs import Checkpoint, SignedLog, get_latest_checkpoint
from tournaments.event_files.labels import (
    describe_counts,
    describe_difference,
    describe_signature,
    summarize_verification,
)
from tournaments.event_files.parsing import read_event_path
from tournaments.event_files.verifying import (
    VerificationReport,
    check_clocks,
    check_log,
    check_signature,
    verify_event_file,
)
from wording.sentences import SENTENCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Result of a verification in words.

    ``short`` is one line, ``differences`` are only errors, and ``statements`` has what was computed and who signed.
    """

    short: str
    notes: list[str]
    differences: list[str]
    statements: list[str]


def check(
    file: Path | None,
    *,
    key: str = "",
    log: SignedLog | None = None,
    older_checkpoint: Checkpoint | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Verdict:
    """Verify the file, if there is one, and the log. Refuses: what ``read_event_path`` does."""
    report = VerificationReport(sum="")
    if file is not None:
        content = read_event_path(file)
        report = verify_event_file(content, progress=progress)
        check_clocks(content, report)
        check_signature(content, report, pinned_key=key, log=log)
    if log is not None:
        check_log(log, report, pinned_key=key, older_checkpoint=older_checkpoint)
    statements = [describe_counts(report), describe_signature(report)] if file is not None else []
    if log is not None:
        statements.append(_describe_log(log))
    return Verdict(
        short=summarize_verification(report, is_key_known=bool(key)) if file or report.differences else statements[-1],
        notes=[
            gettext("Note: %(sentence)s") % {"sentence": describe_difference(note, SENTENCES)} for note in report.notes
        ],
        differences=[describe_difference(difference, SENTENCES) for difference in report.differences],
        statements=statements,
    )


def _describe_log(log: SignedLog) -> str:
    size = len(log.entries)
    text = ngettext(
        "Results log verified: %(size)s entry. Latest checkpoint: %(root)s",
        "Results log verified: %(size)s entries. Latest checkpoint: %(root)s",
        size,
    )
    return text % {"size": size, "root": get_latest_checkpoint(log.entries).root.hex()}
