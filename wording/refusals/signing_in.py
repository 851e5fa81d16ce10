"""From code to sentence: refusals about how an account is opened."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SIGNING_IN_SENTENCES: dict[str, str | Promise] = {
    "too_many_tries": _("Too many tries. Wait %(minutes)s min, then try again."),
    "passkey_refused": _("This passkey was not accepted. Try again, or use your password."),
    "passkey_unknown": _(
        "This passkey opens nothing here any more. Use your password; then you can add a new passkey in your "
        "account."
    ),
    "passkey_copied": _(
        "The passkey “%(name)s” seems to have been copied, so it opens nothing. Use your password, and "
        "remove it in your account."
    ),
    "passkey_too_late": _("This took too long, or was sent twice. Try again."),
    "passkeys_not_here": _("Passkeys do not work at this address. Use your password."),
    "too_many_passkeys": _("An account has %(most)s passkeys at most. Remove one first."),
    "no_such_passkey": _("This passkey was removed meanwhile. Look at the list again."),
    "last_way_in": _("Nothing else opens your account. Choose a password first."),
    "sign_in_again": _("This changes how your account is opened. Sign in again first."),
    "not_an_address": _("Write an e-mail address, such as rita@example.org."),
    "address_taken": _("Another account has this address. Remove it there first, or use another one."),
    "mailed_link_over": _("This link was used, or is more than 15 minutes old. Ask for a new one."),
    "no_mail_here": _("No mail is sent from here. Use your password."),
}
