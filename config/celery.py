"""The Celery application: what the worker and the beat run."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("charlemagne")
app.config_from_object("django.conf:settings", namespace="CELERY")
