from django.urls import path

from .views import identities, owners, public

CLUB, PUBLIC = "club/<slug:slug>/federations", "c/<slug:slug>/federations/<int:pk>"
PERSON = "club/<slug:slug>/people/<int:pk>/identity"

urlpatterns = [
    path(CLUB, owners.federations, name="federations"),
    path(f"{CLUB}/feed/on", owners.switch_on, name="switch-feed-on"),
    path(f"{CLUB}/feed/off", owners.switch_feed_off, name="switch-feed-off"),
    path(f"{CLUB}/<int:pk>", owners.federation, name="federation"),
    path(f"{CLUB}/<int:pk>/follow", owners.follow_club, name="follow-feed"),
    path(f"{CLUB}/<int:pk>/fetch", owners.fetch, name="fetch-feeds"),
    path(f"{CLUB}/<int:pk>/end", owners.end_federation, name="end-federation"),
    path(f"{CLUB}/<int:pk>/feeds/<int:feed_id>/unfollow", owners.unfollow, name="unfollow-feed"),
    path(PERSON, identities.identity, name="identity"),
    path(f"{PERSON}/make", identities.make_code, name="make-identity-code"),
    path(f"{PERSON}/enter", identities.enter_code, name="enter-identity-code"),
    path(f"{PERSON}/take-back", identities.take_back_identity, name="take-back-identity"),
    path("c/<slug:slug>/feed.json", public.feed, name="feed"),
    path(PUBLIC, public.ladder, name="public-federation"),
    path(f"{PUBLIC}.<ending:ending>", public.ladder_file),
    path(f"{PUBLIC}/lines/<slug:key>", public.line, name="federation-line"),
    path(f"{PUBLIC}/lines/<slug:key>.<ending:ending>", public.line_file),
    path(f"{PUBLIC}/ratings", public.ratings, name="federation-ratings"),
    path(f"{PUBLIC}/ratings.<ending:ending>", public.ratings_file),
    path(f"{PUBLIC}/ratings/<slug:key>", public.rating, name="federation-rating"),
    path(f"{PUBLIC}/calendar", public.calendar, name="federation-calendar"),
    path(f"{PUBLIC}/calendar.<ending:ending>", public.calendar_file),
    path(f"{PUBLIC}/months/<int:year>/<int:month>", public.month, name="federation-month"),
    path(f"{PUBLIC}/months/<int:year>/<int:month>.<ending:ending>", public.month_file),
]
