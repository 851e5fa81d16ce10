from django.urls import path

from .views import agendas, club_home, events, news, own_page

urlpatterns = [
    path("", events.home, name="home"),
    path("e/<slug:short>", events.event_page, name="event"),
    path("e/<slug:short>/rounds/<int:number>", events.round_page, name="event-round"),
    path(
        "e/<slug:short>/rounds/<int:number>/tables/<int:table_number>",
        events.table_page,
        name="event-table",
    ),
    path("e/<slug:short>.ics", agendas.event_file, name="event-agenda"),
    path("e/<slug:short>/rules", events.rules_page, name="event-rules"),
    path("e/<slug:short>/ruling", events.ruling_page, name="event-ruling"),
    path("e/<slug:short>/mine", own_page.own_page_of_event, name="own-page"),
    path("e/<slug:short>/mine/choose", own_page.choose, name="choose-own-page"),
    path("e/<slug:short>/mine/picture.png", own_page.own_picture_of_event, name="own-picture"),
    path("c", club_home.clubs_page, name="clubs"),
    path("c/<slug:slug>", club_home.front_page, name="front"),
    path("c/<slug:slug>/calendar.ics", agendas.club_feed, name="calendar-feed"),
    path("c/<slug:slug>/news.atom", news.club_news, name="news"),
    path("c/<slug:slug>/seasons", club_home.public_seasons, name="public-seasons"),
]
