from django.urls import path

from . import views
from .views import sign_up

urlpatterns = [
    path("e/<slug:short>/sign-up", sign_up.sign_up_page, name="sign-up"),
    path("e/<slug:short>/sign-up/<uuid:key>", sign_up.signed_up_page, name="signed-up"),
    path("e/<slug:short>/desk/entries", views.entries_page, name="entries"),
    path("e/<slug:short>/desk/entries/<int:number>", views.entry_page, name="entry"),
    path("e/<slug:short>/desk/entries/people", views.known_people_page, name="known-people"),
    path("e/<slug:short>/desk/entries/file", views.sheet_page, name="entry-sheet"),
    path("e/<slug:short>/desk/entries/teams", views.teams_page, name="teams"),
    path("e/<slug:short>/desk/entries/order", views.starting_list_page, name="starting-list"),
    path("e/<slug:short>/desk/entries/apart", views.apart_page, name="kept-apart"),
    path("e/<slug:short>/desk/entries/check-in", views.check_in_page, name="check-in"),
    path("e/<slug:short>/desk/entries/check-in/leave-out", views.leave_out, name="leave-out"),
]
