from django.urls import path

from . import views

urlpatterns = [
    path("club/<slug:slug>/people/<int:pk>/merge", views.merge_page, name="merge-people"),
    path("club/<slug:slug>/people/<int:pk>/privacy", views.person_privacy_page, name="person-privacy"),
    path("club/<slug:slug>/people/<int:pk>/privacy/everything.zip", views.export_person, name="export-person"),
    path("club/<slug:slug>/people/<int:pk>/privacy/keep", views.extend_retention, name="keep-person"),
    path("club/<slug:slug>/privacy/people", views.idle_people_page, name="people-to-forget"),
    path("club/<slug:slug>/privacy/forget", views.erase_people_page, name="forget-people"),
]
