"""Conversion of a Swiss tournament in FIDE's report format (TRF) to an event file, for import.

A report has no hands, full names, settings or tables. Reports of this program have these in a comment,
``EXTENSION`` of ``engine.draws.trf``; results and attendance always come from the report's own lines. In a
report of another program, an entry of two people is written “A / B”.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from itertools import chain
from math import gcd
from operator import itemgetter
from string import ascii_uppercase
from typing import Any

from engine.draws import EntryId, PlayedPairing, ReasonCode
from engine.draws.trf import PointSystem, ReportEntry, TrfAbsence, TrfReport
from engine.ranking import METRICS, Bye, MetricScope, RankingRules, UnplayedOpponent
from engine.results import entrant_from_json
from errors import Refusal
from rules import RULESETS, MatchFormat, Ruleset, Side, fold
from scoring.fold import summary_of
from tournaments.events.event_settings import (
    EventSettings,
    event_settings_from_json,
    event_settings_to_json,
)
from tournaments.fee_rates import Rates
from tournaments.lifecycle import EventState, RoundState
from web.names import clean_text, strange_character

from .form import MARK, VERSION, Content
from .verifying.rounds import BROKEN
from .writer import with_sums

LONGEST_NAME = 33
BETWEEN = " / "
"""Separator of the two names of an entry."""
_BETWEEN = re.compile(r"\s*/\s*|\s+(?:&|et|and)\s+")
_DAYS = ("%Y/%m/%d", "%y/%m/%d", "%Y-%m-%d", "%Y.%m.%d", "%d.%m.%Y")

TIEBREAKS: Mapping[str, str] = {
    "PTS": "match_points",
    "WIN": "match_wins",
    "DE": "head_to_head",
    "PS": "progressive",
    "BH": "buchholz",
    "BH-C1": "buchholz_cut_1",
    "BH-M1": "buchholz_median",
    "SB": "sonneborn_berger",
}
"""FIDE's codes of tiebreaks, with the metric of each. Those of opponents count unplayed rounds with a cap."""

WORTH: Mapping[Bye, int] = {Bye.WIN: 10, Bye.DRAW: 5, Bye.NOTHING: 0}
"""Value of an unplayed round in a report, in tenths of a point."""
LETTERS: Mapping[Bye, TrfAbsence] = {
    Bye.WIN: TrfAbsence.FULL,
    Bye.DRAW: TrfAbsence.HALF,
    Bye.NOTHING: TrfAbsence.ZERO,
}

Plain = Mapping[str, Any]


def trf_name(players: Sequence[str]) -> str:
    """Return the name of an entry in a report. If two names are too long, each gets half of the columns."""
    name = BETWEEN.join(players)
    if len(name) <= LONGEST_NAME or len(players) == 1:
        return name[:LONGEST_NAME].strip()
    half = (LONGEST_NAME - len(BETWEEN)) // 2
    return BETWEEN.join(player[:half].strip() for player in players)


def trf_tiebreaks(rules: RankingRules) -> tuple[str, ...]:
    """Return FIDE's codes for the ranking; empty if a metric has no code, or counts otherwise."""
    codes = {metric: code for code, metric in TIEBREAKS.items()}
    is_fides = rules.unplayed_opponent is UnplayedOpponent.CAPPED
    known = all(
        key in codes and (is_fides or METRICS[key].scope is not MetricScope.OPPONENTS) for key in rules.order
    )
    return tuple(codes[key] for key in rules.order) if known else ()


def trf_extension(content: Content, entries: Sequence[Plain]) -> str:
    """Return what a report of these entries cannot say otherwise, as one line of ASCII."""
    names, numbers = content["people"], {entry["number"] for entry in entries}
    return json.dumps(
        {
            MARK: VERSION,
            "settings": content["event"]["settings"],
            "lot": content["event"]["lot"],
            "kept_apart": [
                kept for kept in content["event"].get("kept_apart", ()) if numbers.issuperset(kept["entries"])
            ],
            "entries": [
                {
                    **entry,
                    "players": [names[person - 1] for person in entry["players"]],
                    "signed_up_at": None,
                    "present_at": None,
                }
                for entry in entries
            ],
            "tables": [
                [drawn["number"], table["number"], *table["a"], *table["b"], *_result_of(table)]
                for drawn in content["rounds"]
                if drawn["state"] != RoundState.DRAFT
                for table in drawn["tables"]
                if numbers.issuperset((*table["a"], *table["b"]))
            ],
        },
        separators=(",", ":"),
        sort_keys=True,
    )


