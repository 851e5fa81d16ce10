"""Channels that deliver alerts. To add one, add a file here and a line in ``CHANNELS``."""

from collections.abc import Mapping

from . import mail, web_push
from .channel import AddressGone, AlertMessage, Channel

WEB_PUSH, MAIL = "webpush", "mail"
CHANNELS: Mapping[str, Channel] = {WEB_PUSH: web_push.WebPush(), MAIL: mail.Mail()}
