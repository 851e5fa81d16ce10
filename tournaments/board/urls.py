from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/board", views.board, name="board"),
]
