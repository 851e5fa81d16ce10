"""Template filters for consents and exports of personal data."""

from django import template

from wording.labels import subject_export as words

register = template.Library()
register.filter(words.consent_told)
register.filter(words.section_title)
register.filter(words.render_subject_export)
