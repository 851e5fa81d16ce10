from django.urls import path

from .views import check_in, entry_actions, lists, preparation, sign_up

urlpatterns = [
    path("e/<slug:short>/sign-up", sign_up.sign_up_page, name="sign-up"),
    path("e/<slug:short>/sign-up/<uuid:key>", sign_up.signed_up_page, name="signed-up"),
    path("e/<slug:short>/desk/entries", lists.entries_page, name="entries"),
    path("e/<slug:short>/desk/entries/<int:number>", entry_actions.entry_page, name="entry"),
    path("e/<slug:short>/desk/entries/people", lists.known_people_page, name="known-people"),
    path("e/<slug:short>/desk/entries/teams", preparation.teams_page, name="teams"),
    path("e/<slug:short>/desk/entries/order", preparation.starting_list_page, name="starting-list"),
    path("e/<slug:short>/desk/entries/apart", preparation.apart_page, name="kept-apart"),
    path("e/<slug:short>/desk/entries/check-in", check_in.check_in_page, name="check-in"),
    path("e/<slug:short>/desk/entries/check-in/leave-out", check_in.leave_out, name="leave-out"),
]
