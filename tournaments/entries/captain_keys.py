"""The keys from which the links of captains are derived: a team keeps its own when it is renamed."""

from tournaments.models import Event
from web.names import get_group_key


def get_captain_key(event: Event, team: str) -> str:
    """Return the key of a team: that of its first name; another one where a renamed team still uses that."""
    keys, name = event.captain_keys or {}, get_group_key(team)
    return str(keys.get(name) or (f"{name}/2" if name in keys.values() else name))
