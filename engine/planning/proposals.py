"""A proposal for the time available: stages, rounds, and the length of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.phases import PhasePlace, Phases, get_settings
from rules import MatchFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A plan by its key (what kind it is): ``stages`` as ``parse_stage_plan`` takes them, and rounds in all.
    ``phases`` have other match lengths than ``match_format``."""

    key: str
    stages: tuple[Mapping[str, Any], ...] = field(hash=False)
    match_format: MatchFormat
    rounds: int
    phases: Phases = ()

    def get_length(self, stage: int) -> MatchFormat:
        """Return the length of a match of this stage, from 0."""
        return get_settings(self.phases, PhasePlace(stage=stage), 1).match_format or self.match_format
