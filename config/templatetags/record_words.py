"""The records of a club in templates, in the reader's language."""

from django import template

from config import record_wording as words

register = template.Library()
register.filter(words.feat_name)
