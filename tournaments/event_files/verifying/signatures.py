"""Verification of a file's signature."""

from collections.abc import Mapping
from typing import Any

from engine.checksums import compute_digest
from engine.signed_logs import Checkpoint, SignedEntry, SignedLog, is_key_match, signed_entry_from_json
from tournaments.event_files.schema import SIGNATURE_PART
from tournaments.event_files.signed_parts import compute_signed_sums

from .report import VerificationReport

JsonObject = Mapping[str, Any]


def check_signature(
    content: JsonObject, report: VerificationReport, *, pinned_key: str = "", log: SignedLog | None = None
) -> None:
    """Check that the content of a file is the signed content. It must be signed with the ``pinned_key`` or, with
    a ``log``, be in the log. The report then has the signed entry."""
    signature = content.get(SIGNATURE_PART)
    entry = None if signature is None else signed_entry_from_json(signature)
    if signature is None or entry is None:
        if pinned_key or log is not None:
            report.differs((), "not_signed")
        return
    if not entry.is_signed:
        report.differs((), "signature_is_none")
        return
    report.signed_entry = entry
    _check_sums(content, signature["sums"], entry, report)
    if pinned_key and log is None and not is_key_match(entry.entry["key"], pinned_key):
        report.differs((), "signed_by_another")
    if log is not None and not log.has_entry(entry):
        report.differs((), "not_in_the_log", number=entry.entry["number"])


def check_log(
    log: SignedLog, report: VerificationReport, *, pinned_key: str = "", older_checkpoint: Checkpoint | None = None
) -> None:
    """Check that the log is unchanged, belongs to the ``pinned_key``, and continues from the ``older_checkpoint``."""
    report.count("entries", len(log.entries))
    for fault in log.find_faults(pinned_key=pinned_key):
        report.differs((("entry_of_log", fault.number),) if fault.number else (), fault.kind)
    if older_checkpoint is not None and not log.is_extension_of(older_checkpoint):
        report.differs((), "log_was_rewritten", size=older_checkpoint.size)


def _check_sums(content: JsonObject, sums: Mapping[str, str], entry: SignedEntry, report: VerificationReport) -> None:
    if compute_digest(dict(sums)) != entry.entry.get("sum") or sums.get("standings") != entry.entry.get("standings"):
        report.differs((), "signed_sums_are_other")
        return
    computed_sums = compute_signed_sums(content)
    for part in sorted({*computed_sums, *sums}):
        if computed_sums.get(part) != sums.get(part):
            report.differs((), "signed_is_other", part=part)
