"""Phones at the tables as the desk sees them, and the marks that came late from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from rules import MatchState, Side
from scoring import queries
from scoring.fold import fold_match
from scoring.late_marks import find_late_marks
from scoring.models import Mark, Match, RefusedMark, TablePhone

from .lines import HandLineView, build_line
from .rows import SILENT_AFTER
from .sides import SideView, build_sides

NEW_MATCH_DELAY = timedelta(minutes=2)
"""Time within which a polling phone shows a newly opened match."""
UPDATE_DELAY = timedelta(minutes=1)
"""Time within which a phone has the latest hand, and knows that the round is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneNotice:
    """A table whose phones need attention.

    ``unsent`` entries wait on phones that were last heard ``minutes`` ago; ``is_silent``: none of its phones
    was heard for as long; ``is_behind``: all of them show an earlier match than the one played there.
    """

    match_id: int
    table: int
    minutes: int
    unsent: int
    is_silent: bool
    is_behind: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesView:
    """The phones of an evening.

    The hands of its last round were in so many ``places`` ``seconds`` ago, when those phones were heard: on
    this server and on phones of their table, except for the tables where they are ``only_here``. ``places``
    is 0 if nothing is marked, or no phone has it. ``late`` are the tables with late entries in this round.
    """

    notices: list[PhoneNotice] = field(default_factory=list)
    places: int = 0
    seconds: int = 0
    only_here: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)

    @property
    def phones(self) -> int:
        """Number of phones at each table that have the hands."""
        return self.places - 1

    @property
    def minutes(self) -> int:
        return self.seconds // 60


def build_phones_view(topic: str, *, now: datetime) -> PhonesView:
    """Return the current state of the phones of an evening. Three queries."""
    matches = queries.list_last_round_matches(topic)
    if not matches:
        return PhonesView()
    phones_by_card: dict[int, list[TablePhone]] = {}
    for phone in queries.list_phones(topic):
        phones_by_card.setdefault(phone.card_id, []).append(phone)
    marked_matches = [match for match in matches if match.last_marked_at is not None]
    copy_times = {
        match: _list_copy_times(match, phones_by_card.get(match.card_id, []), now) for match in marked_matches
    }
    phones = min((len(moments) for moments in copy_times.values() if moments), default=0)
    oldest = min((moments[phones - 1] for moments in copy_times.values() if moments), default=now)
    late_tables = queries.list_late_tables(topic, min(match.opened_at for match in matches))
    return PhonesView(
        notices=_build_notices(matches, phones_by_card, now),
        places=1 + phones if phones else 0,
        seconds=max(0, int((now - oldest).total_seconds())),
        only_here=[match.card.number for match, moments in copy_times.items() if not moments],
        late=sorted(late_tables),
    )


def _list_copy_times(match: Match, phones: Iterable[TablePhone], now: datetime) -> list[datetime]:
    """Return when each phone that has the hands of a match was heard, the last one first.

    A phone learns of the latest hand, and of the end of the round, with its next request; until then it has
    what was before.
    """
    assert match.last_marked_at is not None
    changed_at = max(match.last_marked_at, match.closed_at or match.last_marked_at)
    is_recent = now - changed_at < UPDATE_DELAY
    moments = []
    for phone in phones:
        shown_revision = phone.revision_shown or 0
        if phone.match_shown == match.pk and shown_revision >= match.revision:
            moments.append(phone.heard_at)
        elif phone.match_shown == match.pk and is_recent and shown_revision == match.revision - 1:
            moments.append(min(phone.heard_at, changed_at))
    return sorted(moments, reverse=True)


def _build_notices(
    matches: Iterable[Match], phones_by_card: Mapping[int, Sequence[TablePhone]], now: datetime
) -> list[PhoneNotice]:
    """Return the notices: unsent hands first, then silent tables, then those that are behind."""
    notices = [_build_notice(match, phones_by_card.get(match.card_id, []), now) for match in matches]
    return sorted(
        (notice for notice in notices if notice.unsent or notice.is_silent or notice.is_behind),
        key=lambda notice: (notice.unsent == 0, not notice.is_silent, notice.table),
    )


