"""What a director does on a page: its effect is shown first, then it is done, once."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.models import Account
from clubs.names import cleaned
from rules import Refusal
from tournaments.models import Event
from tournaments.pages import effects_view
from tournaments.services import By
from tournaments.services.effects import effects_of

REASON_LENGTH = 200

Deed = Callable[[By], object]


def by_of(request: HttpRequest) -> By:
    """Who asks for it, and the form's own id, by which a second click is known. Refuses: reason_too_long."""
    reason = cleaned(request.POST.get("reason", ""))
    if len(reason) > REASON_LENGTH:
        raise Refusal("reason_too_long", field="reason", most=REASON_LENGTH)
    account = request.user if isinstance(request.user, Account) else None
    return By(account=account, key=_key(request.POST.get("key", "")), reason=reason)


def new_key() -> str:
    """The id of a form, new each time that it is shown."""
    return str(uuid4())


def shown_first(
    request: HttpRequest,
    event: Event,
    deed: Deed,
    *,
    context: Mapping[str, Any],
    refused: Callable[[Refusal], HttpResponse],
    done: str,
) -> HttpResponse:
    """A posted form: first the page that shows what the deed would do, then, once confirmed, the deed.

    ``context`` says what it is: ``question`` (the title), ``button``, and ``back`` (an address). ``refused``
    is the form's page again, with the refusal; ``done`` where to go after.
    """
    try:
        by = by_of(request)
        if "confirmed" in request.POST:
            deed(by)
            return redirect(done)
        effects = effects_of(event.pk, lambda: deed(By(account=by.account, reason=by.reason)))
    except Refusal as refusal:
        return refused(refusal)
    return TemplateResponse(
        request,
        "tournaments/confirm.html",
        {
            "event": event,
            "effects": effects_view(event, effects),
            "typed": [
                (name, value)
                for name, values in request.POST.lists()
                for value in values
                if name not in ("csrfmiddlewaretoken", "key", "reason")
            ],
            "reason": by.reason,
            "key": new_key(),
            **context,
        },
    )


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
