"""Worth of a round that an entry did not play, in wins and in points."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Entrant, EntryId
from engine.draws.history import build_history
from engine.draws.stages import parse_stage_plan
from engine.ranking import (
    MISSED_KINDS,
    Average,
    Bye,
    OutcomeKind,
    RankingRules,
    ResultAdjustment,
    Row,
    UnplayedOpponent,
    rank_field,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from engine.results import (
    ByeReason,
    EventRules,
    EventSnapshot,
    PlayedTable,
    build_counted_field,
    build_ledger,
    build_played_input,
)
from engine.results.values import add_progress_metrics
from errors import Refusal
from tests.rules.sheets import property_settings
from tournaments.events.forms.settings import get_ranking_data, read_ranking
from tournaments.standings.labels import metric_value
from web.forms import FormReader

ONE, TWO, THREE, FOUR, FIVE = (EntryId(number) for number in range(1, 6))
FORFEIT_RULING = {"kind": "forfeit", "winner": "A"}


def build_win(a: EntryId, b: EntryId, *, number: int, points: tuple[int, int]) -> PlayedTable:
    outcome = {"winner": "A", "games_won": [1, 0], "points": list(points)}
    return PlayedTable(round=number, a=(a,), b=(b,), table=a, outcome=outcome)


def build_snapshot(
    *sat: PlayedTable,
    away: EntryId | None = None,
    is_excused: bool = False,
    leaves: EntryId | None = None,
    **rules: Any,
) -> EventSnapshot:
    """Build a snapshot of five entries; one may be away in round 1, one may leave before it."""
    entrants = tuple(
        Entrant(
            id=entry,
            number=entry,
            absent=frozenset({1} if entry == away else ()),
            excused=frozenset({1} if entry == away and is_excused else ()),
            leaves_after=0 if entry == leaves else None,
        )
        for entry in (ONE, TWO, THREE, FOUR, FIVE)
    )
    basis = EventRules(
        plan=parse_stage_plan([{"format": "swiss"}]), rules=ranking_rules_from_json(rules), games_to_win=1
    )
    return EventSnapshot(basis=basis, entrants=entrants, tables=sat)


def find_row(entry: EntryId, of: EventSnapshot) -> Row:
    return next(row for row in rank_field(build_counted_field(of)) if row.entry == entry)


def score_of(entry: EntryId, of: EventSnapshot) -> int:
    return next(entrant.score for entrant in build_played_input(of).entrants if entrant.id == entry)


BYE = PlayedTable(round=1, a=(FIVE,))
REQUESTED_BYE = PlayedTable(round=1, a=(FIVE,), bye_reason=ByeReason.REQUESTED)
FORFEIT = PlayedTable(round=1, a=(FIVE,), b=(FOUR,), table=9, outcome=FORFEIT_RULING)
INNOCENT = replace(FORFEIT, b=(EntryId(6),))
"""A forfeit by an entry outside of the field, which adds no result to the others in ``ROUND``."""
ROUND = (build_win(ONE, TWO, number=1, points=(32, 10)), build_win(THREE, FOUR, number=1, points=(20, 15)))


class TestUnplayedWins:
    @pytest.mark.parametrize(("worth", "shown", "score"), [("win", "1", 2), ("draw", "½", 1), ("nothing", "0", 0)])
    @pytest.mark.parametrize(
        ("kind", "sat"),
        [("bye", BYE), ("forfeit", FORFEIT), ("requested_bye", REQUESTED_BYE)],
        ids=["bye", "forfeit", "requested_bye"],
    )
    def test_unplayed_round_counts_the_same_in_standings_and_draw(
        self, kind: str, sat: PlayedTable, worth: str, shown: str, score: int
    ) -> None:
        rules: dict[str, Any] = {kind: worth}
        found = build_snapshot(sat, **rules)
        row = find_row(FIVE, found)
        key = next(iter(row.values))
        assert metric_value(key, row.values[key]) == shown
        assert score_of(FIVE, found) == score

    def test_absent_entry_gets_the_missed_round_value(self) -> None:
        for worth, score in (("nothing", 0), ("draw", 1), ("win", 2)):
            assert score_of(FIVE, build_snapshot(*ROUND, away=FIVE, absent=worth)) == score
            gone = build_snapshot(*ROUND, leaves=FIVE, absent=worth)
            assert score_of(FIVE, gone) == 0
            assert find_row(FIVE, gone).values["match_wins"] == 0

    @pytest.mark.parametrize(("is_excused", "score"), [(False, 0), (True, 1)])
    def test_excused_absence_has_its_own_value(self, is_excused: bool, score: int) -> None:
        found = build_snapshot(*ROUND, away=FIVE, is_excused=is_excused, absent="nothing", excused="draw")
        assert score_of(FIVE, found) == score
        assert find_row(FIVE, found).values["half_wins"] == score

    def test_forfeit_loser_gets_nothing(self) -> None:
        found = build_snapshot(FORFEIT, forfeit="draw", forfeit_points=12)
        row = find_row(FOUR, found)
        assert (row.values["half_wins"], row.values["points_for"], score_of(FOUR, found)) == (0, 0, 0)

    def test_half_wins_are_shown_as_fractions(self) -> None:
        assert [metric_value("half_wins", value) for value in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]

    def test_half_wins_rank_only_if_the_rules_award_any(self) -> None:
        plan = parse_stage_plan([{"format": "swiss"}])
        assert add_progress_metrics(RankingRules(), plan).order[0] == "match_wins"
        assert add_progress_metrics(ranking_rules_from_json({"late": "draw"}), plan).order[0] == "half_wins"


class TestUnplayedGames:
    @pytest.mark.parametrize("sat", [BYE, FORFEIT], ids=["bye", "forfeit"])
    def test_unplayed_win_has_no_games_if_time_ended_every_game(self, sat: PlayedTable) -> None:
        at_time = replace(ROUND[0], outcome={"winner": "A", "games_won": [0, 0], "points": [7, 0]})
        found = build_snapshot(at_time, sat)
        assert find_row(FIVE, found).values["games_won"] == 0
        assert (find_row(ONE, found).rank, find_row(FIVE, found).rank) == (1, 2)
        assert find_row(FIVE, build_snapshot(at_time, ROUND[1], BYE)).values["games_won"] == 1


class TestAverageWins:
    def build_average_snapshot(self, *played: PlayedTable, **rules: Any) -> EventSnapshot:
        return build_snapshot(BYE, *played, bye="average", **rules)

    def test_average_is_the_share_of_own_matches_won(self) -> None:
        matches = [build_win(FIVE, ONE, number=2, points=(20, 10)), build_win(FIVE, TWO, number=3, points=(20, 10))]
        lost = build_win(THREE, FIVE, number=4, points=(20, 10))
        for played, shown in (((matches[0], lost), "1.50"), ((*matches, lost), "2.67"), ((lost,), "0.00")):
            row = find_row(FIVE, self.build_average_snapshot(*played))
            assert metric_value("averaged_wins", row.values["averaged_wins"]) == shown

    def test_averaged_wins_replace_match_wins_in_the_order(self) -> None:
        for order in (["match_wins", "lots"], ["half_wins", "lots"], ["match_wins", "half_wins", "lots"]):
            assert list(find_row(FIVE, self.build_average_snapshot(order=order)).values)[:2] == [
                "averaged_wins",
                "lots",
            ]

    def test_average_applies_to_games_and_match_points(self) -> None:
        row = find_row(
            FIVE,
            self.build_average_snapshot(
                build_win(FIVE, ONE, number=2, points=(20, 10)),
                build_win(FIVE, TWO, number=3, points=(20, 10)),
                build_win(THREE, FIVE, number=4, points=(20, 10)),
                order=["match_points", "games_won", "games_lost"],
            ),
        )
        # Two of three: 1.33 match points and 0.67 games, rounded.
        assert [row.values[key] for key in ("match_points", "games_won", "games_lost")] == [5, 3, 1]

    def test_average_without_matches_is_zero(self) -> None:
        assert find_row(FIVE, self.build_average_snapshot()).values["averaged_wins"] == 0

    def test_averaged_bye_counts_half_a_win_in_the_next_draw(self) -> None:
        assert score_of(FIVE, self.build_average_snapshot(build_win(FIVE, ONE, number=2, points=(20, 10)))) == 3

    def test_adjustment_changes_the_averaged_wins(self) -> None:
        given = ResultAdjustment(entry=FIVE, metric="match_wins", amount=-1)
        found = replace(
            self.build_average_snapshot(build_win(FIVE, ONE, number=2, points=(20, 10))), adjustments=(given,)
        )
        assert find_row(FIVE, found).values["averaged_wins"] == 10_000


class TestUnplayedPoints:
    def get_bye_points(self, sat: PlayedTable, **rules: Any) -> tuple[int | None, int | None]:
        later = build_win(FIVE, TWO, number=2, points=(25, 8)), build_win(FIVE, ONE, number=3, points=(10, 3))
        values = find_row(FIVE, build_snapshot(*ROUND, sat, *later, **rules)).values
        # Without the points of rounds 2 and 3.
        return (values["points_for"] or 0) - 35, (values["points_against"] or 0) - 11

    def test_unplayed_round_gives_no_points_by_default(self) -> None:
        assert self.get_bye_points(BYE) == (0, 0)

    @pytest.mark.parametrize(
        ("kind", "sat"),
        [("bye", BYE), ("forfeit", INNOCENT), ("requested_bye", REQUESTED_BYE)],
        ids=["bye", "forfeit", "requested_bye"],
    )
    def test_unplayed_points_are_a_number_or_an_average(self, kind: str, sat: PlayedTable) -> None:
        assert self.get_bye_points(sat, **{f"{kind}_points": 12}) == (12, 0)
        # Own rounds: (25 + 10) / 2 and (8 + 3) / 2, halves up; winners: (32 + 20) / 2 and (10 + 15) / 2.
        assert self.get_bye_points(sat, **{f"{kind}_points": "own"}) == (18, 6)
        assert self.get_bye_points(sat, **{f"{kind}_points": "winners"}) == (26, 13)

    def test_average_points_without_matches_are_zero(self) -> None:
        for points in ("own", "winners"):
            assert find_row(FIVE, build_snapshot(BYE, bye_points=points)).values["points_for"] == 0


class TestUnplayedRules:
    def test_older_missed_setting_is_read_as_requested_and_absent(self) -> None:
        rules = ranking_rules_from_json({"missed": "draw", "missed_points": "own", "late": "nothing"})
        assert (rules.requested_bye, rules.late, rules.absent) == (Bye.DRAW, Bye.NOTHING, Bye.DRAW)
        assert (rules.late_points, rules.absent_points) == (Average.OWN, Average.OWN)

    def test_rules_store_only_changed_values(self) -> None:
        rules_json = {"order": ["match_wins"], "requested_bye": "draw", "bye_points": "own", "forfeit_points": 12}
        rules = ranking_rules_from_json(rules_json)
        assert (rules.bye_points, rules.forfeit_points, rules.requested_bye_points) == (Average.OWN, 12, 0)
        assert ranking_rules_to_json(rules) == rules_json

    @pytest.mark.parametrize(
        ("rules_json", "code"),
        [
            ({"forfeit": "two"}, "no_such_choice"),
            ({"late": True}, "no_such_choice"),
            ({"bye_points": "best"}, "no_such_choice"),
            ({"bye_points": -1}, "number_too_small"),
            ({"bye_points": 1.5}, "not_a_number"),
        ],
    )
    def test_invalid_rules_are_refused_at_their_field(self, rules_json: dict[str, Any], code: str) -> None:
        with pytest.raises(Refusal) as refused:
            ranking_rules_from_json(rules_json)
        assert (refused.value.code, refused.value.field) == (code, *rules_json)


class TestUnplayedForm:
    def read(self, **typed: str) -> tuple[RankingRules | None, list[tuple[str, str]]]:
        fields = get_ranking_data(RankingRules()) | {name: [value] for name, value in typed.items()}
        form = FormReader({name: values[-1] for name, values in fields.items()})
        rules = read_ranking(form, fields)
        return rules, [(refusal.code, refusal.field or "") for refusal in form.refusals]

    def test_untouched_form_gives_default_rules(self) -> None:
        rules, refused = self.read()
        assert (rules, refused) == (RankingRules(), [])

    def test_form_accepts_and_shows_values_and_points(self) -> None:
        rules, _ = self.read(bye="draw", bye_points="own", forfeit_number="12", absent="draw", absent_points="winners")
        assert rules == ranking_rules_from_json(
            {
                "bye": "draw",
                "bye_points": "own",
                "scheduled_bye": "win",
                "scheduled_bye_points": 0,
                "forfeit_points": 12,
                "absent": "draw",
                "absent_points": "winners",
            }
        )
        shown = get_ranking_data(rules)
        assert shown["bye_points"] == ["own"]
        assert shown["forfeit_number"] == ["12"]
        assert self.read(**{name: values[-1] for name, values in shown.items() if name != "order"})[0] == rules

    def test_form_accepts_and_shows_the_unplayed_opponent_rule(self) -> None:
        rules, _ = self.read(unplayed_opponent="capped")
        assert rules == RankingRules(unplayed_opponent=UnplayedOpponent.CAPPED)
        assert get_ranking_data(rules)["unplayed_opponent"] == ["capped"]

    @pytest.mark.parametrize("typed", ["x", "1001", "-1"])
    def test_form_refuses_an_invalid_number_at_its_field(self, typed: str) -> None:
        rules, refused = self.read(forfeit_number=typed)
        assert rules is None
        assert [field for _, field in refused] == ["forfeit_number"]


class TestByeTurns:
    @pytest.mark.slow
    @property_settings
    @given(st.data())
    def test_idle_rounds_match_the_unplayed_rounds_of_the_ledger(self, data: st.DataObject) -> None:
        """A bye goes to the entry that missed the fewest rounds; a forfeit is no missed round."""
        rounds = range(1, 4)
        some = st.frozensets(st.sampled_from(rounds))
        entrants = tuple(
            Entrant(
                id=entry,
                number=entry,
                arrives=data.draw(st.integers(1, 3)),
                leaves_after=data.draw(st.sampled_from([None, None, 0, 1, 2])),
                absent=data.draw(some),
                excused=data.draw(some),
                withdrawn=data.draw(some),
            )
            for entry in (ONE, TWO, THREE, FOUR, FIVE)
        )
        sat: list[PlayedTable] = []
        for number in rounds:
            there = [entrant.id for entrant in entrants if entrant.is_present(number)]
            pairs = list(zip(there[::2], there[1::2], strict=False))
            sat += [build_win(a, b, number=number, points=(32, 10)) for a, b in pairs]
            out = data.draw(st.sampled_from([ByeReason.TURN, ByeReason.REQUESTED]))
            sat += [PlayedTable(round=number, a=(each,), bye_reason=out) for each in there[2 * len(pairs) :]]
        found = replace(build_snapshot(*sat), entrants=entrants)
        history = build_history(build_played_input(found))
        played = {each.round for each in sat}
        for entry, results in build_ledger(found).items():
            missed = [result for result in results if result.kind in MISSED_KINDS | {OutcomeKind.BYE}]
            assert history.count_idle_rounds(entry) == len(missed)
            assert {result.round for result in results} == played
