"""Why a table is as it is: what its pair costs by each criterion, and whom its entrants would have met.

A reason is a fact about the field, or a consequence of the proof: no draw that is as good by all that counts
more is better by this.
"""

from collections.abc import Iterator

from tournaments.draws.rounds import reasons_of_bye
from tournaments.draws.values import DrawnBye, Reason, ReasonCode

from .fields import Field
from .pairing import Pair, Pairing, Prices, cheapest_pairing

_AT_A_PRICE = {"repeats": ReasonCode.REPEATS_UNAVOIDABLE, "forbidden": ReasonCode.FORBIDDEN_UNAVOIDABLE}


def table_reasons(prices: Prices, pair: Pair) -> tuple[Reason, ...]:
    """The reasons of a table: score groups, earlier meetings, and what kept an entrant from the opponent that
    its rank would have given it."""
    return tuple(_reasons(prices, pair)) or (_by_default(prices, pair),)


def bye_of(pairing: Pairing, place: int) -> DrawnBye:
    """The bye of the entrant at this position: which ones it follows, how low its score is, and whose turn it
    was if something that counts more spoke against that."""
    prices, field = pairing.prices, pairing.prices.field
    out = field.entrants[place]
    playing = [entrant for entrant in field.entrants if entrant is not out]
    reasons = [
        *reasons_of_bye(out, playing, field.history, tells_score=prices.tells_scores),
        *_instead_of_bye(pairing, place),
    ]
    return DrawnBye(entry=out.id, reasons=tuple(reasons) or (Reason(code=ReasonCode.BEST_IN_ALL),))


def _instead_of_bye(pairing: Pairing, place: int) -> Iterator[Reason]:
    """Whose turn it was by byes and score, where every draw in which that entrant sits out is worse."""
    prices, field = pairing.prices, pairing.prices.field

    def turn(other: int) -> tuple[int, int]:
        idle = field.history.idle_rounds(field.ids[other]) if prices.unit("byes") else 0
        return idle, field.scores[other] if prices.tells_scores else 0

    due = min(reversed(range(field.nobody)), key=turn)
    if turn(due) == turn(place):
        return
    then = cheapest_pairing(prices, forced=(due, field.nobody)).levels
    worse = next((key for key, value in pairing.levels.items() if then[key] != value), None)
    if worse is not None:
        levels = {worse: then[worse] - pairing.levels[worse]}
        yield Reason(code=ReasonCode.BYE_INSTEAD_OF, details={"entry": field.ids[due], "levels": levels})


def _reasons(prices: Prices, pair: Pair) -> Iterator[Reason]:
    field, (higher, lower) = prices.field, pair
    if prices.tells_scores:
        yield _standing(field, higher, lower)
    levels = prices.levels([pair])
    if rounds := field.history.rounds_met(field.ids[higher], field.ids[lower]):
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds})
    for key, code in _AT_A_PRICE.items():
        if levels.get(key):
            yield Reason(code=code)
    if levels.get("avoid"):
        yield Reason(code=ReasonCode.BOND_UNAVOIDABLE, details={"bonds": levels["avoid"]})
    if levels.get("distance") and not prices.is_by_lot:
        yield from _instead(prices, pair)


def _by_default(prices: Prices, pair: Pair) -> Reason:
    """What there is to say where nothing tells these two from others."""
    if prices.is_by_lot:
        return Reason(code=ReasonCode.BY_LOT)
    if prices.levels([pair]).get("distance", 1):
        return Reason(code=ReasonCode.BEST_IN_ALL)
    return Reason(code=ReasonCode.BY_RANK, details={"places": tuple((place + 1,) for place in pair)})


def _standing(field: Field, higher: int, lower: int) -> Reason:
    group, other = field.groups[field.group_at[higher]], field.groups[field.group_at[lower]]
    scores = (field.scores[higher], field.scores[lower])
    if group is not other:
        return Reason(code=ReasonCode.FLOATED, details={"scores": scores})
    places = (higher - group.start + 1, lower - group.start + 1)
    return Reason(
        code=ReasonCode.SCORE_GROUP, details={"score": scores[0], "places": places, "size": len(group)}
    )


def _instead(prices: Prices, pair: Pair) -> Iterator[Reason]:
    """With whom the rank alone would have paired these two, where a higher criterion speaks against it."""
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
