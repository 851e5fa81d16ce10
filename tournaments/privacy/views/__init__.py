"""Pages for owners about personal data: export it, keep it longer, erase it."""

from .erasure import forget_page, people_to_forget
from .person import export, keep, person_privacy

__all__ = ["export", "forget_page", "keep", "people_to_forget", "person_privacy"]
