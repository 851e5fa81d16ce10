from django.urls import path

from . import views

urlpatterns = [
    path("club/<slug:slug>/ratings", views.ratings_switch, name="ratings-switch"),
    path("club/<slug:slug>/people/<int:pk>/record", views.person_record, name="person-record"),
    path("club/<slug:slug>/people/<int:pk>/with/<int:partner>", views.pair_record, name="pair-record"),
    path("c/<slug:slug>/ratings", views.public_ratings, name="public-ratings"),
    path("c/<slug:slug>/records", views.public_records, name="public-records"),
    path("c/<slug:slug>/records/<int:year>", views.public_records, name="public-year"),
    path("c/<slug:slug>/people/<int:pk>", views.public_person, name="public-person"),
    path("c/<slug:slug>/people/<int:pk>/with/<int:partner>", views.public_pair, name="public-pair"),
]
