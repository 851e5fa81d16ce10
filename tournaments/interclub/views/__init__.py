"""Pages of interclub play: the host, the guests, and invitation links."""

from .guests import event_of_host, interclub_page
from .hosts import invited_clubs, season_clubs
from .links import interclub_link

__all__ = ["event_of_host", "interclub_link", "interclub_page", "invited_clubs", "season_clubs"]
