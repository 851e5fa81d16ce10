"""What is done to federations, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FEDERATION_DEEDS: dict[str, str | Promise] = {
    "switch_feed_on": _("Final standings and what is ahead are told to federations"),
    "switch_feed_off": _("Nothing more is told to federations"),
    "open_federation": _("Federation opened: %(name)s"),
    "change_federation": _("Federation changed: %(name)s"),
    "end_federation": _("Federation ended: %(name)s"),
    "follow_feed": _("A federation follows %(host)s"),
    "unfollow_feed": _("A federation follows %(host)s no more"),
    "make_identity_code": _("Code for another club: %(name)s"),
    "enter_identity_code": _("Code of another club entered: %(name)s"),
    "take_back_identity": _("Code of another club taken back: %(name)s"),
}
