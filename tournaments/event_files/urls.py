from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/file", views.download_event_file, name="event-file"),
    path("e/<slug:short>/desk/file.trf", views.download_trf_report, name="trf-file"),
    path("e/<slug:short>/desk/file-with-codes", views.download_file_with_codes, name="event-file-with-codes"),
]
