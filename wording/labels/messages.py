"""What the desk said to the hall and did with its cards, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MESSAGE_DEEDS: dict[str, str | Promise] = {
    "send_message": _("Message to everybody: “%(text)s”"),
    "message_table": _("Message to table %(table)s: “%(text)s”"),
    "take_back_message": _("Message taken back: “%(text)s”"),
    "call_table": _("Table %(table)s called to the desk"),
    "replace_card": _("Table %(table)s: another card"),
    "replace_card_and_phones": _("Table %(table)s: another card, also for the phones that were there"),
    "turn_phone_away": _("Table %(table)s: a phone turned away"),
    "end_call": _("Table %(table)s is not called any more"),
}
"""By ``Action.kind``; what is in a sentence are its ``details``."""
