from django.urls import path

from . import views

urlpatterns = [path("e/<slug:short>/desk/publishing", views.publishing_page, name="publishing")]
