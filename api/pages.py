"""Cursor pagination of long lists, stable when rows are added."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from errors import Refusal

from .operation import ApiCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Rows to list and their order, the last field of which is unique."""

    rows: QuerySet[Any, Model]
    order: tuple[str, ...]


class Pages(CursorPagination):
    page_size = 50
    max_page_size = 200
    page_size_query_param = "limit"

    def get_page_size(self, request: Request) -> int:
        """Return the page size. Refuses: no_such_limit."""
        value = request.query_params.get(self.page_size_query_param)
        if value is None:
            return self.page_size
        if not value.isdecimal() or not 1 <= int(value[:10]) <= self.max_page_size:
            raise Refusal("no_such_limit", field=self.page_size_query_param, most=self.max_page_size)
        return int(value)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Decode the cursor. Refuses: no_such_cursor."""
        try:
            cursor: Cursor | None = super().decode_cursor(request)
        except NotFound:
            raise Refusal("no_such_cursor", field=self.cursor_query_param) from None
        return cursor


def build_page(call: ApiCall, listing: Listing, response_shape: type[Serializer[Any]]) -> dict[str, Any]:
    """Return one page, with the addresses of the next and previous ones."""
    pages = Pages()
    pages.ordering = listing.order
    rows = pages.paginate_queryset(listing.rows, call.request) or []
    return {
        "results": response_shape(rows, many=True, context={"call": call}).data,
        "next": pages.get_next_link(),
        "previous": pages.get_previous_link(),
    }
