"""Template filters for the story and the live reports of an event."""

from django import template

from wording.labels import live_reports, own_card, press

register = template.Library()
register.filter(press.for_the_paper)
register.filter(press.for_facebook)
register.filter(press.for_sharing)
register.filter(press.recap)
register.filter(press.next_time)
register.filter(live_reports.progress_in_words)
register.filter(live_reports.last_charlemagne)
register.filter(live_reports.result_in_words)
register.simple_tag(own_card.own_card)
