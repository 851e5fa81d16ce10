"""Messages of the desk in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MESSAGE_ACTIONS: dict[str, str | Promise] = {
    "send_message": _("Message to everybody: “%(text)s”"),
    "message_table": _("Message to table %(table)s: “%(text)s”"),
    "take_back_message": _("Message withdrawn: “%(text)s”"),
    "call_table": _("Table %(table)s called to the desk"),
    "end_call": _("Table %(table)s: call ended"),
}
