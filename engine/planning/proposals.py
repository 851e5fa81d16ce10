"""A proposal for the time available: stages, rounds, and the length of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules import MatchFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A plan by its key (what kind it is): ``stages`` as ``parse_stage_plan`` takes them, and rounds in all."""

    key: str
    stages: tuple[Mapping[str, Any], ...] = field(hash=False)
    match_format: MatchFormat
    rounds: int
