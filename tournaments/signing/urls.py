from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:slug>/log", views.public_log, name="public-log"),
    path("c/<slug:slug>/log.json", views.log_file, name="log-file"),
    path("c/<slug:slug>/log.txt", views.log_checkpoint, name="log-head"),
    path("c/<slug:slug>/log/inclusion/<int:number>/<int:size>.json", views.inclusion_proof_file, name="log-inclusion"),
    path(
        "c/<slug:slug>/log/consistency/<int:older>/<int:newer>.json",
        views.consistency_proof_file,
        name="log-consistency",
    ),
    path("club/<slug:slug>/key", views.key_page, name="signing-key"),
]
