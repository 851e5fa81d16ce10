"""Settings of an event; each part is a form with its own button."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.queries import house_rules_by_choice
from errors import Refusal
from live.conditional_pages import asks_for_part
from rules import RULESETS
from scoring.models import Match
from tournaments.events.forms.announcement import read_announcement, typed_announcement
from tournaments.events.forms.nights import (
    choice_of_rules,
    read_date,
    read_match_format,
    read_rules,
    read_table_count,
    typed_length,
)
from tournaments.events.forms.settings import (
    read_ranking,
    read_sections,
    read_stages,
    rearrange_settings,
    typed_settings,
)
from tournaments.events.presenters.phases import phase_lines
from tournaments.events.presenters.settings import settings_view
from tournaments.events.services.announcing import announce_event, call_off_event, reinstate_event
from tournaments.events.services.lifecycle import plan_tables
from tournaments.events.services.settings import (
    change_match_length,
    change_ranking,
    change_rules,
    change_sections,
    change_stages,
    plan_hall,
    rename_event,
    rounds_begun,
)
from tournaments.history.views.confirmation import Deed, confirm_then_run
from tournaments.lifecycle import EventState
from tournaments.models import Event
from web.form_lists import Typed, first_of
from web.forms import FormReader, last_values

from .access import for_directors

Part = Callable[[Event, FormReader, Typed], Deed]
"""Function that reads one part of the settings and returns the change to make. Refuses: form_refused."""


def _name(event: Event, form: FormReader, typed: Typed) -> Deed:
    name = form.text("name", required="event_name_required")
    held_on = read_date(form, first_of(typed, "held_on"))
    form.finish()
    return lambda by: rename_event(event_id=event.pk, name=name, held_on=held_on, by=by)


def _announcement(event: Event, form: FormReader, typed: Typed) -> Deed:
    announcement = read_announcement(form, typed)
    form.finish()
    return lambda by: announce_event(event_id=event.pk, announcement=announcement, by=by)


def _call_off(event: Event, form: FormReader, typed: Typed) -> Deed:
    reason = first_of(typed, "reason")
    return lambda by: call_off_event(event_id=event.pk, reason=reason, by=by)


def _reinstate(event: Event, form: FormReader, typed: Typed) -> Deed:
    return lambda by: reinstate_event(event_id=event.pk, by=by)


def _stages(event: Event, form: FormReader, typed: Typed) -> Deed:
    stages = read_stages(form, typed, event.stages).plain
    form.finish()
    return lambda by: change_stages(event_id=event.pk, stages=stages, by=by)


def _ranking(event: Event, form: FormReader, typed: Typed) -> Deed:
    rules = read_ranking(form, typed)
    form.finish()
    assert rules is not None
    return lambda by: change_ranking(event_id=event.pk, rules=rules, by=by)


def _sections(event: Event, form: FormReader, typed: Typed) -> Deed:
    read = read_sections(form, typed)
    form.finish()
    sections = [section.plain for section in read]
    renamed = {section.was: section.plain["name"] for section in read if section.was}
    return lambda by: change_sections(event_id=event.pk, sections=sections, renamed=renamed, by=by)


def _tables(event: Event, form: FormReader, typed: Typed) -> Deed:
    table_count = read_table_count(form)
    form.finish()
    assert table_count is not None
    return lambda by: plan_tables(event_id=event.pk, table_count=table_count, by=by)


def _rules(event: Event, form: FormReader, typed: Typed) -> Deed:
    rules = read_rules(form, typed, house_rules_by_choice(event.club))
    form.finish()
    return lambda by: change_rules(event_id=event.pk, **rules.as_values(), by=by)


def _length(event: Event, form: FormReader, typed: Typed) -> Deed:
    match_format = read_match_format(form)
    form.finish()
    return lambda by: change_match_length(event_id=event.pk, match_format=match_format, by=by)


def _hall(event: Event, form: FormReader, typed: Typed) -> Deed:
    per_row = form.number("hall_row") or 0
    form.finish()
    snakes = bool(first_of(typed, "hall_snakes"))
    return lambda by: plan_hall(event_id=event.pk, per_row=per_row, snakes=snakes, by=by)


PARTS: Mapping[str, Part] = {
    "name": _name,
    "announcement": _announcement,
    "call_off": _call_off,
    "reinstate": _reinstate,
    "stages": _stages,
    "ranking": _ranking,
    "sections": _sections,
    "tables": _tables,
    "rules": _rules,
    "length": _length,
    "hall": _hall,
}
LISTS = {"stages": "stages", "ranking": "order", "sections": "sections"}
"""The list in a part, which may have been emptied."""
EFFECTS_SHOWN = ("stages", "ranking", "sections")
"""Parts whose effects are shown for confirmation once the event has begun."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def event_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Change the settings of an event. Once it has begun, the effects are shown for confirmation."""
    part = request.POST.get("part", "")
    if part not in PARTS:
        return _page(request, event, typed_settings(event))
    typed: Typed = dict(request.POST.lists())
    if change := request.POST.get("change"):
        return _page(
            request, event, _with(event, rearrange_settings(typed, change)), part=part, changed=change
        )
    if "check" in request.POST:
        return _page(request, event, _with(event, typed), part=part)
    return _save(request, event, part, typed)


