"""Reasons of a table: the cost of its pair by each criterion, and whom its entrants would otherwise have met.

A reason is a fact about the field, or a consequence of the proof: no draw that is as good by all more
important criteria is better by this one.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from engine.draws.bonds import IF_POSSIBLE, list_active_bonds, list_avoided_kinds, list_bond_kinds, list_forbidden_kinds
from engine.draws.rounds import explain_bye
from engine.draws.values import DrawnBye, Reason, ReasonCode

from .fields import PairingField
from .pairing import CheapestPairing, Pair, Prices, find_cheapest_pairing


def list_table_reasons(pairing: CheapestPairing, pair: Pair) -> tuple[Reason, ...]:
    """Return the reasons of a table: score groups, earlier meetings, and what kept an entrant from the
    opponent that its rank would have given it."""
    return tuple(_iterate_reasons(pairing, pair)) or (_get_default_reason(pairing.prices, pair),)


def build_bye(pairing: CheapestPairing, place: int) -> DrawnBye:
    """Return the bye of the entrant at this position, with its reasons: earlier byes, low score, and whose
    turn it was if a more important criterion prevented that."""
    prices, field = pairing.prices, pairing.prices.field
    idle_entrant = field.entrants[place]
    playing = [entrant for entrant in field.entrants if entrant is not idle_entrant]
    reasons = [
        *explain_bye(idle_entrant, playing, field.history, has_scores=prices.has_score_groups),
        *_explain_bye_turn(pairing, place),
    ]
    return DrawnBye(entry=idle_entrant.id, reasons=tuple(reasons) or (Reason(code=ReasonCode.BEST_IN_ALL),))


def _explain_bye_turn(pairing: CheapestPairing, place: int) -> Iterator[Reason]:
    """Yield the entrant whose turn it was by byes and score, if every draw in which it sits out is worse."""
    prices, field = pairing.prices, pairing.prices.field

    def get_turn(other: int) -> tuple[int, int]:
        idle = field.history.count_idle_rounds(field.ids[other]) if prices.get_unit("byes") else 0
        return idle, field.scores[other] if prices.has_score_groups else 0

    expected_place = min(reversed(range(field.bye_position)), key=get_turn)
    if get_turn(expected_place) == get_turn(place):
        return
    if levels := _compare_levels(
        pairing,
        find_cheapest_pairing(prices, forced_pair=(expected_place, field.bye_position), known_edges=pairing.edges),
    ):
        yield Reason(code=ReasonCode.BYE_INSTEAD_OF, details={"entry": field.ids[expected_place], "levels": levels})


def _compare_levels(pairing: CheapestPairing, other_pairing: CheapestPairing) -> Mapping[str, int]:
    """Return the first criterion by which the other is worse than the optimum, and by how much; empty if by
    none."""
    other_levels = other_pairing.levels
    first = next((key for key, value in pairing.levels.items() if other_levels[key] != value), None)
    return {} if first is None else {first: other_levels[first] - pairing.levels[first]}


def _iterate_reasons(pairing: CheapestPairing, pair: Pair) -> Iterator[Reason]:
    prices, (higher, lower) = pairing.prices, pair
    field = prices.field
    if prices.has_score_groups:
        yield _explain_groups(field, higher, lower)
    levels = prices.compute_levels([pair])
    if rounds := field.history.get_rounds_met(field.ids[higher], field.ids[lower]):
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds})
    if levels.get("repeats"):
        yield Reason(code=ReasonCode.REPEATS_UNAVOIDABLE)
    if levels.get("forbidden"):
        kinds = _list_shared_kinds(field, pair, list_forbidden_kinds(prices.settings, field.round))
        yield Reason(code=ReasonCode.FORBIDDEN_UNAVOIDABLE, details={"kinds": kinds})
    if levels.get("own_club"):
        yield Reason(code=ReasonCode.OWN_CLUB_UNAVOIDABLE)
    elif levels.get("clubs"):
        yield Reason(code=ReasonCode.CLUBS_SPREAD)
    if levels.get("avoid"):
        yield _explain_bond(pairing, pair, levels["avoid"])
    if levels.get("distance") and not prices.is_by_lot:
        yield from _explain_missed_opponents(prices, pair)


def _explain_bond(pairing: CheapestPairing, pair: Pair, bonds: int) -> Reason:
    """Return why two meet who should not if possible; if the director named them, also the cost of keeping
    them apart."""
    field, settings = pairing.prices.field, pairing.prices.settings
    kinds = _list_shared_kinds(field, pair, list_avoided_kinds(settings, field.round))
    details: dict[str, Any] = {"bonds": bonds, "kinds": kinds}
    if IF_POSSIBLE in kinds and field.size > 2:
        details["levels"] = _compare_levels(
            pairing, find_cheapest_pairing(pairing.prices, barred_pair=pair, known_edges=pairing.edges)
        )
    return Reason(code=ReasonCode.BOND_UNAVOIDABLE, details=details)


def _list_shared_kinds(field: PairingField, pair: Pair, kinds: Collection[str]) -> tuple[str, ...]:
    """Return the kinds, among these, of which the two share a bond."""
    one, other = list_active_bonds([field.entrants[place] for place in pair], kinds, field.round)
    return list_bond_kinds(one & other)


def _get_default_reason(prices: Prices, pair: Pair) -> Reason:
    """Return the reason for two entrants when no other reason applies."""
    if prices.is_by_lot:
        return Reason(code=ReasonCode.BY_LOT)
    if prices.compute_levels([pair]).get("distance", 1):
        return Reason(code=ReasonCode.BEST_IN_ALL)
    return Reason(code=ReasonCode.BY_RANK, details={"places": tuple((place + 1,) for place in pair)})


def _explain_groups(field: PairingField, higher: int, lower: int) -> Reason:
    group, other = field.groups[field.group_indexes[higher]], field.groups[field.group_indexes[lower]]
    scores = (field.scores[higher], field.scores[lower])
    if group is not other:
        details: dict[str, Any] = {"scores": scores}
        earlier_floats = max(
            field.history.count_consecutive_floats(field.ids[place], field.round, is_down=place == higher)
            for place in (higher, lower)
        )
        if earlier_floats:
            details["running"] = earlier_floats + 1
        return Reason(code=ReasonCode.FLOATED, details=details)
    places = (higher - group.start + 1, lower - group.start + 1)
    return Reason(code=ReasonCode.SCORE_GROUP, details={"score": scores[0], "places": places, "size": len(group)})


def _explain_missed_opponents(prices: Prices, pair: Pair) -> Iterator[Reason]:
    """Yield the opponents by rank alone that a more important criterion prevented."""
    field = prices.field
    for place in pair:
        group = field.groups[field.group_indexes[place]]
        for span in prices.target.get_places_within(place - group.start, len(group), 0):
            for other in range(max(group.start, group.start + span.start), min(group.start + span.stop, group.stop)):
                if other == place or other in pair:
                    continue
                ideal = (min(place, other), max(place, other))
                blocking_levels = _list_levels_above_distance(prices, ideal)
                if blocking_levels:
                    details = {"entry": field.ids[place], "opponent": field.ids[other], "levels": blocking_levels}
                    yield Reason(code=ReasonCode.INSTEAD_OF, details=details)


def _list_levels_above_distance(prices: Prices, pair: Pair) -> dict[str, int]:
    levels: dict[str, int] = {}
    for key, value in prices.compute_levels([pair]).items():
        if key == "distance":
            break
        if value:
            levels[key] = value
    return levels
