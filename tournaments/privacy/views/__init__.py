"""What an owner does with what the club knows of people: hand it over, keep it longer, forget them."""

from .erasure import forget_page, people_to_forget
from .person import export, keep, person_privacy

__all__ = ["export", "forget_page", "keep", "people_to_forget", "person_privacy"]
