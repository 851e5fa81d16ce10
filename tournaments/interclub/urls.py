from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/interclub", views.invited_clubs, name="invited-clubs"),
    path("club/<slug:slug>/seasons/<int:pk>/clubs", views.season_clubs, name="season-clubs"),
    path("club/<slug:slug>/interclub", views.interclub_page, name="interclub"),
    path("club/<slug:slug>/interclub/<slug:short>", views.event_of_host, name="event-of-host"),
    path("interclub/<str:secret>", views.interclub_link, name="interclub-link"),
]
