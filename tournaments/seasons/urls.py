from django.urls import path

from . import views

urlpatterns = [
    path("club/<slug:slug>/seasons", views.seasons_page, name="seasons"),
    path("club/<slug:slug>/seasons/new", views.new_season_page, name="new-season"),
    path("club/<slug:slug>/seasons/<int:pk>", views.season_page, name="season"),
    path("club/<slug:slug>/seasons/<int:pk>/nights", views.count_nights, name="count-nights"),
    path("club/<slug:slug>/seasons/<int:pk>/close", views.close_season, name="close-season"),
    path("club/<slug:slug>/seasons/<int:pk>/reopen", views.reopen_season, name="reopen-season"),
    path("c/<slug:slug>/seasons/<int:pk>", views.public_season, name="public-season"),
    path("c/<slug:slug>/seasons/<int:pk>/<int:place>", views.public_season, name="public-ladder"),
    path("c/<slug:slug>/seasons/<int:pk>/<int:place>/<slug:key>", views.ladder_line, name="public-line"),
]
