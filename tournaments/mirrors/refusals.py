"""Refusals about two linked installations, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "led_elsewhere": Answer(_("This is a copy. Make changes on the computer that runs the night."), 409),
    "link_unreadable": _("This is not a public site’s link. Copy the whole link."),
    "link_over": _("This link was used or has expired. Create another on the public site."),
    "pairing_unreadable": _("This is not a link between two installations."),
    "site_away": _("%(host)s is not responding. Check the internet connection."),
    "site_answers_otherwise": _("Not a Charlemagne public site (response %(status)s). Check the address."),
    "pairing_over": _("The public site has unlinked this computer. Link the two again."),
    "snapshot_not_signed": _("Wrong signing key. Link the two again."),
    "snapshot_unreadable": _("One computer cannot read the other’s data. Update the program on both."),
    "snapshot_too_large": _("This night is too large to send. Save it as a file, and import that on the public site."),
    "clocks_differ": _("The two computers’ clocks differ by over 15 minutes. Set date and time on both."),
    "request_repeated": _("The public site received this request twice. It is sent again."),
    "site_busy": _("The public site received too many requests. Sending continues within a minute."),
    "mirror_is_led_here": _("Both installations run this night. An owner must choose one."),
    "nobody_leads": _("Neither installation runs this night. An owner must choose one."),
    "handover_not_accepted": _("Handed over, but not taken yet. Connect both, or run it here."),
    "copy_here_differs": _("This copy has changes missing where the night runs. An owner must choose one."),
    "copy_there_differs": _("The other copy has changes missing here. An owner must choose one."),
    "snapshot_older": _("The public site has a newer version from another computer. An owner must choose there."),
    "snapshot_of_other_chain": _("The public site has changes missing here. An owner must choose there."),
    "snapshot_file_of_others": _("This file comes from a computer not linked to this one."),
    "snapshot_file_older": _("This file is out of date. Nothing was changed."),
    "snapshot_file_of_other_chain": _("An earlier file is missing. Import the files in order, or save a newer one."),
    "snapshot_file_unreadable": _(
        "Damaged file, or not from another installation. Save it again. Nothing was changed."
    ),
    "no_such_pairing": Answer(_("This computer is no longer linked."), 409),
    "no_such_mirror": Answer(_("This night is no longer a copy. Check the list."), 409),
    "no_public_site": Answer(_("No linked computer can take this night. Link one first."), 409),
    "no_snapshot_there": Answer(_("The public site does not run this night."), 409),
    "site_not_found": _("Public site not found. Check the internet connection."),
    "site_failing": _("The public site has a problem (response %(status)s). If it lasts, tell its operator."),
    "site_silent": _("The public site is not responding. Check the internet connection."),
}
