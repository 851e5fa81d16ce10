"""Metrics as text, in the format that Prometheus reads (version 0.0.4)."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Sample(NamedTuple):
    """One value of a metric. As JSON it is a list of the three."""

    name: str
    labels: Mapping[str, str]
    value: float


FAMILIES = {
    "charlemagne_request_seconds": (
        "histogram",
        "Requests by method, route and status, and how long each took.",
    ),
    "charlemagne_hands_acknowledged_total": ("counter", "Hands that a phone was told are recorded."),
    "charlemagne_watchers": ("gauge", "Open streams, on which pages hear of changes."),
    "charlemagne_database_pool": (
        "gauge",
        "Connections to PostgreSQL by state, and requests that wait for one.",
    ),
    "charlemagne_jobs": ("gauge", "Jobs that wait or run, by queue."),
    "charlemagne_oldest_job_seconds": (
        "gauge",
        "For how long the oldest job that could run waits, by queue.",
    ),
    "charlemagne_database_up": ("gauge", "Whether the database answered this scrape."),
    "charlemagne_process_memory_bytes": (
        "gauge",
        "Memory of each process, with its share of what several of them have in common (PSS).",
    ),
    "charlemagne_process_open_files": ("gauge", "Open files and connections of each process."),
}
"""Kind and meaning of each metric."""
HISTOGRAM_SUFFIXES = ("_bucket", "_sum", "_count")


def format_metrics(samples: Iterable[Sample]) -> str:
    """Return the metrics page: each family once, with all of its lines together."""
    order = list(FAMILIES)
    ordered = sorted(samples, key=lambda sample: order.index(get_family(sample.name)))
    lines = []
    for family, group in groupby(ordered, lambda sample: get_family(sample.name)):
        kind, meaning = FAMILIES[family]
        lines += [f"# HELP {family} {meaning}", f"# TYPE {family} {kind}", *map(_format_sample, group)]
    return "\n".join([*lines, ""])


def get_family(name: str) -> str:
    """Return the family of a sample. Raises LookupError for a name without a description: a bug."""
    if name in FAMILIES:
        return name
    (family,) = (name.removesuffix(end) for end in HISTOGRAM_SUFFIXES if name.endswith(end))
    if family not in FAMILIES:
        raise LookupError(name)
    return family


def _format_sample(sample: Sample) -> str:
    labels = ",".join(f'{name}="{_escape(value)}"' for name, value in sample.labels.items())
    return f"{sample.name}{{{labels}}} {sample.value:g}" if labels else f"{sample.name} {sample.value:g}"


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
