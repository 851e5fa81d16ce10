from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/mine/alerts", views.start_alerts, name="ask-alerts"),
    path("e/<slug:short>/mine/alerts/stop", views.stop_alerts_here, name="stop-alerts"),
    path("e/<slug:short>/mine/mail", views.switch_mail_alerts, name="mail-alerts"),
    path("e/<slug:short>/alerts/<int:pk>/<slug:letters>", views.stop_mailed_alerts, name="stop-mailed-alerts"),
]
