"""Template filter for chances of winning."""

from django import template

from tournaments.rounds.labels import percent

register = template.Library()
register.filter(percent)