def _save(request: HttpRequest, event: Event, part: str, typed: Typed) -> HttpResponse:
    def render_refusal(refusal: Refusal) -> HttpResponse:
        return _page(request, event, _with(event, typed), part=part, refusal=refusal)

    here = reverse("event-settings", args=[event.short])
    done = f"{here}?saved={part}#part-{part}"
    try:
        form = FormReader(last_values(typed))
        deed = PARTS[part](event, form, typed)
        if event.state == EventState.PREPARING or part not in EFFECTS_SHOWN:
            deed(actor_from(request))
            return redirect(done)
    except Refusal as refusal:
        return render_refusal(refusal)
    context = {
        "question": gettext("Change this during play?"),
        "button": gettext("Apply change"),
        "back": f"{here}#part-{part}",
    }
    return confirm_then_run(request, event, deed, context=context, refused=render_refusal, done=done)


def settings_page(request: HttpRequest, event: Event, refusal: Refusal) -> HttpResponse:
    """Render the current settings with a refusal."""
    return _page(request, event, typed_settings(event), refusal=refusal)


def _with(event: Event, typed: Typed) -> dict[str, list[str]]:
    """Return the typed values of one part, and the current ones of the others."""
    lists = {name.partition(".")[0] for name in typed} | {LISTS.get(part, "") for part in typed["part"]}
    kept = typed_settings(event).items()
    return {**{name: values for name, values in kept if name.partition(".")[0] not in lists}, **typed}


def _page(
    request: HttpRequest,
    event: Event,
    typed: Typed,
    *,
    part: str = "",
    changed: str = "",
    refusal: Refusal | None = None,
) -> HttpResponse:
    has_matches = Match.objects.filter(terms=event.terms_id).exists()
    own = {} if has_matches else house_rules_by_choice(event.club)
    values = {
        "name": event.name,
        "held_on": event.held_on.isoformat(),
        **typed_announcement(event.announcement),
        "table_count": event.table_count,
        "ruleset": choice_of_rules(event.terms, own),
        **typed_length(event.terms.match_format),
        "hall_row": event.hall_row or "",
        "hall_snakes": "1" if event.hall_snakes and part != "hall" else "",
    }
    begun = rounds_begun(event)
    context: dict[str, Any] = {
        "event": event,
        "plan": event.plan,
        "ranking": event.ranking_rules,
        "match_format": event.terms.match_format,
        "ruleset": event.terms.ruleset,
        "settings": settings_view(typed, ruleset=event.terms.ruleset, begun=begun, changed=changed),
        "typed": values | last_values(typed),
        "details": typed.get("details", []) if part == "rules" else event.terms.details,
        "rulesets": RULESETS.values(),
        "house_rules": own.values(),
        "phase_lines": phase_lines(event),
        "section_names": ", ".join(section["name"] for section in event.sections),
        "has_matches": has_matches,
        "part": part,
        "refusal": None if asks_for_part(request) else refusal,
        "saved": request.GET.get("saved", "") if request.method != "POST" else "",
    }
    return TemplateResponse(request, "tournaments/events/settings/page.html", context)
