"""Template filters for differences found in event files, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django import template

from tournaments.event_files import Difference
from wording.labels.comparisons import describe_comparison
from wording.labels.event_files import describe_difference
from wording.labels.jobs import refusal_in
from wording.sentences import SENTENCES

register = template.Library()


@register.filter
def difference_text(plain: Mapping[str, Any]) -> str:
    """Describe a stored difference or note of a file: where, and what."""
    return describe_difference(_difference(plain), SENTENCES)


@register.filter
def difference_sentence(plain: Mapping[str, Any]) -> str:
    """Describe a difference of a corrected copy: where, and what."""
    return describe_comparison(_difference(plain))


def _difference(plain: Mapping[str, Any]) -> Difference:
    details = dict(plain["details"])
    if "refusal" in details:
        details["refusal"] = refusal_in(details["refusal"])
    where = tuple((kind, number) for kind, number in plain["where"])
    return Difference(where, plain["code"], details)
