"""``{% installation_id %}``: by what the scripts of a page know its answers (``config.answers``)."""

from django import template

from config.answers import installation_id

register = template.Library()
register.simple_tag(installation_id)
