"""A worker under test: the project's own application, and the kinds of work to be watched."""

import django

from config.celery import app

django.setup()

from tests.jobs import work  # noqa: E402, F401

__all__ = ["app"]
