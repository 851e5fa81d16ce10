from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/desk/messages", views.messages_page, name="messages"),
    path("e/<slug:short>/desk/messages/<int:number>/take-back", views.remove_message, name="take-back-message"),
    path("e/<slug:short>/desk/tables/<int:table_number>/call", views.toggle_call, name="call-table"),
]
