"""Every way of playing every contract, as the rulesets know them (D12)."""

from rules import RULESETS, Ruleset

Way = tuple[str, str, str, int, int | None]
"""Ruleset, contract, mode, declarer, and the defender where one of two opponents plays."""


def rotate_seat(seat: int, turn: int, ruleset: Ruleset) -> int:
    return (seat + turn) % ruleset.seats


def list_ways() -> list[Way]:
    """All that the rulesets know, whatever the table says."""
    return [
        (ruleset.key, contract.key, mode, declarer, defender)
        for ruleset in RULESETS.values()
        for contract in ruleset.biddable
        for mode in contract.modes
        for declarer in range(ruleset.seats)
        for defender in list_defenders(declarer, mode)
    ]


def list_defenders(declarer: int, mode: str) -> list[int | None]:
    """Return those who may play alone against the declarer: nobody, where everybody does."""
    return [(declarer + 1) % 4, (declarer + 3) % 4] if mode.endswith("vs_1") else [None]
