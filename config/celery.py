"""The Celery application: what the worker and the beat run."""

import os
import warnings

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import setup_logging, worker_init, worker_ready

from server.warm_up import load_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("charlemagne")
app.config_from_object("django.conf:settings", namespace="CELERY")


@worker_init.connect
def load_all(**_: object) -> None:
    load_process()


@setup_logging.connect
def keep_django_logging(**_: object) -> None:
    """Keep Celery from setting up logging: Django has done it."""


@worker_ready.connect
def silence_version_warning(**_: object) -> None:
    """Silence a warning about later versions, which Celery has just turned on.

    It would be repeated whenever Redis is away.
    """
    warnings.simplefilter("ignore", CPendingDeprecationWarning)
