"""Desk lists of an event: entries, check-in, fees and prizes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from clubs.name_formats import join_names
from rules import Side
from tournaments.entries.bonds import apart_groups_from_json
from tournaments.entries.presenters.entries import CheckInView, EntriesView
from tournaments.events.presenters.names import format_full_names
from tournaments.models import Entry, Event, Prize
from tournaments.money.presenters.awards import CategoryAwards, PrizeWinner
from tournaments.money.presenters.fees import FeesView
from tournaments.money.presenters.prizes import PrizesView
from web.money import Charge
from web.names import fold_name
from web.sheets.tables import Sheet, Source, convert_to_dollars, money_column, number_column, text_column

from .file_names import get_event_name_parts
from .standings import build_names_column


def build_entries_table(event: Event, view: EntriesView) -> Sheet:
    """Return the entries that take part, wait or have left, with full names, one per column."""
    groups: Sequence[tuple[str, Sequence[Entry]]] = (
        ("in", view.taking_part),
        ("waiting", view.waiting),
        ("looking", view.singles),
        ("withdrawn", [entry for entry in view.withdrawn if not entry.disqualification]),
        ("disqualified", [entry for entry in view.withdrawn if entry.disqualification]),
    )
    forbidden_opponents = _map_forbidden_opponents(event, (entry for _, entries in groups for entry in entries))
    states = {entry: state for state, entries in groups for entry in entries}
    columns = (
        number_column("entry", "number"),
        number_column("entry_id", "pk"),
        *(text_column(f"player_{place + 1}", _build_player_getter(place)) for place in range(event.entry_size)),
        text_column("state", states.get, formatter="entry_state"),
        text_column("section"),
        text_column("team", heading_key="club"),
        number_column("rating"),
        number_column("table", heading_key="always_at_table"),
        text_column("side", _get_side_name, heading_key="always_on_side", formatter="side"),
        text_column("family"),
        text_column("car"),
        text_column("category", "labels"),
        text_column("plays_from", _get_arrival, formatter="arrival"),
        number_column("left_after", "leaves_after"),
        text_column("absent", lambda entry: _join_rounds(entry.absent), heading_key="absent_in"),
        text_column("excused", lambda entry: _join_rounds(entry.excused), heading_key="excused_in"),
        text_column("withdrawn", lambda entry: _join_rounds(entry.withdrawn), heading_key="withdrawn_in"),
        text_column("byes", lambda entry: _join_rounds(entry.byes_asked), heading_key="byes_in"),
        text_column("apart", lambda entry: "; ".join(forbidden_opponents.get(entry.pk, ()))),
        text_column("disqualification"),
        text_column("house", "is_house", formatter="yes_or_no"),
    )
    return Sheet.from_lines("entries", states, columns, about=get_event_name_parts(event))


def _build_player_getter(place: int) -> Source:
    return lambda entry: entry.players[place].name if place < len(entry.players) else ""


def _get_side_name(entry: Entry) -> str | None:
    return None if entry.side is None else Side(entry.side).name


def _get_arrival(entry: Entry) -> str | None:
    if entry.arrives == 1:
        return None
    return "on_arrival" if entry.is_awaited else str(entry.arrives)


def _join_rounds(rounds: Iterable[int]) -> str:
    return ", ".join(map(str, rounds))


def _map_forbidden_opponents(event: Event, entries: Iterable[Entry]) -> dict[int, list[str]]:
    """Map each entry's id to the later entries that it must never meet. Each is given by a name that no other
    player has, or by its number. Rules for some rounds only, or only if possible, are left out."""
    entries_by_id = {entry.pk: entry for entry in entries}
    times = Counter(fold_name(player.name) for entry in entries_by_id.values() for player in entry.players)
    labels = {
        pk: next((one.name for one in entry.players if times[fold_name(one.name)] == 1), str(entry.number))
        for pk, entry in entries_by_id.items()
    }
    opponents: dict[int, list[str]] = defaultdict(list)
    for group in apart_groups_from_json(event.kept_apart):
        if group.always and group.rounds is None:
            for place, pk in enumerate(group.entries):
                opponents[pk] += [labels[other] for other in group.entries[place + 1 :] if other in labels]
    return opponents


def build_check_in_table(event: Event, view: CheckInView) -> Sheet:
    """Return who is present, and the amounts due if there is a fee."""
    dues: Mapping[int, Charge] = view.dues
    columns = (
        number_column("entry", "number"),
        number_column("entry_id", "pk"),
        build_names_column(event, format_full_names),
        text_column("present", lambda entry: entry.present_at is not None, formatter="yes_or_no"),
        *((money_column("owed", lambda entry: dues[entry.number].owed),) if dues else ()),
    )
    return Sheet.from_lines("check_in", view.shown, columns, about=get_event_name_parts(event))


def build_fees_table(event: Event, view: FeesView) -> Sheet:
    """Return a row for each person, families together, as on the page."""
    lines = [line for family in view.families for line in family.lines]
    columns = (
        number_column("entry"),
        text_column("name", "person.name"),
        text_column("family", lambda line: "" if line.person.family is None else line.person.family.name),
        text_column("guest", "person.is_guest", formatter="yes_or_no"),
        text_column("present", "attendee.came", formatter="yes_or_no"),
        money_column("asked", "due.amount"),
        money_column("paid", "due.paid"),
        money_column("owed", "due.owed"),
    )
    return Sheet.from_lines("fees", [*lines, *view.others], columns, about=get_event_name_parts(event))


def build_prizes_table(event: Event, view: PrizesView) -> Sheet:
    """Return the prizes given with their winners, then the current winners by category, with its ``group``
    and winning ``places``."""
    return Sheet(
        key="prizes",
        about=get_event_name_parts(event),
        columns=(
            text_column("prize"),
            money_column("amount"),
            text_column("winners"),
            text_column("public", formatter="yes_or_no"),
            text_column("group"),
            text_column("places"),
        ),
        rows=[
            *map(_build_prize_row, view.given),
            *(_build_award_row(awards, winner) for awards in view.category_awards for winner in awards.winners),
        ],
    )


def _build_prize_row(prize: Prize) -> list[Any]:
    winners = join_names([person.name for person in prize.winners])
    return [prize.name, _format_amount(prize.amount), winners, prize.is_public, None, None]


def _build_award_row(awards: CategoryAwards, winner: PrizeWinner) -> list[Any]:
    category, award = awards.category, winner.award
    return [
        " · ".join(filter(None, [category.name, category.prize])),
        _format_amount(award.amount),
        winner.name,
        category.is_public,
        awards.group or None,
        f"{award.first_place}" if award.first_place == award.last_place else f"{award.first_place}–{award.last_place}",
    ]


def _format_amount(cents: int) -> Decimal | None:
    return convert_to_dollars(cents) if cents else None
