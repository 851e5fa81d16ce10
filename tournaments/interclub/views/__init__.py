"""Pages of interclub play: the host, the guests, invitation links, and line-ups of teams."""

from .guests import host_event_page, interclub_page
from .hosts import invited_clubs_page, season_clubs_page
from .links import invitation_page
from .team_lineups import captain_page, team_lineups_page

__all__ = [
    "captain_page",
    "host_event_page",
    "interclub_page",
    "invitation_page",
    "invited_clubs_page",
    "season_clubs_page",
    "team_lineups_page",
]
