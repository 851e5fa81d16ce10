"""Pages for owners: the club's own feed, federations, and the clubs that they follow."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.absolute_urls import build_absolute_url
from clubs.calendar import FIRST_MONTH, LAST_MONTH, get_club_today
from clubs.models import Club
from clubs.pages import get_actor, note_refusal, owners_only, require_post_from, show_refusals_on
from clubs.views.history import run_or_render_refusal
from engine.ladders import FEDERATION_COUNTS, Ladder, LadderFigure, LadderUnit, ladder_from_json
from engine.signed_logs import get_fingerprint
from errors import Refusal
from federations.models import ClubFeed, Federation
from federations.queries import list_federation_feeds
from federations.services import federation_settings, publishing
from tournaments.seasons.forms import PointsForm
from tournaments.signing.presenters import get_key_fingerprint
from web.forms import ChoiceField, DayField, TextField
from web.not_found import get_or_404

UNITS = (LadderUnit.PERSON, LadderUnit.PAIR)


class FederationForm(PointsForm):
    """A federation, with its points rules."""

    name = TextField(_("Federation name"), required="federation_name_required")
    starts = DayField(_("First day"), required="day_required")
    ends = DayField(_("Last day"), required="day_required")
    counts = ChoiceField(_("Ranked by"), values=FEDERATION_COUNTS, template="partials/select.html")
    unit = ChoiceField(_("Who is ranked"), values=UNITS, template="partials/select.html")

    def read_settings(self) -> dict[str, Any]:
        """Return name, dates, and the ``ladder`` in the format of ``ladder_from_json``. Refuses: form_refused."""
        values = self.read()
        return {name: values.pop(name) for name in ("name", "starts", "ends")} | {"ladder": values}


@owners_only
def federations(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's own feed and its federations; create a federation."""
    if request.method != "POST":
        return _render_list(request, club)
    return _save_federation(request, club, partial(federation_settings.open_federation, club_id=club.pk), _render_list)


@require_post_from("federations", "slug")
@owners_only
def switch_on(request: HttpRequest, club: Club) -> HttpResponse:
    """Start publishing the club's feed."""
    return run_or_render_refusal(request, club, "federations", publishing.switch_feed_on, _render_list, club_id=club.pk)


@require_post_from("federations", "slug")
@owners_only
def switch_feed_off(request: HttpRequest, club: Club) -> HttpResponse:
    """Stop publishing the club's feed."""
    return run_or_render_refusal(
        request, club, "federations", publishing.switch_feed_off, _render_list, club_id=club.pk
    )


@owners_only
def federation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show or change the settings of a federation: its dates, points rules and the clubs that it follows."""
    if request.method != "POST":
        return _render_federation(request, club, pk)
    save = partial(federation_settings.change_federation, club_id=club.pk, federation_id=pk)
    return _save_federation(request, club, save, partial(_render_federation, pk=pk))


@require_post_from("federation", "slug", "pk")
@owners_only
def follow_club(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Follow the feed of another club."""
    address = request.POST.get("address", "")
    return _redirect_or_federation(request, club, pk, federation_settings.follow_feed, address=address)


@require_post_from("federation", "slug", "pk")
@owners_only
def fetch(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Fetch all feeds of a federation now."""
    return _redirect_or_federation(request, club, pk, lambda by, **ids: federation_settings.fetch_now(**ids))


@require_post_from("federation", "slug", "pk")
@owners_only
def unfollow(request: HttpRequest, club: Club, pk: int, feed_id: int) -> HttpResponse:
    """Stop following a club; its nights no longer count."""
    return _redirect_or_federation(request, club, pk, federation_settings.unfollow_feed, feed_id=feed_id)


@require_post_from("federation", "slug", "pk")
@owners_only
def end_federation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Delete a federation, with its pages."""
    end = federation_settings.end_federation
    return run_or_render_refusal(request, club, "federations", end, _render_list, club_id=club.pk, federation_id=pk)


def _save_federation(
    request: HttpRequest,
    club: Club,
    save: Callable[..., Federation],
    render_refusal: Callable[..., HttpResponse],
) -> HttpResponse:
    form = FederationForm(request.POST)
    try:
        saved = save(**form.read_settings(), by=get_actor(request))
    except Refusal as refusal:
        note_refusal(request, refusal)
        return render_refusal(request, club, form=form)
    return redirect("federation", slug=club.slug, pk=saved.pk)


def _render_list(request: HttpRequest, club: Club, form: FederationForm | None = None) -> HttpResponse:
    context = {
        "club": club,
        "feed": ClubFeed.objects.filter(club=club).defer("written").first(),
        "feed_address": build_absolute_url(request, reverse("feed", args=[club.slug])),
        "key": get_key_fingerprint(club),
        "federations": club.federations.defer("worked_out"),
        "form": form or _build_default_form(club),
    }
    return TemplateResponse(request, "federations/list.html", context)


def _render_federation(
    request: HttpRequest,
    club: Club,
    pk: int,
    *,
    form: FederationForm | None = None,
) -> HttpResponse:
    found = get_or_404(club.federations.filter(pk=pk).first())
    context: dict[str, Any] = {
        "club": club,
        "federation": found,
        "feeds": [(feed, feed.key and get_fingerprint(feed.key)) for feed in list_federation_feeds(found)],
        "form": form
        or FederationForm.from_stored(
            ladder_from_json(found.ladder), name=found.name, starts=found.starts, ends=found.ends
        ),
        "address": request.POST.get("address", ""),
    }
    return TemplateResponse(request, "federations/federation.html", context)


@show_refusals_on(_render_federation)
def _redirect_or_federation(
    request: HttpRequest, club: Club, pk: int, action: Callable[..., object], **arguments: Any
) -> HttpResponse:
    action(club_id=club.pk, federation_id=pk, **arguments, by=get_actor(request))
    return redirect("federation", slug=club.slug, pk=pk)


def _build_default_form(club: Club) -> FederationForm:
    """Return the form of a new one: from September to June around today, with points for the rank of each night."""
    today = get_club_today(club)
    year = today.year if today.month > LAST_MONTH else today.year - 1
    return FederationForm.from_stored(
        Ladder(name="", counts=LadderFigure.RANK_POINTS),
        starts=datetime.date(year, FIRST_MONTH, 1),
        ends=datetime.date(year + 1, LAST_MONTH, 30),
    )
