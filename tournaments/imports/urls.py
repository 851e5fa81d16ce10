from django.urls import path

from .views import entry_sheets, events, hand_sheets, nights

urlpatterns = [
    path("e/<slug:short>/desk/entries/file", entry_sheets.entry_sheet_page, name="entry-sheet"),
    path("e/<slug:short>/desk/hands/file", hand_sheets.hand_sheet_page, name="hand-sheet"),
    path("club/<slug:slug>/import", events.import_page, name="import"),
    path("club/<slug:slug>/bringing-in", events.running_imports_page, name="bringing-in"),
    path("club/<slug:slug>/bringing-in/<int:job_id>/stop", events.stop_import, name="stop-bringing-in"),
    path("club/<slug:slug>/bringing-in/<int:job_id>/again", events.retry_import, name="bring-in-again"),
    path("club/<slug:slug>/import-night/<slug:token>", nights.night_import_page, name="brought-night"),
    path("club/<slug:slug>/import/<slug:token>", events.event_import_page, name="brought"),
    path("club/<slug:slug>/import/<slug:token>/<int:job_id>/stop", events.stop_file_import, name="stop-brought"),
    path("club/<slug:slug>/import/<slug:token>/<int:job_id>/again", events.retry_file_import, name="brought-again"),
]
