"""Publishing in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

RELEASE_ACTIONS: dict[str, str | Promise] = {
    "change_release": _("Visibility changed"),
    "publish_final": _("Final standings published"),
    "publish_correction": _("Corrected final standings published"),
    "unpublish_final": _("Final standings withdrawn"),
}
