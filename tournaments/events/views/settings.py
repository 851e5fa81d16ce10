"""Settings of an event; each part is a form with its own button."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from clubs.pages import get_actor, get_refusal, is_submitted, show_refusals
from clubs.queries import get_house_rules_by_choice
from live.conditional_pages import is_partial_request
from rules import RULESETS
from scoring.models import Match
from tournaments.announcement import Announcement
from tournaments.events.forms.nights import (
    get_length_data,
    get_rules_choice,
    read_date,
    read_match_format,
    read_rules,
    read_table_count,
)
from tournaments.events.forms.settings import (
    AnnouncementForm,
    get_settings_data,
    read_ranking,
    read_sections,
    read_stages,
    rearrange_settings,
)
from tournaments.events.presenters.phases import list_phase_lines
from tournaments.events.presenters.settings import build_settings_view
from tournaments.events.services.announcements import announce_event, call_off_event, reinstate_event
from tournaments.events.services.lifecycle import plan_tables
from tournaments.events.services.settings import (
    change_match_length,
    change_ranking,
    change_rules,
    change_sections,
    change_stages,
    count_begun_rounds,
    plan_hall,
    rename_event,
)
from tournaments.history.views.confirmation import ActorCallback, confirm_then_run
from tournaments.history.views.shown_values import ShownValues, build_form_versions, guard_action
from tournaments.lifecycle import EventState
from tournaments.models import Event
from web.form_lists import FormValues, get_first_value
from web.forms import FormReader, get_last_values

from .access import event_directors_only

PartReader = Callable[[Event, FormReader, FormValues], ActorCallback]
"""Function that reads one part of the settings and returns the change to make. Refuses: form_refused."""


def _read_name(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    name = form.read_text("name", required="event_name_required")
    held_on = read_date(form, get_first_value(form_data, "held_on"))
    form.raise_refusals()
    return lambda by: rename_event(event_id=event.pk, name=name, held_on=held_on, by=by)


def _read_announcement(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    announcement = Announcement(**AnnouncementForm(get_last_values(form_data)).read())
    return lambda by: announce_event(event_id=event.pk, announcement=announcement, by=by)


def _read_cancellation(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    reason = get_first_value(form_data, "reason")
    return lambda by: call_off_event(event_id=event.pk, reason=reason, by=by)


def _read_reinstatement(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    return lambda by: reinstate_event(event_id=event.pk, by=by)


def _read_stages(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    stages, _plan = read_stages(form, form_data, event.stages)
    form.raise_refusals()
    return lambda by: change_stages(event_id=event.pk, stages=stages, by=by)


def _read_ranking(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    rules = read_ranking(form, form_data)
    form.raise_refusals()
    assert rules is not None
    return lambda by: change_ranking(event_id=event.pk, rules=rules, by=by)


def _read_sections(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    named_sections = read_sections(form, form_data)
    form.raise_refusals()
    sections = [section for _, section in named_sections]
    new_names = {previous_name: section["name"] for previous_name, section in named_sections if previous_name}
    return lambda by: change_sections(event_id=event.pk, sections=sections, renamed=new_names, by=by)


def _read_tables(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    table_count = read_table_count(form)
    form.raise_refusals()
    assert table_count is not None
    return lambda by: plan_tables(event_id=event.pk, table_count=table_count, by=by)


def _read_rules(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    rules = read_rules(form, form_data, get_house_rules_by_choice(event.club))
    form.raise_refusals()
    return lambda by: change_rules(event_id=event.pk, **rules, by=by)


def _read_length(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    match_format = read_match_format(form)
    form.raise_refusals()
    return lambda by: change_match_length(event_id=event.pk, match_format=match_format, by=by)


def _read_hall(event: Event, form: FormReader, form_data: FormValues) -> ActorCallback:
    tables_per_row = form.read_number("hall_row") or 0
    form.raise_refusals()
    is_serpentine = bool(get_first_value(form_data, "hall_snakes"))
    return lambda by: plan_hall(event_id=event.pk, per_row=tables_per_row, snakes=is_serpentine, by=by)


PART_READERS: Mapping[str, PartReader] = {
    "name": _read_name,
    "announcement": _read_announcement,
    "call_off": _read_cancellation,
    "reinstate": _read_reinstatement,
    "stages": _read_stages,
    "ranking": _read_ranking,
    "sections": _read_sections,
    "tables": _read_tables,
    "rules": _read_rules,
    "length": _read_length,
    "hall": _read_hall,
}
SHOWN_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "held_on"),
    "announcement": ("announcement_data",),
    "stages": ("stages",),
    "ranking": ("ranking",),
    "sections": ("sections",),
    "tables": ("table_count",),
    "hall": ("hall_row", "hall_snakes"),
    "rules": ("ruleset_data", "rules_name", "details"),
    "length": ("format_data",),
}
"""Columns of the event, or of its terms, that the form of a part shows."""
TERMS_PARTS = ("rules", "length")
"""Parts that show its terms."""

LISTS_BY_PART = {"stages": "stages", "ranking": "order", "sections": "sections"}
"""The list in a part, which may have been emptied."""
CONFIRMED_PARTS = ("stages", "ranking", "sections")
"""Parts whose effects are shown for confirmation once the event has begun."""


@event_directors_only
@show_refusals
def event_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Change the settings of an event. Once it has begun, the effects are shown for confirmation."""
    part = request.POST.get("part", "")
    if part not in PART_READERS:
        return _render_settings(request, event, get_settings_data(event))
    form_data: FormValues = dict(request.POST.lists())
    if change := request.POST.get("change"):
        return _render_settings(
            request,
            event,
            _merge_settings_data(event, rearrange_settings(form_data, change)),
            part=part,
            list_change=change,
        )
    if "check" in request.POST or not is_submitted(request):
        return _render_settings(request, event, _merge_settings_data(event, form_data), part=part)
    return _save_part(request, event, part, form_data)


