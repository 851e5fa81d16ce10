from django.urls import include, path
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from clubs.access import for_everybody
from operations.doctor.views import before_the_night, installation
from operations.source_code import source_archive
from operations.up import views as reach
from operations.verifier import views as verifier
from server import certificate, components, offline, search, web_manifest

choose_language = require_http_methods(["GET", "HEAD", "POST"])(set_language)

urlpatterns = [
    # Before the steps of an event, which are one word each.
    path("e/<slug:short>/desk/verify", verifier.page_of_event, name="event-verifier"),
    path("", include("scoring.urls")),  # the tables first: a hall requests little else
    path("", include("tournaments.urls")),
    path("", include("federations.urls")),
    path("", include("clubs.urls")),
    path("", include("api.urls")),
    path("", include("handbook.urls")),
    path("language", for_everybody(choose_language), name="set_language"),
    path("manifest.webmanifest", web_manifest.manifest, name="manifest"),
    path("certificate", certificate.show_certificate, name="certificate"),
    path("certificate/charlemagne.crt", certificate.certificate_file, name="certificate-file"),
    path("components", components.pages_kit, name="components"),
    path("components/table", components.table_kit, name="components-table"),
    path("offline", offline.offline_page, name="offline"),
    path("service-worker.js", offline.service_worker, name="service-worker"),
    path("club/<slug:slug>/installation", installation, name="installation"),
    path("club/<slug:slug>/before-the-night", before_the_night, name="before-the-night"),
    path("club/<slug:slug>/phones", reach.phones, name="phones"),
    path("club/<slug:slug>/phones/choose", reach.choose_phone_address, name="choose-phone-address"),
    path("c/<slug:slug>/verify", verifier.verifier_page, name="verifier"),
    path("verifier/<str:edition>/<str:name>", verifier.verifier_file, name="verifier-file"),
    path("source.tar.gz", source_archive, name="source"),
    path("robots.txt", search.robots, name="robots"),
    path("sitemap.xml", search.site_map, name="sitemap"),
]

handler404 = "server.not_found.not_found"
handler500 = "server.outage_pages.server_error"
