"""What refusals about boards say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

BOARD_SENTENCES: dict[str, str | Promise] = {
    "board_name_required": _("Write what the board is called, such as “Large hall”."),
    "board_tables": _("The last table is before the first one. Write the smaller number first."),
    "too_many_boards": _("There are %(most)s boards. Remove one first."),
    "no_such_board": _("This board is not there any more. Look at the list again."),
}
