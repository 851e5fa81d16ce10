"""Conversion of a Swiss tournament in FIDE's report format (TRF) to an event file, for import.

A report has no hands, full names, settings or tables. Reports of this program have these in a comment,
``EXTENSION`` of ``engine.draws.trf``; results and attendance always come from the report's own lines. In a
report of another program, an entry of two people is written “A / B”.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain
from math import gcd
from operator import itemgetter
from string import ascii_uppercase
from typing import Any

from django.utils.functional import cached_property

from engine.draws import EntryId, PlayedPairing, ReasonCode
from engine.draws.trf import PointSystem, ReportEntry, TrfAbsence, TrfReport
from engine.ranking import ADJUSTABLE, METRICS, Bye, MetricScope, RankingRules, UnplayedOpponent
from engine.results import entrant_from_json
from errors import Refusal, get_or_refuse
from rules import RULESETS, MatchFormat, Ruleset, Side, fold
from scoring.fold import build_summary
from tournaments.events.event_settings import EventSettings, event_settings_from_json, event_settings_to_json
from tournaments.fee_rates import Rates
from tournaments.lifecycle import EventState, RoundState
from web.names import clean_text, find_invalid_character

from .schema import FORMAT_KEY, VERSION, Content
from .verifying.rounds import TAMPERING_ERRORS
from .writer import add_checksums

MAX_NAME_LENGTH = 33
NAME_SEPARATOR = " / "
"""Separator of the two names of an entry."""
_NAME_SEPARATORS = re.compile(r"\s*/\s*|\s+(?:&|et|and)\s+")
_DATE_FORMATS = ("%Y/%m/%d", "%y/%m/%d", "%Y-%m-%d", "%Y.%m.%d", "%d.%m.%Y")

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

REASON_IN_REPORTS = "TRF"
"""Reason of points given by the arbiter, which a report does not tell."""

BYE_POINTS: Mapping[Bye, int] = {Bye.WIN: 10, Bye.DRAW: 5, Bye.NOTHING: 0}
"""Value of an unplayed round in a report, in tenths of a point."""
ABSENCE_LETTERS: Mapping[Bye, TrfAbsence] = {
    Bye.WIN: TrfAbsence.FULL,
    Bye.DRAW: TrfAbsence.HALF,
    Bye.NOTHING: TrfAbsence.ZERO,
}

JsonObject = Mapping[str, Any]


def format_trf_name(players: Sequence[str]) -> str:
    """Return the name of an entry in a report. If two names are too long, each gets half of the columns."""
    name = NAME_SEPARATOR.join(players)
    if len(name) <= MAX_NAME_LENGTH or len(players) == 1:
        return name[:MAX_NAME_LENGTH].strip()
    half = (MAX_NAME_LENGTH - len(NAME_SEPARATOR)) // 2
    return NAME_SEPARATOR.join(player[:half].strip() for player in players)


def list_trf_tiebreaks(rules: RankingRules) -> tuple[str, ...]:
    """Return FIDE's codes for the ranking; empty if a metric has no code, or counts otherwise."""
    codes = {metric: code for code, metric in TIEBREAKS.items()}
    is_fides = rules.unplayed_opponent is UnplayedOpponent.CAPPED
    has_all_codes = all(
        key in codes and (is_fides or METRICS[key].scope is not MetricScope.OPPONENTS) for key in rules.order
    )
    return tuple(codes[key] for key in rules.order) if has_all_codes else ()


def get_adjusted_points(adjustment: JsonObject, rules: RankingRules) -> int:
    """Return the points of an adjustment in tenths of a win; 0 if the ranking, or a report, counts none of it."""
    if not set(ADJUSTABLE[adjustment["metric"]]) & {*rules.order}:
        return 0
    worth = {"match_wins": 1, "match_points": rules.win}.get(adjustment["metric"], 0)
    points, rest = divmod(10 * int(adjustment["amount"]), worth) if worth else (0, 0)
    return 0 if rest else points


