"""Numbering of rows, by which copies are recognized and created.

A number has eleven digits, preceded by the number of the club's copy: ``7 104 42 000012``. The last six digits are
those of the services. 42 marks a row of a night, 43 a row of the club; 104 is the copy of the night, 7 the copy of
the club (none for the first). So numbers in texts, such as JSON keys, topics and page addresses, can be found and
shifted with their rows.
"""

FIRST_NIGHT = 100
"""Nights created by the services; the numbers of their copies follow."""
TONIGHT = 999
"""Rows that the services create after the copies: the club's newest night."""
NIGHT_FACTOR = 10**8
CLUB_FACTOR = 10**11
NIGHT_KIND, CLUB_KIND = 42 * 10**6, 43 * 10**6

NIGHT_PATTERN = rf"\m{FIRST_NIGHT}(42\d{{6}})\M"
CLUB_PATTERN = r"\m(\d{3}4[23]\d{6})\M"


def get_first_number(night: int, kind: int) -> int:
    """Return the first number that the services give. ``kind`` is ``NIGHT_KIND`` or ``CLUB_KIND``."""
    return night * NIGHT_FACTOR + kind + 1
