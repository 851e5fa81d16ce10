from django.urls import include, path
from django.views.i18n import set_language

urlpatterns = [
    path("", include("tournaments.urls")),
    path("", include("scoring.urls")),
    path("", include("clubs.urls")),
    path("language", set_language, name="set_language"),
]
