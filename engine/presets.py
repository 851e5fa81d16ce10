"""Presets: kinds of tournament that clubs hold, as plain values; and the one that fits a few answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from errors import Refusal

from .draws import FORMATS, Format
from .draws.stages import rounds_of_plan, stage_plan
from .ranking import USUAL_ORDER

Stages = tuple[Mapping[str, Any], ...]

MINUTES_A_ROUND = 45
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
        return self._first.draws_partners

    @property
    def has_final(self) -> bool:
        """Whether a match or a table of the best decides, and not the standings."""
        return len(self.stages(self.expected, self.rounds)) > 1 or self._first.is_bracket

    @property
    def _first(self) -> Format:
        return FORMATS[self.stages(self.expected, self.rounds)[0]["format"]]


def _one(key: str) -> Callable[[int, int], Stages]:
    """Return stages of one format that ends by itself."""
    return lambda expected, rounds: ({"format": key},)


def _rounds_of(key: str) -> Callable[[int, int], Stages]:
    """Return stages of one format with any number of rounds."""
    return lambda expected, rounds: ({"format": key, "rounds": rounds},)


_FINAL = {"format": "knockout", "settings": {"places": "third"}}
_FINAL_ROUNDS = 2


def _swiss_final(expected: int, rounds: int) -> Stages:
    before = {"format": "swiss", "rounds": max(1, rounds - _FINAL_ROUNDS)}
    return (before, {**_FINAL, "takes": "top", "count": 4})


def _swiss_final_all(expected: int, rounds: int) -> Stages:
    before = {"format": "swiss", "rounds": max(1, rounds - _FINAL_ROUNDS)}
    others = {"format": "swiss", "rounds": _FINAL_ROUNDS, "takes": "ranked", "first": 5, "beside": True}
    return (before, {**_FINAL, "takes": "ranked", "last": 4}, others)


def _pools_knockout(expected: int, rounds: int) -> Stages:
    size = min(6, max(4, rounds - 2))
    final = {"format": "knockout", "settings": {"places": "third", "separate": ["pool"]}}
    return (
        {"format": "pools", "settings": {"pool_size": size}},
        {**final, "takes": "pool_top", "count": 2},
    )


def _rotation(expected: int, rounds: int) -> Stages:
    """Return a rotation with as many rounds as it takes to partner everybody, or as there is time for."""
    return (_rotation_plan(max(1, min(rounds, expected - 1 + (expected % 4 == 1)))),)


def _rotation_plan(rounds: int) -> dict[str, Any]:
    return {"format": "rotation", "rounds": rounds, "settings": {"rounds": rounds}}


def _individual_final(expected: int, rounds: int) -> Stages:
    """Return stages in which the best four play with each partner once, while the others play on."""
    others = {"format": "swiss_individual", "rounds": 3, "takes": "ranked", "first": 5, "beside": True}
    return (
        {"format": "swiss_individual", "rounds": max(1, rounds - 3)},
        {**_rotation_plan(3), "takes": "ranked", "last": 4},
        others,
    )


_BY_OPPONENTS = ("match_wins", "difference", "buchholz", "points_for")
_TO_A_FINAL = (*_BY_OPPONENTS, "lots")  # qualification must not be tied
_BY_MEETING = ("match_wins", "head_to_head", "difference", "points_for")
_BY_GAMES = ("match_wins", "games_won", "difference", "points_for")

_ALL = (
    Preset(key="swiss", stages=_rounds_of("swiss"), order=_BY_OPPONENTS),
    Preset(key="swiss_final", stages=_swiss_final, order=_TO_A_FINAL, rounds=7, fewest=6),
    Preset(key="swiss_final_all", stages=_swiss_final_all, order=_TO_A_FINAL, rounds=7, fewest=6),
    Preset(key="pools_knockout", stages=_pools_knockout, order=(*_BY_MEETING, "lots"), rounds=7, fewest=6),
    Preset(key="round_robin", stages=_one("round_robin"), order=_BY_MEETING, rounds=7, expected=8),
    Preset(key="double_elimination", stages=_one("double_elimination"), order=_BY_GAMES, rounds=8),
    Preset(key="consolation", stages=_one("consolation"), order=_BY_GAMES, rounds=5),
    Preset(key="progressive", stages=_rounds_of("progressive"), order=_BY_GAMES, rounds=8),
    Preset(key="interclub", stages=_one("interclub"), order=_BY_MEETING),
    Preset(key="swiss_individual", stages=_rounds_of("swiss_individual"), order=_BY_GAMES, fewest=4),
    Preset(key="individual_final", stages=_individual_final, order=(*_BY_GAMES, "lots"), rounds=8, fewest=8),
    Preset(key="rotation", stages=_rotation, order=_BY_GAMES, rounds=7, expected=8, fewest=4),
    Preset(
        key="progressive_individual",
        stages=_rounds_of("progressive_individual"),
        order=_BY_GAMES,
        rounds=8,
        fewest=4,
    ),
)

PRESETS: Mapping[str, Preset] = {preset.key: preset for preset in _ALL}
"""All presets by key, in the order in which they are offered."""

USUAL_ORDERS = frozenset({USUAL_ORDER, *(preset.order for preset in _ALL)})
"""The rankings of new events whose organizer has not chosen another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of an organizer: whether partners are drawn, whether everybody plays to the end, whether
    there is a final; the expected entries, and the rounds for which there is time. ``time`` is the question
    that gave the rounds: ``rounds``, ``minutes``, or none."""

    are_drawn: bool
    all_play: bool
    has_final: bool
    expected: int
    rounds: int
    time: str = ""


_FITTING: Mapping[tuple[bool, bool, bool], str] = {
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

_OF_FEW = {
    "swiss": "round_robin",
    "swiss_final_all": "swiss",
    "pools_knockout": "double_elimination",
    "swiss_individual": "rotation",
    "individual_final": "swiss_individual",
}
"""The preset to play instead with too few entries, or with few enough for a full round robin."""

_OF_LITTLE_TIME = {"double_elimination": "consolation"}


def suggest_preset(answers: Answers) -> Preset:
    """Return the preset that fits best."""
    preset = _fitting_preset(answers)
    if answers.expected < preset.fewest:
        preset = PRESETS[_OF_FEW.get(preset.key, preset.key)]
    if not answers.has_final and answers.rounds >= answers.expected - 1:
        preset = PRESETS[_OF_FEW.get(preset.key, preset.key)]
    needed = FORMATS[preset.key].rounds(answers.expected, {}) if preset.key in FORMATS else None
    if needed is not None and needed > answers.rounds:
        preset = PRESETS[_OF_LITTLE_TIME.get(preset.key, preset.key)]
    return preset


def _fitting_preset(answers: Answers) -> Preset:
    return PRESETS[_FITTING[answers.are_drawn, answers.all_play, answers.has_final]]


def unmet_wishes(answers: Answers) -> tuple[Refusal, ...]:
    """Return where the best preset differs from the answers, each as a refusal of its question, with the
    reason.

    Codes: too_few_for_final, rounds_take_longer.
    """
    preset, found = suggest_preset(answers), []
    if answers.has_final and not preset.has_final:
        least = _fitting_preset(answers).fewest
        found.append(Refusal("too_few_for_final", field="final", expected=answers.expected, least=least))
    plan = stage_plan(preset.stages(answers.expected, answers.rounds))
    needed = rounds_of_plan(plan, answers.expected) or 0
    if answers.time and needed > answers.rounds:
        found.append(
            Refusal(
                "rounds_take_longer",
                field=answers.time,
                expected=answers.expected,
                needed=needed,
                minutes=needed * MINUTES_A_ROUND,
            )
        )
    return tuple(found)


def usual_rounds(expected: int) -> int:
    """Return the rounds that separate a field of this size; a small one has time for a full round robin."""
    return expected - 1 if expected <= _SMALL else (expected - 1).bit_length() + 1


_SMALL = 8
