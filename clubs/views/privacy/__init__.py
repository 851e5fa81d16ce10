"""Privacy pages: the settings, the person responsible, and the register of incidents."""

from .incidents import add_incident, close_incident, incident_page, incidents_page
from .public import public_privacy_page
from .settings import privacy_page
