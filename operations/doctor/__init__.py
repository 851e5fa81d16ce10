"""Diagnosis of an installation: the command ``doctor``, and the owner's page."""

from .examination import run_checks, run_night_checks
from .findings import Finding, Severity
