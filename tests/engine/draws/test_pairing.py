"""The priced pairing: its optimum, its proof, and its candidates compared with the whole field."""

import json
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import Bond, DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws import draw as draw_round
from engine.draws.pairing_cost.blossom import find_min_cost_matching
from engine.draws.pairing_cost.certificates import certificate_from_json, certificate_to_json, is_proved
from engine.draws.pairing_cost.costs import build_prices
from engine.draws.pairing_cost.criteria import CRITERIA, PairingSettings
from engine.draws.pairing_cost.pairing import CANDIDATE_SPAN, CheapestPairing, Prices, find_cheapest_pairing
from engine.draws.pairing_cost.targets import TARGETS, Target
from errors import Refusal
from tests.long_runs import choose_count

from .events import build_field, build_pairing, fields, list_pairs, simulate_event


def get_cost(pairing: CheapestPairing) -> int:
    return sum(pairing.prices.price(*pair) for pair in pairing.pairs)


def get_full_field_cost(prices: Prices) -> int:
    """Return the least cost if the solver gets every pair of the field."""
    pairs = list(combinations(range(prices.field.size), 2))
    matching = find_min_cost_matching(prices.field.size, [(*pair, prices.price(*pair)) for pair in pairs])
    return sum(prices.price(*pair) for pair in enumerate(matching.mates) if pair[0] < pair[1])


ALL_SETTINGS = st.builds(
    PairingSettings,
    criteria=st.permutations(list(CRITERIA)).map(tuple),
    target=st.sampled_from(list(TARGETS)),
    must_not=st.sampled_from([(), ("club",), ("family",)]),
    rematch_after=st.none() | st.integers(1, 4),
    forfeits_count=st.booleans(),
)


@st.composite
def with_bonds(draw: st.DrawFn, most: int = 14) -> DrawInput:
    before = draw(fields(most))
    clubs = st.sampled_from([frozenset[Bond](), frozenset([Bond("club", "x")]), frozenset([Bond("club", "y")])])
    return replace(before, entrants=tuple(replace(e, bonds=draw(clubs)) for e in before.entrants))


@pytest.mark.slow
@settings(max_examples=choose_count(15, long=450))
@given(with_bonds(), ALL_SETTINGS)
def test_no_pairing_of_the_whole_field_costs_less(before: DrawInput, wanted: PairingSettings) -> None:
    prices = build_prices(before, wanted)
    pairing = find_cheapest_pairing(prices)
    assert get_cost(pairing) == get_full_field_cost(prices)
    assert is_proved(pairing.certificate, prices, pairing.pairs)


@pytest.mark.slow
@settings(deadline=None)
@given(with_bonds(), ALL_SETTINGS, st.randoms(use_true_random=False))
def test_certificate_proves_no_costlier_pairing(before: DrawInput, wanted: PairingSettings, chance: Random) -> None:
    pairing = find_cheapest_pairing(build_prices(before, wanted))
    places = list(range(pairing.prices.field.size))
    chance.shuffle(places)
    pairs = [(min(pair), max(pair)) for pair in zip(places[::2], places[1::2], strict=True)]
    as_cheap = sum(pairing.prices.price(*pair) for pair in pairs) == get_cost(pairing)
    assert is_proved(pairing.certificate, pairing.prices, pairs) is as_cheap


@pytest.mark.slow
@settings(deadline=None)
@given(with_bonds(), ALL_SETTINGS)
def test_certificate_survives_a_json_round_trip(before: DrawInput, wanted: PairingSettings) -> None:
    certificate = find_cheapest_pairing(build_prices(before, wanted)).certificate
    assert certificate_from_json(json.loads(json.dumps(certificate_to_json(certificate)))) == certificate


