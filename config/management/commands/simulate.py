"""Play a night on a running server, over HTTP: `manage.py simulate --server URL --token KEY`."""

import json
import os
import secrets
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.audit.log import Actor
from clubs.models import Account, Club, Scope
from clubs.services import create_account, create_club, make_owner, make_token
from config.management.terminal_command import TerminalCommand
from server.answers import MARK_HEADER, installation_id
from simulate.night import Plan, play_nights
from simulate.tournament import play_tournament

TOKEN_VARIABLE = "CHARLEMAGNE_TOKEN"  # noqa: S105 -- the name of a variable
CLUB = "Simulation"
REAL_PACE = 120.0
"""Seconds per hand, as people play."""


class Command(TerminalCommand):
    help = "Play whole nights on a running server, over HTTP as its users do, and report the results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--server", default="http://127.0.0.1:8000", metavar="URL", help="(default: %(default)s)")
        parser.add_argument(
            "--token",
            default=os.environ.get(TOKEN_VARIABLE, ""),
            metavar="KEY",
            help=f"API key of a club, with the direct scope (default: ${TOKEN_VARIABLE}, else a new key of a club"
            f" {CLUB} on the server of this data folder)",
        )
        parser.add_argument(
            "--nights",
            type=int,
            default=1,
            help="nights at once, each in a club of its own (default: 1); not with --token",
        )
        parser.add_argument(
            "--within",
            type=float,
            metavar="SECONDS",
            help="spread the starts of the nights over this time (default: the time of a hand)",
        )
        parser.add_argument("--tables", type=int, default=12, help="tables per night (default: 12)")
        parser.add_argument("--rounds", type=int, default=3, help="rounds per night (default: 3)")
        parser.add_argument(
            "--pairs",
            type=int,
            metavar="N",
            help="play a tournament of N pairs by the API alone, instead of nights",
        )
        parser.add_argument("--fast", action="store_true", help="play as fast as possible, like --pace 0")
        parser.add_argument(
            "--pace", type=float, default=REAL_PACE, help=f"seconds per hand (default: {REAL_PACE:.0f})"
        )
        parser.add_argument("--watchers", type=int, help="readers of the public pages (default: one per table)")
        parser.add_argument("--ruleset", default="canadian", help="key of the ruleset (default: canadian)")
        parser.add_argument(
            "--seed", type=int, default=secrets.randbelow(10**6), help="seed of an earlier run, to repeat it"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        server, tables, seed = options["server"].rstrip("/"), options["tables"], options["seed"]
        plan = Plan(
            server=server,
            token=options["token"],
            tables=tables,
            rounds=options["rounds"],
            pace=0.0 if options["fast"] else options["pace"],
            watchers=tables if options["watchers"] is None else options["watchers"],
            seed=seed,
            ruleset=options["ruleset"],
        )
        self._print_line(f"seed {seed}")
        plans = [plan] if plan.token else self._build_plans(plan, options["nights"])
        if options["pairs"]:
            self._print_report(
                play_tournament(server, plans[0].token, self._print_line, pairs=options["pairs"], seed=seed)
            )
            return
        spread_seconds = plan.pace if options["within"] is None else options["within"]
        self._print_report(play_nights(plans, self._print_line, spread_seconds=spread_seconds))

    def _print_report(self, figures: Mapping[str, Any]) -> None:
        self._print_line(json.dumps(figures))
        if figures["errors"] or not figures["standings_equal"]:
            sys.exit(1)

    def _print_line(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def _build_plans(self, plan: Plan, nights: int) -> list[Plan]:
        """Return a plan for each of so many simulation clubs, if the server uses this data folder."""
        if _fetch_installation_id(plan.server) != installation_id():
            message = gettext("%(server)s uses another data folder. Add one of its API keys: --token KEY.")
            raise CommandError(message % {"server": plan.server})
        account = self._get_account()
        names = [CLUB, *(f"{CLUB} {number}" for number in range(2, nights + 1))]
        return [
            replace(plan, token=_create_token(name, account), seed=plan.seed + number)
            for number, name in enumerate(names)
        ]

    def _get_account(self) -> Account:
        """Return the owner of the simulation clubs; a new one's password is printed."""
        account = Account.objects.filter(memberships__club__name=CLUB).first()
        if account is None:
            password = secrets.token_urlsafe(8)
            account = create_account(name=f"{CLUB} {secrets.token_hex(2)}", password=password, language="fr")
            message = gettext("Sign in as %(name)s, password: %(password)s")
            self._print_line(message % {"name": account.name, "password": password})
        return account


def _create_token(name: str, account: Account) -> str:
    """Return an API key of the club with this name, which the account owns."""
    club = Club.objects.filter(name=name).first() or create_club(name=name)
    if not account.memberships.filter(club=club).exists():
        make_owner(club=club, account=account)
    actor = Actor(account=account)
    return make_token(club_id=club.pk, name=CLUB, scope=Scope.DIRECT, days=30, by=actor).secret


def _fetch_installation_id(server: str) -> str:
    """Return the id of the installation at this address; CommandError if it does not respond."""
    address = urlsplit(server)
    kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
    connection = kind(address.netloc, timeout=30)
    try:
        connection.request("GET", "/api/v1/clubs")
        return connection.getresponse().headers.get(MARK_HEADER, "")
    except (OSError, HTTPException) as error:
        raise CommandError(
            gettext("%(server)s does not respond. Check that it is running.") % {"server": server}
        ) from error
    finally:
        connection.close()
