"""What roles may do in a club, and what was done to it, in templates."""

from django import template

from clubs.audit.history import ClubChangeLine
from clubs.day_words import (
    changed_in_words,
    day_and_year_in_words,
    day_in_words,
    hour_in_words,
    pattern_in_words,
)
from wording.labels import people, team

register = template.Library()
register.filter(day_in_words)
register.filter(day_and_year_in_words)
register.filter(hour_in_words)
register.filter(pattern_in_words)
register.filter(changed_in_words)


@register.filter
def club_deed(line: ClubChangeLine) -> str:
    return people.club_deed(line.kind, line.details)


@register.filter
def role_meaning(role: str) -> str:
    return str(team.ROLE_MEANINGS[role])
