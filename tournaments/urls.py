from django.urls import path

from .views import desk, hall, history, jobs, nights, printing, public, tables

urlpatterns = [
    path("", public.home, name="home"),
    path("e/<slug:short>", public.event_page, name="event"),
    path("e/<slug:short>/rules", public.rules_page, name="event-rules"),
    path("e/<slug:short>/ruling", public.ruling_page, name="event-ruling"),
    path("e/<slug:short>/board", hall.board, name="board"),
    path("e/<slug:short>/desk", desk.desk, name="desk"),
    path("e/<slug:short>/desk/entries", desk.entries, name="entries"),
    path("e/<slug:short>/desk/cards", desk.cards, name="cards"),
    path("e/<slug:short>/desk/print", printing.print_page, name="print"),
    path("e/<slug:short>/desk/print/round", printing.round_list, name="print-round"),
    path("e/<slug:short>/desk/print/sheets", printing.score_sheets, name="print-sheets"),
    path("e/<slug:short>/desk/print/blank", printing.blank_sheet, name="print-blank"),
    path("e/<slug:short>/desk/print/standings", printing.standings_list, name="print-standings"),
    path("e/<slug:short>/desk/history", history.history, name="history"),
    path("e/<slug:short>/desk/history/<int:action_id>/undo", history.undo, name="undo"),
    path("e/<slug:short>/desk/rounds/<int:number>", tables.round_page, name="desk-round"),
    path("e/<slug:short>/desk/rounds/<int:number>/swap", tables.swap, name="swap"),
    path("e/<slug:short>/desk/rounds/<int:number>/hold", tables.hold, name="hold"),
    path("e/<slug:short>/desk/rounds/<int:number>/comparison", tables.comparison, name="comparison"),
    path(
        "e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>",
        tables.table,
        name="desk-table",
    ),
    path("e/<slug:short>/desk/jobs", jobs.jobs_page, name="jobs"),
    path("e/<slug:short>/desk/jobs/<int:job_id>/stop", jobs.stop_job, name="stop-job"),
    path("e/<slug:short>/desk/jobs/<int:job_id>/again", jobs.run_job_again, name="run-job-again"),
    path("e/<slug:short>/desk/<slug:step>", desk.take_step, name="step"),
    path("e/<slug:short>/desk/rounds/<int:number>/<slug:step>", desk.take_round_step, name="round-step"),
    path("club/<slug:slug>", nights.club_page, name="club"),
    path("club/<slug:slug>/new", nights.new_night, name="new-night"),
    path("club/<slug:slug>/import", nights.import_page, name="import"),
]
