from django.urls import path

from .views import guests, hosts, team_lineups

urlpatterns = [
    path("e/<slug:short>/desk/interclub", hosts.invited_clubs_page, name="invited-clubs"),
    path("e/<slug:short>/desk/line-ups", team_lineups.team_lineups_page, name="team-lineups"),
    path("e/<slug:short>/line-up/<slug:letters>", team_lineups.captain_page, name="team-lineup"),
    path("club/<slug:slug>/seasons/<int:pk>/clubs", hosts.season_clubs_page, name="season-clubs"),
    path("club/<slug:slug>/interclub", guests.interclub_page, name="interclub"),
    path("club/<slug:slug>/interclub/<slug:short>", guests.host_event_page, name="event-of-host"),
    path("interclub/<str:secret>", guests.invitation_page, name="interclub-link"),
]
