"""What was agreed, and everything about somebody, in templates."""

from django import template

from config import export_wording as words

register = template.Library()
register.filter(words.consent_told)
register.filter(words.section_title)
register.filter(words.written)
