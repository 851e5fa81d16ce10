"""Federations in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FEDERATION_ACTIONS: dict[str, str | Promise] = {
    "switch_feed_on": _("Federation sharing turned on"),
    "switch_feed_off": _("Federation sharing turned off"),
    "open_federation": _("Federation created: %(name)s"),
    "change_federation": _("Federation changed: %(name)s"),
    "end_federation": _("Federation ended: %(name)s"),
    "follow_feed": _("Club added to federation: %(host)s"),
    "unfollow_feed": _("Club removed from federation: %(host)s"),
    "make_identity_code": _("Code for another club: %(name)s"),
    "enter_identity_code": _("Code of another club entered: %(name)s"),
    "take_back_identity": _("Code of another club removed: %(name)s"),
}
