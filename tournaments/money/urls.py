from django.urls import path

from . import views
from .views import door_prizes

urlpatterns = [
    path("e/<slug:short>/desk/entries/door-prize", door_prizes.door_prize_page, name="door-prize"),
    path("e/<slug:short>/desk/fees", views.fees_page, name="fees"),
    path("e/<slug:short>/desk/fees/rates", views.rates_page, name="rates"),
    path("e/<slug:short>/desk/fees/treasurer", views.treasurer_page, name="treasurer"),
    path("e/<slug:short>/desk/fees/<int:person_id>", views.fee_page, name="fee"),
    path("e/<slug:short>/desk/fees/undo/<int:action_id>", views.undo_fee, name="undo-fee"),
    path("e/<slug:short>/desk/prizes", views.prizes_page, name="prizes"),
    path("e/<slug:short>/desk/prizes/<int:pk>", views.prize_page, name="prize"),
    path("e/<slug:short>/desk/prizes/categories/new", views.new_category_page, name="new-prize-category"),
    path("e/<slug:short>/desk/prizes/categories/<int:pk>", views.category_page, name="prize-category"),
]
