from django.urls import path, register_converter

from clubs.policy import Audience, opens_to

from . import api, rule_views, views


class CodeConverter:
    """Six digits, as they stand on the card."""

    regex = r"\d{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(CodeConverter, "code")
at_a_table = opens_to(Audience.TABLE)

app_name = "scoring"
urlpatterns = [
    path("t/<code:code>", views.table_by_card, name="table"),
    path("t/<code:code>/hands", views.hands_by_card),
    path("t/<code:code>/hands/<int:number>", views.hand_by_card),
    path("t/<code:code>/agree", views.agree_by_card),
    path("t/<code:code>/dispute", views.dispute_by_card),
    path("t/<code:code>/withdraw", views.withdraw_by_card),
    path("t/<code:code>/dealer", views.first_dealer_by_card),
    path("t/<code:code>/rules", rule_views.rulebook_by_card),
    path("t/<code:code>/ruling", rule_views.ruling_by_card),
    path("match/<int:match_id>", views.table_by_desk, name="ruled"),
    path("match/<int:match_id>/hands", views.hands_by_desk),
    path("match/<int:match_id>/hands/<int:number>", views.hand_by_desk),
    path("match/<int:match_id>/agree", views.agree_by_desk),
    path("match/<int:match_id>/dispute", views.dispute_by_desk),
    path("match/<int:match_id>/dealer", views.first_dealer_by_desk),
    path("match/<int:match_id>/settle", views.settle_by_desk),
    path("match/<int:match_id>/sheet", views.sheet_by_desk, name="sheet"),
    path("match/<int:match_id>/rules", rule_views.rulebook_by_desk),
    path("match/<int:match_id>/ruling", rule_views.ruling_by_desk),
    path("rules", rule_views.rulebooks, name="rulebooks"),
    path("rules/<slug:key>", rule_views.rulebook, name="rulebook"),
    path("rules/<slug:key>/ruling", rule_views.ruling, name="ruling"),
    path("api/tables/<code:code>", at_a_table(api.TableByCode.as_view()), name="api-table"),
    path("api/tables/<code:code>/hands", at_a_table(api.HandsByCode.as_view()), name="api-hands"),
]
