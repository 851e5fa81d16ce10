"""``{% installation_id %}``: the id by which a page's scripts recognize its answers (``server.answers``)."""

from django import template

from server.answers import installation_id

register = template.Library()
register.simple_tag(installation_id)
