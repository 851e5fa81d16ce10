"""Every mode in which each contract of each ruleset may be played (D12)."""

from rules import RULESETS, Ruleset

Way = tuple[str, str, str, int, int | None]
"""Ruleset, contract, mode, declarer, and the defender if one opponent defends alone."""


def rotate_seat(seat: int, turn: int, ruleset: Ruleset) -> int:
    return (seat + turn) % ruleset.seats


def list_ways() -> list[Way]:
    """List the modes that the rulesets declare, independently of the table in ``setups.json``."""
    return [
        (ruleset.key, contract.key, mode, declarer, defender)
        for ruleset in RULESETS.values()
        for contract in ruleset.biddable
        for mode in contract.modes
        for declarer in range(ruleset.seats)
        for defender in list_defenders(declarer, mode)
    ]


def list_defenders(declarer: int, mode: str) -> list[int | None]:
    """Return the opponents who may defend alone; ``[None]`` if nobody defends alone in this mode."""
    return [(declarer + 1) % 4, (declarer + 3) % 4] if mode.endswith("vs_1") else [None]
