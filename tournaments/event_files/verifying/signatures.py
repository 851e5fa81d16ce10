"""Verification of a file's signature."""

from collections.abc import Mapping
from typing import Any

from engine.signed_logs import Checkpoint, SignedEntry, SignedLog, is_named_by, signed_entry_from_json
from engine.sums import digest_of
from tournaments.event_files.form import SIGNED_BY
from tournaments.event_files.signed import signed_sums

from .report import VerificationReport

Plain = Mapping[str, Any]


def check_signature(
    content: Plain, report: VerificationReport, *, pinned: str = "", log: SignedLog | None = None
) -> None:
    """Check that the content of a file is what was signed. The key must be the ``pinned`` one or, with a
    ``log``, the log must have the entry. The report then has who ``signed`` it."""
    signed = content.get(SIGNED_BY)
    entry = None if signed is None else signed_entry_from_json(signed)
    if signed is None or entry is None:
        if pinned or log is not None:
            report.differs((), "not_signed")
        return
    if not entry.is_signed:
        report.differs((), "signature_is_none")
        return
    report.signed = entry
    _check_sums(content, signed["sums"], entry, report)
    if pinned and log is None and not is_named_by(entry.entry["key"], pinned):
        report.differs((), "signed_by_another")
    if log is not None and not log.holds(entry):
        report.differs((), "not_in_the_log", number=entry.entry["number"])


def check_log(
    log: SignedLog, report: VerificationReport, *, pinned: str = "", older: Checkpoint | None = None
) -> None:
    """Check that the log is unchanged, belongs to the ``pinned`` key, and continues from the ``older``
    checkpoint."""
    report.count("entries", len(log.entries))
    for fault in log.faults(pinned=pinned):
        report.differs((("entry_of_log", fault.number),) if fault.number else (), fault.what)
    if older is not None and not log.goes_on_from(older):
        report.differs((), "log_was_rewritten", size=older.size)


def _check_sums(
    content: Plain, sums: Mapping[str, str], entry: SignedEntry, report: VerificationReport
) -> None:
    if digest_of(dict(sums)) != entry.entry.get("sum") or sums.get("standings") != entry.entry.get(
        "standings"
    ):
        report.differs((), "signed_sums_are_other")
        return
    found = signed_sums(content)
    for part in sorted({*found, *sums}):
        if found.get(part) != sums.get(part):
            report.differs((), "signed_is_other", part=part)
