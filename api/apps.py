from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        from .webhooks import receivers  # noqa: F401 -- connects the receivers of what changes in public
