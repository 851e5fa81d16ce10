from django.urls import path

from .views import accounts, house_rules

urlpatterns = [
    path("start/<str:secret>", accounts.start, name="start"),
    path("sign-in", accounts.sign_in, name="sign-in"),
    path("sign-out", accounts.sign_out, name="sign-out"),
    path("club/<slug:slug>/house-rules", house_rules.house_rules, name="house-rules"),
    path("club/<slug:slug>/house-rules/new/<slug:base>", house_rules.new_house_rules, name="new-house-rules"),
    path("club/<slug:slug>/house-rules/<int:pk>", house_rules.edit_house_rules, name="edit-house-rules"),
    path(
        "club/<slug:slug>/house-rules/<int:pk>/remove",
        house_rules.remove_house_rules,
        name="remove-house-rules",
    ),
    path(
        "club/<slug:slug>/house-rules/<int:pk>/put-back",
        house_rules.put_back_house_rules,
        name="put-back-house-rules",
    ),
]
