"""A Celery worker for tests: the project's own application, with the kinds of jobs for tests."""

import django

from config.celery import app

django.setup()

from tests.jobs import work  # noqa: E402, F401

__all__ = ["app"]
