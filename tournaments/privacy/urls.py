from django.urls import path

from . import views
from .views import merging

urlpatterns = [
    path("club/<slug:slug>/people/<int:pk>/merge", merging.merge_page, name="merge-people"),
    path("club/<slug:slug>/people/<int:pk>/privacy", views.person_privacy, name="person-privacy"),
    path("club/<slug:slug>/people/<int:pk>/privacy/everything.zip", views.export, name="export-person"),
    path("club/<slug:slug>/people/<int:pk>/privacy/keep", views.keep, name="keep-person"),
    path("club/<slug:slug>/privacy/people", views.people_to_forget, name="people-to-forget"),
    path("club/<slug:slug>/privacy/forget", views.forget_page, name="forget-people"),
]
