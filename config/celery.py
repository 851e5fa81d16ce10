"""The Celery application: what the worker and the beat run."""

import os

from celery import Celery
from celery.signals import worker_init

from config.loading import load

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("charlemagne")
app.config_from_object("django.conf:settings", namespace="CELERY")


@worker_init.connect
def load_all(**_: object) -> None:
    load()
