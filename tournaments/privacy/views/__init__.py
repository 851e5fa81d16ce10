"""Pages for owners about personal data: export it, keep it longer, erase it."""

from .erasure import erase_people_page, idle_people_page
from .person import export_person, extend_retention, person_privacy_page

__all__ = ["erase_people_page", "export_person", "extend_retention", "idle_people_page", "person_privacy_page"]
