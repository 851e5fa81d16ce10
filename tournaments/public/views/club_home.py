"""Public home pages: the list of clubs, a club, its seasons, and its news (Atom, RFC 4287)."""

from datetime import date
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext, override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import build_absolute_url, get_feed_language
from clubs.calendar import get_club_today
from clubs.models import Club, ClubPicture
from clubs.pages import public_page
from clubs.privacy import get_privacy_officer
from clubs.queries import get_pictures_by_kind
from live.conditional_pages import read_snapshot, shared_conditional_page, shared_response
from tournaments.agenda.queries import list_upcoming
from tournaments.events.queries import list_recent_public_events
from tournaments.models import Event
from tournaments.public.presenters.club_home import build_club_home, get_club_home_revision
from tournaments.public.presenters.news import NewsItem, list_news
from tournaments.public.queries.club_home import list_club_seasons, select_open_seasons
from web.forms import parse_digits
from web.paging import get_list_page

CLUBS_PER_PAGE = 100
"""How many clubs a page lists."""
YEAR_SECONDS = 365 * 24 * 60 * 60
"""A year in seconds."""


@require_safe
@read_snapshot()
@public_page
def clubs_page(request: HttpRequest) -> HttpResponse:
    """Show the clubs of this site, or the club's page if there is only one."""
    clubs = Club.objects.only("name", "slug").order_by("name", "pk")
    number = parse_digits(request.GET.get("page", ""), max_digits=6) or 1
    page = get_list_page(clubs.count(), number=number, size=CLUBS_PER_PAGE)
    clubs_on_page = list(clubs[page.places])
    if page.found == 1:
        return redirect("front", slug=clubs_on_page[0].slug)
    context = {"clubs": clubs_on_page, "page": page}
    return TemplateResponse(request, "tournaments/public/club_home/clubs.html", context)


@require_safe
@read_snapshot()
@public_page
def club_home_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's next events, its last results and the leaders of its seasons."""
    club = get_object_or_404(Club, slug=slug)
    today, events = get_club_today(club), list_recent_public_events(club)
    seasons = select_open_seasons(club).defer("rows", "scores")
    etag = f"front.{get_club_home_revision(club, events, seasons)}.{today}"
    return shared_conditional_page(request, etag, partial(_render_club_home, request, club, today, events))


def _render_club_home(request: HttpRequest, club: Club, today: date, events: list[Event]) -> HttpResponse:
    seasons = select_open_seasons(club).defer("scores")
    context = {
        "club": club,
        "responsible": get_privacy_officer(club),
        "pictures": get_pictures_by_kind(club),
        "view": build_club_home(club, events, list_upcoming(club, today), seasons),
    }
    return TemplateResponse(request, "tournaments/public/club_home/club.html", context)


@require_safe
@public_page
def club_image(request: HttpRequest, slug: str, kind: str, digest: str) -> HttpResponse:
    """Show a picture of the club. A new picture has a new address, so browsers may keep this one."""
    picture = get_object_or_404(ClubPicture, club__slug=slug, kind=kind, digest=digest)
    response = HttpResponse(picture.file, content_type="image/webp")
    patch_cache_control(response, public=True, max_age=YEAR_SECONDS, immutable=True)
    return response


@require_safe
@read_snapshot()
@public_page
def public_seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's seasons and the series that it plays in, or the standings if there is only one."""
    club = get_object_or_404(Club, slug=slug)
    seasons = list_club_seasons(club)
    if len(seasons) == 1:
        return redirect("public-season", slug=seasons[0].club.slug, pk=seasons[0].pk)
    context = {"club": club, "seasons": seasons}
    return TemplateResponse(request, "tournaments/public/club_home/seasons.html", context)


@require_safe
@read_snapshot()
@public_page
def news_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a feed of the club's next events, winners, and changes of its calendar. It is in the language of
    the address, or else the club's."""
    club = get_object_or_404(Club, slug=slug)
    language, events = get_feed_language(request, club), list_recent_public_events(club)
    etag = f"news.{get_club_home_revision(club, events)}.{language}"
    return shared_response(request, etag, partial(_render_feed, request, club, events, language))


def _render_feed(request: HttpRequest, club: Club, events: list[Event], language: str) -> HttpResponse:
    with override(language):
        feed = Atom1Feed(
            title=club.name,
            subtitle=gettext("Nights, winners and calendar changes"),
            link=build_absolute_url(request, reverse("front", args=[club.slug])),
            description=None,
            language="fr-CA" if language == "fr" else language,
            author_name=club.name,
            feed_url=build_absolute_url(request, request.path),
        )
        for item in list_news(club, events):
            _add_item(feed, request, club, item)
    headers = {"Content-Language": language}
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type, headers=headers)


def _add_item(feed: Atom1Feed, request: HttpRequest, club: Club, item: NewsItem) -> None:
    path = item.event.get_absolute_url() if item.event else reverse("public-calendar", args=[club.slug])
    address = build_absolute_url(request, path)
    feed.add_item(
        title=_render_item("title.txt", item, club),
        description=_render_item("text.html", item, club),
        link=address,
        unique_id=f"{address}#{item.kind if item.event else 'change'}-{item.number}",
        unique_id_is_permalink=False,
        pubdate=item.at,
        updateddate=item.changed_at,
    )


def _render_item(template: str, item: NewsItem, club: Club) -> str:
    return render_to_string(f"tournaments/public/news/{template}", {"item": item, "club": club}).strip()
