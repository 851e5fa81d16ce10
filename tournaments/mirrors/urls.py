from django.urls import path

from . import views

urlpatterns = [
    path("club/<slug:slug>/mirrors", views.mirrors_page, name="mirrors"),
    path("club/<slug:slug>/mirrors/link", views.create_link, name="pairing-link"),
    path("club/<slug:slug>/mirrors/pair", views.pair_site, name="pair-with-site"),
    path("club/<slug:slug>/mirrors/<int:job_id>/stop", views.stop_request, name="stop-mirror-request"),
    path("club/<slug:slug>/mirrors/<int:job_id>/again", views.retry_request, name="mirror-request-again"),
    path("club/<slug:slug>/mirrors/leave", views.leave_public_site, name="leave-site"),
    path("club/<slug:slug>/mirrors/<int:pk>/end", views.end_mirrors, name="end-pairing"),
    path("club/<slug:slug>/mirrors/events/<int:pk>/lead", views.lead_event, name="lead-here"),
    path("club/<slug:slug>/mirrors/events/<int:pk>/anew", views.restart, name="mirror-anew"),
    path("club/<slug:slug>/mirrors/events/<int:pk>/hand", views.hand_over_event, name="hand-over"),
    path("club/<slug:slug>/mirrors/events/<int:pk>/follow", views.follow_public_site, name="follow-site"),
    path("club/<slug:slug>/mirrors/events/<int:pk>/file", views.download_snapshot, name="snapshot-file"),
    path("club/<slug:slug>/mirrors/file", views.upload_snapshot, name="take-snapshot-file"),
    path("mirror/pairings", views.accept_installation, name="accept-pairing"),
    path("mirror/snapshots", views.receive_event, name="take-snapshot"),
    path("mirror/snapshots/wanted", views.answer_poll, name="answer-question"),
]
