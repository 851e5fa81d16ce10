"""Privacy pages: the settings, the person responsible, and the register of incidents."""

from .incidents import close_incident, incident_page, incidents, new_incident
from .public import public_privacy
from .settings import privacy_page

__all__ = [
    "close_incident",
    "incident_page",
    "incidents",
    "new_incident",
    "privacy_page",
    "public_privacy",
]
