"""Page of an event's visibility, and of its final standings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.audit.log import Actor
from engine.visibility import Names, RanksRelease, Release, Results
from errors import Refusal
from tournaments.events.services.background_steps import defer, is_large
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.rounds.presenters.contradictions import contradiction_views
from web.forms import FormReader

from .presenters import publishing_view


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def publishing_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what is public, change it, and publish the standings as final."""
    if request.method != "POST":
        return _page(request, event, _fields_of(event.release))
    try:
        PARTS.get(request.POST.get("part", ""), _release)(request, event, actor_from(request))
    except Refusal as refusal:
        event.refresh_from_db()
        return _page(request, event, request.POST.dict(), refusal)
    return redirect("publishing", short=event.short)


def _release(request: HttpRequest, event: Event, by: Actor) -> None:
    """Change the visibility as in the form. Refuses: form_refused, and what the service does."""
    form = FormReader(request.POST.dict())
    results = form.choice("results", tuple(Results))
    ranked = form.choice("ranked", tuple(RanksRelease))
    names = form.choice("names", tuple(Names))
    silent_from = form.number("silent_from")
    form.finish()
    release = Release(
        is_public="is_public" in request.POST,
        entries="entries" in request.POST,
        draw="draw" in request.POST,
        results=Results(results),
        silent_from=silent_from,
        ranked=RanksRelease(ranked),
        names=Names(names),
    )
    change_release(event_id=event.pk, release=release, by=by)


def _hide(request: HttpRequest, event: Event, by: Actor) -> None:
    change_release(event_id=event.pk, release=replace(event.release, is_public=False), by=by)


def _show(request: HttpRequest, event: Event, by: Actor) -> None:
    change_release(event_id=event.pk, release=replace(event.release, is_public=True), by=by)


def _publish(request: HttpRequest, event: Event, by: Actor) -> None:
    if is_large(event):
        defer(event=event, step="publish-final", by=by)
    else:
        publish_final(event_id=event.pk, by=by)


def _withdraw(request: HttpRequest, event: Event, by: Actor) -> None:
    unpublish_final(event_id=event.pk, by=by)


PARTS = {"release": _release, "hide": _hide, "show": _show, "publish": _publish, "withdraw": _withdraw}


def _fields_of(release: Release) -> dict[str, Any]:
    """Return the field values for this visibility; ticked boxes are present."""
    boxes = {"is_public": release.is_public, "entries": release.entries, "draw": release.draw}
    return {
        **{name: "on" for name, is_on in boxes.items() if is_on},
        "results": release.results.value,
        "ranked": release.ranked.value,
        "names": release.names.value,
        "silent_from": "" if release.silent_from is None else str(release.silent_from),
    }


def _page(
    request: HttpRequest, event: Event, typed: Mapping[str, Any], refusal: Refusal | None = None
) -> HttpResponse:
    if typed.get("part", "release") != "release":
        typed = _fields_of(event.release)
    context = {
        "event": event,
        "seen": event.visible,
        "view": publishing_view(event),
        "contradictions": contradiction_views(event, in_closed=True) if event.tells_how_far else (),
        "typed": typed,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/publishing/page.html", context)
