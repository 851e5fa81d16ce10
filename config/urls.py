from django.urls import include, path
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from clubs.pages import public_page
from operations.club_imports import import_club_again, show_club_imports, stop_club_import
from operations.club_leaving import leave_server
from operations.doctor.views import show_installation, show_night_checks
from operations.source_code import download_source
from operations.up import views as reach
from operations.verifier import views as verifier
from server import certificate, components, offline, search, web_manifest

choose_language = require_http_methods(["GET", "HEAD", "POST"])(set_language)

urlpatterns = [
    # Before the steps of an event, which are one word each.
    path("e/<slug:short>/desk/verify", verifier.show_event_verifier, name="event-verifier"),
    path("", include("scoring.urls")),  # the tables first: a hall requests little else
    path("", include("tournaments.urls")),
    path("", include("federations.urls")),
    path("", include("clubs.urls")),
    path("", include("api.urls")),
    path("", include("handbook.urls")),
    path("language", public_page(choose_language), name="set_language"),
    path("manifest.webmanifest", web_manifest.show_manifest, name="manifest"),
    path("certificate", certificate.show_certificate, name="certificate"),
    path("certificate/charlemagne.crt", certificate.download_certificate, name="certificate-file"),
    path("components", components.show_page_components, name="components"),
    path("components/table", components.show_table_components, name="components-table"),
    path("offline", offline.show_offline_page, name="offline"),
    path("service-worker.js", offline.serve_service_worker, name="service-worker"),
    path("club/<slug:slug>/installation", show_installation, name="installation"),
    path("club/<slug:slug>/leave", leave_server, name="leave-server"),
    path("club/<slug:slug>/installation/imports", show_club_imports, name="club-imports"),
    path("club/<slug:slug>/installation/imports/<int:job_id>/stop", stop_club_import, name="stop-club-import"),
    path("club/<slug:slug>/installation/imports/<int:job_id>/again", import_club_again, name="club-import-again"),
    path("club/<slug:slug>/before-the-night", show_night_checks, name="before-the-night"),
    path("club/<slug:slug>/phones", reach.show_phone_addresses, name="phones"),
    path("club/<slug:slug>/phones/choose", reach.choose_phone_address, name="choose-phone-address"),
    path("c/<slug:slug>/verify", verifier.show_verifier, name="verifier"),
    path("verifier/<str:edition>/<str:name>", verifier.serve_verifier_file, name="verifier-file"),
    path("source.tar.gz", download_source, name="source"),
    path("robots.txt", search.show_robots, name="robots"),
    path("sitemap.xml", search.show_sitemap, name="sitemap"),
]

handler404 = "server.error_pages.not_found"
handler500 = "server.outage_pages.server_error"
