"""Pages of the club's people: the list, one person, and imports."""

from .dues import persons_dues
from .importing import import_people_page
from .lists import alike, people
from .one import new_person, person

__all__ = ["alike", "import_people_page", "new_person", "people", "person", "persons_dues"]
