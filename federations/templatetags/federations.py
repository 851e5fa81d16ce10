"""Template filters about federations, for pages of a club."""

from collections.abc import Iterable

from django import template

from clubs.models import Club
from federations.models import ClubFeed, Federation

register = template.Library()


@register.filter
def list_federations(club: Club) -> Iterable[Federation]:
    """Return the federations run by the club. One query."""
    return club.federations.only("name", "starts", "ends")


@register.filter
def publishes_feed(club: Club) -> bool:
    """Check whether the club publishes a feed for federations. One query."""
    return ClubFeed.objects.filter(club=club).exists()
