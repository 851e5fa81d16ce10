from django.urls import path

from . import views

urlpatterns = [
    path("help", views.handbook_contents, name="help"),
    path("help/table", views.handbook_page, {"name": "table"}, name="help-table"),  # its screen is drawn on the phone
    path("help/<slug:name>", views.handbook_page, name="help-page"),
]
