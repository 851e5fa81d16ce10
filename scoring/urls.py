from django.urls import path

from clubs.policy import Audience, opens_to

from . import api, phone_log_views, rule_views, sheet_views, views
from .converters import CODE

at_a_table = opens_to(Audience.TABLE)

app_name = "scoring"
urlpatterns = [
    path(f"t/<{CODE}:code>", views.table_by_card, name="table"),
    path("t/<code:code>/hands", views.hands_by_card),
    path("t/<code:code>/hands/<int:number>", views.hand_by_card),
    path("t/<code:code>/agree", views.agree_by_card),
    path("t/<code:code>/dispute", views.dispute_by_card),
    path("t/<code:code>/withdraw", views.withdraw_by_card),
    path("t/<code:code>/dealer", views.first_dealer_by_card),
    path("t/<code:code>/pencil", views.pencil_by_card),
    path("t/<code:code>/log", phone_log_views.restore_log_by_card),
    path("t/<code:code>/rules", rule_views.rulebook_by_card),
    path("t/<code:code>/ruling", rule_views.ruling_by_card),
    path("t/screens/<slug:language>/<slug:digest>.json", at_a_table(views.show_program), name="program"),
    path("match/<int:match_id>", views.table_by_desk, name="ruled"),
    path("match/<int:match_id>/codes", views.codes_by_desk, name="codes"),
    path("match/<int:match_id>/hands", views.hands_by_desk),
    path("match/<int:match_id>/hands/<int:number>", views.hand_by_desk),
    path("match/<int:match_id>/agree", views.agree_by_desk),
    path("match/<int:match_id>/dispute", views.dispute_by_desk),
    path("match/<int:match_id>/dealer", views.first_dealer_by_desk),
    path("match/<int:match_id>/settle", views.settle_by_desk),
    path("match/<int:match_id>/sheet", sheet_views.sheet_by_desk, name="sheet"),
    path("match/<int:match_id>/rules", rule_views.rulebook_by_desk),
    path("match/<int:match_id>/ruling", rule_views.ruling_by_desk),
    path("rules", rule_views.rulebooks, name="rulebooks"),
    path("rules/<slug:key>", rule_views.rulebook, name="rulebook"),
    path("rules/<slug:key>/ruling", rule_views.ruling, name="ruling"),
    path("api/tables/<code:code>", at_a_table(api.TableByCode.as_view()), name="api-table"),
    path("api/tables/<code:code>/hands", at_a_table(api.HandsByCode.as_view()), name="api-hands"),
]
