from django.urls import path

from . import views

urlpatterns = [
    path("e/<slug:short>/poster.pdf", views.poster_pdf, name="poster"),
    path("e/<slug:short>/poster.png", views.poster_picture, name="poster-picture"),
    path("e/<slug:short>/desk/print", views.print_page, name="print"),
    path("e/<slug:short>/desk/print/<int:job_id>", views.download_paper, name="download-paper"),
    path("e/<slug:short>/desk/print/<int:job_id>/stop", views.stop_paper, name="stop-paper"),
    path("e/<slug:short>/desk/print/<int:job_id>/again", views.retry_paper, name="paper-again"),
    path("e/<slug:short>/desk/print/round", views.round_list, name="print-round"),
    path("e/<slug:short>/desk/print/sheets", views.score_sheets, name="print-sheets"),
    path("e/<slug:short>/desk/print/blank", views.blank_sheet, name="print-blank"),
    path("e/<slug:short>/desk/print/standings", views.printed_standings, name="print-standings"),
    path("club/<slug:slug>/print", views.club_print_page, name="club-print"),
    path("club/<slug:slug>/print/<int:job_id>", views.download_club_paper, name="download-club-paper"),
    path("club/<slug:slug>/print/<int:job_id>/stop", views.stop_club_paper, name="stop-club-paper"),
    path("club/<slug:slug>/print/<int:job_id>/again", views.retry_club_paper, name="club-paper-again"),
]
