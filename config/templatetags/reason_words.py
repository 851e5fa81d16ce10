"""The reasons of a rank in words, in the reader's language."""

from django import template

from config import reasons_wording

register = template.Library()
register.filter(reasons_wording.against_sentence)
register.filter(reasons_wording.round_outcome)
register.filter(reasons_wording.ranking_sentences)
