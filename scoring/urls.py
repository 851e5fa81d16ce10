from django.urls import path

from clubs.policy import Audience, grant_access

from . import api, phone_log_views, rule_views, sheet_views, views
from .converters import CODE

open_to_table = grant_access(Audience.TABLE)

app_name = "scoring"
urlpatterns = [
    path(f"t/<{CODE}:code>", views.card_table_view, name="table"),
    path("t/<code:code>/hands", views.card_hands_view),
    path("t/<code:code>/hands/<int:number>", views.card_hand_view),
    path("t/<code:code>/agree", views.card_agree_view),
    path("t/<code:code>/dispute", views.card_call_view),
    path("t/<code:code>/withdraw", views.card_withdraw_view),
    path("t/<code:code>/dealer", views.card_first_dealer_view),
    path("t/<code:code>/pencil", views.card_scorekeeper_view),
    path("t/<code:code>/log", phone_log_views.card_restore_log_view),
    path("t/<code:code>/rules", rule_views.card_rulebook_view),
    path("t/<code:code>/ruling", rule_views.card_ruling_view),
    path("t/screens/<slug:language>/<slug:digest>.json", open_to_table(views.show_program), name="program"),
    path("match/<int:match_id>", views.desk_table_view, name="ruled"),
    path("match/<int:match_id>/codes", views.desk_codes_view, name="codes"),
    path("match/<int:match_id>/hands", views.desk_hands_view),
    path("match/<int:match_id>/hands/<int:number>", views.desk_hand_view),
    path("match/<int:match_id>/agree", views.desk_agree_view),
    path("match/<int:match_id>/dispute", views.desk_call_view),
    path("match/<int:match_id>/dealer", views.desk_first_dealer_view),
    path("match/<int:match_id>/settle", views.desk_settle_view),
    path("match/<int:match_id>/sheet", sheet_views.desk_sheet_view, name="sheet"),
    path("match/<int:match_id>/rules", rule_views.desk_rulebook_view),
    path("match/<int:match_id>/ruling", rule_views.desk_ruling_view),
    path("rules", rule_views.list_rulebooks, name="rulebooks"),
    path("rules/<slug:key>", rule_views.show_rulebook, name="rulebook"),
    path("rules/<slug:key>/ruling", rule_views.show_ruling, name="ruling"),
    path("api/tables/<code:code>", open_to_table(api.TableAPIView.as_view()), name="api-table"),
    path("api/tables/<code:code>/hands", open_to_table(api.HandsAPIView.as_view()), name="api-hands"),
]