def _save_part(request: HttpRequest, event: Event, part: str, form_data: FormValues) -> HttpResponse:
    settings_url = reverse("event-settings", args=[event.short])
    success_url = f"{settings_url}?saved={part}#part-{part}"
    action = PART_READERS[part](event, FormReader(get_last_values(form_data)), form_data)
    if (shown := _get_shown_values(event).get(part)) is not None:
        action = guard_action(request, shown, action)
    if event.state == EventState.PREPARING or part not in CONFIRMED_PARTS:
        action(get_actor(request))
        return redirect(success_url)
    return confirm_then_run(
        request,
        event,
        action,
        question=gettext("Change this during play?"),
        button=gettext("Apply change"),
        back=f"{settings_url}#part-{part}",
        success_url=success_url,
    )


def _get_shown_values(event: Event) -> dict[str, ShownValues]:
    """Return what the form of each part shows."""
    return {
        part: ShownValues(event=event, row=event.terms if part in TERMS_PARTS else event, columns=columns)
        for part, columns in SHOWN_COLUMNS.items()
    }


def render_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Render the current settings."""
    return _render_settings(request, event, get_settings_data(event))


def _merge_settings_data(event: Event, form_data: FormValues) -> dict[str, list[str]]:
    """Return the typed values of one part, and the current ones of the others."""
    lists = {name.partition(".")[0] for name in form_data} | {LISTS_BY_PART.get(part, "") for part in form_data["part"]}
    current_values = get_settings_data(event).items()
    return {**{name: values for name, values in current_values if name.partition(".")[0] not in lists}, **form_data}


def _render_settings(
    request: HttpRequest,
    event: Event,
    form_data: FormValues,
    *,
    part: str = "",
    list_change: str = "",
) -> HttpResponse:
    has_matches = Match.objects.filter(terms=event.terms_id).exists()
    house_rules = {} if has_matches else get_house_rules_by_choice(event.club)
    values = {
        "name": event.name,
        "held_on": event.held_on.isoformat(),
        "table_count": event.table_count,
        "ruleset": get_rules_choice(event.terms, house_rules),
        **get_length_data(event.terms.match_format),
        "hall_row": event.hall_row or "",
        "hall_snakes": "1" if event.hall_snakes and part != "hall" else "",
    }
    begun_rounds = count_begun_rounds(event)
    is_announcement = part == "announcement"
    context: dict[str, Any] = {
        "event": event,
        "announcement": AnnouncementForm(request.POST)
        if is_announcement
        else AnnouncementForm.from_stored(event.announcement),
        "plan": event.plan,
        "ranking": event.ranking_rules,
        "match_format": event.terms.match_format,
        "ruleset": event.terms.ruleset,
        "settings": build_settings_view(
            form_data, ruleset=event.terms.ruleset, begun_stages=begun_rounds, list_change=list_change
        ),
        "typed": values | get_last_values(form_data),
        "details": form_data.get("details", []) if part == "rules" else event.terms.details,
        "rulesets": RULESETS.values(),
        "house_rules": house_rules.values(),
        "phase_lines": list_phase_lines(event),
        "section_names": ", ".join(section["name"] for section in event.sections),
        "has_matches": has_matches,
        "part": part,
        "form_version": build_form_versions(request, _get_shown_values(event), posted=part),
        "refusal": None if is_partial_request(request) else get_refusal(request),
        "saved": request.GET.get("saved", "") if request.method != "POST" else "",
    }
    return TemplateResponse(request, "tournaments/events/settings/page.html", context)
