"""Diagnosis of an installation: the command ``doctor``, and the owner's page."""

from .examination import examine, examine_before_night
from .findings import Finding, Severity

__all__ = ["Finding", "Severity", "examine", "examine_before_night"]
