"""Answers to requests for what is not there."""

from typing import TypeVar

from django.http import Http404

_Found = TypeVar("_Found")


def get_or_404(found: _Found | None) -> _Found:
    """Return what was found. Raises Http404 if nothing was."""
    if found is None:
        raise Http404
    return found
