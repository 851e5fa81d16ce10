"""Privacy pages of a club: its settings, the register of incidents, and the public page."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.models import Club, Incident, PublicNames, Risk
from clubs.pages import owners_only, public_page, require_post_from
from clubs.privacy import get_privacy_officer
from clubs.services import privacy
from clubs.services.privacy import IncidentDetails, PrivacySettings
from clubs.views.history import render_or_save_form
from live.conditional_pages import read_snapshot, shared_conditional_page
from live.revisions import get_public_revision
from web.forms import AreaField, CheckboxField, ChoiceField, DayField, Form, NumberField, TextField
from web.not_found import get_or_404

SUGGESTED_YEARS = 3


class PrivacyForm(Form):
    """The form of the privacy settings."""

    responsible_name = TextField(_("Name"), of_person=True)
    responsible_contact = TextField(
        _("Contact details"), help_text=_("A phone, e-mail or postal address. Shown publicly.")
    )
    public_names = ChoiceField(
        _("Default name on public pages"),
        [
            (PublicNames.SHORT, PublicNames.SHORT.label, _("for example, “Jeannine R.”")),
            (PublicNames.NONE, PublicNames.NONE.label, _("for example, “Player 12”")),
        ],
    )
    has_public_people = CheckboxField(_("Public player pages"))
    forget_after = NumberField(_("Years without playing before erasure is proposed"))


@owners_only
def privacy_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Change what the club shows of people and who is responsible; with links to erasure and the register."""
    form = PrivacyForm.from_request(request, stored=club)

    def change(by: Actor) -> None:
        privacy.change_privacy(club_id=club.pk, settings=PrivacySettings(**form.read()), by=by)

    return render_or_save_form(
        request,
        club,
        "privacy",
        form,
        change,
        template="clubs/privacy/settings.html",
        responsible=get_privacy_officer(club),
        suggested=SUGGESTED_YEARS,
    )


INCIDENT_TEMPLATE = "clubs/privacy/incident.html"


class IncidentForm(Form):
    """The form of an incident."""

    happened_on = DayField(_("Date of incident"), required="day_required")
    noticed_on = DayField(_("Date discovered"), required="day_required")
    what = AreaField(_("Circumstances"), help_text=_("No names needed."), required="text_required")
    information = AreaField(
        _("Information affected"), help_text=_("For example, names and phone numbers"), required="text_required"
    )
    people = NumberField(_("Number of people affected"), help_text=_("Leave empty if unknown."))
    risk = ChoiceField(
        _("Is there a risk of serious injury?"),
        [(risk.value, capfirst(risk.label)) for risk in Risk],
        help_text=_(
            "Consider the information, who has it and possible misuse. If yes, notify the Commission d’accès à "
            "l’information and the people affected at once."
        ),
    )
    done = AreaField(_("Measures taken"), help_text=_("To limit the harm and prevent another incident."))
    commission_told_on = DayField(_("Commission notified on"))
    people_told_on = DayField(_("People notified on"))


@require_safe
@owners_only
def incidents_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the whole register of incidents, the latest first, ready for printing."""
    context = {
        "club": club,
        "incidents": club.incidents.all(),
        "today": get_club_today(club),
    }
    return TemplateResponse(request, "clubs/privacy/incidents.html", context)


@owners_only
def add_incident(request: HttpRequest, club: Club) -> HttpResponse:
    """Add an incident to the register."""
    today = get_club_today(club)
    form = IncidentForm.from_request(request, happened_on=today, noticed_on=today, risk=Risk.OPEN)
    return _render_or_save(request, club, None, form, partial(privacy.add_incident, club_id=club.pk))


@owners_only
def incident_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Correct an incident."""
    incident = _get_incident(club, pk)
    form = IncidentForm.from_request(request, stored=incident)
    save = partial(privacy.change_incident, club_id=club.pk, incident_id=pk)
    return _render_or_save(request, club, incident, form, save)


def _render_or_save(
    request: HttpRequest, club: Club, incident: Incident | None, form: IncidentForm, save: Callable[..., object]
) -> HttpResponse:
    def save_form(by: Actor) -> None:
        save(details=IncidentDetails(**form.read()), by=by)

    return render_or_save_form(
        request, club, "incidents", form, save_form, template=INCIDENT_TEMPLATE, incident=incident
    )


@require_post_from("incident", "slug", "pk")
@owners_only
def close_incident(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Close or reopen an incident."""
    incident = _get_incident(club, pk)
    is_closed = "reopen" not in request.POST

    def close(by: Actor) -> None:
        privacy.close_incident(club_id=club.pk, incident_id=pk, is_closed=is_closed, by=by)

    form = IncidentForm.from_stored(incident)
    return render_or_save_form(request, club, "incidents", form, close, template=INCIDENT_TEMPLATE, incident=incident)


def _get_incident(club: Club, pk: int) -> Incident:
    return get_or_404(club.incidents.filter(pk=pk).first())


@require_safe
@read_snapshot()
@public_page
def public_privacy_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the club keeps and publishes about people, and whom to ask."""
    club = get_object_or_404(Club, slug=slug)
    return shared_conditional_page(
        request, f"privacy.{club.pk}.{get_public_revision(club.topic)}", partial(_render_public_page, request, club)
    )


def _render_public_page(request: HttpRequest, club: Club) -> HttpResponse:
    context = {"club": club, "responsible": get_privacy_officer(club)}
    return TemplateResponse(request, "clubs/privacy/public.html", context)
