"""Refusals about the API, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "token_name_required": _("Enter the program’s name."),
    "no_such_token": Answer(_("This key was revoked."), 404),
    "token_required": Answer(_("Send a club API key in the Authorization header, after “Bearer”."), 401),
    "token_unknown": Answer(_("Unknown, revoked or expired API key. Ask the club for another."), 401),
    "scope_too_small": Answer(
        _("Not allowed with this key. Ask for one with scope “%(scope)s”, from someone with that right."), 403
    ),
    "too_many_requests": Answer(_("Too many requests. Try again in %(seconds)s seconds."), 429),
    "no_such_limit": Answer(_("Request 1 to %(most)s rows per page."), 400),
    "no_such_cursor": Answer(_("Invalid cursor. Start again without it, then follow “next”."), 400),
    "field_unknown": Answer(_("Unknown field “%(name)s”%(near)s. Correct its name or remove it."), 400),
    "field_twice": Answer(_("The field “%(name)s” is given twice. Remove one of the two."), 400),
    "host_unknown": Answer(_("This computer does not answer to “%(host)s”."), 421),
    "not_found": Answer(_("There is nothing at this address."), 404),
    "method_not_allowed": Answer(_("This address does not allow this method."), 405),
    "not_acceptable": Answer(_("This address answers in JSON only."), 406),
    "unsupported_media_type": Answer(_("Send the body as application/json."), 415),
    "address_unreadable": _("Not an address. Copy all of it, starting with https."),
    "address_not_https": _("The address must start with https."),
    "address_not_public": _("This address is not on the internet. Enter a public one."),
    "no_kinds_chosen": _("Choose at least one event type."),
    "too_many_webhooks": _("%(most)s webhooks at most. Remove one first."),
    "no_such_webhook": Answer(_("This webhook was removed."), 404),
    "no_such_delivery": Answer(_("This message is no longer in the list."), 404),
    "webhook_is_off": Answer(_("Turn on this webhook first."), 409),
    "precondition_failed": Answer(_("This has changed in the meantime. Read it again, then decide."), 412),
    "key_reused": Answer(_("This idempotency key was sent with another request. Create a new one."), 409),
    "key_not_a_uuid": Answer(_("The idempotency key must be a UUID."), 400),
}
