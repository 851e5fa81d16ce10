from django.apps import AppConfig


class FederationsConfig(AppConfig):
    name = "federations"

    def ready(self) -> None:
        from clubs.audit.labels import CLUB_ACTIONS
        from clubs.disk_quota import MEASURED_COLUMNS

        from .labels import FEDERATION_ACTIONS
        from .models import FollowedFeed

        MEASURED_COLUMNS.append((FollowedFeed, "federation__club", "content"))
        CLUB_ACTIONS["federations"] = FEDERATION_ACTIONS
