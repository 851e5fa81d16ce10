"""The club's people: the list, one person, and many from a list of theirs."""

from .dues import persons_dues
from .importing import import_page
from .lists import alike, people
from .one import new_person, person

__all__ = ["alike", "import_page", "new_person", "people", "person", "persons_dues"]
