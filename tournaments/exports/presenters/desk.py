"""Desk lists of an event: entries, check-in, fees and prizes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from clubs.wording import join_names
from rules import Side
from tournaments.entries.bonds import apart_from_json
from tournaments.entries.presenters.entries import CheckInView, EntriesView
from tournaments.events.presenters.names import full_names
from tournaments.models import Entry, Event, Prize
from tournaments.money.presenters.awards import CategoryAwards, PrizeWinner
from tournaments.money.presenters.fees import FeesView
from tournaments.money.presenters.prizes import PrizesView
from tournaments.money.queries.fees import FeeLine
from web.money import Due
from web.names import fold_name
from web.sheets import Sheet
from web.sheets.tables import dollars, money, number, text_column

from .file_names import about_event
from .standings import names_column


def entries_table(event: Event, view: EntriesView) -> Sheet:
    """Return the entries that take part, wait or have left, with full names, one per column."""
    groups: Sequence[tuple[str, Sequence[Entry]]] = (
        ("in", view.taking_part),
        ("waiting", view.waiting),
        ("looking", view.looking),
        ("withdrawn", [entry for entry in view.gone if not entry.disqualification]),
        ("disqualified", [entry for entry in view.gone if entry.disqualification]),
    )
    apart = _names_apart(event, (entry for _, entries in groups for entry in entries))
    return Sheet(
        key="entries",
        about=about_event(event),
        columns=(
            number("entry"),
            number("entry_id"),
            *(text_column(f"player_{place}") for place in range(1, event.entry_size + 1)),
            text_column("state", said="entry_state"),
            text_column("section"),
            text_column("team", called="club"),
            number("rating"),
            number("table", called="always_at_table"),
            text_column("side", called="always_on_side", said="side"),
            text_column("family"),
            text_column("car"),
            text_column("category"),
            text_column("plays_from", said="arrival"),
            number("left_after"),
            text_column("absent", called="absent_in"),
            text_column("excused", called="excused_in"),
            text_column("withdrawn", called="withdrawn_in"),
            text_column("byes", called="byes_in"),
            text_column("apart"),
            text_column("disqualification"),
            text_column("house", said="yes_or_no"),
        ),
        rows=[_entry(event, entry, state, apart) for state, entries in groups for entry in entries],
    )


def _names_apart(event: Event, entries: Iterable[Entry]) -> dict[int, list[str]]:
    """Map each entry's id to the later entries that it must never meet. Each is given by a name that no other
    player has, or by its number. Rules for some rounds only, or only if possible, are left out."""
    known = {entry.pk: entry for entry in entries}
    times = Counter(fold_name(player.name) for entry in known.values() for player in entry.players)
    called = {
        pk: next((one.name for one in entry.players if times[fold_name(one.name)] == 1), str(entry.number))
        for pk, entry in known.items()
    }
    found: dict[int, list[str]] = defaultdict(list)
    for group in apart_from_json(event.kept_apart):
        if group.always and group.rounds is None:
            for place, pk in enumerate(group.entries):
                found[pk] += [called[other] for other in group.entries[place + 1 :] if other in called]
    return found


def _entry(event: Event, entry: Entry, state: str, apart: Mapping[int, Sequence[str]]) -> list[Any]:
    players = [person.name for person in entry.players]
    players += [""] * (event.entry_size - len(players))
    return [
        entry.number,
        entry.pk,
        *players,
        state,
        entry.section,
        entry.team,
        entry.rating,
        entry.table,
        None if entry.side is None else Side(entry.side).name,
        entry.family,
        entry.car,
        entry.labels,
        None if entry.arrives == 1 else "on_arrival" if entry.is_awaited else str(entry.arrives),
        entry.leaves_after,
        *(
            ", ".join(map(str, rounds))
            for rounds in (entry.absent, entry.excused, entry.withdrawn, entry.byes_asked)
        ),
        "; ".join(apart.get(entry.pk, ())),
        entry.disqualification,
        entry.is_house,
    ]


def check_in_table(event: Event, view: CheckInView) -> Sheet:
    """Return who is present, and the amounts due if there is a fee."""
    dues: Mapping[int, Due] = view.dues
    return Sheet(
        key="check_in",
        about=about_event(event),
        columns=(
            number("entry"),
            number("entry_id"),
            names_column(event),
            text_column("present", said="yes_or_no"),
            *((money("owed"),) if dues else ()),
        ),
        rows=[
            [
                entry.number,
                entry.pk,
                full_names(entry),
                entry.present_at is not None,
                *([dollars(dues[entry.number].owed)] if dues else ()),
            ]
            for entry in view.shown
        ],
    )


def fees_table(event: Event, view: FeesView) -> Sheet:
    """Return a row for each person, families together, as on the page."""
    lines = [line for family in view.families for line in family.lines]
    return Sheet(
        key="fees",
        about=about_event(event),
        columns=(
            number("entry"),
            text_column("name"),
            text_column("family"),
            text_column("guest", said="yes_or_no"),
            text_column("present", said="yes_or_no"),
            money("asked"),
            money("paid"),
            money("owed"),
        ),
        rows=[_fee(line) for line in (*lines, *view.others)],
    )


def _fee(line: FeeLine) -> list[Any]:
    return [
        line.entry,
        line.person.name,
        "" if line.person.family is None else line.person.family.name,
        line.person.is_guest,
        line.attendee.came,
        dollars(line.due.asked),
        dollars(line.due.paid),
        dollars(line.due.owed),
    ]


def prizes_table(event: Event, view: PrizesView) -> Sheet:
    """Return the prizes given with their winners, then the current winners by category, with its ``group``
    and winning ``places``."""
    return Sheet(
        key="prizes",
        about=about_event(event),
        columns=(
            text_column("prize"),
            money("amount"),
            text_column("winners"),
            text_column("public", said="yes_or_no"),
            text_column("group"),
            text_column("places"),
        ),
        rows=[
            *map(_given_prize, view.given),
            *(_award(found, winner) for found in view.by_category for winner in found.winners),
        ],
    )


def _given_prize(prize: Prize) -> list[Any]:
    winners = join_names([person.name for person in prize.winners])
    return [prize.name, _dollars_or_none(prize.amount), winners, prize.is_public, None, None]


def _award(found: CategoryAwards, winner: PrizeWinner) -> list[Any]:
    category, award = found.category, winner.award
    return [
        " · ".join(filter(None, [category.name, category.prize])),
        _dollars_or_none(award.amount),
        winner.name,
        category.is_public,
        found.group or None,
        f"{award.first}" if award.first == award.last else f"{award.first}–{award.last}",
    ]


def _dollars_or_none(cents: int) -> Decimal | None:
    return dollars(cents) if cents else None
