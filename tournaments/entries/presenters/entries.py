"""The list of entries, the check-in and the page of one entry."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clubs.models import Family
from engine.draws import FORMATS
from engine.draws.schedules.foursomes import has_table_for_two
from engine.draws.stages import POOLS, odd_pools, section_sizes
from tournaments.entries.queries.entries import entries_of, last_published_round
from tournaments.entries.queries.own_words import own_words_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.history.presenters.history import HistoryLine, history_line, names_at_lines
from tournaments.history.queries import actions_of, numbers_then
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Entry, Event
from tournaments.rounds.presenters.drafts import rounds_without_head_start
from tournaments.rounds.queries.drafts import LEAVES_OUT, changed_since, draft_of
from tournaments.rounds.queries.rounds import forfeit_by, forfeitable_seating
from tournaments.slots import CHECK_IN
from tournaments.standings.presenters.reasons import CountedRound, rounds_of_count
from tournaments.standings.presenters.snapshots import latest_snapshot
from web.money import Due
from web.names import fold_name

SIGN_OFFS = 5
"""Most sign-offs shown beside the list; the history has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOver:
    """Entries without a full table: ``sit_out`` of them in each round, or one in each of ``odd_pools``.
    ``two_play`` if two of them play each other."""

    sit_out: int = 0
    odd_pools: int = 0
    two_play: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff:
    """A sign-off by a player, and the entries admitted from the waiting list in return."""

    line: HistoryLine
    let_in: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesView:
    """The list of entries, by state.

    ``taking_part`` are in the event; ``looking`` are players without a partner; ``waiting`` the others on the
    waiting list; ``gone`` have withdrawn. ``playing`` is the number of entries in the next draw,
    ``left_over`` those of them without a full table. ``not_checked_in`` counts those of them not checked in,
    0 if nobody has checked in. ``added`` are those just added. ``lacks_head_start`` is true if rounds should
    be accelerated but the list gives no strengths. ``sign_offs`` are the last ones before the start, newest
    first.
    """

    taking_part: tuple[Entry, ...]
    waiting: tuple[Entry, ...]
    looking: tuple[Entry, ...]
    gone: tuple[Entry, ...]
    next_round: int
    playing: int
    not_checked_in: int
    left_over: LeftOver
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
        return self.playing == len(self.taking_part)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInView:
    """The entries found by a search, and how many of all are present or absent.

    ``left_over`` is for the next round: in the first one, of those present; later, only if the event has one
    stage. ``families`` have two or more entries not checked in yet, and can check in together.
    ``may_leave_out`` is true if the first draw would include an absent entry. ``dues`` are the fees of each
    entry, by its number; empty if the event is free. ``late`` and ``away`` are the numbers of entries whose
    players said on their own page that they are late or will not come.
    """

    shown: tuple[Entry, ...]
    families: tuple[Family, ...]
    present: int
    absent: int
    may_leave_out: bool
    left_over: LeftOver
    dues: Mapping[int, Due] = field(default_factory=dict)
    late: frozenset[int]
    away: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """One entry.

    ``is_draft_old``: the entry has changed since the draft of the next round. ``said`` is the players' own
    last word on their attendance. ``open_table`` is the table that it can forfeit, and ``wins_forfeit``
    whether anybody would win by it. ``ledger`` has its rounds as they count.
    """

    entry: Entry
    adjustments: Sequence[Adjustment]
    last_round: int
    is_draft_old: bool
    said: HistoryLine | None
    open_table: int | None
    wins_forfeit: bool
    ledger: Sequence[CountedRound]

    @property
    def next_round(self) -> int:
        return self.last_round + 1


