"""Pages of the club's people: the list, one person, and imports."""

from .dues import record_person_dues
from .imports import import_people_page
from .lists import people_list, possible_duplicates
from .one import add_person, person_page
