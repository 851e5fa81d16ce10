"""Sentences of refusals of API requests, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PROGRAM_SENTENCES: dict[str, str | Promise] = {
    "token_name_required": _("Enter the program’s name."),
    "no_such_token": _("This key was revoked."),
    "token_required": _("Send a club API key in the Authorization header, after “Bearer”."),
    "token_unknown": _("Unknown, revoked or expired API key. Ask the club for another."),
    "scope_too_small": _(
        "Not allowed with this key. Ask for one with scope “%(scope)s”, from someone with that right."
    ),
    "too_many_requests": _("Too many requests. Try again in %(seconds)s seconds."),
    "no_such_limit": _("Request 1 to %(most)s rows per page."),
    "no_such_cursor": _("Invalid cursor. Start again without it, then follow “next”."),
    "host_unknown": _("This computer does not answer to “%(host)s”."),
    "not_found": _("There is nothing at this address."),
    "method_not_allowed": _("This address does not allow this method."),
    "not_acceptable": _("This address answers in JSON only."),
    "unsupported_media_type": _("Send the body as application/json."),
    "address_unreadable": _("Not an address. Copy all of it, starting with https."),
    "address_not_https": _("The address must start with https."),
    "address_not_public": _("This address is not on the internet. Enter a public one."),
    "no_kinds_chosen": _("Choose at least one event type."),
    "too_many_webhooks": _("%(most)s webhooks at most. Remove one first."),
    "no_such_webhook": _("This webhook was removed."),
    "no_such_delivery": _("This message is no longer in the list."),
    "webhook_is_off": _("Turn on this webhook first."),
    "precondition_failed": _("This has changed in the meantime. Read it again, then decide."),
    "key_not_a_uuid": _("The idempotency key must be a UUID."),
}
