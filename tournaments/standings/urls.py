from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/standings", views.standings_page, name="standings"),
    path("e/<slug:short>/standings/<int:entry>", views.reasons_page, name="why"),
    path("e/<slug:short>/charts", views.charts_page, name="charts"),
    path("e/<slug:short>/desk/standings", views.desk_standings_page, name="desk-standings"),
    path("e/<slug:short>/desk/standings/<int:entry>", views.desk_reasons_page, name="desk-why"),
]
