"""Fill a data folder with everything a version of the program knows; ``make.py`` runs this with that version.

The data: the version's demo with one recorded night, the nights "with something on every page" of its tests, a
night of each ruleset, and three rounds of each format, the last one a draft.
"""

from contextlib import suppress
from unittest.mock import patch

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import IntegrityError, transaction  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from operations.prepare_install import prepare_data_folder  # noqa: E402

NIGHT = "canadian-6-tables"


def fill() -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    prepare_data_folder()
    setup_test_environment()
    fill_with_demo()
    fill_with_nights_of_tests()
    fill_with_systems_and_formats()


def fill_with_demo() -> None:
    from config.management.commands import demo
    from tournaments.imports.recorded_nights.files import recorded_nights

    one = {NIGHT: recorded_nights()[NIGHT]}
    with patch.object(demo, "recorded_nights", lambda: one):
        call_command("demo")


def fill_with_nights_of_tests() -> None:
    from tests.every_page.test_every_page import PATHS_BY_PATTERN, build_night

    for stage in ("playing", "ended"):
        hall = build_night(stage)
        for path in PATHS_BY_PATTERN.values():
            with suppress(IntegrityError), transaction.atomic():  # the passkey can be created only once
                path(hall)  # creates the data that the page shows


def fill_with_systems_and_formats() -> None:
    from engine.draws import FORMATS
    from rules import RULESETS
    from tests.builders import (
        build_account,
        build_club,
        build_running_night,
        compute_standings,
        play_round,
        start_next_round,
    )
    from tournaments.rounds.services.rounds import draw_round

    club = build_club(owner=build_account())
    for ruleset in RULESETS.values():
        event = build_running_night(4, club=club, ruleset=ruleset)
        compute_standings(event)
    for name in FORMATS:
        with suppress(Exception), transaction.atomic():  # skip formats that need other steps
            event = build_running_night(4, club=club, **({} if name == "random" else {"draw_format": name}))
            play_round(event)
            start_next_round(event)
            play_round(event, 2)
            compute_standings(event)
            draw_round(event_id=event.pk, seed=1)


fill()
