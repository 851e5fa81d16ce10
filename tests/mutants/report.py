"""Report of mutation testing: a line for each mutant, the undetected ones again, counts by package."""

from __future__ import annotations

from collections.abc import Iterable

from tests.mutants.trials import Outcome, TrialResult


def format_line(tried: TrialResult) -> str:
    mutant = tried.mutant
    line = f"{tried.outcome}: {mutant.path}:{mutant.line}: {mutant.description}"
    if tried.failed_test:
        return f"{line} ({tried.failed_test})"
    return f"{line} ({tried.tests} tests)" if tried.outcome is Outcome.NOT_DETECTED else line


def format_summary(tried: Iterable[TrialResult]) -> list[str]:
    """Return the undetected mutants, then a table of all and detected mutants by package."""
    all_of_them = sorted(tried, key=lambda one: (one.mutant.path, one.mutant.line))
    stayed = [format_line(one) for one in all_of_them if not one.is_detected]
    packages = sorted({one.mutant.package for one in all_of_them})
    table = ["", "| package | mutants | detected |", "|---|---|---|"]
    for package in [*packages, "all"]:
        here = [one for one in all_of_them if package in {one.mutant.package, "all"}]
        table.append(f"| {package} | {len(here)} | {sum(one.is_detected for one in here)} |")
    return ["", *stayed, *table]
