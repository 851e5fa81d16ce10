"""Template filters for brackets and cross tables, in the reader's language."""

from django import template

from tournaments.alerts.presenters import format_bye
from tournaments.rounds import bye_labels as byes
from tournaments.rounds import chart_labels as charts
from tournaments.rounds import place_labels as places
from tournaments.standings import labels as standings

register = template.Library()
register.filter(byes.bye_words)
register.filter(byes.bye_in_list)
register.filter(byes.bye_in_past)
register.filter("sitting_out", format_bye)
register.filter(charts.part_name)
register.filter("round_name", charts.get_chart_round_name)
register.filter(charts.state_name)
register.filter(charts.source_name)
register.filter(charts.meeting_words)
register.filter(charts.meeting_letter)
register.filter(charts.score_of_row)
register.filter(charts.slot_name)
register.filter(places.place_name)
register.filter(places.stage_title)
register.filter(places.meeting_score)
register.filter(places.meeting_outcome)
register.filter(standings.format_halves)
register.filter(places.round_title)
register.filter(places.draw_button)
