from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:slug>/calendar", views.public_calendar, name="public-calendar"),
    path("c/<slug:slug>/calendar.ics", views.calendar_feed, name="calendar-feed"),
    path("e/<slug:short>.ics", views.event_calendar_file, name="event-agenda"),
]
