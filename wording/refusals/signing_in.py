"""Sentences of refusals about signing in, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SIGNING_IN_SENTENCES: dict[str, str | Promise] = {
    "too_many_tries": _("Too many tries. Try again in %(minutes)s min."),
    "passkey_refused": _("Passkey not accepted. Try again or use your password."),
    "passkey_unknown": _("This passkey no longer works here. Use your password, then add a new passkey."),
    "passkey_copied": _(
        "Passkey “%(name)s” may have been copied and is blocked. Use your password, then remove it."
    ),
    "passkey_too_late": _("This took too long or was sent twice. Try again."),
    "passkeys_not_here": _("Passkeys do not work at this address. Use your password."),
    "too_many_passkeys": _("%(most)s passkeys at most. Remove one first."),
    "no_such_passkey": _("This passkey was removed."),
    "code_wrong": _(
        "Wrong digits. Enter those shown now. If your phone does not say %(clock)s, correct the wrong clock."
    ),
    "code_used": _("These digits were already used. Wait for new ones."),
    "recovery_code_wrong": _("Wrong or used recovery code. Try another one."),
    "app_sealed_elsewhere": _(
        "Your app no longer works here. Use a recovery code, then remove and re-add the app."
    ),
    "app_square_over": _("This QR code has expired. Scan the new one below."),
    "second_factor_there": _("Your account already has an app. Remove it first."),
    "no_second_factor": _("Your account has no app. Add one first."),
    "last_way_in": _("You would have no way to sign in. Choose a password first."),
    "sign_in_again": _("Sign in again before making this change."),
    "not_an_address": _("Enter an e-mail address. For example, rita@example.org."),
    "address_taken": _("Another account has this address. Remove it there or use another."),
    "mailed_link_over": _("This link was used or is over 15 minutes old. Ask for a new one."),
    "no_mail_here": _("E-mail is not available here. Use your password."),
}
