"""Template filters for consents and exports of personal data."""

from django import template

from wording.labels import subject_export as words
from wording.lookups import build_lookup

register = template.Library()
register.filter(words.describe_consent)
register.filter("section_title", build_lookup(words.SECTION_TITLES))
register.filter(words.render_subject_export)
