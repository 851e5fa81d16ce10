from django.urls import path

from . import views

urlpatterns = [
    path("start/<str:secret>", views.start, name="start"),
    path("sign-in", views.sign_in, name="sign-in"),
    path("sign-out", views.sign_out, name="sign-out"),
]
