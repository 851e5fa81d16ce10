"""Changes of an event: each is written as a whole, kept in the history, and undone as a whole.

A change records every row that it writes, before and after, and the line-ups of rounds. An undo writes all of
that back, if nothing of it has changed since, and if later changes do not depend on it.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import Q

from clubs.audit.log import AFTER_INDEX, NOBODY, Actor, RecordedChange, RecordedRow
from clubs.models import Club, Person
from engine.draws.lineups import Difference, Lineup, diff_lineups, undo_difference
from errors import Refusal
from live.revisions import Reach, raise_revision, raise_revisions
from scoring.models import Match, Terms, get_desk_topic
from scoring.services.matches import move_matches
from scoring.services.time_calls import call_time, withdraw_time_call
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
    Seating,
    SharedNight,
    Table,
)
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.rulings import RulingKind
from tournaments.rounds.services.seatings import reseat_entry, sync_matches, write_lineup
from tournaments.signals import EventDifference, event_changed

from .locking import lock_event

PLAYER_COLUMNS = {"player_1_id", "player_2_id"}

PARKING_OFFSET = 20_000
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

    def __init__(self, event_id: int, kind: str, by: Actor = NOBODY) -> None:
        """Lock the event. Refuses: no_such_event, led_elsewhere, and what the precondition of ``by`` does."""
        self.event = lock_event(event_id)
        if self.event.is_mirror:
            raise Refusal("led_elsewhere")
        super().__init__(self.event.actions, kind, by)
        self._state_before = self.event.state
        self._seen_before = self.event.visible
        self._final_before = self.event.final
        self._was_public = bool(self.event.public_page)
        self._lineups: dict[int, Difference] = {}
        self._carried: list[Any] = []
        self._rulings: list[list[Any]] = []
        self._is_beside_drafts = False
        self.prepared: Any = None
        """Value that a feature computed before the lock, for its own receiver."""

    def after_update(self, row: models.Model, names: Iterable[str]) -> None:
        """Seat another player of an entry in the entry's seats. The rules of opened matches cannot change.

        Refuses: matches_opened.
        """
        if isinstance(row, Entry) and PLAYER_COLUMNS & set(names):
            reseat_entry(row)
        if isinstance(row, Terms):
            if Match.objects.filter(terms=row).exists():
                raise Refusal("matches_opened", field="length" if "format_data" in names else "ruleset")
            self.event.refresh_from_db(fields=["terms"])

    def renumber_entries(self, entries: Iterable[Entry], numbers: Iterable[int]) -> None:
        """Change the starting numbers of several entries at once."""
        renumbered = [(entry, number) for entry, number in zip(entries, numbers, strict=True) if entry.number != number]
        for entry, number in renumbered:
            self.rows.append(["entry", entry.pk, {"number": entry.number}, {"number": number}])
        _renumber_in_two_steps({entry.pk: number for entry, number in renumbered})
        for entry, number in renumbered:
            entry.number = number

    def seat(self, round_row: Round, lineup: Lineup) -> None:
        """Change the line-up of a round, draft or published."""
        difference = diff_lineups(lineup_of(round_row), lineup)
        if difference:
            write_lineup(round_row, lineup, difference)
            self._lineups[round_row.number] = difference
            self._is_beside_drafts |= round_row.state != RoundState.DRAFT

    def carry_tables(self, played: Round, following: Round, numbers: Collection[int]) -> None:
        """Move tables whose matches go on to the following round, or back to the one before. Refuses:
        rulings_stand."""
        if not numbers:
            return
        before, tables = (lineup_of(played), lineup_of(following)), played.tables.filter(number__in=numbers)
        if tables.filter(ruling__isnull=False).exists():
            raise Refusal("rulings_stand", round=played.number)
        matches = list(tables.values_list("match", flat=True))
        Seating.objects.filter(table__in=tables).update(round=following)
        tables.update(round=following)
        move_matches(match_ids=matches, round_number=following.number)
        for each, lineup in zip((played, following), before, strict=True):
            self._lineups[each.number] = diff_lineups(lineup, lineup_of(each))
        self._carried = [played.number, following.number, sorted(numbers)]
        self._is_beside_drafts = True

    def set_ruling(self, table: Table, ruling: Ruling | None) -> None:
        """Set or remove the director's result of a table, recorded by number: tables come and go with their
        round."""
        self._rulings.append([table.round.number, table.number, table.ruling, ruling])
        table.ruling = ruling
        table.save(update_fields=["ruling"])

    def end_matches(self, tables: Iterable[Table]) -> list[int]:
        """End the matches at these tables as they stand; return the numbers of those that it ended. The marks
        in their logs are undone by another one, so the history has the results."""
        tables_by_match = {table.match.pk: table for table in tables if table.match is not None}
        ended_matches = call_time(match_ids=tables_by_match, account=self.by.account, reason=self.by.reason)
        for match in ended_matches:
            table = tables_by_match[match.pk]
            result = {name: match.summary[name] for name in ("winner", "games_won", "points")}
            self._rulings.append([table.round.number, table.number, None, {"kind": RulingKind.TIME_CALLED, **result}])
        return sorted(tables_by_match[match.pk].number for match in ended_matches)

    def record(self, *, undoes: Action | None = None, **details: Any) -> Action:
        """Update tables and cards, and record the change in the history. Call it last. If only payments were
        written, nothing needs updating, and no pages are refreshed.

        Refuses: changed_since, if the client has asked for this before, and it was taken back meanwhile;
        counts_in_closed_season, where the standings of one would tell of what is no longer released.
        """
        self.check_is_first()
        if not self.is_watched:
            saved_action: Action = self.save(undoes=undoes, details=details, changes=self._recorded_rows)
            return saved_action
        sync_matches(self.event)
        event_changed.send(Event, difference=self._difference)
        details.pop(HIDDEN, None)  # that of the change that it undoes
        hidden_flag = {HIDDEN: True} if self._is_hidden else {}
        action: Action = self.save(undoes=undoes, details=details | hidden_flag, changes=self._recorded_rows)
        desk_reach = {} if self.is_draft_only else {get_desk_topic(self.event.topic): Reach.EVERYBODY}
        raise_revisions({self.event.topic: self._reach} | desk_reach)
        self._refresh_calendars()
        return action

    @property
    def _difference(self) -> EventDifference:
        return EventDifference(
            event=self.event,
            previous_state=self._state_before,
            previous_visibility=self._seen_before,
            previous_final=self._final_before,
            rows=self.rows,
            is_draft_only=self.is_draft_only,
            prepared_value=self.prepared,
        )

    def _refresh_calendars(self) -> None:
        """Refresh the calendars of the club and of guest clubs that show a public event. They are updated in
        a fixed order, so that no two changes wait for each other."""
        is_shown = self._was_public or self.event.public_page
        if not is_shown or all(kind != "event" for kind, *_ in self.rows):
            return
        invited_clubs = InvitedClub.objects.filter(event=self.event, answer=InvitationAnswer.ACCEPTED).values("club")
        for club in Club.objects.filter(Q(pk=self.event.club_id) | Q(pk__in=invited_clubs)).order_by("pk"):
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
        return is_written and states <= {RoundState.DRAFT} and not self._rulings and not self._is_beside_drafts

    @property
    def _reach(self) -> Reach:
        """Readers who may notice the change; publishing and hiding reach everybody."""
        if self.event.public_page:
            return Reach.STAFF if self._is_hidden else Reach.EVERYBODY
        return Reach.WITHDRAWN if self._was_public else Reach.STAFF

    @property
    def _is_hidden(self) -> bool:
        """Whether public pages show none of it."""
        return self.is_draft_only or self._has_only_hidden_results

    @property
    def _has_only_hidden_results(self) -> bool:
        """Whether only results of rounds with hidden results were changed."""
        is_more = self.rows or self._lineups or self.event.visible != self._seen_before
        first_hidden = self.event.visible.first_hidden_round
        is_hidden = first_hidden is not None and all(number >= first_hidden for number, *_ in self._rulings)
        return bool(self._rulings) and is_hidden and not is_more

    @property
    def _recorded_rows(self) -> dict[str, Any]:
        carried = {"carried": self._carried} if self._carried else {}
        return {"rows": self.rows, "lineups": self._lineups, "rulings": self._rulings, **carried}

    def undo_changes(self, action: Action) -> None:
        """Write back everything that an action wrote.

        Refuses: changed_since, if something is no longer as it left it or is needed by what came later.
        """
        rows = action.changes["rows"][::-1]
        carried = action.changes.get("carried")
        if carried and action.kind == "undo":
            raise Refusal("cannot_be_undone")
        try:
            with transaction.atomic():
                self.undo_rows(row for row in rows if row[AFTER_INDEX] is None)
                for number, difference in action.changes["lineups"].items():
                    round_row = self.event.rounds.get(number=number)
                    if not carried or round_row.number != carried[0]:
                        self.seat(round_row, undo_difference(lineup_of(round_row), difference))
                if carried:
                    played, following = (self.event.rounds.get(number=number) for number in carried[:2])
                    self.carry_tables(following, played, carried[2])
                self.undo_rows(row for row in rows if row[AFTER_INDEX] is not None)
                sync_matches(self.event)
                for number, table, before, after in action.changes["rulings"][::-1]:
                    self._undo_ruling(number, table, before, after)
        except (IntegrityError, models.ProtectedError, models.ObjectDoesNotExist):
            raise Refusal("changed_since") from None

    def undo_rows(self, rows: Iterable[RecordedRow]) -> None:
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
        super().undo_rows(others)
        self.renumber_entries(entries.values(), [numbers[pk][0] for pk in entries])

    def get_current_rows(self, kind: str, pks: Iterable[int]) -> dict[int, models.Model]:
        """Return the rows as they are now; the event is the locked one."""
        return {self.event.pk: self.event} if kind == "event" else super().get_current_rows(kind, pks)

    def check_is_deletable(self, kind: str, pks: Collection[int]) -> None:
        """Check that entries may be deleted: adjustments would go with them, and no undo would restore those.
        Refuses: changed_since."""
        if kind == "entry" and Adjustment.objects.filter(entry__in=pks).exists():
            raise Refusal("changed_since")

    def _undo_ruling(self, number: int, table_number: int, before: Any, after: Any) -> None:
        table = Table.objects.select_related("round").get(
            round__event=self.event, round__number=number, number=table_number
        )
        if RulingKind.TIME_CALLED in (ruling["kind"] for ruling in (before, after) if ruling is not None):
            self._undo_time_call(table, is_called=after is not None)
            self._rulings.append([number, table_number, after, before])
            return
        if table.ruling != after:
            raise Refusal("changed_since")
        self.set_ruling(table, before)

    def _undo_time_call(self, table: Table, *, is_called: bool) -> None:
        """Let the match at a table go on, or end it again. Refuses: changed_since."""
        arguments: Any = {"match_ids": [table.match_id], "account": self.by.account, "reason": self.by.reason}
        if is_called:
            withdraw_time_call(**arguments)
        elif not call_time(**arguments):
            raise Refusal("changed_since")


def _renumber_in_two_steps(numbers: dict[int, int]) -> None:
    """Change starting numbers in two steps, since those of an event are all different at any moment."""
    entries = Entry.objects.filter(pk__in=numbers)
    entries.update(number=models.F("number") + PARKING_OFFSET)
    parked_entries = list(entries)
    for entry in parked_entries:
        entry.number = numbers[entry.pk]
    Entry.objects.bulk_update(parked_entries, ["number"])
