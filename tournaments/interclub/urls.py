from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/interclub", views.invited_clubs_page, name="invited-clubs"),
    path("e/<slug:short>/desk/line-ups", views.team_lineups_page, name="team-lineups"),
    path("e/<slug:short>/line-up/<slug:letters>", views.captain_page, name="team-lineup"),
    path("club/<slug:slug>/seasons/<int:pk>/clubs", views.season_clubs_page, name="season-clubs"),
    path("club/<slug:slug>/interclub", views.interclub_page, name="interclub"),
    path("club/<slug:slug>/interclub/<slug:short>", views.host_event_page, name="event-of-host"),
    path("interclub/<str:secret>", views.invitation_page, name="interclub-link"),
]
