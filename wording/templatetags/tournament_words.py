"""Template filters for tournaments, in the reader's language."""

from django import template

from engine.draws import FORMATS
from tournaments.events import labels as words
from tournaments.rounds.labels import APART_SENTENCES
from wording.lookups import build_lookup

register = template.Library()
register.filter(words.preset_name)
register.filter(words.preset_meaning)
register.filter(words.format_name)
register.filter(words.format_meaning)
register.filter(words.bye_name)
register.filter("across_pools_name", build_lookup(words.ACROSS_POOLS))
register.filter(words.unplayed_name)
register.filter(words.unplayed_points_name)
register.filter(words.disqualified_name)
register.filter(words.disqualified_meaning)
register.filter(words.stages_in_words)
register.filter(words.match_in_words)
register.filter(words.details_in_words)
register.filter(words.ranking_in_words)
register.filter(words.describe_order)


@register.filter
def describe_keeping_apart(key: str) -> str:
    """Describe how a format keeps entries apart."""
    return str(APART_SENTENCES[FORMATS[key].separation.value]) % {"format": words.format_name(key)}
