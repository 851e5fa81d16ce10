"""Why a table is as it is: what its pair costs by each criterion, and whom its entrants would have met."""

from collections.abc import Iterator

from tournaments.draws.rounds import bye_in_turn
from tournaments.draws.values import DrawnBye, Reason, ReasonCode

from .fields import Field
from .pairing import Pair, Prices

_AT_A_PRICE = {"repeats": ReasonCode.REPEATS_UNAVOIDABLE, "forbidden": ReasonCode.FORBIDDEN_UNAVOIDABLE}


def table_reasons(prices: Prices, pair: Pair) -> tuple[Reason, ...]:
    """The reasons of a table: score groups, earlier meetings, and what kept an entrant from the opponent that
    its rank would have given it."""
    reasons = tuple(_reasons(prices, pair))
    if reasons:
        return reasons
    if prices.is_by_lot:
        return (Reason(code=ReasonCode.BY_LOT),)
    places = tuple((place + 1,) for place in pair)
    return (Reason(code=ReasonCode.BY_RANK, details={"places": places}),)


def bye_of(prices: Prices, place: int) -> DrawnBye:
    """The bye of the entrant at this position: which ones it follows, and its score beside the lowest."""
    field = prices.field
    more = []
    if prices.unit("scores"):
        scores = (field.scores[place], field.scores[-1])
        more.append(Reason(code=ReasonCode.LOWEST_SCORE, details={"scores": scores}))
    return bye_in_turn(field.ids[place], field.history, *more)


def _reasons(prices: Prices, pair: Pair) -> Iterator[Reason]:
    field, (higher, lower) = prices.field, pair
    if prices.unit("scores"):
        yield _standing(field, higher, lower)
    levels = prices.levels([pair])
    if levels.get("repeats"):
        rounds = field.history.rounds_met(field.ids[higher], field.ids[lower])
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds})
    for key, code in _AT_A_PRICE.items():
        if levels.get(key):
            yield Reason(code=code)
    if levels.get("avoid"):
        yield Reason(code=ReasonCode.BOND_UNAVOIDABLE, details={"bonds": levels["avoid"]})
    if levels.get("distance") and prices.unit("scores"):
        yield from _instead(prices, pair)


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
