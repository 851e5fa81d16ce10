"""The history of an event, and the undo of each line."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.filters import paginate_lines, read_history_filter
from clubs.pages import require_post_from, show_refusals_on
from clubs.people import search_people
from clubs.views.history import HistoryPages, render_change_page, render_history_file, render_history_page
from scoring.presenters.log import build_log_lines
from scoring.queries import list_marks
from tournaments.entries.queries.entries import get_entries
from tournaments.events.views.access import event_directors_only
from tournaments.history.labels import EVENT_ACTIONS
from tournaments.history.presenters.history import build_event_diff, find_history_lines, list_lines_by_id
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import EventState
from tournaments.models import Event

from .confirmation import confirm_then_run


@require_safe
@event_directors_only
def history(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the changes of an event, newest first: all, or those that match a filter."""
    return _render_history(request, event)


def _render_history(request: HttpRequest, event: Event) -> HttpResponse:
    return render_history_page(request, _build_history_pages(event))


@require_safe
@event_directors_only
def download_event_history(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the lines that match the filter, as a file."""
    return render_history_file(request, _build_history_pages(event), ending)


@require_safe
@event_directors_only
def change(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Show what one line wrote, before and after: in the open line, or as a page of its own."""
    return render_change_page(request, _build_history_pages(event), action_id)


@require_safe
@event_directors_only
def hands_history(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every hand recorded at every table, newest first, with what it replaced."""
    history_filter, _refusal = read_history_filter(request.GET.dict(), ())
    people = search_people(event.club.people.all(), history_filter.search).values_list("pk", flat=True)
    marks = list_marks(event.topic, people if history_filter.search else None)
    page = paginate_lines(marks.values_list("pk", flat=True), history_filter.number)
    context = {
        "event": event,
        "lines": build_log_lines(marks.filter(pk__in=page.page_pks)),
        "found": page,
        "history_filter": history_filter,
    }
    return TemplateResponse(request, "tournaments/history/hands.html", context)


@require_post_from("history", "short")
@event_directors_only
@show_refusals_on(_render_history)
def undo(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Undo a change, or restore it if the line is an undo, after a question that shows the effects."""
    success_url = reverse("history" if "stay" in request.POST else "desk", args=[event.short])
    line = next(iter(list_lines_by_id(event, [action_id], get_entries(event))), None)
    question = render_to_string("tournaments/history/undo_question.html", {"line": line}).strip()
    button = _("Restore") if line and line.has_taken_back else _("Undo")
    return confirm_then_run(
        request,
        event,
        lambda by: undo_action(event_id=event.pk, action_id=action_id, may_be_undecided=True, by=by),
        question=question,
        button=button,
        back=success_url,
    )


def _build_history_pages(event: Event) -> HistoryPages:
    entries = get_entries(event)
    hands = (reverse("history-hands", args=[event.short]), _("Hands recorded at the tables"))
    return HistoryPages(
        name=event.name,
        club=event.club,
        actions=event.actions.all(),
        groups=EVENT_ACTIONS,
        found=lambda history_filter: find_history_lines(event, history_filter, entries),
        lines=lambda pks: list_lines_by_id(event, pks, entries),
        get_diff=lambda pk: build_event_diff(event, pk, entries),
        shown={"event": event},
        page="tournaments/page.html",
        menu="tournaments/menu.html",
        address=reverse("history", args=[event.short]),
        empty_text=_("Changes made at the desk appear here and can be undone."),
        undo_field="stay",
        links=() if event.state == EventState.PREPARING else (hands,),
    )
