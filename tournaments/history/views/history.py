"""The history of an event, and the way back from each line of it."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.filters import accounts_in, page_of, read_history_filter
from clubs.exports import history_table
from clubs.people import people_named
from clubs.post_only import posted_from
from live.conditional_pages import page_or_part
from rules import Refusal
from scoring.presenters import log_lines
from scoring.queries import marks_of
from tournaments.entries.queries.entries import entries_of
from tournaments.events.views.access import for_directors
from tournaments.history.presenters.history import GROUPS, event_written, lines_asked_of, lines_of_page
from tournaments.history.services.undoing import undo_action
from tournaments.models import Event
from web.table_files import sheet_response

from .confirmation import confirm_then_run


@require_safe
@for_directors
def history(request: HttpRequest, event: Event) -> HttpResponse:
    """Who did what, newest first: all of it, or what is asked for."""
    return _history(request, event)


@require_safe
@for_directors
def history_file(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """The lines that are asked for, as a file."""
    asked, refusal = read_history_filter(request.GET.dict(), GROUPS)
    if refusal is not None:
        return _history(request, event)
    entries = entries_of(event)
    lines = lines_of_page(event, lines_asked_of(event, asked, entries).pks, entries)
    return sheet_response(history_table(lines, said="deed", club=event.club, about=event.name), ending)


@require_safe
@for_directors
def change(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """What one line wrote, before and after: into the open line, or as a page of its own."""
    entries = entries_of(event)
    line = next(iter(lines_of_page(event, [action_id], entries)), None)
    if line is None:
        raise Http404
    context = {"event": event, "line": line, "written": event_written(event, line.pk, entries)}
    return TemplateResponse(request, page_or_part(request, "tournaments/history/line.html#written"), context)


@require_safe
@for_directors
def hands_history(request: HttpRequest, event: Event) -> HttpResponse:
    """Every mark of every table, newest first, with what it took the place of."""
    asked, _refusal = read_history_filter(request.GET.dict(), ())
    people = people_named(event.club.people.all(), asked.search).values_list("pk", flat=True)
    marks = marks_of(event.topic, people if asked.search else None)
    found = page_of(marks.values_list("pk", flat=True), asked.number)
    context = {
        "event": event,
        "lines": log_lines(marks.filter(pk__in=found.of_page)),
        "found": found,
        "asked": asked,
    }
    return TemplateResponse(request, "tournaments/history/hands.html", context)


@posted_from("history", "short")
@for_directors
def undo(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Takes a line back; the line of the undo can be taken back as well. Where more changes than
    a draft, it is shown first."""
    done = reverse("history" if "stay" in request.POST else "desk", args=[event.short])
    return confirm_then_run(
        request,
        event,
        lambda by: undo_action(event_id=event.pk, action_id=action_id, may_be_undecided=True, by=by),
        context={"question": _("Undo this?"), "button": _("Undo it"), "back": done},
        refused=partial(_history, request, event),
        done=done,
        asks=lambda effects: not effects.touch_no_more_than_a_draft,
    )


def _history(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    asked, unread = read_history_filter(request.GET.dict(), GROUPS)
    entries = entries_of(event)
    found = lines_asked_of(event, asked, entries)
    context = {
        "event": event,
        "lines": lines_of_page(event, found.of_page, entries),
        "found": found,
        "asked": asked,
        "typed": request.GET,
        "groups": tuple(GROUPS),
        "accounts": accounts_in(event.actions.all()),
        "refusal": refusal or unread,
    }
    return TemplateResponse(request, "tournaments/history/list.html", context)
