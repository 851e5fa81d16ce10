from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        # The Celery app must exist before a task is sent, in the web process too.
        from config import celery  # noqa: F401
