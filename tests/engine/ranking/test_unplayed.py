"""Worth of a round that an entry did not play, in wins and in points."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Entrant, EntryId
from engine.draws.history import meeting_history
from engine.draws.stages import stage_plan
from engine.ranking import (
    MISSED,
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
    counted_field,
    ledger_of,
    played_of,
)
from engine.results.values import with_how_far
from errors import Refusal
from tests.rules.sheets import law
from tournaments.events.forms.settings import read_ranking, typed_ranking
from web.forms import FormReader
from wording.labels.standings import metric_value

ONE, TWO, THREE, FOUR, FIVE = (EntryId(number) for number in range(1, 6))
FORFEITED = {"kind": "forfeit", "winner": "A"}


def won(a: EntryId, b: EntryId, *, number: int, points: tuple[int, int]) -> PlayedTable:
    outcome = {"winner": "A", "games_won": [1, 0], "points": list(points)}
    return PlayedTable(round=number, a=(a,), b=(b,), table=a, outcome=outcome)


def known(
    *sat: PlayedTable,
    away: EntryId | None = None,
    is_excused: bool = False,
    leaves: EntryId | None = None,
    **rules: Any,
) -> EventSnapshot:
    """Five entries after these tables and byes; one may be away in round 1, one may leave before it."""
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
        plan=stage_plan([{"format": "swiss"}]), rules=ranking_rules_from_json(rules), games_to_win=1
    )
    return EventSnapshot(basis=basis, entrants=entrants, sat=sat)


def row_of(entry: EntryId, of: EventSnapshot) -> Row:
    return next(row for row in rank_field(counted_field(of)) if row.entry == entry)


def score_of(entry: EntryId, of: EventSnapshot) -> int:
    return next(entrant.score for entrant in played_of(of).entrants if entrant.id == entry)


BYE = PlayedTable(round=1, a=(FIVE,))
ASKED = PlayedTable(round=1, a=(FIVE,), sat_out=ByeReason.ASKED)
FORFEIT = PlayedTable(round=1, a=(FIVE,), b=(FOUR,), table=9, outcome=FORFEITED)
INNOCENT = replace(FORFEIT, b=(EntryId(6),))
"""By somebody who is no longer ranked, so that the round is that of the others."""
ROUND = (won(ONE, TWO, number=1, points=(32, 10)), won(THREE, FOUR, number=1, points=(20, 15)))


class TestInWins:
    @pytest.mark.parametrize(
        ("worth", "shown", "score"), [("win", "1", 2), ("draw", "½", 1), ("nothing", "0", 0)]
    )
    @pytest.mark.parametrize(
        ("kind", "sat"),
        [("bye", BYE), ("forfeit", FORFEIT), ("requested_bye", ASKED)],
        ids=["bye", "forfeit", "requested_bye"],
    )
    def test_it_counts_a_win_half_of_one_or_nothing_in_standings_and_in_the_next_draw(
        self, kind: str, sat: PlayedTable, worth: str, shown: str, score: int
    ) -> None:
        rules: dict[str, Any] = {kind: worth}
        found = known(sat, **rules)
        row = row_of(FIVE, found)
        key = next(iter(row.values))
        assert metric_value(key, row.values[key]) == shown
        assert score_of(FIVE, found) == score

    def test_who_is_away_has_what_a_missed_round_counts_and_who_has_left_nothing(self) -> None:
        for worth, score in (("nothing", 0), ("draw", 1), ("win", 2)):
            assert score_of(FIVE, known(*ROUND, away=FIVE, absent=worth)) == score
            gone = known(*ROUND, leaves=FIVE, absent=worth)
            assert score_of(FIVE, gone) == 0
            assert row_of(FIVE, gone).values["match_wins"] == 0

    @pytest.mark.parametrize(("is_excused", "score"), [(False, 0), (True, 1)])
    def test_an_excused_absence_has_a_value_of_its_own(self, is_excused: bool, score: int) -> None:
        found = known(*ROUND, away=FIVE, is_excused=is_excused, absent="nothing", excused="draw")
        assert score_of(FIVE, found) == score
        assert row_of(FIVE, found).values["half_wins"] == score

    def test_who_lost_by_forfeit_has_nothing(self) -> None:
        found = known(FORFEIT, forfeit="draw", forfeit_points=12)
        row = row_of(FOUR, found)
        assert (row.values["half_wins"], row.values["points_for"], score_of(FOUR, found)) == (0, 0, 0)

    def test_three_wins_and_a_half_are_shown_as_that(self) -> None:
        assert [metric_value("half_wins", value) for value in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]

    def test_halves_rank_where_matches_won_would_and_only_where_there_are_any(self) -> None:
        plan = stage_plan([{"format": "swiss"}])
        assert with_how_far(RankingRules(), plan).order[0] == "match_wins"
        assert with_how_far(ranking_rules_from_json({"late": "draw"}), plan).order[0] == "half_wins"


class TestGames:
    @pytest.mark.parametrize("sat", [BYE, FORFEIT], ids=["bye", "forfeit"])
    def test_of_a_win_without_play_are_none_if_time_ended_every_game(self, sat: PlayedTable) -> None:
        at_time = replace(ROUND[0], outcome={"winner": "A", "games_won": [0, 0], "points": [7, 0]})
        found = known(at_time, sat)
        assert row_of(FIVE, found).values["games_won"] == 0
        assert (row_of(ONE, found).rank, row_of(FIVE, found).rank) == (1, 2)
        assert row_of(FIVE, known(at_time, ROUND[1], BYE)).values["games_won"] == 1


class TestAnAverageOfWins:
    def found(self, *played: PlayedTable, **rules: Any) -> EventSnapshot:
        return known(BYE, *played, bye="average", **rules)

    def test_is_the_share_of_its_own_matches_that_the_entry_won(self) -> None:
        matches = [won(FIVE, ONE, number=2, points=(20, 10)), won(FIVE, TWO, number=3, points=(20, 10))]
        lost = won(THREE, FIVE, number=4, points=(20, 10))
        for played, shown in (((matches[0], lost), "1.50"), ((*matches, lost), "2.67"), ((lost,), "0.00")):
            row = row_of(FIVE, self.found(*played))
            assert metric_value("averaged_wins", row.values["averaged_wins"]) == shown

    def test_ranks_where_matches_won_would_and_is_the_same_for_halves(self) -> None:
        for order in (["match_wins", "lots"], ["half_wins", "lots"], ["match_wins", "half_wins", "lots"]):
            assert list(row_of(FIVE, self.found(order=order)).values)[:2] == ["averaged_wins", "lots"]

    def test_brings_games_and_match_points_on_average_too(self) -> None:
        row = row_of(
            FIVE,
            self.found(
                won(FIVE, ONE, number=2, points=(20, 10)),
                won(FIVE, TWO, number=3, points=(20, 10)),
                won(THREE, FIVE, number=4, points=(20, 10)),
                order=["match_points", "games_won", "games_lost"],
            ),
        )
        # Two of three: 1.33 match points and 0.67 games, rounded.
        assert [row.values[key] for key in ("match_points", "games_won", "games_lost")] == [5, 3, 1]

    def test_is_nothing_where_nothing_was_played(self) -> None:
        assert row_of(FIVE, self.found()).values["averaged_wins"] == 0

    def test_counts_as_half_a_win_in_the_next_draw(self) -> None:
        assert score_of(FIVE, self.found(won(FIVE, ONE, number=2, points=(20, 10)))) == 3

    def test_moves_with_what_the_director_adjusts(self) -> None:
        given = ResultAdjustment(entry=FIVE, metric="match_wins", amount=-1)
        found = replace(self.found(won(FIVE, ONE, number=2, points=(20, 10))), adjustments=(given,))
        assert row_of(FIVE, found).values["averaged_wins"] == 10_000


class TestInPoints:
    def points(self, sat: PlayedTable, **rules: Any) -> tuple[int | None, int | None]:
        later = won(FIVE, TWO, number=2, points=(25, 8)), won(FIVE, ONE, number=3, points=(10, 3))
        values = row_of(FIVE, known(*ROUND, sat, *later, **rules)).values
        # Less what was made at the tables of rounds 2 and 3.
        return (values["points_for"] or 0) - 35, (values["points_against"] or 0) - 11

    def test_as_long_as_nothing_is_said_there_are_none(self) -> None:
        assert self.points(BYE) == (0, 0)

    @pytest.mark.parametrize(
        ("kind", "sat"),
        [("bye", BYE), ("forfeit", INNOCENT), ("requested_bye", ASKED)],
        ids=["bye", "forfeit", "requested_bye"],
    )
    def test_they_are_a_number_or_an_average(self, kind: str, sat: PlayedTable) -> None:
        assert self.points(sat, **{f"{kind}_points": 12}) == (12, 0)
        # Own rounds: (25 + 10) / 2 and (8 + 3) / 2, halves up; winners: (32 + 20) / 2 and (10 + 15) / 2.
        assert self.points(sat, **{f"{kind}_points": "own"}) == (18, 6)
        assert self.points(sat, **{f"{kind}_points": "winners"}) == (26, 13)

    def test_the_average_of_nothing_is_nothing(self) -> None:
        for points in ("own", "winners"):
            assert row_of(FIVE, known(BYE, bye_points=points)).values["points_for"] == 0


class TestRulesOfTheRanking:
    def test_read_one_worth_of_all_missed_rounds_as_earlier_versions_wrote_it(self) -> None:
        rules = ranking_rules_from_json({"missed": "draw", "missed_points": "own", "late": "nothing"})
        assert (rules.requested_bye, rules.late, rules.absent) == (Bye.DRAW, Bye.NOTHING, Bye.DRAW)
        assert (rules.late_points, rules.absent_points) == (Average.OWN, Average.OWN)

    def test_say_only_what_is_not_usual_and_are_read_again(self) -> None:
        plain = {"order": ["match_wins"], "requested_bye": "draw", "bye_points": "own", "forfeit_points": 12}
        rules = ranking_rules_from_json(plain)
        assert (rules.bye_points, rules.forfeit_points, rules.requested_bye_points) == (Average.OWN, 12, 0)
        assert ranking_rules_to_json(rules) == plain

    @pytest.mark.parametrize(
        ("plain", "code"),
        [
            ({"forfeit": "two"}, "no_such_choice"),
            ({"late": True}, "no_such_choice"),
            ({"bye_points": "best"}, "no_such_choice"),
            ({"bye_points": -1}, "number_too_small"),
            ({"bye_points": 1.5}, "not_a_number"),
        ],
    )
    def test_that_cannot_be_are_refused_at_their_field(self, plain: dict[str, Any], code: str) -> None:
        with pytest.raises(Refusal) as refused:
            ranking_rules_from_json(plain)
        assert (refused.value.code, refused.value.field) == (code, *plain)


class TestTheForm:
    def read(self, **typed: str) -> tuple[RankingRules | None, list[tuple[str, str]]]:
        fields = typed_ranking(RankingRules()) | {name: [value] for name, value in typed.items()}
        form = FormReader({name: values[-1] for name, values in fields.items()})
        rules = read_ranking(form, fields)
        return rules, [(refusal.code, refusal.field or "") for refusal in form.refusals]

    def test_as_it_is_offered_says_nothing_unusual(self) -> None:
        rules, refused = self.read()
        assert (rules, refused) == (RankingRules(), [])

    def test_takes_worths_and_points_and_shows_them_again(self) -> None:
        rules, _ = self.read(
            bye="draw", bye_points="own", forfeit_number="12", absent="draw", absent_points="winners"
        )
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
        shown = typed_ranking(rules)
        assert shown["bye_points"] == ["own"]
        assert shown["forfeit_number"] == ["12"]
        assert (
            self.read(**{name: values[-1] for name, values in shown.items() if name != "order"})[0] == rules
        )

    def test_takes_who_stands_for_the_opponent_and_shows_it_again(self) -> None:
        rules, _ = self.read(unplayed_opponent="capped")
        assert rules == RankingRules(unplayed_opponent=UnplayedOpponent.CAPPED)
        assert typed_ranking(rules)["unplayed_opponent"] == ["capped"]

    @pytest.mark.parametrize("typed", ["x", "1001", "-1"])
    def test_refuses_at_its_field_a_number_that_cannot_be(self, typed: str) -> None:
        rules, refused = self.read(forfeit_number=typed)
        assert rules is None
        assert [field for _, field in refused] == ["forfeit_number"]


class TestByesOwed:
    @law
    @given(st.data())
    def test_go_by_the_rounds_that_the_ledger_has_as_not_played(self, data: st.DataObject) -> None:
        """A bye is owed to who has missed the fewest rounds; a forfeit is no missed round."""
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
            sat += [won(a, b, number=number, points=(32, 10)) for a, b in pairs]
            out = data.draw(st.sampled_from([ByeReason.TURN, ByeReason.ASKED]))
            sat += [PlayedTable(round=number, a=(each,), sat_out=out) for each in there[2 * len(pairs) :]]
        found = replace(known(*sat), entrants=entrants)
        history = meeting_history(played_of(found))
        played = {each.round for each in sat}
        for entry, results in ledger_of(found).items():
            missed = [result for result in results if result.kind in MISSED | {OutcomeKind.BYE}]
            assert history.idle_rounds(entry) == len(missed)
            assert {result.round for result in results} == played
