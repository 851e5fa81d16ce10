"""What refusals of programs' requests say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PROGRAM_SENTENCES: dict[str, str | Promise] = {
    "token_name_required": _("Write which program it is for."),
    "no_such_token": _("This key was taken back meanwhile. Look at the list again."),
    "token_required": _("This needs a key of the club. Send it in the header Authorization, after “Bearer”."),
    "token_unknown": _("This key opens nothing: it was taken back, or is too old. Ask the club for another."),
    "scope_too_small": _(
        "This key may not do that: it takes one of the scope “%(scope)s”, given by somebody who may do it."
        " Ask the club for one."
    ),
    "too_many_requests": _("Too many requests. Go on in %(seconds)s seconds."),
    "no_such_limit": _("Rows of a page are 1 to %(most)s."),
    "no_such_cursor": _("There is no such page. Begin again without it, then go on at “next”."),
    "host_unknown": _("This computer has no name “%(host)s”."),
    "not_found": _("There is nothing at this address."),
    "method_not_allowed": _("This address does not take that method."),
    "not_acceptable": _("This address answers in JSON only."),
    "unsupported_media_type": _("Send the body as application/json."),
    "address_unreadable": _("This is no address. Copy it whole, from https to its end."),
    "address_not_https": _("The address has to begin with https, so that nobody reads along."),
    "address_not_public": _(
        "This leads to a computer that is not on the internet. Write an address of a site."
    ),
    "no_kinds_chosen": _("Choose at least one thing that it is told."),
    "too_many_webhooks": _("%(most)s addresses are told already. Remove one first."),
    "no_such_webhook": _("This address was removed meanwhile. Look at the list again."),
    "no_such_delivery": _("This message is in the list no more. Look at it again."),
    "webhook_is_off": _("This address is switched off. Switch it on first."),
    "key_not_a_uuid": _("The idempotency key has to be a UUID."),
}
