"""Changes of an event: each is written as a whole, kept in the history, and undone as a whole.

A change records every row that it writes, before and after, and the line-ups of rounds. An undo writes all of
that back, if nothing of it has changed since, and if later changes do not depend on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import Q

from clubs.audit.log import AFTER, NOBODY, Actor, RecordedChange, RecordedRow
from clubs.models import Club, Person
from engine.draws.lineups import Difference, Lineup, lineup_difference, undo_difference
from errors import Refusal
from live.revisions import Reach, raise_revision, raise_revisions
from scoring.models import Match, Terms, desk_topic
from scoring.services import call_time, withdraw_time
from tournaments.lifecycle import RoundState
from tournaments.models import (
    HIDDEN,
    Action,
    Adjustment,
    Entry,
    Event,
    Fee,
    InvitationAnswer,
    InvitedClub,
    Prize,
    PrizeCategory,
    Round,
    Ruling,
    SharedNight,
    Table,
)
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.rulings import RulingKind
from tournaments.rounds.services.seatings import reseat_entry, sync_matches, write_lineup
from tournaments.signals import EventDifference, event_changed

from .locking import locked_event

PLAYERS = {"player_1_id", "player_2_id"}

PARKED = 20_000
"""Added to starting numbers while several change at once: no two entries may have the same number."""


class Change(RecordedChange):
    """A change of an event, which stays locked until the transaction ends.

    Rows are recorded one by one; line-ups and the director's results are recorded beside them.
    """

    KINDS = {
        "event": Event,
        "terms": Terms,
        "entry": Entry,
        "round": Round,
        "adjustment": Adjustment,
        "sharednight": SharedNight,
        "fee": Fee,
        "prize": Prize,
        "prizecategory": PrizeCategory,
        "person": Person,
    }
    NAMED_BY = {
        "event": ("name",),
        "terms": (),
        "entry": ("player_1_id", "player_2_id"),
        "round": ("number",),
        "adjustment": ("entry_id",),
        "sharednight": ("season_id",),
        "fee": ("person_id",),
        "prize": ("name",),
        "prizecategory": ("name",),
        "person": ("name",),
    }
    NOT_RECORDED = {"round": frozenset({"draft"}), "event": frozenset({"created_at"})}
    """Columns that are not recorded; a draft is recorded as a line-up."""

    def __init__(self, event_id: int, kind: str, by: Actor = NOBODY) -> None:
        """Lock the event. Refuses: no_such_event, led_elsewhere, and what the precondition of ``by`` does."""
        self.event = locked_event(event_id)
        if self.event.is_mirror:
            raise Refusal("led_elsewhere")
        super().__init__(self.event.actions, kind, by)
        if by.precondition is not None and not self.is_repeat:
            by.precondition()
        self._state_before = self.event.state
        self._seen_before = self.event.visible
        self._final_before = self.event.final
        self._was_public = bool(self.event.public_page)
        self._lineups: dict[int, Difference] = {}
        self._rulings: list[list[Any]] = []
        self._is_beside_drafts = False
        self.prepared: Any = None
        """Value that a feature computed before the lock, for its own receiver."""

    def follow_alteration(self, row: models.Model, names: Iterable[str]) -> None:
        """Seat another player of an entry in the entry's seats. The rules of opened matches cannot change.

        Refuses: matches_opened.
        """
        if isinstance(row, Entry) and PLAYERS & set(names):
            reseat_entry(row)
        if isinstance(row, Terms):
            if Match.objects.filter(terms=row).exists():
                raise Refusal("matches_opened", field="length" if "format_data" in names else "ruleset")
            self.event.refresh_from_db(fields=["terms"])

    def renumber(self, entries: Iterable[Entry], numbers: Iterable[int]) -> None:
        """Change the starting numbers of several entries at once."""
        moved = [
            (entry, number) for entry, number in zip(entries, numbers, strict=True) if entry.number != number
        ]
        for entry, number in moved:
            self.rows.append(["entry", entry.pk, {"number": entry.number}, {"number": number}])
        _renumber({entry.pk: number for entry, number in moved})
        for entry, number in moved:
            entry.number = number

    def seat(self, drawn: Round, lineup: Lineup) -> None:
        """Change the line-up of a round, draft or published."""
        done = lineup_difference(lineup_of(drawn), lineup)
        if done:
            write_lineup(drawn, lineup, done)
            self._lineups[drawn.number] = done
            self._is_beside_drafts |= drawn.state != RoundState.DRAFT

    def rule(self, table: Table, ruling: Ruling | None) -> None:
        """Set or remove the director's result of a table, recorded by number: tables come and go with their
        round."""
        self._rulings.append([table.round.number, table.number, table.ruling, ruling])
        table.ruling = ruling
        table.save(update_fields=["ruling"])

    def call_time(self, tables: Iterable[Table]) -> list[int]:
        """End the matches at these tables as they stand; return the numbers of those that it ended. The marks
        in their logs are undone by another one, so the history has the results."""
        by_match = {table.match.pk: table for table in tables if table.match is not None}
        ended = call_time(match_ids=by_match, account=self.by.account, reason=self.by.reason)
        for match in ended:
            table = by_match[match.pk]
            result = {name: match.summary[name] for name in ("winner", "games_won", "points")}
            self._rulings.append(
                [table.round.number, table.number, None, {"kind": RulingKind.TIME_CALLED, **result}]
            )
        return sorted(by_match[match.pk].number for match in ended)

    def record(self, *, undoes: Action | None = None, **details: Any) -> Action:
        """Update tables and cards, and record the change in the history. Call it last. If only payments were
        written, nothing needs updating, and no pages are refreshed.

        Refuses: changed_since, if the client has asked for this before, and it was taken back meanwhile;
        counts_in_closed_season, where the standings of one would tell of what is no longer released.
        """
        self.check_is_first()
        if not self.is_watched:
            kept: Action = self.keep(undoes=undoes, details=details, changes=self._recorded_rows)
            return kept
        sync_matches(self.event)
        event_changed.send(Event, difference=self._difference)
        details.pop(HIDDEN, None)  # that of the change that it undoes
        noticed = {HIDDEN: True} if self._is_hidden else {}
        action: Action = self.keep(undoes=undoes, details=details | noticed, changes=self._recorded_rows)
        of_desk = {} if self.is_draft_only else {desk_topic(self.event.topic): Reach.EVERYBODY}
        raise_revisions({self.event.topic: self._reach} | of_desk)
        self._tell_calendars()
        return action

    @property
    def _difference(self) -> EventDifference:
        return EventDifference(
            event=self.event,
            state_before=self._state_before,
            seen_before=self._seen_before,
            final_before=self._final_before,
            rows=self.rows,
            is_draft_only=self.is_draft_only,
            prepared=self.prepared,
        )

    def _tell_calendars(self) -> None:
        """Refresh the calendars of the club and of guest clubs that show a public event. They are updated in
        a fixed order, so that no two changes wait for each other."""
        is_shown = self._was_public or self.event.public_page
        if not is_shown or all(kind != "event" for kind, *_ in self.rows):
            return
        invited = InvitedClub.objects.filter(event=self.event, answer=InvitationAnswer.ACCEPTED).values(
            "club"
        )
        for club in Club.objects.filter(Q(pk=self.event.club_id) | Q(pk__in=invited)).order_by("pk"):
            raise_revision(club.calendar_topic)

    @property
    def is_watched(self) -> bool:
        """Whether an open page may show it: no open page shows payments alone."""
        return {kind for kind, *_ in self.rows} != {"fee"}

    @property
    def is_draft_only(self) -> bool:
        """Whether only drafts were written, which public pages never show."""
        states = {
            side.get("state") if kind == "round" else kind
            for kind, _, before, after in self.rows
            for side in (before, after)
            if side is not None
        }
        is_written = bool(self.rows or self._lineups)
        return (
            is_written and states <= {RoundState.DRAFT} and not self._rulings and not self._is_beside_drafts
        )

    @property
    def _reach(self) -> Reach:
        """Readers who may notice the change; publishing and hiding reach everybody."""
        if self.event.public_page:
            return Reach.STAFF if self._is_hidden else Reach.EVERYBODY
        return Reach.WITHDRAWN if self._was_public else Reach.STAFF

    @property
    def _is_hidden(self) -> bool:
        """Whether public pages show none of it."""
        return self.is_draft_only or self._is_kept_back

    @property
    def _is_kept_back(self) -> bool:
        """Whether only results of rounds with hidden results were changed."""
        is_more = self.rows or self._lineups or self.event.visible != self._seen_before
        hidden = self.event.visible.hidden_from
        is_hidden = hidden is not None and all(number >= hidden for number, *_ in self._rulings)
        return bool(self._rulings) and is_hidden and not is_more

    @property
    def _recorded_rows(self) -> dict[str, Any]:
        return {"rows": self.rows, "lineups": self._lineups, "rulings": self._rulings}

    def take_back(self, action: Action) -> None:
        """Write back everything that an action wrote.

        Refuses: changed_since, if something is no longer as it left it or is needed by what came later.
        """
        rows = action.changes["rows"][::-1]
        try:
            with transaction.atomic():
                self.take_back_rows(row for row in rows if row[AFTER] is None)
                for number, done in action.changes["lineups"].items():
                    drawn = self.event.rounds.get(number=number)
                    self.seat(drawn, undo_difference(lineup_of(drawn), done))
                self.take_back_rows(row for row in rows if row[AFTER] is not None)
                sync_matches(self.event)
                for number, table, before, after in action.changes["rulings"][::-1]:
                    self._take_back_ruling(number, table, before, after)
        except (IntegrityError, models.ProtectedError, models.ObjectDoesNotExist):
            raise Refusal("changed_since") from None

    def take_back_rows(self, rows: Iterable[RecordedRow]) -> None:
        """Write these rows back; starting numbers all at once, since no two entries may have the same at any
        moment."""
        others, numbers = [], {}
        for kind, pk, before, after in rows:
            if kind == "entry" and before is not None and set(before) == {"number"}:
                numbers[pk] = (before["number"], after["number"])
            else:
                others.append([kind, pk, before, after])
        entries = Entry.objects.in_bulk(numbers)
        if any(pk not in entries or entries[pk].number != now for pk, (_, now) in numbers.items()):
            raise Refusal("changed_since")
        super().take_back_rows(others)
        self.renumber(entries.values(), [numbers[pk][0] for pk in entries])

    def current_rows(self, kind: str, pks: Iterable[int]) -> dict[int, models.Model]:
        """Return the rows as they are now; the event is the locked one."""
        return {self.event.pk: self.event} if kind == "event" else super().current_rows(kind, pks)

    def check_may_go(self, kind: str, pks: Collection[int]) -> None:
        """Check that entries may be deleted: adjustments would go with them, and no undo would restore those.
        Refuses: changed_since."""
        if kind == "entry" and Adjustment.objects.filter(entry__in=pks).exists():
            raise Refusal("changed_since")

    def _take_back_ruling(self, number: int, table_number: int, before: Any, after: Any) -> None:
        table = Table.objects.select_related("round").get(
            round__event=self.event, round__number=number, number=table_number
        )
        if RulingKind.TIME_CALLED in (ruling["kind"] for ruling in (before, after) if ruling is not None):
            self._take_back_time(table, is_called=after is not None)
            self._rulings.append([number, table_number, after, before])
            return
        if table.ruling != after:
            raise Refusal("changed_since")
        self.rule(table, before)

    def _take_back_time(self, table: Table, *, is_called: bool) -> None:
        """Let the match at a table go on, or end it again. Refuses: changed_since."""
        by: Any = {"match_ids": [table.match_id], "account": self.by.account, "reason": self.by.reason}
        if is_called:
            withdraw_time(**by)
        elif not call_time(**by):
            raise Refusal("changed_since")


def _renumber(numbers: dict[int, int]) -> None:
    """Change starting numbers in two steps, since those of an event are all different at any moment."""
    entries = Entry.objects.filter(pk__in=numbers)
    entries.update(number=models.F("number") + PARKED)
    moved = list(entries)
    for entry in moved:
        entry.number = numbers[entry.pk]
    Entry.objects.bulk_update(moved, ["number"])