@pytest.mark.slow
@settings(deadline=None)
@given(with_bonds(), ALL_SETTINGS)
def test_total_cost_respects_the_order_of_criteria(before: DrawInput, wanted: PairingSettings) -> None:
    pairing = find_cheapest_pairing(build_prices(before, wanted))
    units = pairing.prices.units
    assert sum(units[key] * value for key, value in pairing.levels.items()) == get_cost(pairing)
    below = 0
    for key in reversed(wanted.criteria):
        assert units[key] > below
        below += units[key] * pairing.prices.criteria[key].maximum * (pairing.prices.field.size // 2)


@pytest.mark.long
@pytest.mark.parametrize("entries", [6, 7, 8, 9, 10, 12, 16, 33, 64])
@pytest.mark.parametrize("target", TARGETS)
def test_candidate_pairs_suffice_up_to_the_last_round(entries: int, target: str) -> None:
    rounds = min(entries - 1 + entries % 2, 9)
    for seed in range(4):
        for before, drawn in simulate_event("swiss", entries, rounds, seed=seed, target=target):
            prices = build_prices(before, PairingSettings(target=target))
            least = get_full_field_cost(prices)
            assert sum(prices.units[key] * value for key, value in drawn.price.items()) == least


def test_proof_adds_pairs_missing_from_the_candidates() -> None:
    # 0 and 1 have met all but one entry each, which lies beyond all candidates.
    far = CANDIDATE_SPAN + 30
    entries = range(2 * far)
    history = [t for one in (0, 1) for t in _build_meetings(one, far + 20 + one, entries)]
    before = build_field(*entries, history=history)
    pairing = find_cheapest_pairing(build_prices(before, PairingSettings()))
    assert {(0, far + 20), (1, far + 21)} <= set(pairing.pairs)
    assert pairing.solves > 1


def _build_meetings(one: int, spared: int, entries: range) -> list[PlayedPairing]:
    return [build_pairing(1, one, other) for other in entries if other not in (one, spared)]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@given(size=st.integers(2, 20), reach=st.integers(0, 25))
def test_places_within_reach_match_the_target_distance(target: Target, size: int, reach: int) -> None:
    for place in range(size):
        reached = {
            p for span in target.get_places_within(place, size, reach) for p in span if 0 <= p < size and p != place
        }
        near = {
            other
            for other in range(size)
            if other != place and target.compute_distance(min(place, other), max(place, other), size) <= reach
        }
        assert reached == near


@pytest.mark.long
def test_draw_of_a_thousand_entries_is_proved_without_rematches() -> None:
    chance = Random(1)
    entrants = tuple(
        Entrant(
            id=EntryId(n), number=n + 1, score=chance.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)), bonds=_build_club_bond(n)
        )
        for n in range(1001)
    )
    before = DrawInput(round=5, entrants=entrants)
    pairing = find_cheapest_pairing(build_prices(before, PairingSettings()))
    assert is_proved(pairing.certificate, pairing.prices, pairing.pairs)
    assert pairing.levels["avoid"] == 0


def _build_club_bond(number: int) -> frozenset[Bond]:
    return frozenset([Bond("club", str(number % 40))])


@pytest.mark.parametrize("format_key", ["swiss", "random"])
@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"first_round": "lot"}, "no_such_setting"),
        ({"criteria": "scores"}, "not_a_list"),
        ({"criteria": [["scores"]]}, "not_a_list"),
        ({"criteria": ["age"]}, "no_such_choice"),
        ({"criteria": ["scores", "scores"]}, "criterion_twice"),
        ({"target": "best"}, "no_such_choice"),
        ({"must_not": "club"}, "not_a_list"),
        ({"avoid": None}, "not_a_list"),
        ({"rematch_after": "3"}, "not_a_number"),
        ({"rematch_after": 0}, "number_too_small"),
        ({"forfeits_count": "no"}, "no_such_choice"),
        ({"mixes_sections": None}, "no_such_choice"),
    ],
)
def test_invalid_settings_are_rejected_by_name(format_key: str, settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw_round(format_key, DrawInput(round=1, entrants=(), settings=settings))
    assert (refused.value.code, refused.value.field) == (code, *settings)


def test_entries_that_met_in_an_earlier_stage_do_not_meet_again() -> None:
    earlier = [build_pairing(-2, 0, 1), build_pairing(-2, 2, 3), build_pairing(-1, 0, 2), build_pairing(-1, 1, 3)]
    drawn = draw_round("swiss", build_field(0, 1, 2, 3, history=earlier, played_round=1))
    assert list_pairs(drawn) == {frozenset((0, 3)), frozenset((1, 2))}
