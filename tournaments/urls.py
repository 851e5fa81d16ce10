"""URLs of clubs' events: of the features, then of the core."""

from django.conf import settings
from django.urls import include, path

from .features import CORE, import_modules

urlpatterns = [path("", include(module)) for module in import_modules("urls", (*settings.TOURNAMENT_FEATURES, *CORE))]
