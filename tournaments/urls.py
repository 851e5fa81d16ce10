"""URLs of clubs' events: of the features, then of the core."""

from django.conf import settings
from django.urls import include, path

from .features import CORE, modules_named

urlpatterns = [
    path("", include(module)) for module in modules_named("urls", (*settings.TOURNAMENT_FEATURES, *CORE))
]
