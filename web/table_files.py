"""Downloads of a page's tables, at its URL with an ending: ``/standings.csv``."""

from collections.abc import Callable, Collection

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import register_converter
from django.utils.cache import patch_cache_control
from django.utils.formats import get_format
from django.utils.http import content_disposition_header
from django.utils.module_loading import import_string

from live.conditional_pages import shared_conditional_page

from .sheets import FORMATS, Sheet, render_sheet
from .slugs import slug_of

LONGEST_NAME = 100


class EndingConverter:
    """A URL converter for ``<ending:ending>``: csv, xlsx, txt or json."""

    regex = "|".join(FORMATS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(EndingConverter, "ending")


def sheet_response(table: Sheet, ending: str) -> HttpResponse:
    """Return the table as a file in the reader's language, which browsers revalidate each time.

    Its name describes it in characters that every disk accepts: ``classement-tuesday-night-2026-11-17.csv``.
    """
    form = FORMATS[ending]
    worded = import_string(settings.TABLES_ARE_WORDED_BY)(table, for_people=form.is_for_people)
    stem = slug_of(worded.title)[:LONGEST_NAME].strip("-") or table.key
    response = HttpResponse(
        render_sheet(worded, ending, decimal=get_format("DECIMAL_SEPARATOR")),
        content_type=form.content_type,
        headers={
            "Content-Disposition": content_disposition_header(
                as_attachment=form.is_saved, filename=f"{stem}.{ending}"
            )
        },
    )
    patch_cache_control(response, no_cache=True, private=True)
    return response


def shared_sheet_response(
    request: HttpRequest,
    revision: str,
    ending: str,
    table: Callable[[], Sheet],
    *,
    reads: Collection[str] = (),
) -> HttpResponse:
    """Return a public page's table as a file, made once per revision; scripts on any site may read it. Of the
    query, it depends only on the parameters that it ``reads``."""
    response = shared_conditional_page(
        request, f"{revision}.{ending}", lambda: sheet_response(table(), ending), reads=reads
    )
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
