"""Views of the handbooks in the running program."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from clubs.access import for_everybody

from .pages import PAGES, page_title, read_page, titles_of_books


@require_safe
@for_everybody
def handbook_contents(request: HttpRequest) -> HttpResponse:
    """List all pages, by handbook, with a link to the source code (AGPL-3.0, section 13)."""
    told = {"books": titles_of_books(_language()), "source": settings.SOURCE or reverse("source")}
    return TemplateResponse(request, "handbook/contents.html", told)


@require_safe
@for_everybody
def handbook_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one page, with links to the previous and the next one."""
    if name not in PAGES:
        raise Http404
    language = _language()

    def address_of(target: str) -> str:
        return (
            reverse("help-page", args=[target])
            if target in PAGES
            else static(f"handbook/{language}/{target}")
        )

    here = PAGES.index(name)
    beside = {"before": PAGES[here - 1] if here else None, "after": next(iter(PAGES[here + 1 :]), None)}
    titles = {way: other and (other, page_title(other, language)) for way, other in beside.items()}
    return TemplateResponse(
        request, "handbook/page.html", {"page": read_page(name, language, address_of=address_of), **titles}
    )


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE
