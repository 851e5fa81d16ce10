"""Privacy settings of a club."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clubs.access import owners_only
from clubs.audit.history import find_club_line
from clubs.audit.log import Actor
from clubs.models import Club, PublicNames
from clubs.privacy import get_privacy_officer
from clubs.services import privacy
from clubs.services.privacy import PrivacySettings
from clubs.views.history import render_or_save_form
from web.forms import ChoiceField, Form, NumberField, TextField, TickField

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
    has_public_people = TickField(_("Public player pages"))
    forget_after = NumberField(_("Years without playing before erasure is proposed"))


@require_http_methods(["GET", "HEAD", "POST"])
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
        done=find_club_line(club, request.GET.get("done", "")),
    )
