"""Template filters for the records of a club, in the reader's language."""

from django import template

from clubs.models import Person
from wording.labels import records as words

register = template.Library()
register.filter(words.feat_name)
register.filter("public_name", Person.get_public_name)
