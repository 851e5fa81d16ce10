"""One of two installations of a club, in its own data folder: `python -m bench.hall.installation TABLES`.

It creates a laptop with a night of TABLES tables in its first round or, with 0 tables, a public site with an empty
club. Then it reads commands, a line of JSON each, and answers each with a line:

- `{"do": "link"}`: the secret of a link for a laptop
- `{"do": "pair", "link": …}`: pairs with the site of the link
- `{"do": "change", "name": …, "table": …, "side": …}`: records a hand at the table, with the name as its device
- `{"do": "hand_over"}`: hands the night over to the other installation
- `{"do": "look"}`: whether it leads, the digests of the event's file, and the devices of all marks
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import django

if TYPE_CHECKING:
    from tournaments.models import Event


def make(tables: int) -> None:
    from django.utils import timezone

    from bench.hall.room import ENDLESS, start_night
    from clubs.services.accounts import create_account, make_owner
    from clubs.services.clubs import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.events.services.settings import rename_event
    from tournaments.rounds.services.rounds import draw_round, publish_round

    prepare_data_folder()
    club = create_club(name="Bench")
    make_owner(club=club, account=create_account(name="Bench", password=str(uuid4()), language="en"))
    if tables:
        event = start_night(club, tables, ENDLESS)
        rename_event(event_id=event.pk, name="Bench", held_on=timezone.localdate())
        publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)


def link() -> str:
    from tournaments.mirrors.services.pairing import create_pairing_link

    return create_pairing_link(**_get_owner())


def pair(link: str) -> str:
    from clubs.models import Club
    from tournaments.mirrors.services.pairing import pair_with_site

    return pair_with_site(club=Club.objects.get(), link=link, by=_get_owner()["by"]).name


def change(name: str, table: int, side: str) -> bool:
    """Record a hand; return False where another installation leads."""
    from errors import Refusal
    from scoring.models import Match
    from scoring.services.marks import record_hand

    tables = Match.objects.filter(terms=_get_event().terms_id, withdrawn_at=None).order_by("card__number")
    match = tables[table]
    hand = {"side": side, "contract": "6", "tricks": "7"}
    try:
        record_hand(match_id=match.pk, entry_key=uuid4(), number=match.summary["next"], hand=hand, device=name)
    except Refusal as refusal:
        if refusal.code != "led_elsewhere":
            raise
        return False
    return True


def hand_over() -> bool:
    from tournaments.mirrors.services.leadership import hand_over
    from tournaments.models import Pairing

    pairing = Pairing.objects.values_list("pk", flat=True).first()
    hand_over(event_id=_get_event().pk, pairing_id=pairing, **_get_owner())
    return True


def look() -> dict[str, Any]:
    from live.conditional_pages import read_snapshot

    with read_snapshot():
        return _get_state()


def _get_state() -> dict[str, Any]:
    from scoring.models import Mark
    from tournaments.event_files.queries import build_event_file
    from tournaments.event_files.writer import compute_part_digests

    event = _find_event()
    if event is None:
        return {"leads": False, "sum": "", "names": []}
    sums = compute_part_digests({**build_event_file(event), "standings": None})
    digests = {part: each for part, each in sums.items() if part not in ("place", "signed")}
    return {
        "leads": not event.is_mirror,
        "sum": digests,
        "names": list(Mark.objects.order_by("pk").values_list("device", flat=True)),
    }


def _get_owner() -> dict[str, Any]:
    from clubs.audit.log import Actor
    from clubs.models import Account, Club

    return {"club_id": Club.objects.get().pk, "by": Actor(account=Account.objects.get())}


def _get_event() -> Event:
    event = _find_event()
    assert event is not None
    return event


def _find_event() -> Event | None:
    from tournaments.models import Event

    return Event.objects.select_related("club", "terms").first()


if __name__ == "__main__":
    django.setup()
    make(int(sys.argv[1]))
    commands: dict[str, Callable[..., Any]] = {each.__name__: each for each in (link, pair, change, hand_over, look)}
    print(json.dumps("made"), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(commands[asked.pop("do")](**asked)), flush=True)