def _build_notice(match: Match, phones: Sequence[TablePhone], now: datetime) -> PhoneNotice:
    unsent = [phone for phone in phones if phone.waiting]
    last_report_at = max((phone.heard_at for phone in unsent or phones), default=match.opened_at)
    is_played = not match.is_over and match.closed_at is None and bool(phones)
    shown_matches = [phone.match_shown for phone in phones if phone.match_shown is not None]
    is_overdue = now - match.opened_at >= NEW_MATCH_DELAY
    return PhoneNotice(
        match_id=match.pk,
        table=match.card.number,
        minutes=max(0, int((now - last_report_at).total_seconds() // 60)),
        unsent=sum(phone.waiting for phone in unsent),
        is_silent=is_played and now - max(last_report_at, match.opened_at) >= SILENT_AFTER,
        is_behind=is_played and is_overdue and bool(shown_matches) and max(shown_matches) < match.pk,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LateHand:
    """A hand that arrived ``at`` a moment, ``minutes`` after it was tapped. ``refusal`` is its code, "" if
    the hand was recorded."""

    line: HandLineView
    minutes: int
    at: datetime
    refusal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateAgreement:
    """An agreement of ``side`` that arrived ``at`` a moment, ``minutes`` after it was tapped."""

    side: SideView
    game: int
    minutes: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LateScore:
    """Score of a match: points of its current game, or of all once it is over, and games won."""

    points: tuple[int, int]
    games_won: tuple[int, int]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LateTable:
    """A table with late entries.

    ``before`` is its score without them, ``after`` when the last of them had arrived, and ``now`` the current
    one. All three are None if no late hand was recorded.
    """

    match: Match
    sides: tuple[SideView, SideView]
    lines: tuple[LateHand, ...]
    agreements: tuple[LateAgreement, ...]
    before: LateScore | None
    after: LateScore | None
    now: LateScore | None

    @property
    def was_counted(self) -> bool:
        """Whether the match was over without the late entries, so that its result was in the standings."""
        return self.before is not None and self.before.is_over

    @property
    def is_score_changed(self) -> bool:
        return self.before != self.after

    @property
    def is_changed_later(self) -> bool:
        return self.after != self.now


def build_late_tables(topic: str) -> list[LateTable]:
    """Return the tables of an evening with late entries, the latest round first. Five queries."""
    return [_build_table(match) for match in queries.list_late_matches(topic)]


def _build_table(match: Match) -> LateTable:
    sides = build_sides(match, fold_match(match, []))
    late_marks = find_late_marks(match)
    marks: list[Mark | RefusedMark] = [*(late_marks.marks if late_marks else ()), *match.refused_marks.all()]
    return LateTable(
        match=match,
        sides=sides,
        lines=tuple(_build_line(match, mark, sides) for mark in marks),
        agreements=tuple(
            LateAgreement(
                side=sides[agreement.side], game=agreement.game, minutes=agreement.waited // 60, at=agreement.created_at
            )
            for agreement in match.ordered_agreements
            if agreement.waited
        ),
        before=None if late_marks is None else _build_score(late_marks.state_before),
        after=None if late_marks is None else _build_score(late_marks.state_after),
        now=None if late_marks is None else _build_score(late_marks.current_state),
    )


def _build_line(match: Match, mark: Mark | RefusedMark, sides: tuple[SideView, SideView]) -> LateHand:
    ruleset = match.ruleset
    line = build_line(mark.number, mark.record(ruleset), sides, ruleset)
    return LateHand(
        line=replace(line, mark=mark) if isinstance(mark, Mark) else line,
        minutes=mark.waited // 60,
        at=mark.created_at,
        refusal="" if isinstance(mark, Mark) else mark.code,
    )


def _build_score(state: MatchState) -> LateScore:
    points = state.points if state.is_over else state.game.points
    return LateScore(
        points=(points[Side.A], points[Side.B]),
        games_won=(state.games_won[Side.A], state.games_won[Side.B]),
        is_over=state.is_over,
    )
