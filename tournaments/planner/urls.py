from django.urls import path

from . import views

urlpatterns = [
    path("club/<slug:slug>/plan", views.new_plan, name="new-plan"),
    path("club/<slug:slug>/plan/<int:pk>", views.plan_page, name="plan"),
    path("club/<slug:slug>/plan/<int:pk>/make", views.create_event_from_plan, name="make-planned"),
    path("club/<slug:slug>/plan/<int:pk>/<int:job_id>/stop", views.stop_plan, name="stop-plan"),
    path("club/<slug:slug>/plan/<int:pk>/<int:job_id>/again", views.retry_plan, name="plan-again"),
]
