"""Background tasks of the core and of the features: ``jobs`` loads this module."""

from django.conf import settings

from .features import CORE, modules_named

modules_named("tasks", (*CORE, *settings.TOURNAMENT_FEATURES))
