from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/file", views.event_file, name="event-file"),
    path("e/<slug:short>/desk/file.trf", views.trf_file, name="trf-file"),
    path("e/<slug:short>/desk/file-with-codes", views.event_file_with_codes, name="event-file-with-codes"),
]
