"""The order of bids of a ruleset as table rows: each bid, its play, and its points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from django.utils.translation import gettext

from rules import RESERVE, Contract, Ruleset, Seat, Setup, build_setup


class Kitty(StrEnum):
    """The declarer's right to take the cards set aside."""

    NEVER = "never"
    MAY = "may"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayModeView:
    """A way of playing a contract. ``setup`` is that of seat 0, without an optional réserve."""

    ruleset: Ruleset
    setup: Setup
    kitty: Kitty

    @property
    def words(self) -> str:
        """Description: ``alone, takes the kitty, gets a card that the partner chooses, then lays aside 3``.

        A réserve that may be taken is the rule where there is one, and needs no words here.
        """
        return ", ".join([*self._describe_partner(), *self._describe_cards(), *self._describe_defence()])

    def _describe_partner(self) -> Iterator[str]:
        if self.ruleset.seats == 4:
            yield gettext("with the partner") if Seat(2) in self.setup.active else gettext("alone")

    def _describe_cards(self) -> Iterator[str]:
        if self.kitty is Kitty.ALWAYS:
            yield gettext("takes the réserve") if has_reserve(self.ruleset) else gettext("takes the kitty")
        if self.kitty is Kitty.NEVER and has_reserve(self.ruleset):
            yield gettext("without the réserve")
        if self.setup.partner_card:
            is_requested = self.ruleset.names_trump_in_bid
            asked_text, given_text = (
                gettext("asks partner for a card"),
                gettext("gets a card of partner’s choice"),
            )
            yield asked_text if is_requested else given_text
        if self.setup.discards:
            yield gettext("then discards %(cards)s") % {"cards": self.setup.discards}

    def _describe_defence(self) -> Iterator[str]:
        if self.setup.opponent_card:
            yield gettext("opponents also pass a card; one plays")
        elif self.ruleset.seats == 4 and sum(seat % 2 for seat in self.setup.active) == 1:
            yield gettext("against one opponent")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRow:
    """A row of the order of bids: one contract, or consecutive number bids that differ only in the number."""

    first: Contract
    last: Contract
    is_played: bool
    ways: tuple[PlayModeView, ...]

    @property
    def is_number(self) -> bool:
        return self.first.number is not None

    @property
    def leaves_kitty(self) -> bool:
        """Whether the kitty, if there is one, stays untouched."""
        return all(mode.kitty is Kitty.NEVER and not has_reserve(mode.ruleset) for mode in self.ways)


def has_reserve(ruleset: Ruleset) -> bool:
    """Check whether the auction's winner may take the cards set aside, without having bid to do so (D4)."""
    return any(mode.startswith(RESERVE) for contract in ruleset.contracts for mode in contract.modes)


def build_bid_order(ruleset: Ruleset) -> list[ContractRow]:
    """Return what may be bid, low to high."""
    numbered_bids = enumerate(ruleset.biddable)
    groups = groupby(numbered_bids, key=lambda rung: _get_group_key(ruleset, *rung))
    return [_build_row(ruleset, [contract for _, contract in group]) for _, group in groups]


def _get_group_key(ruleset: Ruleset, position: int, contract: Contract) -> tuple[object, ...]:
    """Return a key that is equal for neighbouring contracts that share a row; no number between them is
    missing."""
    number = contract.number
    if number is None or not contract.made == contract.failed == number:
        return (contract.key,)
    return (number - position, ruleset.is_played(contract), contract.modes)


def _build_row(ruleset: Ruleset, contracts: Sequence[Contract]) -> ContractRow:
    first_contract = contracts[0]
    return ContractRow(
        first=first_contract,
        last=contracts[-1],
        is_played=ruleset.is_played(first_contract),
        ways=tuple(_build_play_modes(ruleset, first_contract)),
    )


def _build_play_modes(ruleset: Ruleset, contract: Contract) -> Iterator[PlayModeView]:
    for base in dict.fromkeys(mode.removeprefix(RESERVE) for mode in contract.modes):
        setups = [
            build_setup(ruleset, contract, declarer=Seat(0), mode=mode, defender=Seat(1))
            for mode in (base, RESERVE + base)
            if mode in contract.modes
        ]
        default_kitty = Kitty.ALWAYS if setups[0].kitty else Kitty.NEVER
        yield PlayModeView(ruleset=ruleset, setup=setups[0], kitty=Kitty.MAY if len(setups) > 1 else default_kitty)
