"""What is told of an event, in templates."""

from django import template

from config import telling_wording

register = template.Library()
register.filter(telling_wording.for_the_paper)
register.filter(telling_wording.for_facebook)
