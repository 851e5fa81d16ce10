from django.urls import path

from .views import embedding, press

urlpatterns = [
    path("e/<slug:short>/story", press.story_page, name="story"),
    path("e/<slug:short>/picture.png", embedding.event_picture_file, name="event-picture"),
    path("e/<slug:short>/embed", embedding.event_embed, name="event-embed"),
    path("e/<slug:short>/desk/telling", press.press_page, name="telling"),
    path("e/<slug:short>/desk/embedding", press.embedding_page, name="embedding"),
    path("oembed", embedding.oembed, name="oembed"),
    path("c/<slug:slug>/picture.png", embedding.club_picture_file, name="club-picture"),
    path("c/<slug:slug>/embed", embedding.club_embed, name="club-embed"),
    path("c/<slug:slug>/seasons/<int:pk>/<int:place>/embed", embedding.season_embed, name="season-embed"),
]
