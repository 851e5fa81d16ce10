"""Public poster of an event, to print and to send."""

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import language_for_programs
from live.conditional_pages import alike_for_all
from tournaments.events.views.access import for_watchers
from tournaments.models import Event
from tournaments.papers.contents.posters import poster
from tournaments.papers.orders import Order, Paper
from tournaments.papers.public_papers import DrawnPaper
from tournaments.papers.typesetting import Size
from web.qr import origin_for_phones


@require_safe
@for_watchers
def poster_to_print(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the poster of the event as PDF on Letter, or ``?size=a4``; in the address’s language or the
    club’s."""
    size = Size.A4 if request.GET.get("size") == Size.A4 else Size.LETTER
    return _answer(request, event, size, "pdf", "application/pdf")


@require_safe
@for_watchers
def poster_to_send(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the poster of the event as a picture, in the language of the address or the club."""
    return _answer(request, event, Size.LETTER, "png", "image/png")


def _answer(request: HttpRequest, event: Event, size: Size, kind: str, content_type: str) -> HttpResponse:
    language = language_for_programs(request, event.club)
    order = Order(
        paper=Paper.POSTER, of=event.pk, size=size, language=language, origin=origin_for_phones(request)
    )
    with override(language):
        paper = DrawnPaper(poster(event, order), kind)
    name = content_disposition_header(as_attachment=False, filename=f"{event.short}-{order.paper}.{kind}")

    def answer() -> HttpResponse:
        content = paper.content(event.club_id)
        return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": name or ""})

    return alike_for_all(request, paper.digest, answer)
