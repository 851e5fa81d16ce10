"""The history of an event, and the undo of each line."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.filters import page_of, read_history_filter
from clubs.people import people_named
from clubs.post_only import posted_from
from clubs.views.history_pages import HistoryPages, change_page, history_file, history_page
from scoring.presenters import log_lines
from scoring.queries import marks_of
from tournaments.entries.queries.entries import entries_of
from tournaments.events.views.access import for_directors
from tournaments.history.presenters.history import GROUPS, event_written, lines_asked_of, lines_of_page
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import EventState
from tournaments.models import Event

from .confirmation import confirm_then_run


@require_safe
@for_directors
def history(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the changes of an event, newest first: all, or those that match a filter."""
    return history_page(request, _history_of(event))


@require_safe
@for_directors
def event_history_file(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the lines that match the filter, as a file."""
    return history_file(request, _history_of(event), ending)


@require_safe
@for_directors
def change(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Show what one line wrote, before and after: in the open line, or as a page of its own."""
    return change_page(request, _history_of(event), action_id)


@require_safe
@for_directors
def hands_history(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every hand recorded at every table, newest first, with what it replaced."""
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
    """Undo a change, or restore it if the line is an undo, after a question that shows the effects."""
    done = reverse("history" if "stay" in request.POST else "desk", args=[event.short])
    line = next(iter(lines_of_page(event, [action_id], entries_of(event))), None)
    question = render_to_string("tournaments/history/undo_question.html", {"line": line}).strip()
    button = _("Restore") if line and line.has_taken_back else _("Undo")
    return confirm_then_run(
        request,
        event,
        lambda by: undo_action(event_id=event.pk, action_id=action_id, may_be_undecided=True, by=by),
        context={"question": question, "button": button, "back": done},
        refused=lambda refusal: history_page(request, _history_of(event), refusal),
        done=done,
    )


def _history_of(event: Event) -> HistoryPages:
    entries = entries_of(event)
    hands = (reverse("history-hands", args=[event.short]), _("Hands recorded at the tables"))
    return HistoryPages(
        name=event.name,
        club=event.club,
        actions=event.actions.all(),
        groups=GROUPS,
        found=lambda asked: lines_asked_of(event, asked, entries),
        lines=lambda pks: lines_of_page(event, pks, entries),
        written=lambda pk: event_written(event, pk, entries),
        shown={"event": event},
        page="tournaments/page.html",
        menu="tournaments/rail.html",
        address=reverse("history", args=[event.short]),
        nothing_yet=_("Changes made at the desk appear here and can be undone."),
        undo_field="stay",
        links=() if event.state == EventState.PREPARING else (hands,),
    )
