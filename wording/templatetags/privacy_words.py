"""What was agreed, and everything about somebody, in templates."""

from django import template

from wording.labels import subject_export as words

register = template.Library()
register.filter(words.consent_told)
register.filter(words.section_title)
register.filter(words.render_subject_export)
