from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from . import listening  # noqa: F401 -- connects the receiver of scoring's one signal
