from django.apps import AppConfig
from django.conf import settings


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from clubs import club_files, uploads
        from clubs.disk_quota import MEASURED_COLUMNS, STORES
        from clubs.services.changes import ClubChange
        from scoring.models import Player

        from .features import CORE, RECEIVERS, import_modules
        from .models import Entry, Event, Fee, Plan, Prize, Season, SharedNight, Visitor

        features = settings.TOURNAMENT_FEATURES
        import_modules("slots", features)
        import_modules("receivers", (each for each in RECEIVERS if each in {*CORE, *features}))
        MEASURED_COLUMNS.append((Plan, "club", "found"))
        STORES.extend((club_files.FILES, club_files.IMPORTS, uploads.FILES))
        ClubChange.register_kinds(Entry, Event, Fee, Player, Prize, Season, SharedNight, Visitor)
