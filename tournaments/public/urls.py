from django.urls import path

from .views import club_home, events, player_page

urlpatterns = [
    path("", events.home, name="home"),
    path("e/<slug:short>", events.event_page, name="event"),
    path("e/<slug:short>/rounds/<int:number>", events.round_page, name="event-round"),
    path("e/<slug:short>/rounds/<int:number>/tables/<int:table_number>", events.table_page, name="event-table"),
    path(
        "e/<slug:short>/rounds/<int:number>/tables/<int:table_number>/picture.png",
        events.table_picture,
        name="event-table-picture",
    ),
    path("e/<slug:short>/rules", events.rules_page, name="event-rules"),
    path("e/<slug:short>/ruling", events.ruling_page, name="event-ruling"),
    path("e/<slug:short>/mine", player_page.player_page, name="own-page"),
    path("e/<slug:short>/mine/choose", player_page.choose_player, name="choose-own-page"),
    path("e/<slug:short>/mine/<int:pk>/<slug:letters>", player_page.follow_link, name="own-link"),
    path("e/<slug:short>/mine/table/<int:number>", player_page.open_own_table, name="own-table"),
    path("e/<slug:short>/mine/nights", player_page.player_nights_page, name="own-nights"),
    path("e/<slug:short>/mine/letters", player_page.enter_letters, name="type-own-letters"),
    path("e/<slug:short>/mine/attendance", player_page.report_attendance, name="say-attendance"),
    path("e/<slug:short>/mine/picture.png", player_page.player_picture, name="own-picture"),
    path("c", club_home.clubs_page, name="clubs"),
    path("c/<slug:slug>", club_home.club_home_page, name="front"),
    path("c/<slug:slug>/<slug:kind>/<slug:digest>.webp", club_home.club_image, name="club-image"),
    path("c/<slug:slug>/news.atom", club_home.news_feed, name="news"),
    path("c/<slug:slug>/seasons", club_home.public_seasons, name="public-seasons"),
]
