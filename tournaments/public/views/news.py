"""A club's news, for feed readers and other sites (Atom, RFC 4287)."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext, override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import build_absolute_url, get_feed_language
from clubs.access import public_page
from clubs.models import Club
from live.conditional_pages import shared_response
from live.snapshots import read_snapshot
from tournaments.events.queries import list_recent_public_events
from tournaments.models import Event
from tournaments.public.presenters.club_home import get_club_home_revision
from tournaments.public.presenters.news import NewsItem, list_news


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
