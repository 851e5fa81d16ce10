"""What refusals about messages of the desk say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MESSAGE_SENTENCES: dict[str, str | Promise] = {
    "message_required": _("Write what everybody is to read, such as “We eat at eight”."),
    "message_too_long": _("This is too long for the wall: %(most)s characters at most."),
    "too_many_messages": _("There are %(most)s messages and calls already. Take one back first."),
}
