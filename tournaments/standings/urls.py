from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/standings", views.standings_page, name="standings"),
    path("e/<slug:short>/standings/<int:entry>", views.reasons_page, name="why"),
    path("e/<slug:short>/charts", views.charts_page, name="charts"),
    path("e/<slug:short>/desk/standings", views.standings_at_desk, name="desk-standings"),
    path("e/<slug:short>/desk/standings/<int:entry>", views.reasons_at_desk, name="desk-why"),
]
