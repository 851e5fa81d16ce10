"""Template filters for differences found in event files, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django import template

from jobs.labels import load_refusal
from tournaments.event_files.labels import describe_difference
from tournaments.event_files.verifying import Difference
from wording.labels.comparisons import describe_comparison
from wording.sentences import SENTENCES

register = template.Library()


@register.filter
def describe_stored_difference(stored: Mapping[str, Any]) -> str:
    """Describe a stored difference or note of a file: where, and what."""
    return describe_difference(_load_difference(stored), SENTENCES)


@register.filter
def describe_copy_difference(stored: Mapping[str, Any]) -> str:
    """Describe a difference of a corrected copy: where, and what."""
    return describe_comparison(_load_difference(stored))


def _load_difference(stored: Mapping[str, Any]) -> Difference:
    details = dict(stored["details"])
    if "refusal" in details:
        details["refusal"] = load_refusal(details["refusal"])
    location = tuple((kind, number) for kind, number in stored["where"])
    return Difference(location, stored["code"], details)
