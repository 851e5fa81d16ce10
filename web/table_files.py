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

from .sheets.tables import Sheet
from .sheets.writing import FORMATS, render_sheet
from .slugs import build_slug

MAX_NAME_LENGTH = 100


class ExtensionConverter:
    """A URL converter for ``<ending:ending>``: csv, xlsx, txt or json."""

    regex = "|".join(FORMATS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(ExtensionConverter, "ending")


def build_sheet_response(table: Sheet, extension: str) -> HttpResponse:
    """Return the table as a file in the reader's language, which browsers revalidate each time.

    Its name describes it in characters that every disk accepts: ``classement-tuesday-night-2026-11-17.csv``.
    """
    sheet_format = FORMATS[extension]
    labelled = import_string(settings.SHEET_LABELER)(table, is_for_people=sheet_format.is_for_people)
    stem = build_slug(labelled.title)[:MAX_NAME_LENGTH].strip("-") or table.key
    response = HttpResponse(
        render_sheet(labelled, extension, decimal=get_format("DECIMAL_SEPARATOR")),
        content_type=sheet_format.content_type,
        headers={
            "Content-Disposition": content_disposition_header(
                as_attachment=sheet_format.is_saved, filename=f"{stem}.{extension}"
            )
        },
    )
    patch_cache_control(response, no_cache=True, private=True)
    return response


def build_shared_sheet_response(
    request: HttpRequest,
    revision: str,
    extension: str,
    build_table: Callable[[], Sheet],
    *,
    query_params: Collection[str] = (),
) -> HttpResponse:
    """Return a public page's table as a file, made once per revision; scripts on any site may read it. Of the
    query, it depends only on the parameters in ``query_params``."""
    response = shared_conditional_page(
        request,
        f"{revision}.{extension}",
        lambda: build_sheet_response(build_table(), extension),
        query_params=query_params,
    )
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