def sum_adjusted_points(adjustments: Iterable[JsonObject], rules: RankingRules) -> dict[int, dict[int, int]]:
    """Return by number of the entry and by round, 0 for none, the tenths of a point that a report gives."""
    given: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for each in adjustments:
        given[each["entry"]][each["round"] or 0] += get_adjusted_points(each, rules)
    return {
        entry: {number: points for number, points in rounds.items() if points}
        for entry, rounds in given.items()
        if any(rounds.values())
    }


def build_trf_extension(content: Content, entries: Sequence[JsonObject]) -> str:
    """Return what a report of these entries cannot say otherwise, as one line of ASCII."""
    names, numbers = content["people"], {entry["number"] for entry in entries}
    return json.dumps(
        {
            FORMAT_KEY: VERSION,
            "settings": content["event"]["settings"],
            "lot": content["event"]["lot"],
            "drawn": len(_list_published_rounds(content)),
            "adjustments": [each for each in content["adjustments"] if each["entry"] in numbers],
            "kept_apart": [
                group for group in content["event"].get("kept_apart", ()) if numbers.issuperset(group["entries"])
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
                [round_data["number"], table["number"], *table["a"], *table["b"], *_get_result(table)]
                for round_data in _list_published_rounds(content)
                for table in round_data["tables"]
                if numbers.issuperset((*table["a"], *table["b"]))
            ],
        },
        separators=(",", ":"),
        sort_keys=True,
    )


def _list_published_rounds(content: Content) -> list[JsonObject]:
    return [round_data for round_data in content["rounds"] if round_data["state"] != RoundState.DRAFT]


def _get_result(table: JsonObject) -> list[Any]:
    """Return winner, games and points of a table; None for all if no cards count."""
    result = table["ruling"]
    if result is None and table["match"] is not None and table["match"]["is_over"]:
        result = table["match"]["summary"]
    if result is None or result.get("kind") == "forfeit":
        return [None, None, None]
    return [result["winner"], result["games_won"], result["points"]]


def convert_trf_report(report: TrfReport, *, ruleset: Ruleset, held_on: date | None = None) -> Content:
    """Convert a report to an event file that ``verify`` accepts.

    The club's ``ruleset`` is used, unless the report is one of ours; a ruleset for two where each entry is
    one person. ``held_on`` is for a report that has no date.
    Refuses: report_empty, day_required, report_pairs_mixed, report_worth, report_extension, what ``RankingRules``
    refuses.
    """
    if not (report.entries or report.extension):
        raise Refusal("report_empty", field="report")
    held_on = get_or_refuse(_parse_start_date(report) or held_on, "day_required", field="report_day")
    try:
        return _ReportConverter(report, ruleset, held_on).build_content()
    except TAMPERING_ERRORS:
        if not report.extension:
            raise
        raise Refusal("report_extension", field="report") from None


