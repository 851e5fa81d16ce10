"""What refusals between two installations say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MIRROR_SENTENCES: dict[str, str | Promise] = {
    "led_elsewhere": _("Another computer leads this night; here is a copy of it. Mark and direct it there."),
    "link_unreadable": _("This is no link of a public site. Copy it whole, to its end."),
    "link_over": _("This link was used, or is too old. Have an owner make another on the public site."),
    "pairing_unreadable": _("This is no link between two installations."),
    "site_away": _("%(host)s does not answer. Look whether there is internet, and try again."),
    "site_answers_otherwise": _("What answers there (%(status)s) is no public site of this program."),
    "pairing_over": _(
        "The public site takes nothing more from here: an owner has unpaired it there. Pair anew."
    ),
    "snapshot_not_signed": _(
        "It is signed by another key than the one that was told when the two were paired. Pair anew."
    ),
    "snapshot_unreadable": _(
        "The public site cannot read what is sent. Bring both to the newest version of the program."
    ),
    "mirror_is_led_here": _(
        "Both installations lead this night, and neither takes anything from the other. "
        "Agree on one: an owner chooses, on the page “Two installations”."
    ),
    "snapshot_older": _(
        "The public site has something newer than this computer. "
        "Another one sends the same night: an owner chooses there, on the page “Two installations”."
    ),
    "snapshot_of_other_chain": _(
        "The public site has something that this computer does not know, perhaps since it was restored. "
        "An owner chooses there, on the page “Two installations”."
    ),
    "snapshot_file_of_others": _("This file comes from a computer that is not paired with this one."),
    "snapshot_file_older": _("This file is older than what is here. Nothing was changed."),
    "snapshot_file_of_other_chain": _(
        "This file goes on from something that is not here. Take them in their order, or save a newer one."
    ),
    "snapshot_file_unreadable": _(
        "This is no file of another installation, or it is damaged. Save it once more. Nothing was changed."
    ),
    "no_such_pairing": _("This computer was unpaired meanwhile. Look at the list again."),
    "no_such_mirror": _("This night is no copy any more. Look at the list again."),
    "no_public_site": _(
        "This computer is paired with no other that could take the night. Pair the two first."
    ),
    "no_snapshot_there": _("The public site does not lead this night. Look at the list again."),
    "site_not_found": _("The public site is not found: perhaps this computer has no internet now."),
    "site_silent": _("The public site does not answer: perhaps this computer has no internet now."),
}
