"""How rows are numbered so that copies of them can be told, and made, by their numbers alone.

A number has eleven digits, and as many more as the copy of the club has: ``7 104 42 000012``. The last six
are those that the services gave; 42 says that the row belongs to a night, 43 that it belongs to the club;
104 is which copy of the night it is, 7 which copy of the club (none for the first). So whatever names a row
by its number, a key of JSON, a topic, the address of a page, is found in a text, and shifted with the row.
"""

FIRST_NIGHT = 100
"""Made by the services; its copies come after it."""
TONIGHT = 999
"""What the services write after the copies: the newest of the club."""
NIGHT_FACTOR = 10**8
CLUB_FACTOR = 10**11
NIGHT_KIND, CLUB_KIND = 42 * 10**6, 43 * 10**6

NIGHT_PATTERN = rf"\m{FIRST_NIGHT}(42\d{{6}})\M"
CLUB_PATTERN = r"\m(\d{3}4[23]\d{6})\M"


def get_first_number(night: int, kind: int) -> int:
    """Return the first number that the services give. ``kind`` is ``NIGHT_KIND`` or ``CLUB_KIND``."""
    return night * NIGHT_FACTOR + kind + 1
