"""How much of the fees becomes prizes, and to what they are rounded: plain computations, in cents."""

from dataclasses import dataclass

from engine.awards import round_down

STEPS = (1, 5, 25, 100, 500)
"""What prizes can be rounded to, in cents: the coins and the note that a box has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashRules:
    """``prize_share`` is the percentage of the fees for prizes; prizes and shares of them come in whole
    ``rounding_step``s; ``starting_cash`` is in the box before anybody pays."""

    prize_share: int = 0
    rounding_step: int = 1
    starting_cash: int = 0

    def prize_fund(self, came_in: int) -> int:
        """The prizes that the fees which ``came_in`` pay for, rounded down to a step."""
        return round_down(came_in * self.prize_share // 100, self.rounding_step)


NO_FUND = CashRules()
