"""Brackets and cross tables in words, in the reader's language."""

from django import template

from config import chart_wording, place_wording

register = template.Library()
register.filter(chart_wording.part_name)
register.filter(chart_wording.round_name)
register.filter(chart_wording.state_name)
register.filter(chart_wording.source_name)
register.filter(chart_wording.meeting_words)
register.filter(chart_wording.meeting_letter)
register.filter(chart_wording.score_of_row)
register.filter(chart_wording.slot_name)
register.filter(place_wording.place_name)
register.filter(place_wording.meeting_score)
register.filter(place_wording.meeting_outcome)
register.filter(place_wording.halves_name)
register.filter(place_wording.round_title)
register.filter(place_wording.draw_button)
