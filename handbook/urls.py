from django.urls import path

from . import views

urlpatterns = [
    path("help", views.contents, name="help"),
    path("help/table", views.page, {"name": "table"}, name="help-table"),  # its screen is drawn on the phone
    path("help/<slug:name>", views.page, name="help-page"),
]
