"""Background tasks of the core and of the features: ``jobs`` loads this module."""

from django.conf import settings

from .features import CORE, import_modules

import_modules("tasks", (*CORE, *settings.TOURNAMENT_FEATURES))
