"""The two things a worker is told."""

from celery import shared_task

from jobs import services


@shared_task(name="jobs.run")
def run(job_id: int) -> None:
    services.run_job(job_id)


@shared_task(name="jobs.sweep")
def sweep() -> None:
    services.sweep()
