"""The second tap: every outcome of every contract, and its effect."""

from dataclasses import dataclass

from rules import TRICKS, Contract, PlayedHand, Ruleset, Side, TrumpRule, compute_hand_points

from .sides import SideView

Sides = tuple[SideView, SideView]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeBox:
    """An outcome of a step: who gains how much, and the numbers of tricks with this outcome."""

    made: bool
    side: SideView
    gained: int
    ends_game: bool
    tricks: tuple[int, ...]

    @property
    def after(self) -> int:
        return self.side.total + self.gained

    @property
    def result(self) -> str:
        """Result that the button of this outcome records: "made", "failed", or the only possible number of
        tricks."""
        if len(self.tricks) == 1:
            return str(self.tricks[0])
        return "made" if self.made else "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeStep:
    """The second half of marking: the outcomes of this contract for this side."""

    side: SideView
    contract: Contract
    boxes: tuple[OutcomeBox, OutcomeBox]

    @property
    def id(self) -> str:
        return f"{self.side.letter}-{self.contract.key}"

    @property
    def tricks(self) -> list[tuple[int, OutcomeBox]]:
        """Numbers of tricks, ascending, that tell more than the button of their outcome."""
        boxes = [box for box in self.boxes if len(box.tricks) > 1]
        return sorted(((tricks, box) for box in boxes for tricks in box.tricks), key=lambda each: each[0])

    @property
    def is_trump_asked(self) -> bool:
        return self.contract.trump is TrumpRule.NAMED

    @property
    def asks_mode(self) -> bool:
        return len(self.contract.modes) > 1


def build_steps(sides: Sides, ruleset: Ruleset) -> list[OutcomeStep]:
    """Return a step for each side and each playable contract, side A's first."""
    return [_build_step(sides, side.side, contract, ruleset) for side in sides for contract in ruleset.playable]


def _build_step(sides: Sides, declarers: Side, contract: Contract, ruleset: Ruleset) -> OutcomeStep:
    made_tricks = tuple(range(contract.least, contract.most + 1))
    failed_tricks = tuple(tricks for tricks in range(TRICKS + 1) if tricks not in made_tricks)
    return OutcomeStep(
        side=sides[declarers],
        contract=contract,
        boxes=(
            _build_box(sides, declarers, contract, ruleset, tricks=made_tricks),
            _build_box(sides, declarers, contract, ruleset, tricks=failed_tricks),
        ),
    )


def _build_box(
    sides: Sides, declarers: Side, contract: Contract, ruleset: Ruleset, *, tricks: tuple[int, ...]
) -> OutcomeBox:
    made = contract.is_made_with(tricks[0])
    gainer = declarers if made else declarers.other
    hand = PlayedHand(side=declarers, contract=contract.key, made=made)
    return OutcomeBox(
        made=made,
        side=sides[gainer],
        gained=compute_hand_points(ruleset, hand)[gainer],
        ends_game=contract.ends_game,
        tricks=tricks,
    )
