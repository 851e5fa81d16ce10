"""Findings of the diagnosis: a code, for a sentence in ``operations.doctor.labels``, and its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    FINE = "fine"
    ADVICE = "advice"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one check. ``details`` are the values that its sentence needs."""

    code: str
    level: Severity = Severity.FINE
    details: Mapping[str, Any] = field(default_factory=dict)


def report_fine(code: str, **details: Any) -> Finding:
    return Finding(code=code, details=details)


def report_advice(code: str, **details: Any) -> Finding:
    return Finding(code=code, level=Severity.ADVICE, details=details)


def report_warning(code: str, **details: Any) -> Finding:
    return Finding(code=code, level=Severity.WARNING, details=details)


def report_broken(code: str, **details: Any) -> Finding:
    return Finding(code=code, level=Severity.BROKEN, details=details)
