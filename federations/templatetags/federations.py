"""What pages of a club say of federations."""

from collections.abc import Iterable

from django import template

from clubs.models import Club
from federations.models import ClubFeed, Federation

register = template.Library()


@register.filter
def kept_federations(club: Club) -> Iterable[Federation]:
    """Those that the club keeps. One query."""
    return club.federations.only("name", "starts", "ends")


@register.filter
def publishes_feed(club: Club) -> bool:
    """Whether federations can take what the club tells everybody. One query."""
    return ClubFeed.objects.filter(club=club).exists()
