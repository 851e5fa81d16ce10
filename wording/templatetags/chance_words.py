"""Template filter for chances of winning."""

from django import template

from wording.labels import chances as words

register = template.Library()
register.filter(words.percent)
