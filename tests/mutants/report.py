"""Report of mutation testing: a line for each mutant, the undetected ones again, counts by package."""

from __future__ import annotations

from collections.abc import Iterable

from tests.mutants.trials import Outcome, TrialResult


def format_line(tried: TrialResult) -> str:
    fault = tried.fault
    line = f"{tried.outcome}: {fault.path}:{fault.line}: {fault.description}"
    if tried.failed_test:
        return f"{line} ({tried.failed_test})"
    return f"{line} ({tried.tests} tests)" if tried.outcome is Outcome.NOT_NOTICED else line


def format_summary(tried: Iterable[TrialResult]) -> list[str]:
    """Return the undetected mutants, then a table of all and detected mutants by package."""
    all_of_them = sorted(tried, key=lambda one: (one.fault.path, one.fault.line))
    stayed = [format_line(one) for one in all_of_them if not one.is_noticed]
    packages = sorted({one.fault.package for one in all_of_them})
    table = ["", "| package | faults | noticed |", "|---|---|---|"]
    for package in [*packages, "all"]:
        here = [one for one in all_of_them if package in {one.fault.package, "all"}]
        table.append(f"| {package} | {len(here)} | {sum(one.is_noticed for one in here)} |")
    return ["", *stayed, *table]
