from django.urls import path

from .views import club_orders, orders, posters, printing

urlpatterns = [
    path("e/<slug:short>/poster.pdf", posters.poster_pdf, name="poster"),
    path("e/<slug:short>/poster.png", posters.poster_picture, name="poster-picture"),
    path("e/<slug:short>/desk/print", orders.print_page, name="print"),
    path("e/<slug:short>/desk/print/<int:job_id>", orders.download_paper, name="download-paper"),
    path("e/<slug:short>/desk/print/<int:job_id>/stop", orders.stop_paper, name="stop-paper"),
    path("e/<slug:short>/desk/print/<int:job_id>/again", orders.retry_paper, name="paper-again"),
    path("e/<slug:short>/desk/print/round", printing.round_list, name="print-round"),
    path("e/<slug:short>/desk/print/sheets", printing.score_sheets, name="print-sheets"),
    path("e/<slug:short>/desk/print/blank", printing.blank_sheet, name="print-blank"),
    path("e/<slug:short>/desk/print/standings", printing.printed_standings, name="print-standings"),
    path("club/<slug:slug>/print", club_orders.club_print_page, name="club-print"),
    path("club/<slug:slug>/print/<int:job_id>", club_orders.download_club_paper, name="download-club-paper"),
    path("club/<slug:slug>/print/<int:job_id>/stop", club_orders.stop_club_paper, name="stop-club-paper"),
    path("club/<slug:slug>/print/<int:job_id>/again", club_orders.retry_club_paper, name="club-paper-again"),
]
