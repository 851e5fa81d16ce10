from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from clubs.services import ClubChange
        from scoring.models import Player

        from . import listening  # noqa: F401 -- connects the receiver of scoring's one signal
        from .models import Entry, Fee, Prize, Season, Visitor

        ClubChange.also_records(Entry, Fee, Player, Prize, Season, Visitor)
        # Of a person: whether they are a guest, in a group, somebody else, or left out; of the club: whether
        # it rates its people.
        ClubChange.FOLLOWED_BY |= {
            "person": ("refresh_seasons", "refresh_ratings"),
            "season": ("refresh_seasons",),
            "club": ("refresh_ratings",),
        }
        ClubChange.NOT_RECORDED["season"] = frozenset({"rows", "scores", "computed_at"})
