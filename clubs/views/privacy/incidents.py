"""The register of incidents, which can be corrected and closed but not deleted."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs import services
from clubs.access import for_owners
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.models import Club, Incident, Risk
from clubs.post_only import posted_from
from clubs.services import IncidentDetails
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from web.forms import FormReader

DAYS = ("happened_on", "noticed_on", "commission_told_on", "people_told_on")
TEXTS = ("what", "information", "done")


@require_safe
@for_owners
def incidents(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the whole register of incidents, the latest first, ready for printing."""
    context = {
        "club": club,
        "incidents": club.incidents.all(),
        "today": today_in(club),
        "done": club_line(club, request.GET.get("done", "")),
    }
    return TemplateResponse(request, "clubs/privacy/incidents.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def new_incident(request: HttpRequest, club: Club) -> HttpResponse:
    """Add an incident to the register."""
    if request.method != "POST":
        today = today_in(club).isoformat()
        return _form(
            request, club, None, {"happened_on": today, "noticed_on": today, "risk": Risk.OPEN.value}
        )
    return run_or_show_refusal(
        request,
        club,
        "incidents",
        lambda by: services.add_incident(club_id=club.pk, details=_details(request), by=by),
        refused=partial(_form, request, club, None, request.POST.dict()),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def incident_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Correct an incident."""
    incident = _incident(club, pk)
    if request.method != "POST":
        return _form(request, club, incident, _fields_of(incident))

    def change(by: Actor) -> None:
        services.change_incident(club_id=club.pk, incident_id=pk, details=_details(request), by=by)

    refused = partial(_form, request, club, incident, request.POST.dict())
    return run_or_show_refusal(request, club, "incidents", change, refused=refused)


@posted_from("incident", "slug", "pk")
@for_owners
def close_incident(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Close or reopen an incident."""
    incident = _incident(club, pk)
    is_closed = "reopen" not in request.POST

    def close(by: Actor) -> None:
        services.close_incident(club_id=club.pk, incident_id=pk, is_closed=is_closed, by=by)

    refused = partial(_form, request, club, incident, _fields_of(incident))
    return run_or_show_refusal(request, club, "incidents", close, refused=refused)


def _incident(club: Club, pk: int) -> Incident:
    incident: Incident | None = club.incidents.filter(pk=pk).first()
    if incident is None:
        raise Http404
    return incident


def _details(request: HttpRequest) -> IncidentDetails:
    """Read the form of an incident.

    Refuses: form_refused, with a refusal for each invalid field.
    """
    form = FormReader(request.POST.dict())
    happened_on = form.day("happened_on", required="day_required")
    noticed_on = form.day("noticed_on", required="day_required")
    what = form.text("what", required="text_required")
    information = form.text("information", required="text_required")
    people = form.number("people")
    risk = form.choice("risk", Risk.values)
    commission_told_on, people_told_on = form.day("commission_told_on"), form.day("people_told_on")
    form.finish()
    assert happened_on is not None
    assert noticed_on is not None
    return IncidentDetails(
        happened_on=happened_on,
        noticed_on=noticed_on,
        what=what,
        information=information,
        people=people,
        risk=risk,
        done=request.POST.get("done", ""),
        commission_told_on=commission_told_on,
        people_told_on=people_told_on,
    )


def _fields_of(incident: Incident) -> dict[str, Any]:
    days = {name: getattr(incident, name) for name in DAYS}
    return {
        **{name: "" if day is None else day.isoformat() for name, day in days.items()},
        **{name: getattr(incident, name) for name in TEXTS},
        "people": "" if incident.people is None else incident.people,
        "risk": incident.risk,
    }


def _form(
    request: HttpRequest,
    club: Club,
    incident: Incident | None,
    typed: Mapping[str, Any],
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "club": club,
        "incident": incident,
        "typed": typed,
        "risks": Risk.choices,
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/privacy/incident.html", context)
