"""Template filters for the story and the live reports of an event."""

from django import template

from tournaments.public.labels import format_player_card
from tournaments.sharing import labels as live_reports
from tournaments.sharing import press_labels as press

register = template.Library()
register.filter(press.for_the_paper)
register.filter(press.for_facebook)
register.filter(press.for_sharing)
register.filter(press.recap)
register.filter(press.next_time)
register.filter(live_reports.progress_in_words)
register.filter(live_reports.last_charlemagne)
register.filter(live_reports.result_in_words)
register.simple_tag(format_player_card)
