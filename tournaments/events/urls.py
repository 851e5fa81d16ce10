from django.urls import path

from .views import (
    archiving,
    cards,
    codes,
    desk,
    event_cloning,
    event_templates,
    jobs,
    nights,
    phases,
    phones,
    settings,
    tournaments,
)

urlpatterns = [
    path("e/<slug:short>/desk", desk.desk, name="desk"),
    path("e/<slug:short>/desk/cards/<int:number>", cards.card, name="card"),
    path("e/<slug:short>/desk/cards", cards.cards, name="cards"),
    path("e/<slug:short>/desk/cards/<int:number>/phones", cards.card_phones, name="card-phones"),
    path("e/<slug:short>/desk/cards/<int:number>/phones/replace", cards.replace_card, name="replace-card"),
    path(
        "e/<slug:short>/desk/cards/<int:number>/phones/<int:phone_id>/turn-away",
        cards.turn_phone_away,
        name="turn-phone-away",
    ),
    path("e/<slug:short>/desk/codes", codes.read_codes, name="read-codes"),
    path("e/<slug:short>/desk/jobs", jobs.jobs_page, name="jobs"),
    path("e/<slug:short>/desk/jobs/<int:job_id>/stop", jobs.stop_job, name="stop-job"),
    path("e/<slug:short>/desk/jobs/<int:job_id>/again", jobs.run_job_again, name="run-job-again"),
    path("e/<slug:short>/desk/phones", phones.phones, name="desk-phones"),
    path("e/<slug:short>/desk/late", phones.late, name="desk-late"),
    path("e/<slug:short>/desk/settings/put-away", archiving.put_away, name="put-away"),
    path("e/<slug:short>/desk/settings", settings.event_settings, name="event-settings"),
    path(
        "e/<slug:short>/desk/phases/<int:stage>/<int:section>", phases.phase_settings, name="phase-settings"
    ),
    path("e/<slug:short>/desk/<slug:step>", desk.take_step, name="step"),
    path("e/<slug:short>/desk/rounds/<int:number>/count", desk.count_games, name="count-games"),
    path("e/<slug:short>/desk/rounds/<int:number>/<slug:step>", desk.take_round_step, name="round-step"),
    path("club/<slug:slug>", nights.club_page, name="club"),
    path("club/<slug:slug>/new", nights.new_night, name="new-night"),
    path("club/<slug:slug>/like/<slug:short>", event_cloning.like_event, name="like-event"),
    path("club/<slug:slug>/bring-back/<slug:short>", archiving.bring_event_back, name="bring-back"),
    path("club/<slug:slug>/usual", event_templates.usual_nights, name="usual-nights"),
    path("club/<slug:slug>/usual/<int:pk>", event_templates.like_usual_night, name="like-usual-night"),
    path("club/<slug:slug>/usual/<int:pk>/rename", event_templates.rename, name="rename-usual-night"),
    path(
        "club/<slug:slug>/usual/<int:pk>/remove",
        event_templates.remove_usual_night,
        name="remove-usual-night",
    ),
    path("club/<slug:slug>/calendar/<int:pk>/start", nights.start_planned, name="start-planned"),
    path("club/<slug:slug>/tournament", tournaments.new_tournament, name="new-tournament"),
]
