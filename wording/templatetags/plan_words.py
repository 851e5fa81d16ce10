"""Template filters for the planner, in the reader's language."""

from django import template

from engine.planning import MATTERS
from tournaments.planner import labels as words
from wording.lookups import build_lookup

register = template.Library()
register.filter(words.plan_name)
register.filter(words.plan_meaning)
register.filter("plan_decides", build_lookup(words.DECIDES))
register.filter("plan_order", build_lookup(words.ORDERS))
register.filter("whole", words.format_rounded_mean)
register.filter(words.describe_plan_reason)
register.filter(words.describe_exclusion)
register.filter(words.plan_question)
register.filter(words.describe_lengths)
register.filter(words.describe_phases)
register.filter(words.clock)
register.filter(words.describe_byes)
register.filter(words.describe_matches)


@register.simple_tag
def list_matters() -> list[tuple[str, str]]:
    """Return the choices of what matters: value and name."""
    return [(matter, words.matter_name(matter)) for matter in MATTERS]
