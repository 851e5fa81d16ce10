from django.urls import path

from .views import erasure, merging, person

urlpatterns = [
    path("club/<slug:slug>/people/<int:pk>/merge", merging.merge_page, name="merge-people"),
    path("club/<slug:slug>/people/<int:pk>/privacy", person.person_privacy_page, name="person-privacy"),
    path("club/<slug:slug>/people/<int:pk>/privacy/everything.zip", person.export_person, name="export-person"),
    path("club/<slug:slug>/people/<int:pk>/privacy/keep", person.extend_retention, name="keep-person"),
    path("club/<slug:slug>/privacy/people", erasure.idle_people_page, name="people-to-forget"),
    path("club/<slug:slug>/privacy/forget", erasure.erase_people_page, name="forget-people"),
]