def awaited_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return those of the entries that are left out of the draws until they check in. No query."""
    return [
        entry for entry in entries if entry.is_awaited and entry.leaves_after is None and not entry.is_waiting
    ]


def entries_view(event: Event, *, added: Container[int] = ()) -> EntriesView:
    """Build the list; ``added`` are the numbers of entries just added. Two queries."""
    entries = entries_of(event)
    is_preparing = event.state == EventState.PREPARING
    following = 1 if is_preparing else last_published_round(event) + 1
    is_in = [entry for entry in entries if not entry.is_waiting and not entry.has_left(following)]
    drawn = [entry for entry in is_in if _is_drawn(entry, following)]
    playing, present = len(drawn), sum(entry.present_at is not None for entry in drawn)
    return EntriesView(
        taking_part=tuple(is_in),
        waiting=tuple(entry for entry in entries if entry.is_waiting and not entry.looks_for_partner),
        looking=tuple(entry for entry in entries if entry.looks_for_partner),
        gone=tuple(entry for entry in entries if entry.has_left(following)),
        next_round=following,
        playing=playing,
        not_checked_in=playing - present if present else 0,
        left_over=_left_over_of(event, drawn),
        entry_size=event.entry_size,
        added=tuple(entry for entry in entries if entry.number in added),
        lacks_head_start=rounds_without_head_start(event) > 0,
        sign_offs=_sign_offs(event, entries) if is_preparing else (),
    )


def _sign_offs(event: Event, entries: Sequence[Entry]) -> tuple[SignOff, ...]:
    """Return the last sign-offs before the start. Two queries."""
    numbers = numbers_then(event, entries)
    names_at, by_key = names_at_lines(entries, numbers), {entry.pk: entry for entry in entries}
    found = []
    for action in actions_of(event).filter(kind="sign_off", undone_by=None)[:SIGN_OFFS]:
        keys = numbers.at(action.pk)
        let_in = tuple(by_key[keys[number]] for number in action.details["let_in"] if number in keys)
        found.append(SignOff(line=history_line(action, names_at(action.pk)), let_in=let_in))
    return tuple(found)


def check_in_view(event: Event, search: str = "", *, only: Collection[int] = ()) -> CheckInView:
    """Build the check-in list of entries whose names match the search, or of ``only`` these numbers. Four
    queries; eight where a fee is asked."""
    following = last_published_round(event) + 1
    entries = [entry for entry in entries_of(event) if not entry.is_waiting and not entry.has_left(following)]
    present = [entry for entry in entries if entry.present_at is not None]
    drawn = [entry for entry in entries if _is_drawn(entry, following)]
    wanted = fold_name(search)
    awaited = {entry.number for entry in entries if entry.is_awaited}
    said = {
        number: line.details.get("attendance")
        for number, line in own_words_of(event, entries).items()
        if number in awaited
    }
    return CheckInView(
        shown=tuple(
            entry
            for entry in entries
            if (
                entry.number in only if only else wanted in fold_name(" ".join(p.name for p in entry.players))
            )
        ),
        families=() if only else _families_to_come(event, entries),
        present=len(present),
        absent=len(entries) - len(present),
        may_leave_out=following == 1
        and event.state != EventState.ENDED
        and any(entry.present_at is None for entry in drawn),
        left_over=_left_over_next(event, present if following == 1 else drawn, following),
        late=frozenset(number for number, word in said.items() if word == "late"),
        away=frozenset(number for number, word in said.items() if word == "stays_away"),
        **CHECK_IN.values(event, entries),
    )


def _families_to_come(event: Event, entries: Sequence[Entry]) -> tuple[Family, ...]:
    to_come = Counter(
        family
        for entry in entries
        if entry.present_at is None
        for family in {person.family_id for person in entry.players}
    )
    several = [family for family, count in to_come.items() if family is not None and count > 1]
    return tuple(event.club.families.filter(pk__in=several))


def entry_view(event: Event, entry: Entry) -> EntryView:
    """Build the view of one entry. Seven queries at most."""
    said, name_of = own_words_of(event, [entry]).get(entry.number), entries_named_in_full([entry])
    last = last_published_round(event)
    draft = draft_of(event)
    seating = forfeitable_seating(entry)
    counted = latest_snapshot(event, counted=[entry.number]).counted.get(entry.number)
    table = None if seating is None else seating.table
    return EntryView(
        entry=entry,
        adjustments=list(entry.adjustments.all()),
        last_round=last,
        is_draft_old=draft is not None and any(changed_since(draft, [entry])),
        said=None if said is None else history_line(said, {said.details["entry"]: name_of(entry)}),
        open_table=None if table is None else table.number,
        wins_forfeit=seating is not None
        and table is not None
        and forfeit_by(seating, table)["winner"] is not None,
        ledger=() if counted is None else rounds_of_count(counted, defaultdict(str)),
    )


def _left_over_next(event: Event, playing: Sequence[Entry], following: int) -> LeftOver:
    """Count those without a full table in the next round; zero if a later stage may not include everybody."""
    if following > 1 and len(event.plan) > 1:
        return LeftOver()
    return _left_over_of(event, playing)


def _left_over_of(event: Event, playing: Sequence[Entry]) -> LeftOver:
    """Count those without a full table among these entries, over all sections drawn apart."""
    others = [entry for entry in playing if not entry.is_house]
    house = [entry for entry in playing if entry.is_house]
    sizes = section_sizes(
        event.plan[0], [entry.section for entry in others], house=[entry.section for entry in house]
    )
    found = [left_over(event, size) for size in sizes]
    if len(found) == 1:
        return found[0]
    return LeftOver(
        sit_out=sum(each.sit_out for each in found), two_play=any(each.two_play for each in found)
    )


def left_over(event: Event, playing: int) -> LeftOver:
    """Count the entries without a full table if this many play."""
    stage = event.plan[0]
    if FORMATS[stage.format].is_bracket or stage.format in LEAVES_OUT:  # an odd number has no effect there
        return LeftOver()
    if stage.format == POOLS:
        return LeftOver(odd_pools=odd_pools(stage, playing))
    if not event.draws_partners:
        return LeftOver(sit_out=playing % 2)
    over = playing % 4
    if over >= 2 and has_table_for_two(stage.settings):
        return LeftOver(sit_out=over - 2, two_play=True)
    return LeftOver(sit_out=over)


def _is_drawn(entry: Entry, round_number: int) -> bool:
    return entry.plays_in(round_number) and round_number not in entry.byes_asked
