"""Prize fund and rounding of prizes: plain computations, in cents."""

from dataclasses import dataclass

from engine.awards import round_down

ROUNDING_STEPS = (1, 5, 25, 100, 500)
"""Steps that prizes can be rounded to, in cents: coins and the five-dollar note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashRules:
    """Rules for the cash of an event. ``prize_share`` is the percentage of the fees for prizes; prizes and
    shares of them come in whole ``rounding_step``s; ``starting_cash`` is in the box before anybody pays."""

    prize_share: int = 0
    rounding_step: int = 1
    starting_cash: int = 0

    def compute_prize_fund(self, fee_income: int) -> int:
        """Return the prize fund that ``fee_income`` pays for, rounded down to a step."""
        return round_down(fee_income * self.prize_share // 100, self.rounding_step)


NO_CASH_RULES = CashRules()
