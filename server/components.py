"""The index of components: each part of the pages, in each of its states, as any page draws it.

It is open to every signed-in account and shows nothing of any club. Developers who change a style or a
partial can see it on a real phone, on the running installation, without needing a night with all these
states. The public cannot find it, and no page of a club links to it (``docs/development/adding.md``). It is
light or dark as the device is set, or by the switch in its footer.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.name_formats import join_surnames
from clubs.pages import accounts_only
from engine.charts import ChartSide, ChartSlot, SlotState
from engine.draws import EntryId
from errors import Refusal
from jobs.failures import serialize_failure
from jobs.models import Job, Status
from rules import CANADIAN, Seat, Side, get_side
from scoring.presenters.sides import PlayerView, SideView

ICONS = (
    *("check", "cross", "undo", "deal", "clock", "triangle", "half", "dots", "printer", "hand", "document"),
    *("chevron", "down", "arrow", "swap", "plus", "offline"),
)
SUITS = ("spade", "heart", "diamond", "club")
TABLE_STATES = (
    *(
        "disputed",
        "two_marks",
        "postponement_requested",
        "silent",
        "not_started",
        "playing",
        "last_hand_played",
        "to_confirm",
        "one_agreement",
        "agreed",
        "complete",
    ),
    "awarded",
)


@require_safe
@accounts_only
def show_page_components(request: HttpRequest) -> HttpResponse:
    """Show the components of the pages of a club and of an event, in each of their states."""
    context = {
        "icons": ICONS,
        "suits": SUITS,
        "table_states": [SimpleNamespace(state=state, hand=7) for state in TABLE_STATES],
        "refused_form": _build_refused_form(),  # only shown: an answer would have the key "refusal"
        "jobs": _build_jobs(),
        "options": (("a", "7"), ("b", "8")),
        "slots": _build_slots(),
    }
    return TemplateResponse(request, "components/pages.html", context)


@require_safe
@accounts_only
def show_table_components(request: HttpRequest) -> HttpResponse:
    """Show the components of the screen of a table, in each of their states."""
    return TemplateResponse(
        request, "components/table.html", {"pills": _build_header_contexts(), "screen": _build_screen()}
    )


def _build_refused_form() -> Refusal:
    field_refusals = (
        Refusal("not_a_number", field="number_refused", value="seven"),
        Refusal("no_such_choice", field="choice_refused", value="", choices=()),
        Refusal("not_a_number", field="text_refused", value="seven"),
    )
    return Refusal("form_refused", refusals=field_refusals)


def _build_jobs() -> Sequence[Job]:
    """Return an unsaved job in each state."""
    now = timezone.now()
    states: tuple[dict[str, Any], ...] = (
        {"status": Status.QUEUED},
        {"status": Status.RUNNING, "started_at": now},
        {"status": Status.RUNNING, "started_at": now, "done": 3, "of": 8},
        {"status": Status.RUNNING, "started_at": now, "is_stop_asked": True},
        {"status": Status.DONE},
        {"status": Status.FAILED, "failed_with": serialize_failure(code="job_failed")},
        {"status": Status.CANCELLED},
    )
    return [
        Job(pk=number, kind="draw", created_at=now, sent_at=now, **state)
        for number, state in enumerate(states, start=1)
    ]


def _build_slots() -> Sequence[ChartSlot]:
    """Return a match of a bracket in each of its states."""
    return [
        ChartSlot(key=state, number=None if state is SlotState.BYE else place, state=state, round=1, sides=sides)
        for place, state in enumerate(SlotState, start=1)
        for sides in [_build_sides(state)]
    ]


def _build_sides(state: SlotState) -> tuple[ChartSide, ChartSide]:
    is_won = state in (SlotState.PLAYED, SlotState.WALKOVER)
    score = 32 if state is SlotState.PLAYED else None
    return (
        ChartSide(entry=EntryId(1), name="Roy & Dubé", seed=1, has_won=is_won, score=score),
        ChartSide(entry=EntryId(2), name="Saint-Pierre-Desrosiers & Lavoie-Ouellet", seed=8, score=score and 18),
    )


def _build_header_contexts() -> Sequence[dict[str, Any]]:
    """Return the contexts of the table screen's header, for each state of unsent hands."""
    match = SimpleNamespace(closed_at=None)
    open_table, closed_table = (
        SimpleNamespace(account=None, match=one) for one in (match, SimpleNamespace(closed_at=timezone.now()))
    )
    quiet_screen, contested_screen = SimpleNamespace(contested_lines=None), SimpleNamespace(contested_lines=True)
    return [
        {"screen": contested_screen, "session": open_table},
        {"screen": quiet_screen, "session": open_table, "waiting": 2, "is_away": True},
        {"screen": quiet_screen, "session": open_table, "waiting": 1},
        {"screen": quiet_screen, "session": closed_table},
        {"screen": quiet_screen, "session": open_table},
    ]


NAMES = {
    Seat(0): ("Jeannine Roy", "Roy"),
    Seat(1): ("Marcel Dubé", "Dubé"),
    Seat(2): ("Marie-Paule Saint-Pierre-Desrosiers", "Saint-Pierre-Desrosiers"),
    Seat(3): ("Guy Lavoie", "Lavoie"),
}


def _build_screen() -> SimpleNamespace:
    """Return a screen with two sides, one of them dealing, in a match of several games."""
    sides = [
        SideView(
            side=side,
            players=_build_players(side),
            short=join_surnames([player.name for player in _build_players(side)]),
            total=total,
            games_won=games_won,
        )
        for side, total, games_won in ((Side.A, 28, 1), (Side.B, -4, 0))
    ]
    return SimpleNamespace(sides=sides, ruleset=CANADIAN, counts_games=True)


def _build_players(side: Side) -> tuple[PlayerView, ...]:
    return tuple(
        PlayerView(
            name=name,
            surname=surname,
            first_name=name.partition(" ")[0],
            seat=seat,
            deals=seat == Seat(0),
        )
        for seat, (name, surname) in NAMES.items()
        if get_side(seat) is side
    )
