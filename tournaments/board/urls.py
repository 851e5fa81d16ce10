from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/board", views.board, name="board"),
    path("e/<slug:short>/board/<int:number>", views.numbered_board, name="numbered-board"),
    path("e/<slug:short>/desk/boards", views.boards_page, name="boards"),
    path("e/<slug:short>/desk/boards/<int:number>", views.board_page, name="board-page"),
]
