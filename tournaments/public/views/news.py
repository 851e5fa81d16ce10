"""A club's news, for feed readers and other sites (Atom, RFC 4287)."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext, override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import absolute_url, language_for_programs
from clubs.access import for_everybody
from clubs.models import Club
from live.conditional_pages import alike_for_all
from tournaments.events.queries import recent_public_events
from tournaments.models import Event
from tournaments.public.presenters.club_home import front_revision
from tournaments.public.presenters.news import NewsItem, news_of_club


@require_safe
@for_everybody
def club_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a feed of the club's next events, winners, and changes of its calendar. It is in the language of
    the address, or else the club's."""
    club = get_object_or_404(Club, slug=slug)
    language, events = language_for_programs(request, club), recent_public_events(club)
    shown = f"news.{front_revision(club, events)}.{language}"
    return alike_for_all(request, shown, partial(_feed, request, club, events, language))


def _feed(request: HttpRequest, club: Club, events: list[Event], language: str) -> HttpResponse:
    with override(language):
        feed = Atom1Feed(
            title=club.name,
            subtitle=gettext("Nights, winners and calendar changes"),
            link=absolute_url(request, reverse("front", args=[club.slug])),
            description=None,
            language="fr-CA" if language == "fr" else language,
            author_name=club.name,
            feed_url=absolute_url(request, request.path),
        )
        for item in news_of_club(club, events):
            _add(feed, request, club, item)
    headers = {"Content-Language": language}
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type, headers=headers)


def _add(feed: Atom1Feed, request: HttpRequest, club: Club, item: NewsItem) -> None:
    path = item.event.get_absolute_url() if item.event else reverse("public-calendar", args=[club.slug])
    address = absolute_url(request, path)
    feed.add_item(
        title=_in_words("title.txt", item, club),
        description=_in_words("text.html", item, club),
        link=address,
        unique_id=f"{address}#{item.kind if item.event else 'change'}-{item.number}",
        unique_id_is_permalink=False,
        pubdate=item.at,
        updateddate=item.changed_at,
    )


def _in_words(template: str, item: NewsItem, club: Club) -> str:
    return render_to_string(f"tournaments/public/news/{template}", {"item": item, "club": club}).strip()
