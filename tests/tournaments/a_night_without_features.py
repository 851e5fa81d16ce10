"""Play a night without the features named on the command line.

The program migrates an empty database, plays a round, and opens the pages of the core.
"""

import os
import sys

import django

DISABLED_FEATURES = frozenset(sys.argv[1:])
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def main() -> None:
    from django.conf import settings

    settings.TOURNAMENT_FEATURES = [each for each in settings.TOURNAMENT_FEATURES if each not in DISABLED_FEATURES]
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    open_pages()


def open_pages() -> None:
    from django.test import Client

    from clubs.services.accounts import make_owner
    from tests.builders import build_account, build_running_night, compute_standings, play_round

    event, owner = build_running_night(), build_account()
    make_owner(club=event.club, account=owner)
    play_round(event)
    compute_standings(event)
    client = Client(headers={"host": "localhost"})
    client.force_login(owner)
    desk, club = f"/e/{event.short}/desk", f"/club/{event.club.slug}"
    at_desk = ("", "/standings", "/settings", "/entries", "/check-in", "/history", "/rounds/1")
    for path in (*(desk + page for page in at_desk), f"/e/{event.short}", club, f"{club}/page"):
        answer = client.get(path, follow=True)
        assert answer.status_code == 200, (path, answer.status_code)


if __name__ == "__main__":
    main()
