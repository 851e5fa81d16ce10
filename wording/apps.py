from django.apps import AppConfig


class WordingConfig(AppConfig):
    name = "wording"

    def ready(self) -> None:
        from .labels import club_history  # noqa: F401 -- groups the changes of a club, for the filter of its history
