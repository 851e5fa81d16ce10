from django.apps import AppConfig


class FederationsConfig(AppConfig):
    name = "federations"

    def ready(self) -> None:
        from clubs.disk_quota import MEASURED_COLUMNS

        from .models import FollowedFeed

        MEASURED_COLUMNS.append((FollowedFeed, "federation__club", "content"))
