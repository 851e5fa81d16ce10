from django.urls import path

from .views import fees, prizes, treasurer

urlpatterns = [
    path("e/<slug:short>/desk/entries/door-prize", prizes.door_prize_page, name="door-prize"),
    path("e/<slug:short>/desk/fees", fees.fees_page, name="fees"),
    path("e/<slug:short>/desk/fees/rates", treasurer.rates_page, name="rates"),
    path("e/<slug:short>/desk/fees/treasurer", treasurer.treasurer_page, name="treasurer"),
    path("e/<slug:short>/desk/fees/<int:person_id>", fees.fee_page, name="fee"),
    path("e/<slug:short>/desk/fees/undo/<int:action_id>", fees.undo_fee, name="undo-fee"),
    path("e/<slug:short>/desk/prizes", prizes.prizes_page, name="prizes"),
    path("e/<slug:short>/desk/prizes/<int:pk>", prizes.prize_page, name="prize"),
    path("e/<slug:short>/desk/prizes/categories/new", prizes.new_category_page, name="new-prize-category"),
    path("e/<slug:short>/desk/prizes/categories/<int:pk>", prizes.category_page, name="prize-category"),
]
