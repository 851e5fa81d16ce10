from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/mine/alerts", views.ask_for_alerts, name="ask-alerts"),
    path("e/<slug:short>/mine/alerts/stop", views.stop, name="stop-alerts"),
    path("e/<slug:short>/mine/mail", views.mail, name="mail-alerts"),
    path("e/<slug:short>/alerts/<int:pk>/<slug:letters>", views.stop_mailed, name="stop-mailed-alerts"),
]
