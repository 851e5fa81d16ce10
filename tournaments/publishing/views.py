"""Page of an event's visibility, and of its final standings."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from clubs.audit.log import Actor
from clubs.pages import get_actor, note_refusal
from engine.visibility import Names, RanksRelease, Release, Results
from errors import Refusal
from tournaments.events.services.background_steps import defer, is_large_event
from tournaments.events.views.access import event_directors_only
from tournaments.history.views.shown_values import ShownValues, build_form_version, get_form_actor
from tournaments.models import Event
from tournaments.models.events import release_columns
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.rounds.presenters.contradictions import build_contradiction_views
from web.forms import CheckboxField, ChoiceField, Form, NumberField

from .presenters import build_publishing_view


class ReleaseForm(Form):
    """The form of an event's visibility."""

    is_public = CheckboxField(
        _("Public page"), help_text=_("Uncheck to hide the event everywhere: lists, seasons and records.")
    )
    entries = CheckboxField(_("Entries, before the first draw"))
    draw = CheckboxField(_("Pairings and tables"))
    results = ChoiceField(_("Results"), values=tuple(Results))
    silent_from = NumberField(
        _("Hide results from this round on"),
        help_text=_("Until the final standings. Leave empty to hide none. Players always see their own."),
    )
    ranked = ChoiceField(_("Standings"), values=tuple(RanksRelease))
    names = ChoiceField(_("Names"), values=tuple(Names))


@event_directors_only
def publishing_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what is public, change it, and publish the standings as final."""
    if request.method != "POST":
        return _render_page(request, event)
    try:
        FORM_ACTIONS.get(request.POST.get("part", ""), _change_release)(request, event, get_actor(request))
    except Refusal as refusal:
        note_refusal(request, refusal)
        event.refresh_from_db()
        return _render_page(request, event)
    return redirect("publishing", short=event.short)


def _change_release(request: HttpRequest, event: Event, by: Actor) -> None:
    """Change the visibility as in the form. Refuses: form_refused, and what the service does."""
    release = Release(**ReleaseForm(request.POST).read())
    change_release(event_id=event.pk, release=release, by=get_form_actor(request, _get_shown_values(event)))


def _get_shown_values(event: Event) -> ShownValues:
    return ShownValues(event=event, row=event, columns=tuple(release_columns(event.release)))


def _hide_event(request: HttpRequest, event: Event, by: Actor) -> None:
    change_release(event_id=event.pk, release=replace(event.release, is_public=False), by=by)


def _show_event(request: HttpRequest, event: Event, by: Actor) -> None:
    change_release(event_id=event.pk, release=replace(event.release, is_public=True), by=by)


def _publish_final(request: HttpRequest, event: Event, by: Actor) -> None:
    if is_large_event(event):
        defer(event=event, step="publish-final", by=by)
    else:
        publish_final(event_id=event.pk, by=by)


def _withdraw_final(request: HttpRequest, event: Event, by: Actor) -> None:
    unpublish_final(event_id=event.pk, by=by)


FORM_ACTIONS = {
    "release": _change_release,
    "hide": _hide_event,
    "show": _show_event,
    "publish": _publish_final,
    "withdraw": _withdraw_final,
}


def _render_page(request: HttpRequest, event: Event) -> HttpResponse:
    is_release = request.method == "POST" and request.POST.get("part", "release") == "release"
    form = ReleaseForm(request.POST) if is_release else ReleaseForm.from_stored(event.release)
    context = {
        "event": event,
        "seen": event.visible,
        "view": build_publishing_view(event),
        "contradictions": build_contradiction_views(event, in_closed_rounds=True) if event.has_stage_progress else (),
        "form": form,
        "form_version": build_form_version(request, _get_shown_values(event)),
    }
    return TemplateResponse(request, "tournaments/publishing/page.html", context)
