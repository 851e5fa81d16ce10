from django.urls import path

from . import views

urlpatterns = [
    path("club/<slug:slug>/attendance", views.attendance_by_person, name="attendance"),
    path("club/<slug:slug>/attendance/nights", views.attendance_by_night, name="attendance-by-night"),
]
