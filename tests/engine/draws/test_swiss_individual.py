"""The Swiss draw of individuals: partners and opponents by rank; both matchings compared with brute force."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Bond, Draw, DrawInput, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from errors import Refusal
from rules import Side

from .events import build_field, build_pairing, list_byes
from .people import (
    build_pairing_of_four,
    count_opponents,
    count_partners,
    list_sides,
    make_sides,
    people_fields,
    simulate_people_event,
)

Item = TypeVar("Item", bound=int)


def iter_matchings(items: Sequence[Item]) -> Iterator[list[tuple[Item, Item]]]:
    """Yield every way to pair these items."""
    if not items:
        yield []
        return
    first, *others = items
    for other in others:
        for rest in iter_matchings([item for item in others if item != other]):
            yield [(first, other), *rest]


def draw_swiss(before: DrawInput, **wanted: object) -> Draw:
    return draw("swiss_individual", replace(before, settings={**before.settings, **wanted}))


def list_codes(drawn: Draw) -> list[ReasonCode]:
    return [reason.code for table in drawn.tables for reason in table.reasons]


class TestSwissIndividualProperties:
    @pytest.mark.slow
    @given(people_fields(), st.sampled_from(["bye", "two_player_table"]))
    def test_every_person_plays_or_sits_out_once(self, before: DrawInput, odd: str) -> None:
        drawn = draw_swiss(before, odd=odd)
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        assert sorted([*seated, *list_byes(drawn)]) == sorted(e.id for e in before.entrants)
        left = len(before.entrants) % 4
        twos = [table for table in drawn.tables if len(table.a) == 1]
        assert all(len(table.a) == len(table.b) for table in drawn.tables)
        assert len(twos) == (odd == "two_player_table" and left >= 2)
        assert len(list_byes(drawn)) == left - 2 * len(twos)

    @pytest.mark.slow
    @given(people_fields(most=9))
    def test_no_other_partners_repeat_less_or_are_closer_in_score(self, before: DrawInput) -> None:
        drawn = draw_swiss(before)
        had, score = count_partners(before.history), {e.id: e.score for e in before.entrants}

        def price(way: Iterable[Iterable[EntryId]]) -> tuple[int, int]:
            pairs = [frozenset(pair) for pair in way]
            apart = [max(score[e] for e in pair) - min(score[e] for e in pair) for pair in pairs]
            return sum(had[pair] ** 2 for pair in pairs), sum(points**2 for points in apart)

        playing = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        made = price(side for table in drawn.tables for side in (table.a, table.b))
        assert made == min(map(price, iter_matchings(playing)))
        assert made == (drawn.price["partner_repeats"], drawn.price["partner_scores"])

    @pytest.mark.slow
    @given(people_fields())
    def test_no_other_tables_of_the_same_partners_are_better(self, before: DrawInput) -> None:
        """Compared by repeats, then scores, places and sides; these fields have no bonds."""
        drawn = draw_swiss(before)
        had, score = count_opponents(before.history), {e.id: e.score for e in before.entrants}
        partners = [side for table in drawn.tables for side in (table.a, table.b)]
        playing = {entry for side in partners for entry in side}
        place = {e.id: at for at, e in enumerate(e for e in before.entrants if e.id in playing)}
        lean = {
            entry: sum(entry in t.a for t in before.history if t.b) - sum(entry in t.b for t in before.history)
            for entry in playing
        }

        def price(way: Iterable[tuple[int, int]]) -> tuple[int, ...]:
            sides = [(partners[one], partners[other]) for one, other in way]
            leans = [[sum(lean[e] for e in side) for side in two] for two in sides]
            return (
                sum(had[frozenset(pair)] ** 2 for two in sides for pair in product(*two)),
                sum((sum(score[e] for e in a) - sum(score[e] for e in b)) ** 2 for a, b in sides),
                sum((sum(place[e] for e in a) - sum(place[e] for e in b)) ** 2 for a, b in sides),
                sum(min((a + 2) ** 2 + (b - 2) ** 2, (a - 2) ** 2 + (b + 2) ** 2) for a, b in leans),
            )

        made = price((at, at + 1) for at in range(0, len(partners), 2))
        assert made == min(map(price, iter_matchings(range(len(partners)))))
        keys = ("opponent_repeats", "opponent_scores", "opponent_distance", "opponent_sides")
        assert made == tuple(drawn.price[key] for key in keys)

    @pytest.mark.slow
    @given(people_fields(), st.randoms(use_true_random=False))
    def test_draw_does_not_depend_on_ids_or_history_order(self, before: DrawInput, chance: object) -> None:
        def name(entry: int) -> EntryId:
            return EntryId(1000 - 7 * entry)

        renamed = replace(
            before,
            entrants=tuple(replace(e, id=name(e.id)) for e in before.entrants),
            history=tuple(
                replace(p, a=tuple(map(name, p.a)), b=tuple(map(name, p.b))) for p in reversed(before.history)
            ),
        )
        there = [(tuple(map(name, t.a)), tuple(map(name, t.b))) for t in draw_swiss(before).tables]
        assert [(t.a, t.b) for t in draw_swiss(renamed).tables] == there

    @pytest.mark.slow
    @given(people_fields())
    def test_bye_goes_to_people_with_the_fewest_byes(self, before: DrawInput) -> None:
        had = [entry for table in before.history if not table.b for entry in table.a]
        drawn = draw_swiss(before)
        playing = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        out = [had.count(bye.entry) for bye in drawn.byes]
        assert max(out, default=0) <= min(map(had.count, playing), default=len(had))
        assert drawn.price["byes"] == sum(count**2 for count in out)

    @pytest.mark.slow
    @given(people_fields())
    def test_bye_goes_to_the_lowest_scores_among_equals(self, before: DrawInput) -> None:
        had: Counter[int] = Counter(e for table in before.history if not table.b for e in table.a)
        out = set(list_byes(draw_swiss(before)))
        best_out = max((person.score for person in before.entrants if person.id in out), default=0)
        turns = {had[entry] for entry in out}
        playing = [p.score for p in before.entrants if p.id not in out and had[p.id] in turns]
        assert len(turns) > 1 or best_out <= min(playing, default=best_out)


class TestPairingByRank:
    def test_ranks_one_and_four_play_two_and_three(self) -> None:
        drawn = draw_swiss(build_field(*range(8)))
        assert list_sides(drawn) == {make_sides((0, 3), (1, 2)), make_sides((4, 7), (5, 6))}
        assert not drawn.price["partner_distance"]
        assert not drawn.price["opponent_distance"]

    def test_equal_scores_play_together(self) -> None:
        scores = [4, 4, 4, 4, 2, 2, 2, 2, 0, 0, 0, 0]
        before = build_field(*range(12))
        entrants = tuple(replace(e, score=s) for e, s in zip(before.entrants, scores, strict=True))
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert {frozenset(scores[e] for e in (*t.a, *t.b)) for t in drawn.tables} == {
            frozenset({0}),
            frozenset({2}),
            frozenset({4}),
        }
        assert list_codes(drawn) == [ReasonCode.SCORE_GROUP] * 3

    def test_last_of_a_score_group_floats_down(self) -> None:
        before = build_field(*range(8))
        entrants = tuple(replace(e, score=2 if e.id < 5 else 0) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert list_sides(drawn) == {make_sides((0, 3), (1, 2)), make_sides((4, 5), (6, 7))}
        assert list_codes(drawn) == [ReasonCode.SCORE_GROUP, ReasonCode.FLOATED]
        assert drawn.tables[1].reasons[0].details == {"scores": (2, 0, 0, 0)}

    def test_downfloater_partners_one_of_the_best_below(self) -> None:
        before = build_field(*range(8))
        entrants = tuple(replace(e, score=2 if e.id < 3 else 0) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert list_sides(drawn) == {make_sides((0, 2), (1, 3)), make_sides((4, 5), (6, 7))}

    def test_partners_change_before_opponents_do(self) -> None:
        drawn = draw_swiss(build_field(*range(4), history=[build_pairing_of_four(1, (0, 3), (1, 2))]))
        assert list_sides(drawn) == {make_sides((0, 2), (1, 3))}
        assert list_codes(drawn) == [ReasonCode.SCORE_GROUP, ReasonCode.MET_BEFORE, ReasonCode.MET_BEFORE]
        assert drawn.price["opponent_repeats"] == 2

    @pytest.mark.parametrize("stranger", [4, 5, 6, 7])
    def test_partners_who_were_not_opponents_are_preferred(self, stranger: int) -> None:
        ways = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
        history = [build_pairing_of_four(number, *way) for number, way in enumerate(ways, 1)]
        history += [
            build_pairing_of_four(n, (a + 4, b + 4), (c + 4, d + 4)) for n, ((a, b), (c, d)) in enumerate(ways, 1)
        ]
        history += [build_pairing(4, 0, other) for other in (4, 5, 6, 7) if other != stranger]
        drawn = draw_swiss(build_field(*range(8), history=history))
        assert frozenset({0, stranger}) in {frozenset(side) for t in drawn.tables for side in (t.a, t.b)}

    def test_unavoidable_repeat_states_its_earlier_round(self) -> None:
        history = [
            build_pairing_of_four(1, (0, 1), (2, 3)),
            build_pairing_of_four(2, (0, 2), (1, 3)),
            build_pairing_of_four(3, (0, 3), (1, 2)),
        ]
        drawn = draw_swiss(build_field(*range(4), history=history))
        reasons = [reason for reason in drawn.tables[0].reasons if reason.code is ReasonCode.PARTNERED_BEFORE]
        assert sorted(reason.details["entries"] for reason in reasons) == [(0, 3), (1, 2)]
        assert all(reason.details["rounds"] == (3,) for reason in reasons)


class TestWholeEvents:
    @pytest.mark.slow
    @pytest.mark.parametrize(("people", "rounds"), [(8, 5), (12, 6), (16, 6), (22, 6), (40, 8)])
    def test_no_person_has_the_same_partner_twice(self, people: int, rounds: int) -> None:
        for seed in range(3):
            *_, (before, drawn) = simulate_people_event("swiss_individual", people, rounds, seed=seed)
            tables = [PlayedPairing(round=rounds, a=t.a, b=t.b) for t in drawn.tables]
            assert max(count_partners([*before.history, *tables]).values()) == 1

    @pytest.mark.parametrize("people", [5, 6, 7, 10])
    def test_byes_rotate_among_all_people(self, people: int) -> None:
        for number, (before, _) in enumerate(simulate_people_event("swiss_individual", people, people + 1, seed=1)):
            had = [entry for table in before.history if not table.b for entry in table.a]
            counts = [had.count(EntryId(entry)) for entry in range(people)]
            assert max(counts) - min(counts) <= 1
            assert sum(counts) == number * (people % 4)

    @pytest.mark.parametrize("people", [6, 7, 10])
    def test_two_player_tables_rotate_among_all_people(self, people: int) -> None:
        *_, (before, _) = simulate_people_event("swiss_individual", people, people + 1, seed=1, odd="two_player_table")
        alone = [e for t in before.history if len(t.a) == len(t.b) == 1 for e in (*t.a, *t.b)]
        counts = [alone.count(EntryId(entry)) for entry in range(people)]
        assert max(counts) - min(counts) <= 2


class TestEventWishes:
    def test_people_with_a_forbidden_bond_sit_at_different_tables(self) -> None:
        before = build_field(*range(8))
        family = frozenset([Bond("family", "Roy")])
        entrants = tuple(replace(e, bonds=family if e.id in {0, 3} else e.bonds) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants), must_not=["family"])
        assert not any({0, 3} <= {*t.a, *t.b} for t in drawn.tables)
        assert drawn.price["partner_forbidden"] == drawn.price["opponent_forbidden"] == 0

    def test_soft_bond_yields_to_scores_and_is_reported(self) -> None:
        before = build_field(*range(4))
        family = frozenset([Bond("family", "Roy")])
        entrants = tuple(replace(e, bonds=family if e.id in {0, 3} else e.bonds) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert frozenset({0, 3}) not in {frozenset(side) for t in drawn.tables for side in (t.a, t.b)}
        assert ReasonCode.BOND_SHARED in list_codes(drawn)

    def test_bond_may_apply_to_the_first_round_alone(self) -> None:
        family = frozenset([Bond("family", "Roy")])

        def are_partners(played_round: int) -> bool:
            before = build_field(
                *range(4), played_round=played_round, history=[build_pairing_of_four(0, (0, 1), (2, 3))]
            )
            entrants = tuple(replace(e, bonds=family if e.id in {0, 3} else e.bonds) for e in before.entrants)
            drawn = draw_swiss(replace(before, entrants=entrants), apart_rounds=1)
            return frozenset({0, 3}) in {frozenset(side) for t in drawn.tables for side in (t.a, t.b)}

        assert [are_partners(number) for number in (1, 2)] == [False, True]

    def test_couple_that_plays_together_is_partnered(self) -> None:
        before = build_field(*range(8))
        couple = frozenset([Bond("couple", "1")])
        entrants = tuple(replace(e, bonds=couple if e.id in {0, 6} else e.bonds) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants), together=["couple"])
        assert frozenset({0, 6}) in {frozenset(side) for t in drawn.tables for side in (t.a, t.b)}
        assert drawn.price["partner_apart"] == 0

    def test_sections_play_apart_unless_mixed(self) -> None:
        before = build_field(*range(8))
        entrants = tuple(replace(e, section="AB"[e.id % 2]) for e in before.entrants)
        apart = draw_swiss(replace(before, entrants=entrants))
        assert all(len({entry % 2 for entry in (*t.a, *t.b)}) == 1 for t in apart.tables)
        mixed = draw_swiss(replace(before, entrants=entrants), mixes_sections=True)
        assert list_sides(mixed) == {make_sides((0, 3), (1, 2)), make_sides((4, 7), (5, 6))}

    def test_fixed_table_and_fixed_side_are_respected(self) -> None:
        before = build_field(*range(8))
        entrants = tuple(
            replace(e, table=9, side=Side.B) if e.id == 1 else replace(e, side=Side.B) if e.id == 7 else e
            for e in before.entrants
        )
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert next(t.number for t in drawn.tables if 1 in t.b) == 9
        assert any(7 in t.b for t in drawn.tables)

    def test_people_with_different_fixed_sides_are_not_partners(self) -> None:
        before = build_field(*range(4))
        need = {0: Side.A, 3: Side.B}
        entrants = tuple(replace(e, side=need.get(e.id)) for e in before.entrants)
        (table,) = draw_swiss(replace(before, entrants=entrants)).tables
        assert 0 in table.a
        assert 3 in table.b

    def test_people_with_the_same_fixed_side_are_not_opponents(self) -> None:
        before = build_field(*range(8))
        entrants = tuple(replace(e, side=Side.A if e.id in {0, 1} else None) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert all(0 not in table.b and 1 not in table.b for table in drawn.tables)

    def test_a_forfeit_is_no_partnership_if_forfeits_do_not_count(self) -> None:
        before = build_field(*range(4), history=[replace(build_pairing_of_four(1, (0, 3), (1, 2)), is_forfeit=True)])
        assert list_sides(draw_swiss(before, forfeits_count=False)) == {make_sides((0, 3), (1, 2))}
        assert list_sides(draw_swiss(before)) == {make_sides((0, 2), (1, 3))}

    def test_people_with_different_fixed_tables_never_meet(self) -> None:
        before = build_field(*range(8))
        entrants = tuple(replace(e, table=e.id if e.id in {1, 2} else None) for e in before.entrants)
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert {t.number for t in drawn.tables} == {1, 2}
        assert not any({1, 2} <= {*t.a, *t.b} for t in drawn.tables)

    def test_locked_tables_absences_and_requested_byes_are_respected(self) -> None:
        locked = LockedTable(number=1, a=(EntryId(0), EntryId(1)), b=(EntryId(2), EntryId(3)))
        before = replace(build_field(*range(10)), locked=(locked,))
        entrants = tuple(
            replace(e, absent=frozenset({1} if e.id == 8 else ()), requested_byes=frozenset({1} if e.id == 9 else ()))
            for e in before.entrants
        )
        drawn = draw_swiss(replace(before, entrants=entrants))
        assert list_sides(drawn) == {make_sides((0, 1), (2, 3)), make_sides((4, 7), (5, 6))}
        assert list_byes(drawn) == [9]
        assert [t.number for t in drawn.tables] == [1, 2]

    @pytest.mark.slow
    @given(people_fields())
    def test_partners_with_more_rounds_on_side_a_sit_on_side_b(self, before: DrawInput) -> None:
        lean = {e.id: 0 for e in before.entrants}
        for table in before.history:
            for entry in table.a:
                lean[entry] = lean.get(entry, 0) + bool(table.b)
            for entry in table.b:
                lean[entry] = lean.get(entry, 0) - 1
        for drawn in draw_swiss(before).tables:
            assert sum(lean[e] for e in drawn.a) <= sum(lean[e] for e in drawn.b)

    @pytest.mark.parametrize(
        ("wanted", "code"),
        [
            ({"colour": 1}, "no_such_setting"),
            ({"odd": "dummy"}, "no_such_choice"),
            ({"avoid": "club"}, "not_a_list"),
            ({"mixes_sections": "no"}, "no_such_choice"),
        ],
    )
    def test_draw_rejects_unknown_settings(self, wanted: dict[str, object], code: str) -> None:
        with pytest.raises(Refusal) as refusal:
            draw_swiss(build_field(*range(4)), **wanted)
        assert (refusal.value.code, refusal.value.field) == (code, next(iter(wanted)))
