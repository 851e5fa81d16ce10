from django.urls import path

from .views import history

urlpatterns = [
    path("e/<slug:short>/desk/history", history.history, name="history"),
    path("e/<slug:short>/desk/history.<ending:ending>", history.download_event_history),
    path("e/<slug:short>/desk/history/hands", history.hands_history, name="history-hands"),
    path("e/<slug:short>/desk/history/<int:action_id>", history.change),
    path("e/<slug:short>/desk/history/<int:action_id>/undo", history.undo),
]
