from django.apps import AppConfig


class FederationsConfig(AppConfig):
    name = "federations"

    def ready(self) -> None:
        from clubs.audit.history import GROUPS
        from clubs.disk_quota import MEASURED_COLUMNS

        from .models import FollowedFeed

        MEASURED_COLUMNS.append((FollowedFeed, "federation__club", "content"))

        GROUPS["federations"] = frozenset(
            {
                *("switch_feed_on", "switch_feed_off"),
                *("open_federation", "change_federation", "end_federation", "follow_feed", "unfollow_feed"),
                *("make_identity_code", "enter_identity_code", "take_back_identity"),
            }
        )
