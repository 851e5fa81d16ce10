"""A club's own pages: its nights, a new night, an imported one."""

from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_members
from clubs.models import Club
from clubs.selectors import house_rules_of
from rules import RULESETS, Refusal
from tournaments import services
from tournaments.forms import NIGHT_FORMATS, read_night_form
from tournaments.nights import FILES, files_in_zip

MOST_UPLOADED = 10 * 1024 * 1024


@require_safe
@for_members
def club_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's nights, the last one first."""
    return TemplateResponse(
        request, "tournaments/club.html", {"club": club, "events": club.events.select_related("terms")}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def new_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Ruleset, match length and tables of a new night; its entries come next."""
    own = {one.choice: one for one in house_rules_of(club)}
    refusal = None
    if request.method == "POST":
        try:
            night = read_night_form(request.POST, own)
            event = services.create_event(
                club=club,
                name=night.name,
                held_on=night.held_on,
                ruleset=night.ruleset,
                rules_name=night.rules_name,
                match_format=night.match_format,
                table_count=night.table_count,
                stages=[{"format": night.draw_format}],
                details=night.details,
            )
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("entries", short=event.short)
    today = timezone.localdate(timezone=ZoneInfo(club.time_zone))
    chosen = own.get(request.GET.get("ruleset", ""))
    first = {
        "name": gettext("Card night of %(date)s") % {"date": date_format(today)},
        "ruleset": chosen.choice if chosen else club.usual_ruleset,
        "length": "games_to_win",
        "games_to_win": (chosen.ruleset if chosen else RULESETS[club.usual_ruleset]).games_to_win,
        "hands": 8,
        "minutes": 30,
        "table_count": 8,
        "draw_format": NIGHT_FORMATS[0],
        "held_on": today.isoformat(),
    }
    context = {
        "club": club,
        "refusal": refusal,
        "typed": request.POST or first,
        "details": request.POST.getlist("details"),
        "rulesets": RULESETS.values(),
        "house_rules": own.values(),
    }
    return TemplateResponse(request, "tournaments/new_night.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def import_page(request: HttpRequest, club: Club) -> HttpResponse:
    """A recorded night, as its files or as one zip."""
    refusal = None
    if request.method == "POST":
        try:
            today = timezone.localdate(timezone=ZoneInfo(club.time_zone))
            event = services.import_night(
                club=club,
                name=request.POST.get("name", "") or today.isoformat(),
                held_on=today,
                files=_uploaded(request),
            )
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("desk", short=event.short)
    context = {"club": club, "refusal": refusal, "typed": request.POST}
    return TemplateResponse(request, "tournaments/import.html", context)


def _uploaded(request: HttpRequest) -> dict[str, bytes]:
    """The night's files from the form. Refuses: files_required, files_too_large, not_a_zip."""
    uploads = request.FILES.getlist("files")
    if sum(upload.size or 0 for upload in uploads) > MOST_UPLOADED:
        raise Refusal("files_too_large", field="files", most=MOST_UPLOADED // 1024 // 1024)
    files: dict[str, bytes] = {}
    for upload in uploads:
        name = (upload.name or "").lower()
        if name.endswith(".zip"):
            files |= files_in_zip(upload.read())
        elif name in FILES:
            files[name] = upload.read()
    if not files:
        raise Refusal("files_required", field="files")
    return files
