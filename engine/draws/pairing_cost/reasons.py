"""Reasons of a table: the cost of its pair by each criterion, and whom its entrants would otherwise have met.

A reason is a fact about the field, or a consequence of the proof: no draw that is as good by all more
important criteria is better by this one.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from engine.draws.bonds import IF_POSSIBLE, bonds_in_force, kinds_of, never_meet, rather_not
from engine.draws.rounds import reasons_of_bye
from engine.draws.values import DrawnBye, Reason, ReasonCode

from .fields import PairingField
from .pairing import CheapestPairing, Pair, Prices, cheapest_pairing


def table_reasons(pairing: CheapestPairing, pair: Pair) -> tuple[Reason, ...]:
    """Return the reasons of a table: score groups, earlier meetings, and what kept an entrant from the
    opponent that its rank would have given it."""
    return tuple(_reasons(pairing, pair)) or (_by_default(pairing.prices, pair),)


def bye_of(pairing: CheapestPairing, place: int) -> DrawnBye:
    """Return the bye of the entrant at this position, with its reasons: earlier byes, low score, and whose
    turn it was if a more important criterion prevented that."""
    prices, field = pairing.prices, pairing.prices.field
    out = field.entrants[place]
    playing = [entrant for entrant in field.entrants if entrant is not out]
    reasons = [
        *reasons_of_bye(out, playing, field.history, tells_score=prices.tells_scores),
        *_instead_of_bye(pairing, place),
    ]
    return DrawnBye(entry=out.id, reasons=tuple(reasons) or (Reason(code=ReasonCode.BEST_IN_ALL),))


def _instead_of_bye(pairing: CheapestPairing, place: int) -> Iterator[Reason]:
    """Yield the entrant whose turn it was by byes and score, if every draw in which it sits out is worse."""
    prices, field = pairing.prices, pairing.prices.field

    def turn(other: int) -> tuple[int, int]:
        idle = field.history.idle_rounds(field.ids[other]) if prices.unit("byes") else 0
        return idle, field.scores[other] if prices.tells_scores else 0

    due = min(reversed(range(field.nobody)), key=turn)
    if turn(due) == turn(place):
        return
    if levels := _worse(pairing, cheapest_pairing(prices, forced=(due, field.nobody), known=pairing.edges)):
        yield Reason(code=ReasonCode.BYE_INSTEAD_OF, details={"entry": field.ids[due], "levels": levels})


def _worse(pairing: CheapestPairing, other: CheapestPairing) -> Mapping[str, int]:
    """Return the first criterion by which the other is worse than the optimum, and by how much; empty if by
    none."""
    then = other.levels
    first = next((key for key, value in pairing.levels.items() if then[key] != value), None)
    return {} if first is None else {first: then[first] - pairing.levels[first]}


def _reasons(pairing: CheapestPairing, pair: Pair) -> Iterator[Reason]:
    prices, (higher, lower) = pairing.prices, pair
    field = prices.field
    if prices.tells_scores:
        yield _reason_of_groups(field, higher, lower)
    levels = prices.levels([pair])
    if rounds := field.history.rounds_met(field.ids[higher], field.ids[lower]):
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds})
    if levels.get("repeats"):
        yield Reason(code=ReasonCode.REPEATS_UNAVOIDABLE)
    if levels.get("forbidden"):
        kinds = _kinds(field, pair, never_meet(prices.settings, field.round))
        yield Reason(code=ReasonCode.FORBIDDEN_UNAVOIDABLE, details={"kinds": kinds})
    if levels.get("own_club"):
        yield Reason(code=ReasonCode.OWN_CLUB_UNAVOIDABLE)
    elif levels.get("clubs"):
        yield Reason(code=ReasonCode.CLUBS_SPREAD)
    if levels.get("avoid"):
        yield _bond(pairing, pair, levels["avoid"])
    if levels.get("distance") and not prices.is_by_lot:
        yield from _instead(prices, pair)


def _bond(pairing: CheapestPairing, pair: Pair, bonds: int) -> Reason:
    """Return why two meet who should not if possible; if the director named them, also the cost of keeping
    them apart."""
    field, settings = pairing.prices.field, pairing.prices.settings
    kinds = _kinds(field, pair, rather_not(settings, field.round))
    details: dict[str, Any] = {"bonds": bonds, "kinds": kinds}
    if IF_POSSIBLE in kinds and field.size > 2:
        details["levels"] = _worse(
            pairing, cheapest_pairing(pairing.prices, barred=pair, known=pairing.edges)
        )
    return Reason(code=ReasonCode.BOND_UNAVOIDABLE, details=details)


def _kinds(field: PairingField, pair: Pair, kinds: Collection[str]) -> tuple[str, ...]:
    """Return the kinds, among these, of which the two share a bond."""
    one, other = bonds_in_force([field.entrants[place] for place in pair], kinds, field.round)
    return kinds_of(one & other)


def _by_default(prices: Prices, pair: Pair) -> Reason:
    """Return the reason for two entrants when no other reason applies."""
    if prices.is_by_lot:
        return Reason(code=ReasonCode.BY_LOT)
    if prices.levels([pair]).get("distance", 1):
        return Reason(code=ReasonCode.BEST_IN_ALL)
    return Reason(code=ReasonCode.BY_RANK, details={"places": tuple((place + 1,) for place in pair)})


def _reason_of_groups(field: PairingField, higher: int, lower: int) -> Reason:
    group, other = field.groups[field.group_at[higher]], field.groups[field.group_at[lower]]
    scores = (field.scores[higher], field.scores[lower])
    if group is not other:
        details: dict[str, Any] = {"scores": scores}
        before = max(
            field.history.floats_running(field.ids[place], field.round, down=place == higher)
            for place in (higher, lower)
        )
        if before:
            details["running"] = before + 1
        return Reason(code=ReasonCode.FLOATED, details=details)
    places = (higher - group.start + 1, lower - group.start + 1)
    return Reason(
        code=ReasonCode.SCORE_GROUP, details={"score": scores[0], "places": places, "size": len(group)}
    )


def _instead(prices: Prices, pair: Pair) -> Iterator[Reason]:
    """Yield the opponents by rank alone that a more important criterion prevented."""
    field = prices.field
    for place in pair:
        group = field.groups[field.group_at[place]]
        for span in prices.target.within(place - group.start, len(group), 0):
            for other in range(
                max(group.start, group.start + span.start), min(group.start + span.stop, group.stop)
            ):
                if other == place or other in pair:
                    continue
                ideal = (min(place, other), max(place, other))
                against = _above_distance(prices, ideal)
                if against:
                    details = {"entry": field.ids[place], "opponent": field.ids[other], "levels": against}
                    yield Reason(code=ReasonCode.INSTEAD_OF, details=details)


def _above_distance(prices: Prices, pair: Pair) -> dict[str, int]:
    levels: dict[str, int] = {}
    for key, value in prices.levels([pair]).items():
        if key == "distance":
            break
        if value:
            levels[key] = value
    return levels
