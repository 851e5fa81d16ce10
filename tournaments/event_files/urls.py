from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/file", views.event_file, name="event-file"),
]
