"""The list of entries, the check-in and the page of one entry."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clubs.models import Family
from engine.draws import FORMATS
from engine.draws.schedules.foursomes import has_table_for_two
from engine.draws.stages import POOLS, count_odd_pools, list_section_sizes
from tournaments.entries.queries.entries import get_entries, last_published_round
from tournaments.entries.queries.player_reports import map_player_reports
from tournaments.events.presenters.names import format_full_names
from tournaments.history.presenters.history import HistoryLine, build_history_line, build_names_at_action
from tournaments.history.queries import get_actions, read_number_history
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from tournaments.rounds.presenters.drafts import count_rounds_lacking_start
from tournaments.rounds.queries.drafts import PARTIAL_FORMATS, find_draft_changes, get_draft
from tournaments.rounds.queries.rounds import forfeit_by, forfeitable_seating
from tournaments.slots import CHECK_IN
from tournaments.standings.presenters.reasons import list_counted_rounds
from tournaments.standings.presenters.snapshots import get_latest_snapshot
from web.money import Charge
from web.names import fold_name

SIGN_OFFS = 5
"""Most sign-offs shown beside the list; the history has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnseatedEntries:
    """Entries without a full table: ``byes`` of them in each round, or one in each of the ``odd_pools``.
    ``has_table_for_two`` is true if two of them play each other."""

    byes: int = 0
    odd_pools: int = 0
    has_table_for_two: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff:
    """A sign-off by a player, and the entries admitted from the waiting list in return."""

    line: HistoryLine
    let_in: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesView:
    """The list of entries, by state.

    ``taking_part`` are in the event; ``looking`` are players without a partner; ``waiting`` are the others on
    the waiting list; ``withdrawn`` have withdrawn. ``drawn_count`` is the number of entries in the next draw,
    and ``left_over`` are those without a full table. ``missing_count`` is the number of drawn entries not
    checked in, 0 if nobody has checked in. ``added`` are the entries just added. ``lacks_head_start`` is true
    if rounds should be accelerated but the list gives no strengths. ``sign_offs`` are the latest sign-offs
    before the start, newest first.
    """

    taking_part: tuple[Entry, ...]
    waiting: tuple[Entry, ...]
    singles: tuple[Entry, ...]
    withdrawn: tuple[Entry, ...]
    next_round: int
    drawn_count: int
    missing_count: int
    left_over: UnseatedEntries
    entry_size: int
    added: tuple[Entry, ...]
    lacks_head_start: bool
    sign_offs: tuple[SignOff, ...]

    @property
    def people(self) -> int:
        return len(self.taking_part) * self.entry_size

    @property
    def has_ratings(self) -> bool:
        return any(entry.rating is not None for entry in self.taking_part)

    @property
    def is_everybody_playing(self) -> bool:
        return self.drawn_count == len(self.taking_part)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInView:
    """The entries found by a search, and the numbers of all present and absent entries.

    ``left_over`` is for the next round: for the first round, of the entries present; later, only if the event
    has one stage. ``families`` have two or more entries not checked in yet, and can check in together.
    ``may_leave_out`` is true if the first draw would include an absent entry. ``dues`` are the fees of each
    entry, by its number; empty if the event is free. ``late`` and ``away`` are the numbers of entries whose
    players said on their own page that they are late or will not come.
    """

    shown: tuple[Entry, ...]
    families: tuple[Family, ...]
    present: int
    absent: int
    may_leave_out: bool
    left_over: UnseatedEntries
    dues: Mapping[int, Charge] = field(default_factory=dict)
    late: frozenset[int]
    away: frozenset[int]


