"""What is told of an event, in templates."""

from django import template

from wording.labels import press

register = template.Library()
register.filter(press.for_the_paper)
register.filter(press.for_facebook)
