"""Requests in UTF-8, whatever encoding their Content-Type names."""

import re

from django.core.handlers.asgi import ASGIRequest

BOUNDARY_PATTERN = re.compile(r'\bboundary=("[^"]*"|[^;\s]*)', re.IGNORECASE)


class Utf8Request(ASGIRequest):
    """A request in UTF-8, whatever its Content-Type says. Browsers send nothing else, and Django fails at
    unknown encodings and at those that are not of text, such as ``rot13``."""

    def _set_content_type_params(self, meta: dict[str, str]) -> None:
        media_type, _, parameters = meta.get("CONTENT_TYPE", "").partition(";")
        boundary = BOUNDARY_PATTERN.search(parameters)
        meta["CONTENT_TYPE"] = media_type if boundary is None else f"{media_type}; {boundary[0]}"
        super()._set_content_type_params(meta)  # type: ignore[misc]  # missing in the stubs
