"""What is found in an event file in words, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django import template

from config.event_file_wording import told_difference
from config.job_wording import refusal_in
from config.wording import SENTENCES
from tournaments.event_files import Difference

register = template.Library()


@register.filter
def told(plain: Mapping[str, Any]) -> str:
    """A difference or a note as it was kept with the file: where, and what."""
    details = dict(plain["details"])
    if "refusal" in details:
        details["refusal"] = refusal_in(details["refusal"])
    where = tuple((kind, number) for kind, number in plain["where"])
    return told_difference(Difference(where, plain["code"], details), SENTENCES)
