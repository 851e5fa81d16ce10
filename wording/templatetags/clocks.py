"""Template filters for the time left in a round."""

from datetime import datetime, timedelta

from django import template

from scoring.clock import Clock

register = template.Library()


@register.filter
def minutes_away(clock: Clock, now: datetime) -> int:
    """Return the whole minutes to the end, or since it. They are rounded up before the end."""
    seconds = int(clock.compute_remaining(now).total_seconds())
    return -seconds // 60 if seconds < 0 else -(-seconds // 60)


@register.filter
def is_over(clock: Clock, now: datetime) -> bool:
    return clock.compute_remaining(now) <= timedelta()


@register.filter
def lasting(time_left: timedelta) -> str:
    """Format a time left: ``4:30``, ``1:04:30``; a negative one as zero."""
    minutes, seconds = divmod(max(0, int(time_left.total_seconds())), 60)
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
