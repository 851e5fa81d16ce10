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
    "code_wrong": _(
        "These digits are not right. Type those that the app shows now. It is %(clock)s by the clock here: "
        "if that is wrong, or the one of your telephone, set it right first."
    ),
    "code_used": _("These digits were used already. Wait until the app shows others."),
    "recovery_code_wrong": _(
        "This recovery code is not right, or was used: each is good once. Try another one."
    ),
    "app_sealed_elsewhere": _(
        "The program has another key than when your app was added, and cannot check its digits. Use a "
        "recovery code, then remove the app in your account and add it again."
    ),
    "app_square_over": _("This square is of no use any more. Scan the new one below."),
    "second_factor_there": _("Your account has another app already. Remove it first."),
    "no_second_factor": _("Your account has no app any more. Add one first."),
    "last_way_in": _("Nothing else opens your account. Choose a password first."),
    "sign_in_again": _("This changes how your account is opened. Sign in again first."),
    "not_an_address": _("Write an e-mail address, such as rita@example.org."),
    "address_taken": _("Another account has this address. Remove it there first, or use another one."),
    "mailed_link_over": _("This link was used, or is more than 15 minutes old. Ask for a new one."),
    "no_mail_here": _("No mail is sent from here. Use your password."),
}
