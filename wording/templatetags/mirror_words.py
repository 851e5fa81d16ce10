"""Why something does not get to the public site."""

from collections.abc import Mapping
from typing import Any

from django import template

from wording.labels.jobs import refusal_in
from wording.sentences import sentence

register = template.Library()


@register.filter
def why_not_sent(trouble: Mapping[str, Any]) -> str:
    return sentence(refusal_in(trouble))
