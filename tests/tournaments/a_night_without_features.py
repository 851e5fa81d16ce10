"""A night of an installation without some features: `python -m tests.tournaments.a_night_without_features money …`.

It migrates an empty database and opens the pages of the core, and of each feature that is left.
"""

import os
import sys

import django

LEFT_OUT = frozenset(sys.argv[1:])
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def main() -> None:
    from django.conf import settings

    settings.TOURNAMENT_FEATURES = [each for each in settings.TOURNAMENT_FEATURES if each not in LEFT_OUT]
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    open_pages()


def open_pages() -> None:
    from django.test import Client

    from clubs.models import Role
    from tests.builders import a_running_night, an_account, play_round, standings_after

    event = a_running_night()
    play_round(event)
    standings_after(event)
    client = Client(headers={"accept-language": "en"}, raise_request_exception=True)
    client.force_login(an_account(event.club, role=Role.OWNER))
    desk = f"/e/{event.short}/desk"
    for path in (desk, f"{desk}/standings", f"{desk}/settings", f"{desk}/entries", f"{desk}/check-in", f"{desk}/history", f"/club/{event.club.slug}"):
        answer = client.get(path)
        print(answer.status_code, path)


if __name__ == "__main__":
    main()
