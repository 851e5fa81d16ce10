"""What refusals between two installations say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MIRROR_SENTENCES: dict[str, str | Promise] = {
    "led_elsewhere": _(
        "The computer in the hall leads this night; here is a copy of it. Mark and direct it there."
    ),
    "link_unreadable": _("This is no link of a public site. Copy it whole, to its end."),
    "link_over": _("This link was used, or is too old. Have an owner make another on the public site."),
    "pairing_unreadable": _("This is no link between two installations."),
    "site_away": _("%(host)s does not answer. Look whether there is internet, and try again."),
    "site_answers_otherwise": _("What answers there (%(status)s) is no public site of this program."),
    "pairing_over": _(
        "The public site takes nothing more from here: an owner has unpaired it there. Pair anew."
    ),
    "snapshot_not_signed": _(
        "The public site knows another key of the club than the one that signs here. Pair anew."
    ),
    "snapshot_unreadable": _(
        "The public site cannot read what is sent. Bring both to the newest version of the program."
    ),
    "mirror_is_led_here": _(
        "The public site leads this night itself, and takes nothing from here. "
        "Agree on one: an owner chooses there, on the page “Two installations”."
    ),
    "snapshot_older": _(
        "The public site has something newer than this computer. "
        "Another one sends the same night: an owner chooses there, on the page “Two installations”."
    ),
    "snapshot_of_other_chain": _(
        "The public site has something that this computer does not know, perhaps since it was restored. "
        "An owner chooses there, on the page “Two installations”."
    ),
    "no_such_pairing": _("This computer was unpaired meanwhile. Look at the list again."),
    "no_such_mirror": _("This night is no copy any more. Look at the list again."),
    "site_not_found": _("The public site is not found: perhaps this computer has no internet now."),
    "site_silent": _("The public site does not answer: perhaps this computer has no internet now."),
}