def _parse_start_date(report: TrfReport) -> date | None:
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(report.starts_on, form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


@dataclass(frozen=True)
class _ReportConverter:
    report: TrfReport
    ruleset: Ruleset
    held_on: date

    def build_content(self) -> Content:
        """Build the whole file."""
        settings, comment = self._build_settings(), self._comment
        people = [name for players in self._players for name in players]
        next_person = 1
        entries = []
        for line, players in zip(self._entries, self._players, strict=True):
            entries.append({**line, "players": list(range(next_person, next_person + len(players)))})
            next_person += len(players)
        return add_checksums(
            {
                "place": {"club": "", "short": "", "counted_at": None},
                "event": {
                    "name": (self.report.name or self.report.city or "TRF")[:80],
                    "held_on": self.held_on.isoformat(),
                    "state": self._get_state(),
                    "settings": event_settings_to_json(settings),
                    "lot": comment.get("lot", 0),
                    **self._build_apart_groups(),
                },
                "entries": entries,
                "people": people,
                "adjustments": self._build_adjustments(settings),
                "rounds": [self._build_round(number, settings, entries) for number in range(1, self._last_round + 1)],
                "set_aside": [],
                "standings": None,
            }
        )

    @cached_property
    def _last_round(self) -> int:
        """The last round that was drawn, perhaps one in which all had byes, as our comment tells."""
        cells = (number for entry in self.report.entries for number in entry.absences)
        return max(self.report.rounds_played, min(int(self._comment.get("drawn", 0)), max(cells, default=0)))

    def _build_adjustments(self, settings: EventSettings) -> list[dict[str, Any]]:
        """Return the adjustments of our comment, if they give the points of the report; else those points."""
        own = list(self._comment.get("adjustments", ()))
        given = {self._numbers[entry.id]: dict(entry.given) for entry in self.report.entries if entry.given}
        if sum_adjusted_points(own, settings.ranking) == given:
            return own
        if "settings" in self._comment:
            raise Refusal("report_extension", field="report")
        return [
            {
                "entry": entry,
                "metric": "match_points",
                "amount": points * settings.ranking.win // (self.report.points.win or 1),
                "round": number or None,
                "reason": REASON_IN_REPORTS,
            }
            for entry, rounds in given.items()
            for number, points in rounds.items()
            if points
        ]

    @cached_property
    def _comment(self) -> JsonObject:
        """Data in this program's comment; empty in a report of another program."""
        comment = json.loads(self.report.extension or "{}")
        if not isinstance(comment, dict):
            raise TypeError("our comment is an object")
        return comment

    @cached_property
    def _players(self) -> list[list[str]]:
        """Names of each entry, in the order of the report."""
        players_by_entry = []
        for entry in self.report.entries:
            line = self._get_comment_line(entry)
            comment_names = [] if line is None else line["players"]
            is_same = bool(comment_names) and format_trf_name(comment_names) == entry.name
            names = (
                comment_names
                if is_same
                else [_put_given_name_first(name) for name in _NAME_SEPARATORS.split(entry.name)]
            )
            players_by_entry.append([_clean_player_name(name, entry.id) for name in names])
        sizes = {len(players) for players in players_by_entry}
        if len(sizes) > 1 or not sizes <= {1, 2}:
            size = 2 if 2 in sizes else 1
            deviating_id = next(
                entry.id
                for entry, names in zip(self.report.entries, players_by_entry, strict=True)
                if len(names) != size
            )
            raise Refusal("report_pairs_mixed", field="report", entry=deviating_id)
        return players_by_entry

    @property
    def _size(self) -> int:
        return len(self._players[0]) if self._players else self.ruleset.seats // 2

    @cached_property
    def _numbers(self) -> Mapping[EntryId, int]:
        """Number of each entry in the event: that of our comment, since lots depend on it."""
        comment_numbers = [int(line["number"]) for line in self._comment.get("entries", ())]
        offset = max(comment_numbers, default=0) - len(comment_numbers)
        return {
            entry.id: comment_numbers[entry.id - 1] if entry.id <= len(comment_numbers) else entry.id + offset
            for entry in self.report.entries
        }

    def _get_comment_line(self, entry: ReportEntry) -> dict[str, Any] | None:
        """Return the entry from our comment; None for one that another program added."""
        lines = self._comment.get("entries", ())
        return dict(lines[entry.id - 1]) if entry.id <= len(lines) else None

    @cached_property
    def _entries(self) -> list[dict[str, Any]]:
        """Entries of the event file, without their people."""
        return [self._build_entry(entry) for entry in self.report.entries]

    def _build_entry(self, entry: ReportEntry) -> dict[str, Any]:
        line = self._get_comment_line(entry) or {
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
        entrant = entrant_from_json(line)
        rounds = range(1, self._last_round + 2)
        missed_rounds = {
            number for number in rounds if not entrant.is_present(number) or number in entrant.requested_byes
        }
        if missed_rounds == entry.absences.keys() & set(rounds):
            return line
        line.pop("withdrawn", None)
        absent = {number for number, absence in entry.absences.items() if absence is TrfAbsence.ZERO}
        requested_byes = {
            number
            for number, letter in entry.absences.items()
            if letter is self._requested_bye_letter or number > self._last_round
        }
        return line | {
            "arrives": 1,
            "leaves_after": None,
            "absent": sorted(absent),
            "byes_asked": sorted(requested_byes - absent),
        }

    @cached_property
    def _requested_bye_letter(self) -> TrfAbsence:
        """Letter of a requested bye: half a point. It is a full point if the report has full points and no
        half points."""
        letters = set(chain.from_iterable(entry.absences.values() for entry in self.report.entries))
        is_full = TrfAbsence.FULL in letters and TrfAbsence.HALF not in letters
        return TrfAbsence.FULL if is_full else TrfAbsence.HALF

    def _build_settings(self) -> EventSettings:
        tables = max((len(round_tables) for round_tables in self._tables.values()), default=0)
        needed = max(1, tables, len(self.report.entries) // 2)
        if "settings" in self._comment:
            settings = event_settings_from_json(self._comment["settings"])
            return replace(settings, table_count=max(settings.table_count, needed))
        ruleset = self.ruleset if self.ruleset.seats == 2 * self._size else RULESETS[_DEFAULT_RULESETS[self._size]]
        rounds = {} if self.report.rounds is None else {"rounds": self.report.rounds}
        return EventSettings(
            ruleset=ruleset,
            rules_name="",
            match_format=MatchFormat(games_to_win=ruleset.games_to_win),
            details=(),
            table_count=needed,
            stages=({"format": "swiss", **rounds},),
            ranking=self._build_ranking(),
            sections=(),
            is_seeded=True,
            rates=Rates(),
        )

    def _build_ranking(self) -> RankingRules:
        points = self.report.points
        given = chain.from_iterable(entry.given.values() for entry in self.report.entries)
        step = gcd(points.win, points.draw, points.loss, *given) or 1
        codes = (code.replace("/", "-") for code in self.report.tiebreaks)
        tiebreaks = [TIEBREAKS[code] for code in codes if code in TIEBREAKS]
        absent = _get_bye_result(points, points.absence)
        return RankingRules(
            order=tuple(dict.fromkeys(("match_points", *tiebreaks))),
            win=points.win // step,
            draw=points.draw // step,
            loss=points.loss // step,
            bye=_get_bye_result(points, points.bye),
            requested_bye=_get_bye_result(points, points.get_points(self._requested_bye_letter)),
            late=absent,
            absent=absent,
            unplayed_opponent=UnplayedOpponent.CAPPED,
        )

    def _get_state(self) -> str:
        report = self.report
        if not self._last_round:
            return EventState.PREPARING.value
        is_over = report.rounds is not None and self._last_round >= report.rounds and not report.pending
        return (EventState.ENDED if is_over else EventState.RUNNING).value

    def _build_apart_groups(self) -> dict[str, Any]:
        groups = [*((None, group) for group in self.report.apart), *self.report.apart_first]
        apart_groups = self._comment.get(
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
        return {"kept_apart": apart_groups} if apart_groups else {}

    @cached_property
    def _tables(self) -> Mapping[int, list[tuple[PlayedPairing, bool]]]:
        """Tables by round, each with whether it has a result."""
        tables_by_round: dict[int, list[tuple[PlayedPairing, bool]]] = {}
        for pairing, is_decided in chain(
            ((pairing, True) for pairing in self.report.history if pairing.b),
            ((pairing, False) for pairing in self.report.pending),
        ):
            tables_by_round.setdefault(pairing.round, []).append((pairing, is_decided))
        return tables_by_round

    def _build_round(self, number: int, settings: EventSettings, entries: Sequence[JsonObject]) -> dict[str, Any]:
        noon = f"{self.held_on}T12:00:00+00:00"
        is_open = not all(is_decided for _, is_decided in self._tables.get(number, ()))
        closed_at = None if is_open else noon
        tables = sorted(self._build_tables(number, settings, entries), key=itemgetter("number"))
        for table in tables:
            table["match"] |= {"opened_at": noon, "closed_at": closed_at}
        return {
            "number": number,
            "state": (RoundState.PUBLISHED if is_open else RoundState.CLOSED).value,
            "published_at": noon,
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
            "byes": list(self._build_byes(number, entries)),
            "by_hand": [],
            "rulings": [
                {
                    "at": noon,
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

    def _build_tables(
        self, number: int, settings: EventSettings, entries: Sequence[JsonObject]
    ) -> Iterator[dict[str, Any]]:
        """Yield the tables, each with a match without marks, which is still open if there is no result."""
        players = {line["number"]: line["players"] for line in entries}
        comment_tables = {tuple(line[2:4]): line for line in self._comment.get("tables", ()) if line[0] == number}
        sides = [
            (self._numbers[pairing.a[0]], self._numbers[pairing.b[0]]) for pairing, _ in self._tables.get(number, ())
        ]
        comment_numbers = [
            comment_tables[side_numbers][1] if side_numbers in comment_tables else None for side_numbers in sides
        ]
        is_numbered = None not in comment_numbers and len(set(comment_numbers)) == len(comment_numbers)
        state = fold(settings.ruleset, settings.match_format, ())
        for place, (pairing, is_decided) in enumerate(self._tables.get(number, ())):
            a, b = sides[place]
            yield {
                "number": comment_numbers[place] if is_numbered else place + 1,
                "slot": "",
                "a": [a],
                "b": [b],
                "reasons": [],
                "ruling": _build_ruling(pairing, comment_tables.get((a, b)), settings) if is_decided else None,
                "match": {
                    "first_dealer": None,
                    "players": list(chain.from_iterable(zip(players[a], players[b], strict=True))),
                    "summary": dict(build_summary(state, next_number=1)),
                    "is_over": state.is_over,
                    "has_rivals": False,
                    "marks": [],
                    "agreements": [],
                    "calls": [],
                },
            }

    def _build_byes(self, number: int, entries: Sequence[JsonObject]) -> Iterator[dict[str, Any]]:
        request_reasons = [{"code": ReasonCode.BYE_REQUESTED.value}]
        bye_numbers = {
            self._numbers[pairing.a[0]] for pairing in self.report.history if pairing.round == number and not pairing.b
        }
        seated = {
            self._numbers[entry] for pairing, _ in self._tables.get(number, ()) for entry in (*pairing.a, *pairing.b)
        }
        for line in entries:
            is_requested = number in line["byes_asked"] and line["number"] not in seated
            if (is_requested or line["number"] in bye_numbers) and entrant_from_json(line).is_present(number):
                yield {"entry": line["number"], "slot": "", "reasons": request_reasons if is_requested else []}


_DEFAULT_RULESETS = {1: "two-player", 2: "canadian"}
"""Ruleset by number of people in an entry, where the club's own does not fit."""


def _put_given_name_first(name: str) -> str:
    """Turn “Roy, Ève”, as FIDE writes it, into “Ève Roy”."""
    surname, comma, given_name = name.partition(",")
    return f"{given_name.strip()} {surname.strip()}" if comma and given_name.strip() else name.strip()


def _clean_player_name(name: str, number: int) -> str:
    """Make a valid name of a player: “Test0004”, as pairing programs make them up, becomes “Test D”."""
    cleaned = name
    while (strange := find_invalid_character(cleaned)) is not None:
        cleaned = cleaned.replace(strange, "")
    if cleaned == name and name:
        return name
    letters = ""
    while number:
        number, place = divmod(number - 1, len(ascii_uppercase))
        letters = ascii_uppercase[place] + letters
    return f"{clean_text(cleaned)} {letters}".strip()


def _get_bye_result(points: PointSystem, tenths: int) -> Bye:
    """Return the result that an unplayed round counts as. Refuses: report_worth, where a round without cards
    counts neither as a win nor a draw nor nothing."""
    for bye_result, bye_points in ((Bye.NOTHING, 0), (Bye.WIN, points.win), (Bye.DRAW, points.draw)):
        if tenths == bye_points:
            return bye_result
    raise Refusal("report_worth", field="report", points=tenths / 10)


def _build_ruling(
    pairing: PlayedPairing, comment_table: Sequence[Any] | None, settings: EventSettings
) -> dict[str, Any]:
    """Return the result of a table; with games and points if our comment has them for this result."""
    winner = None if pairing.winner is None else pairing.winner.name
    if pairing.is_forfeit:
        return {"kind": "forfeit", "winner": winner}
    games_to_win = settings.match_format.games_to_win or 1
    games, points = [games_to_win * (pairing.winner is side) for side in Side], [0, 0]
    if comment_table is not None and comment_table[5] is not None and comment_table[4] == winner:
        games, points = comment_table[5:7]
    return {"kind": "adjusted", "winner": winner, "games_won": games, "points": points}
