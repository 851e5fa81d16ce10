"""What a club plays with others, on pages of rooms below."""

from django import template

from clubs.calendar import today_in
from clubs.models import Club
from tournaments.models import Event
from tournaments.publishing.queries import public_shared_events

register = template.Library()


@register.simple_tag
def shared_events(club: Club) -> list[Event]:
    """The events of other clubs in which this one takes part, from today on, that everybody may see. One
    query."""
    return public_shared_events(club, since=today_in(club))
