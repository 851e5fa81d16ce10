"""Public poster of an event, to print and to send."""

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import get_feed_language
from live.conditional_pages import shared_response
from tournaments.events.views.access import public_event_required
from tournaments.models import Event
from tournaments.papers.contents import build_file_name
from tournaments.papers.contents.posters import build_poster
from tournaments.papers.orders import Order, Paper
from tournaments.papers.public_papers import PublicPaper
from tournaments.papers.typesetting.documents import Size
from web.qr import get_phone_origin


@require_safe
@public_event_required
def poster_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the poster of the event as PDF on Letter, or ``?size=a4``; in the address’s language or the
    club’s."""
    size = Size.A4 if request.GET.get("size") == Size.A4 else Size.LETTER
    return _render_poster(request, event, size, "pdf", "application/pdf")


@require_safe
@public_event_required
def poster_picture(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the poster of the event as a picture, in the language of the address or the club."""
    return _render_poster(request, event, Size.LETTER, "png", "image/png")


def _render_poster(request: HttpRequest, event: Event, size: Size, kind: str, content_type: str) -> HttpResponse:
    language = get_feed_language(request, event.club)
    order = Order(paper=Paper.POSTER, of=event.pk, size=size, language=language, origin=get_phone_origin(request))
    with override(language):
        paper = PublicPaper(build_poster(event, order), kind)
    name = content_disposition_header(as_attachment=False, filename=build_file_name(order, event.short, kind))

    def build_response() -> HttpResponse:
        content = paper.get_content(event.club_id)
        return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": name or ""})

    return shared_response(request, paper.digest, build_response)
