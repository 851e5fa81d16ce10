from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/rounds/<int:number>", views.round_page, name="desk-round"),
    path("e/<slug:short>/desk/rounds/<int:number>/swap", views.swap, name="swap"),
    path("e/<slug:short>/desk/rounds/<int:number>/meeting", views.meeting, name="meeting"),
    path("e/<slug:short>/desk/rounds/<int:number>/hold-table", views.hold, name="hold-table"),
    path("e/<slug:short>/desk/rounds/<int:number>/comparison", views.comparison, name="comparison"),
    path("e/<slug:short>/desk/rounds/<int:number>/more", views.seat_more, name="seat-more"),
    path("e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>", views.table, name="desk-table"),
    path(
        "e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>/correction",
        views.correction,
        name="correction",
    ),
]
