"""Every address of clubs' events, by feature. The desk's steps (``events``) come last: they take any word."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournaments.sharing.urls")),
    path("", include("tournaments.agenda.urls")),
    path("", include("tournaments.attendance.urls")),
    path("", include("tournaments.board.urls")),
    path("", include("tournaments.entries.urls")),
    path("", include("tournaments.event_files.urls")),
    path("", include("tournaments.exports.urls")),
    path("", include("tournaments.history.urls")),
    path("", include("tournaments.imports.urls")),
    path("", include("tournaments.interclub.urls")),
    path("", include("tournaments.messages.urls")),
    path("", include("tournaments.mirrors.urls")),
    path("", include("tournaments.money.urls")),
    path("", include("tournaments.papers.urls")),
    path("", include("tournaments.planner.urls")),
    path("", include("tournaments.privacy.urls")),
    path("", include("tournaments.public.urls")),
    path("", include("tournaments.publishing.urls")),
    path("", include("tournaments.records.urls")),
    path("", include("tournaments.rounds.urls")),
    path("", include("tournaments.seasons.urls")),
    path("", include("tournaments.signing.urls")),
    path("", include("tournaments.standings.urls")),
    path("", include("tournaments.events.urls")),
]