def list_awaited_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return those of the entries that are left out of the draws until they check in. No query."""
    return [entry for entry in entries if entry.is_awaited and entry.leaves_after is None and not entry.is_waiting]


def build_entries_view(event: Event, *, new_numbers: Container[int] = ()) -> EntriesView:
    """Build the list; ``new_numbers`` are the numbers of entries just added. Two queries."""
    entries = get_entries(event)
    is_preparing = event.state == EventState.PREPARING
    next_round = 1 if is_preparing else last_published_round(event) + 1
    is_in = [entry for entry in entries if not entry.is_waiting and not entry.has_left(next_round)]
    drawn_entries = [entry for entry in is_in if _is_drawn(entry, next_round)]
    drawn_count, present = len(drawn_entries), sum(entry.present_at is not None for entry in drawn_entries)
    return EntriesView(
        taking_part=tuple(is_in),
        waiting=tuple(entry for entry in entries if entry.is_waiting and not entry.looks_for_partner),
        singles=tuple(entry for entry in entries if entry.looks_for_partner),
        withdrawn=tuple(entry for entry in entries if entry.has_left(next_round)),
        next_round=next_round,
        drawn_count=drawn_count,
        missing_count=drawn_count - present if present else 0,
        left_over=_count_unseated_entries(event, drawn_entries),
        entry_size=event.entry_size,
        added=tuple(entry for entry in entries if entry.number in new_numbers),
        lacks_head_start=count_rounds_lacking_start(event) > 0,
        sign_offs=_list_sign_offs(event, entries) if is_preparing else (),
    )


def _list_sign_offs(event: Event, entries: Sequence[Entry]) -> tuple[SignOff, ...]:
    """Return the last sign-offs before the start. Two queries."""
    numbers = read_number_history(event, entries)
    names_at, entries_by_id = build_names_at_action(entries, numbers), {entry.pk: entry for entry in entries}
    sign_offs = []
    for action in get_actions(event).filter(kind="sign_off", undone_by=None)[:SIGN_OFFS]:
        keys = numbers.at(action.pk)
        admitted = tuple(entries_by_id[keys[number]] for number in action.details["let_in"] if number in keys)
        sign_offs.append(SignOff(line=build_history_line(action, names_at(action.pk)), let_in=admitted))
    return tuple(sign_offs)


def build_check_in_view(event: Event, search: str = "", *, numbers: Collection[int] = ()) -> CheckInView:
    """Build the check-in list of entries whose names match the search, or only of those with these ``numbers``.
    Four queries; eight if the event charges a fee."""
    next_round = last_published_round(event) + 1
    entries = [entry for entry in get_entries(event) if not entry.is_waiting and not entry.has_left(next_round)]
    present = [entry for entry in entries if entry.present_at is not None]
    drawn_entries = [entry for entry in entries if _is_drawn(entry, next_round)]
    folded_search = fold_name(search)
    awaited_numbers = {entry.number for entry in entries if entry.is_awaited}
    attendances = {
        number: line.details.get("attendance")
        for number, line in map_player_reports(event, entries).items()
        if number in awaited_numbers
    }
    return CheckInView(
        shown=tuple(
            entry
            for entry in entries
            if (
                entry.number in numbers
                if numbers
                else folded_search in fold_name(" ".join(p.name for p in entry.players))
            )
        ),
        families=() if numbers else _list_missing_families(event, entries),
        present=len(present),
        absent=len(entries) - len(present),
        may_leave_out=next_round == 1
        and event.state != EventState.ENDED
        and any(entry.present_at is None for entry in drawn_entries),
        left_over=_count_unseated_next(event, present if next_round == 1 else drawn_entries, next_round),
        late=frozenset(number for number, attendance in attendances.items() if attendance == "late"),
        away=frozenset(number for number, attendance in attendances.items() if attendance == "stays_away"),
        **CHECK_IN.collect_values(event, entries),
    )


def _list_missing_families(event: Event, entries: Sequence[Entry]) -> tuple[Family, ...]:
    entry_counts = Counter(
        family
        for entry in entries
        if entry.present_at is None
        for family in {person.family_id for person in entry.players}
    )
    several = [family for family, count in entry_counts.items() if family is not None and count > 1]
    return tuple(event.club.families.filter(pk__in=several))


def build_entry_view(event: Event, entry: Entry) -> dict[str, Any]:
    """Present one entry: whether it ``is_draft_old``, changed since the draft of the next round; the players' own last
    word on their attendance; the table that it can forfeit, and whether anybody would win by it; and its rounds as
    they count. Seven queries at most."""
    report = map_player_reports(event, [entry]).get(entry.number)
    last_round = last_published_round(event)
    draft = get_draft(event)
    seating = forfeitable_seating(entry)
    entry_count = get_latest_snapshot(event, entry_numbers=[entry.number]).counted.get(entry.number)
    table = None if seating is None else seating.table
    return {
        "entry": entry,
        "adjustments": list(entry.adjustments.all()),
        "last_round_number": last_round,
        "next_round": last_round + 1,
        "is_draft_old": draft is not None and any(find_draft_changes(draft, [entry])),
        "attendance_line": None
        if report is None
        else build_history_line(report, {report.details["entry"]: format_full_names(entry)}),
        "open_table": None if table is None else table.number,
        "wins_forfeit": seating is not None and table is not None and forfeit_by(seating, table)["winner"] is not None,
        "ledger": () if entry_count is None else list_counted_rounds(entry_count, defaultdict(str)),
    }


def _count_unseated_next(event: Event, entries: Sequence[Entry], next_round: int) -> UnseatedEntries:
    """Count those without a full table in the next round; zero if a later stage may not include everybody."""
    if next_round > 1 and len(event.plan) > 1:
        return UnseatedEntries()
    return _count_unseated_entries(event, entries)


def _count_unseated_entries(event: Event, entries: Sequence[Entry]) -> UnseatedEntries:
    """Count those without a full table among these entries, over all sections drawn apart."""
    others = [entry for entry in entries if not entry.is_house]
    house_players = [entry for entry in entries if entry.is_house]
    sizes = list_section_sizes(
        event.plan[0], [entry.section for entry in others], house_sections=[entry.section for entry in house_players]
    )
    counts = [count_unseated(event, size) for size in sizes]
    if len(counts) == 1:
        return counts[0]
    return UnseatedEntries(
        byes=sum(count.byes for count in counts), has_table_for_two=any(count.has_table_for_two for count in counts)
    )


def count_unseated(event: Event, entry_count: int) -> UnseatedEntries:
    """Count the entries without a full table if this many play."""
    stage = event.plan[0]
    if FORMATS[stage.format].is_bracket or stage.format in PARTIAL_FORMATS:  # an odd number has no effect there
        return UnseatedEntries()
    if stage.format == POOLS:
        return UnseatedEntries(odd_pools=count_odd_pools(stage, entry_count))
    if not event.draws_partners:
        return UnseatedEntries(byes=entry_count % 2)
    remainder = entry_count % 4
    if remainder >= 2 and has_table_for_two(stage.settings):
        return UnseatedEntries(byes=remainder - 2, has_table_for_two=True)
    return UnseatedEntries(byes=remainder)


def _is_drawn(entry: Entry, round_number: int) -> bool:
    return entry.plays_in(round_number) and round_number not in entry.byes_asked
