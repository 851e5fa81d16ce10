"""What refusals of federations and feeds say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FEDERATION_SENTENCES: dict[str, str | Promise] = {
    "federation_name_required": _("Write the name of the federation."),
    "ladder_of_people_only": _("A federation counts the points of persons or of pairs."),
    "no_such_federation": _("This federation was ended meanwhile. Look at the list again."),
    "no_such_feed": _("This club was removed meanwhile. Look at the list again."),
    "too_many_feeds": _("A federation follows %(most)s clubs at most. Remove one first."),
    "feed_is_off": _("The club tells nothing to federations. An owner changes that, at Federations."),
    "feed_away": _("The club’s computer does not answer. It is asked again by itself."),
    "feed_withdrawn": _("There is no file of a club. What came from there before was removed."),
    "feed_answers_otherwise": _("What answers there (%(status)s) is no file of a club of this program."),
    "feed_too_large": _("The file is larger than %(most)s megabytes, and was not taken."),
    "feed_unreadable": _(
        "What stands there cannot be read. Bring both to the newest version of the program."
    ),
    "feed_not_signed": _("The file was changed after the club had signed it, and was not taken."),
    "feed_key_changed": _(
        "The file is signed by another key (%(key)s), which the club’s key has not signed. Ask the club: "
        "if it is right, remove the club here and follow it anew."
    ),
    "feed_of_another_club": _(
        "Another club answers at this address now. If that is right, remove it and follow it anew."
    ),
    "feed_followed_already": _("This club is followed already, at another address."),
    "feed_older": _("What stands there is older than what came before, and was not taken."),
    "identity_code_unread": _("A code has twelve letters and digits, such as K7QM-4XZT-9PRA."),
}