def _result_of(table: Plain) -> list[Any]:
    """Return winner, games and points of a table; None for all if no cards count."""
    counted = table["ruling"]
    if counted is None and table["match"] is not None and table["match"]["is_over"]:
        counted = table["match"]["summary"]
    if counted is None or counted.get("kind") == "forfeit":
        return [None, None, None]
    return [counted["winner"], counted["games_won"], counted["points"]]


def event_file_of_trf(report: TrfReport, *, ruleset: Ruleset, held_on: date | None = None) -> Content:
    """Convert a report to an event file that ``verify`` accepts.

    The club's ``ruleset`` is used, unless the report is one of ours; a ruleset for two where each entry is
    one person. ``held_on`` is for a report that has no date.
    Refuses: day_required, report_pairs_mixed, report_worth, report_extension, what ``RankingRules`` refuses.
    """
    held_on = _day_of(report) or held_on
    if held_on is None:
        raise Refusal("day_required", field="report_day")
    try:
        return _EventOfReport(report, ruleset, held_on).content()
    except BROKEN:
        if not report.extension:
            raise
        raise Refusal("report_extension", field="report") from None


def _day_of(report: TrfReport) -> date | None:
    for form in _DAYS:
        try:
            return datetime.strptime(report.starts_on, form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


@dataclass(frozen=True)
class _EventOfReport:
    report: TrfReport
    ruleset: Ruleset
    held_on: date

    def content(self) -> Content:
        """Build the whole file."""
        settings, said = self._settings(), self._comment
        people = [name for players in self._players for name in players]
        first = 1
        entries = []
        for line, players in zip(self._entries, self._players, strict=True):
            entries.append({**line, "players": list(range(first, first + len(players)))})
            first += len(players)
        return with_sums(
            {
                "place": {"club": "", "short": "", "counted_at": None},
                "event": {
                    "name": (self.report.name or self.report.city or "TRF")[:80],
                    "held_on": self.held_on.isoformat(),
                    "state": self._state(),
                    "settings": event_settings_to_json(settings),
                    "lot": said.get("lot", 0),
                    **self._kept_apart(),
                },
                "entries": entries,
                "people": people,
                "adjustments": [],
                "rounds": [
                    self._round(number, settings, entries)
                    for number in range(1, self.report.rounds_played + 1)
                ],
                "set_aside": [],
                "standings": None,
            }
        )

    @cached_property
    def _comment(self) -> Plain:
        """Data in this program's comment; empty in a report of another program."""
        said = json.loads(self.report.extension or "{}")
        if not isinstance(said, dict):
            raise TypeError("our comment is an object")
        return said

    @cached_property
    def _players(self) -> list[list[str]]:
        """Names of each entry, in the order of the report."""
        found = []
        for entry in self.report.entries:
            line = self._comment_line(entry)
            known = [] if line is None else line["players"]
            is_same = bool(known) and trf_name(known) == entry.name
            names = known if is_same else [_in_order(name) for name in _BETWEEN.split(entry.name)]
            found.append([_without_digits(name, entry.id) for name in names])
        sizes = {len(players) for players in found}
        if len(sizes) > 1 or not sizes <= {1, 2}:
            most = 2 if 2 in sizes else 1
            other = next(
                entry.id
                for entry, names in zip(self.report.entries, found, strict=True)
                if len(names) != most
            )
            raise Refusal("report_pairs_mixed", field="report", entry=other)
        return found

    @property
    def _size(self) -> int:
        return len(self._players[0]) if self._players else self.ruleset.seats // 2

    @cached_property
    def _numbers(self) -> Mapping[EntryId, int]:
        """Number of each entry in the event: that of our comment, since lots depend on it."""
        said = [int(line["number"]) for line in self._comment.get("entries", ())]
        more = max(said, default=0) - len(said)
        return {
            entry.id: said[entry.id - 1] if entry.id <= len(said) else entry.id + more
            for entry in self.report.entries
        }

    def _comment_line(self, entry: ReportEntry) -> dict[str, Any] | None:
        """Return the entry from our comment; None for one that another program added."""
        lines = self._comment.get("entries", ())
        return dict(lines[entry.id - 1]) if entry.id <= len(lines) else None

    @cached_property
    def _entries(self) -> list[dict[str, Any]]:
        """Entries of the event file, without their people."""
        return [self._entry(entry) for entry in self.report.entries]

    def _entry(self, entry: ReportEntry) -> dict[str, Any]:
        line = self._comment_line(entry) or {
            "section": "",
            "team": entry.team,
            "table": None,
            "is_waiting": False,
            "signed_up_at": None,
            "present_at": None,
            "arrives": 1,
            "leaves_after": None,
            "absent": [],
            "byes_asked": [],
        }
        line |= {"number": self._numbers[entry.id], "rating": line.get("rating") or entry.rating or None}
        told = entrant_from_json(line)
        rounds = range(1, self.report.rounds_played + 2)
        sits_out = {number for number in rounds if not told.is_present(number) or number in told.byes_asked}
        if sits_out == entry.out.keys() & set(rounds):
            return line
        line.pop("withdrawn", None)
        absent = {number for number, out in entry.out.items() if out is TrfAbsence.ZERO}
        asked = {
            number
            for number, letter in entry.out.items()
            if letter is self._letter_asked or number > self.report.rounds_played
        }
        return line | {
            "arrives": 1,
            "leaves_after": None,
            "absent": sorted(absent),
            "byes_asked": sorted(asked - absent),
        }

    @cached_property
    def _letter_asked(self) -> TrfAbsence:
        """Letter of a requested bye: half a point. It is a full point if the report has full points and no
        half points."""
        letters = set(chain.from_iterable(entry.out.values() for entry in self.report.entries))
        is_full = TrfAbsence.FULL in letters and TrfAbsence.HALF not in letters
        return TrfAbsence.FULL if is_full else TrfAbsence.HALF

    def _settings(self) -> EventSettings:
        tables = max((len(those) for those in self._tables.values()), default=0)
        needed = max(1, tables, len(self.report.entries) // 2)
        if "settings" in self._comment:
            settings = event_settings_from_json(self._comment["settings"])
            return replace(settings, table_count=max(settings.table_count, needed))
        ruleset = self.ruleset if self.ruleset.seats == 2 * self._size else RULESETS[_FOR[self._size]]
        rounds = {} if self.report.rounds is None else {"rounds": self.report.rounds}
        return EventSettings(
            ruleset=ruleset,
            rules_name="",
            match_format=MatchFormat(games_to_win=ruleset.games_to_win),
            details=(),
            table_count=needed,
            stages=({"format": "swiss", **rounds},),
            ranking=self._ranking(),
            sections=(),
            is_seeded=True,
            rates=Rates(),
        )

    def _ranking(self) -> RankingRules:
        points = self.report.points
        step = gcd(points.win, points.draw, points.loss) or 1
        codes = (code.replace("/", "-") for code in self.report.tiebreaks)
        told = [TIEBREAKS[code] for code in codes if code in TIEBREAKS]
        absent = _worth(points, points.absence)
        return RankingRules(
            order=tuple(dict.fromkeys(("match_points", *told))),
            win=points.win // step,
            draw=points.draw // step,
            loss=points.loss // step,
            bye=_worth(points, points.bye),
            requested_bye=_worth(points, points.worth(self._letter_asked)),
            late=absent,
            absent=absent,
            unplayed_opponent=UnplayedOpponent.CAPPED,
        )

    def _state(self) -> str:
        report = self.report
        if not report.rounds_played:
            return EventState.PREPARING.value
        is_over = report.rounds is not None and report.rounds_played >= report.rounds and not report.pending
        return (EventState.ENDED if is_over else EventState.RUNNING).value

    def _kept_apart(self) -> dict[str, Any]:
        groups = [*((None, group) for group in self.report.apart), *self.report.apart_first]
        kept = self._comment.get(
            "kept_apart",
            [
                {
                    "entries": sorted({self._numbers[entry] for entry in group}),
                    "always": True,
                    "rounds": rounds,
                }
                for rounds, group in groups
                if len(set(group)) > 1
            ],
        )
        return {"kept_apart": kept} if kept else {}

    @cached_property
    def _tables(self) -> Mapping[int, list[tuple[PlayedPairing, bool]]]:
        """Tables by round, each with whether it has a result."""
        found: dict[int, list[tuple[PlayedPairing, bool]]] = {}
        for played, is_decided in chain(
            ((played, True) for played in self.report.history if played.b),
            ((played, False) for played in self.report.pending),
        ):
            found.setdefault(played.round, []).append((played, is_decided))
        return found

    def _round(self, number: int, settings: EventSettings, entries: Sequence[Plain]) -> dict[str, Any]:
        at = f"{self.held_on}T12:00:00+00:00"
        is_open = not all(is_decided for _, is_decided in self._tables.get(number, ()))
        closed_at = None if is_open else at
        tables = sorted(self._tables_of_round(number, settings, entries), key=itemgetter("number"))
        for table in tables:
            table["match"] |= {"opened_at": at, "closed_at": closed_at}
        return {
            "number": number,
            "state": (RoundState.PUBLISHED if is_open else RoundState.CLOSED).value,
            "published_at": at,
            "started_at": None,
            "closed_at": closed_at,
            "draw": {
                "format": "manual",
                "settings": {},
                "seed": 0,
                "order": [],
                "drawn_from": None,
                "price": {},
                "certificate": None,
                "held": [],
            },
            "tables": tables,
            "byes": list(self._byes_of_round(number, entries)),
            "by_hand": [],
            "rulings": [
                {
                    "at": at,
                    "by": self.report.arbiter[:80],
                    "origin": "",
                    "kind": "forfeit_table" if table["ruling"]["kind"] == "forfeit" else "adjust_table",
                    "reason": "",
                    "table": table["number"],
                    "before": None,
                    "after": table["ruling"],
                }
                for table in tables
                if table["ruling"] is not None
            ],
        }

    def _tables_of_round(
        self, number: int, settings: EventSettings, entries: Sequence[Plain]
    ) -> Iterator[dict[str, Any]]:
        """Yield the tables, each with a match without marks, which is still open if there is no result."""
        players = {line["number"]: line["players"] for line in entries}
        said = {tuple(line[2:4]): line for line in self._comment.get("tables", ()) if line[0] == number}
        sides = [
            (self._numbers[played.a[0]], self._numbers[played.b[0]])
            for played, _ in self._tables.get(number, ())
        ]
        wanted = [said[both][1] if both in said else None for both in sides]
        is_numbered = None not in wanted and len(set(wanted)) == len(wanted)
        state = fold(settings.ruleset, settings.match_format, ())
        for place, (played, is_decided) in enumerate(self._tables.get(number, ())):
            a, b = sides[place]
            yield {
                "number": wanted[place] if is_numbered else place + 1,
                "slot": "",
                "a": [a],
                "b": [b],
                "reasons": [],
                "ruling": _ruling(played, said.get((a, b)), settings) if is_decided else None,
                "match": {
                    "first_dealer": None,
                    "players": list(chain.from_iterable(zip(players[a], players[b], strict=True))),
                    "summary": dict(summary_of(state, next_number=1)),
                    "is_over": state.is_over,
                    "has_rivals": False,
                    "marks": [],
                    "agreements": [],
                    "calls": [],
                },
            }

    def _byes_of_round(self, number: int, entries: Sequence[Plain]) -> Iterator[dict[str, Any]]:
        asked = [{"code": ReasonCode.BYE_ASKED.value}]
        sat_out = {
            self._numbers[played.a[0]]
            for played in self.report.history
            if played.round == number and not played.b
        }
        for line in entries:
            if line["number"] in sat_out and entrant_from_json(line).is_present(number):
                is_asked = number in line["byes_asked"]
                yield {"entry": line["number"], "slot": "", "reasons": asked if is_asked else []}


_FOR = {1: "two-player", 2: "canadian"}
"""Ruleset by number of people in an entry, where the club's own does not fit."""


def _in_order(name: str) -> str:
    """Turn “Roy, Ève”, as FIDE writes it, into “Ève Roy”."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() else name.strip()


def _without_digits(name: str, number: int) -> str:
    """Make a valid name of a player: “Test0004”, as pairing programs make them up, becomes “Test D”."""
    plain = name
    while (strange := strange_character(plain)) is not None:
        plain = plain.replace(strange, "")
    if plain == name and name:
        return name
    letters = ""
    while number:
        number, place = divmod(number - 1, len(ascii_uppercase))
        letters = ascii_uppercase[place] + letters
    return f"{clean_text(plain)} {letters}".strip()


def _worth(points: PointSystem, tenths: int) -> Bye:
    """Return the result that an unplayed round counts as. Refuses: report_worth, where a round without cards
    counts neither as a win nor a draw nor nothing."""
    for worth, counted in ((Bye.NOTHING, 0), (Bye.WIN, points.win), (Bye.DRAW, points.draw)):
        if tenths == counted:
            return worth
    raise Refusal("report_worth", field="report", points=tenths / 10)


def _ruling(played: PlayedPairing, said: Sequence[Any] | None, settings: EventSettings) -> dict[str, Any]:
    """Return the result of a table; with games and points if our comment has them for this result."""
    winner = None if played.winner is None else played.winner.name
    if played.is_forfeit:
        return {"kind": "forfeit", "winner": winner}
    won = settings.match_format.games_to_win or 1
    games, points = [won * (played.winner is side) for side in Side], [0, 0]
    if said is not None and said[5] is not None and said[4] == winner:
        games, points = said[5:7]
    return {"kind": "adjusted", "winner": winner, "games_won": games, "points": points}
