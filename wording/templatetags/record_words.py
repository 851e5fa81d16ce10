"""Template filters for the records of a club, in the reader's language."""

from django import template

from clubs.models import Person
from tournaments.records import labels as words

register = template.Library()
register.filter(words.feat_name)
register.filter("public_name", Person.get_public_name)
