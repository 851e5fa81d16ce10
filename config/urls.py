from django.urls import include, path
from django.views.i18n import set_language

from clubs.access import for_everybody

from . import installing, search

urlpatterns = [
    path("", include("tournaments.urls")),
    path("", include("scoring.urls")),
    path("", include("clubs.urls")),
    path("language", for_everybody(set_language), name="set_language"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("robots.txt", search.robots, name="robots"),
    path("sitemap.xml", search.site_map, name="sitemap"),
]

handler500 = "config.outage_pages.server_error"
