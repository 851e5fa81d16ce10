"""The Celery application: what the worker and the beat run."""

import os

from celery import Celery
from celery.signals import worker_init
from django.urls import reverse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("charlemagne")
app.config_from_object("django.conf:settings", namespace="CELERY")


@worker_init.connect
def load_addresses(**_: object) -> None:
    """Now, and not while the first job holds the writer."""
    reverse("set_language")
