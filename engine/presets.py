"""Presets: kinds of tournament that clubs hold, as plain values; and the one that fits a few answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from errors import Refusal

from .draws import FORMATS, Format
from .draws.stages import count_plan_rounds, parse_stage_plan
from .ranking import USUAL_ORDER

Stages = tuple[Mapping[str, Any], ...]

MINUTES_PER_ROUND = 45
"""The minutes of a round, with finding a seat and the draw of the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A kind of tournament: its ``stages`` for so many entries and rounds in all, and its ranking.

    ``rounds`` and ``expected`` entries are usual; with fewer than ``fewest`` entries it makes no sense.
    """

    key: str
    stages: Callable[[int, int], Stages]
    order: tuple[str, ...]
    rounds: int = 6
    expected: int = 24
    fewest: int = 2

    @property
    def draws_partners(self) -> bool:
        """Whether people enter one by one, and get a partner for each round."""
        return self._first_format.draws_partners

    @property
    def has_final(self) -> bool:
        """Whether a match or a table of the best decides, and not the standings."""
        return len(self.stages(self.expected, self.rounds)) > 1 or self._first_format.is_bracket

    @property
    def _first_format(self) -> Format:
        return FORMATS[self.stages(self.expected, self.rounds)[0]["format"]]


def _build_single_stage(key: str) -> Callable[[int, int], Stages]:
    """Return stages of one format that ends by itself."""
    return lambda expected, rounds: ({"format": key},)


def _build_round_stages(key: str) -> Callable[[int, int], Stages]:
    """Return stages of one format with any number of rounds."""
    return lambda expected, rounds: ({"format": key, "rounds": rounds},)


_FINAL = {"format": "knockout", "settings": {"places": "third"}}
_FINAL_ROUNDS = 2


def _build_swiss_final(expected: int, rounds: int) -> Stages:
    first_stage = {"format": "swiss", "rounds": max(1, rounds - _FINAL_ROUNDS)}
    return (first_stage, {**_FINAL, "takes": "top", "count": 4})


def _build_swiss_final_all(expected: int, rounds: int) -> Stages:
    first_stage = {"format": "swiss", "rounds": max(1, rounds - _FINAL_ROUNDS)}
    others = {"format": "swiss", "rounds": _FINAL_ROUNDS, "takes": "ranked", "first": 5, "beside": True}
    return (first_stage, {**_FINAL, "takes": "ranked", "last": 4}, others)


def _build_pools_knockout(expected: int, rounds: int) -> Stages:
    size = min(6, max(4, rounds - 2))
    final = {"format": "knockout", "settings": {"places": "third", "separate": ["pool"]}}
    return (
        {"format": "pools", "settings": {"pool_size": size}},
        {**final, "takes": "pool_top", "count": 2},
    )


def _build_rotation(expected: int, rounds: int) -> Stages:
    """Return a rotation with as many rounds as it takes to partner everybody, or as there is time for."""
    return (_build_rotation_stage(max(1, min(rounds, expected - 1 + (expected % 4 == 1)))),)


def _build_rotation_stage(rounds: int) -> dict[str, Any]:
    return {"format": "rotation", "rounds": rounds, "settings": {"rounds": rounds}}


def _build_individual_final(expected: int, rounds: int) -> Stages:
    """Return stages in which the best four play with each partner once, while the others play on."""
    others = {"format": "swiss_individual", "rounds": 3, "takes": "ranked", "first": 5, "beside": True}
    return (
        {"format": "swiss_individual", "rounds": max(1, rounds - 3)},
        {**_build_rotation_stage(3), "takes": "ranked", "last": 4},
        others,
    )


_OPPONENTS_ORDER = ("match_wins", "difference", "buchholz", "points_for")
_FINAL_ORDER = (*_OPPONENTS_ORDER, "lots")  # qualification must not be tied
_MEETING_ORDER = ("match_wins", "head_to_head", "difference", "points_for")
_GAMES_ORDER = ("match_wins", "games_won", "difference", "points_for")

_PRESETS = (
    Preset(key="swiss", stages=_build_round_stages("swiss"), order=_OPPONENTS_ORDER),
    Preset(key="swiss_final", stages=_build_swiss_final, order=_FINAL_ORDER, rounds=7, fewest=6),
    Preset(key="swiss_final_all", stages=_build_swiss_final_all, order=_FINAL_ORDER, rounds=7, fewest=6),
    Preset(key="pools_knockout", stages=_build_pools_knockout, order=(*_MEETING_ORDER, "lots"), rounds=7, fewest=6),
    Preset(key="round_robin", stages=_build_single_stage("round_robin"), order=_MEETING_ORDER, rounds=7, expected=8),
    Preset(key="double_elimination", stages=_build_single_stage("double_elimination"), order=_GAMES_ORDER, rounds=8),
    Preset(key="consolation", stages=_build_single_stage("consolation"), order=_GAMES_ORDER, rounds=5),
    Preset(key="progressive", stages=_build_round_stages("progressive"), order=_GAMES_ORDER, rounds=8),
    Preset(key="interclub", stages=_build_single_stage("interclub"), order=_MEETING_ORDER),
    Preset(key="interclub_all", stages=_build_round_stages("interclub_all"), order=_GAMES_ORDER),
    Preset(key="teams", stages=_build_single_stage("teams"), order=_GAMES_ORDER),
    Preset(key="swiss_individual", stages=_build_round_stages("swiss_individual"), order=_GAMES_ORDER, fewest=4),
    Preset(key="individual_final", stages=_build_individual_final, order=(*_GAMES_ORDER, "lots"), rounds=8, fewest=8),
    Preset(key="rotation", stages=_build_rotation, order=_GAMES_ORDER, rounds=7, expected=8, fewest=4),
    Preset(
        key="progressive_individual",
        stages=_build_round_stages("progressive_individual"),
        order=_GAMES_ORDER,
        rounds=8,
        fewest=4,
    ),
)

PRESETS: Mapping[str, Preset] = {preset.key: preset for preset in _PRESETS}
"""All presets by key, in the order in which they are offered."""

USUAL_ORDERS = frozenset({USUAL_ORDER, *(preset.order for preset in _PRESETS)})
"""The rankings of new events whose organizer has not chosen another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of an organizer: whether partners are drawn, whether everybody plays to the end, whether
    there is a final; the expected entries, and the rounds for which there is time. ``time`` is the question
    that gave the rounds: ``rounds``, ``minutes``, or none."""

    has_drawn_partners: bool
    all_play: bool
    has_final: bool
    expected: int
    rounds: int
    time: str = ""


_PRESET_BY_ANSWERS: Mapping[tuple[bool, bool, bool], str] = {
    (False, True, False): "swiss",
    (False, True, True): "swiss_final_all",
    (False, False, True): "pools_knockout",
    (False, False, False): "double_elimination",
    (True, True, False): "swiss_individual",
    (True, True, True): "individual_final",
    (True, False, True): "individual_final",
    (True, False, False): "swiss_individual",
}
"""The preset by whether partners are drawn, whether everybody plays to the end, whether there is a final."""

_SMALL_FIELD_PRESETS = {
    "swiss": "round_robin",
    "swiss_final_all": "swiss",
    "pools_knockout": "double_elimination",
    "swiss_individual": "rotation",
    "individual_final": "swiss_individual",
}
"""The preset to play instead with too few entries, or with few enough for a full round robin."""

_SHORT_TIME_PRESETS = {"double_elimination": "consolation"}


def suggest_preset(answers: Answers) -> Preset:
    """Return the preset that fits best."""
    preset = _get_fitting_preset(answers)
    if answers.expected < preset.fewest:
        preset = PRESETS[_SMALL_FIELD_PRESETS.get(preset.key, preset.key)]
    if not answers.has_final and answers.rounds >= answers.expected - 1:
        preset = PRESETS[_SMALL_FIELD_PRESETS.get(preset.key, preset.key)]
    needed = FORMATS[preset.key].rounds(answers.expected, {}) if preset.key in FORMATS else None
    if needed is not None and needed > answers.rounds:
        preset = PRESETS[_SHORT_TIME_PRESETS.get(preset.key, preset.key)]
    return preset


def _get_fitting_preset(answers: Answers) -> Preset:
    return PRESETS[_PRESET_BY_ANSWERS[answers.has_drawn_partners, answers.all_play, answers.has_final]]


def list_unmet_answers(answers: Answers) -> tuple[Refusal, ...]:
    """Return where the best preset differs from the answers, each as a refusal of its question, with the
    reason.

    Codes: too_few_for_final, rounds_take_longer.
    """
    preset, found = suggest_preset(answers), []
    if answers.has_final and not preset.has_final:
        least = _get_fitting_preset(answers).fewest
        found.append(Refusal("too_few_for_final", field="final", expected=answers.expected, least=least))
    plan = parse_stage_plan(preset.stages(answers.expected, answers.rounds))
    needed = count_plan_rounds(plan, answers.expected) or 0
    if answers.time and needed > answers.rounds:
        found.append(
            Refusal(
                "rounds_take_longer",
                field=answers.time,
                expected=answers.expected,
                needed=needed,
                minutes=needed * MINUTES_PER_ROUND,
            )
        )
    return tuple(found)


def suggest_rounds(expected: int) -> int:
    """Return the rounds that separate a field of this size; a small one has time for a full round robin."""
    return expected - 1 if expected <= _SMALL else (expected - 1).bit_length() + 1


_SMALL = 8
