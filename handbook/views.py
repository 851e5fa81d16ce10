"""Views of the handbooks in the running program."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from clubs.pages import public_page

from .pages import PAGES, get_book_titles, get_page_title, read_page


@require_safe
@public_page
def handbook_contents(request: HttpRequest) -> HttpResponse:
    """List all pages, by handbook, with a link to the source code (AGPL-3.0, section 13)."""
    context = {"books": get_book_titles(_get_language()), "source": settings.SOURCE or reverse("source")}
    return TemplateResponse(request, "handbook/contents.html", context)


@require_safe
@public_page
def handbook_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one page, with links to the previous and the next one."""
    if name not in PAGES:
        raise Http404
    language = _get_language()

    def get_address(target: str) -> str:
        return reverse("help-page", args=[target]) if target in PAGES else static(f"handbook/{language}/{target}")

    index = PAGES.index(name)
    neighbours = {"before": PAGES[index - 1] if index else None, "after": next(iter(PAGES[index + 1 :]), None)}
    titles = {way: other and (other, get_page_title(other, language)) for way, other in neighbours.items()}
    return TemplateResponse(
        request, "handbook/page.html", {"page": read_page(name, language, get_address=get_address), **titles}
    )


def _get_language() -> str:
    return get_language() or settings.LANGUAGE_CODE
