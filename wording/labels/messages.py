"""Messages of the desk to the hall, and changes of table cards, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MESSAGE_ACTIONS: dict[str, str | Promise] = {
    "send_message": _("Message to everybody: “%(text)s”"),
    "message_table": _("Message to table %(table)s: “%(text)s”"),
    "take_back_message": _("Message withdrawn: “%(text)s”"),
    "call_table": _("Table %(table)s called to the desk"),
    "replace_card": _("Table %(table)s: new table card"),
    "replace_card_and_phones": _("Table %(table)s: new card, phones disconnected"),
    "turn_phone_away": _("Table %(table)s: phone removed"),
    "end_call": _("Table %(table)s: call ended"),
}
"""Sentences by ``Action.kind``; their values come from ``details``."""
