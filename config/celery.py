"""The Celery application: what the worker and the beat run."""

import os
import warnings

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import setup_logging, worker_init, worker_ready

from server.warm_up import load

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("charlemagne")
app.config_from_object("django.conf:settings", namespace="CELERY")


@worker_init.connect
def load_all(**_: object) -> None:
    load()


@setup_logging.connect
def log_as_web_processes_do(**_: object) -> None:
    """Keep Celery from setting up logging: Django has done it."""


@worker_ready.connect
def warn_of_no_other_version(**_: object) -> None:
    """Silence a warning about later versions, which Celery has just turned on.

    It would be repeated whenever Redis is away.
    """
    warnings.simplefilter("ignore", CPendingDeprecationWarning)
