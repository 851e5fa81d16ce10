"""Events with any settings that the forms accept are played to their end, with every preset and field size.

Forms refuse plans that cannot be played. All others are drawn round by round, with random results, late
entries, withdrawals and absences. Before each round, the slots to be filled are known without a draw.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Bond, Draw, DrawInput, DrawnTable, Entrant, EntryId, PlayedPairing
from engine.draws.stages import Stage, StagePlan, draw_stage, get_stage, list_blocks, list_next_slots, parse_stage_plan
from engine.presets import PRESETS, Answers, Preset, suggest_preset, suggest_rounds
from errors import Refusal
from rules import RULESETS, MatchFormat, Side
from tests.engine.draws.bracket_events import list_decided_slots
from tests.long_runs import IS_LONG
from tests.rules.sheets import property_settings
from tournaments.events.forms.settings import get_stages_data, read_stages
from tournaments.events.forms.stage_fields import FORMAT_FIELDS, StageField, list_player_fields
from tournaments.events.services.settings import check_plan
from web.forms import FormReader

pytestmark = pytest.mark.slow

ENTRIES = range(42)
SIZES = ENTRIES if IS_LONG else (*range(10), 13, 16, 24, 33, 41)
"""Numbers of entries in the fields that are played."""
LENGTHS = (MatchFormat(games_to_win=2), MatchFormat(hands=8), MatchFormat(minutes=30))
MAX_ROUNDS = 100
"""Limit for tournaments that end by themselves: 41 entries meet twice in 82 rounds, then play a final."""
TRIED, PLAYED = 3000, 400
"""Approximate numbers of combinations of a format's settings that an ordinary run reads and plays.

Swiss has 43,200 combinations; every run contains any two of its answers together.
"""
OPEN_END = 4
"""Rounds played if the stages give no number."""

FormData = dict[str, list[str]]


class Tournament:
    """A tournament with random results; with ``troubles``, some entries come late, leave or are away."""

    def __init__(self, plan: StagePlan, entries: int, seed: int, *, may_draw: bool, troubles: bool) -> None:
        self.plan, self.chance, self.may_draw = plan, Random(f"{entries}/{seed}"), may_draw
        self.history: list[PlayedPairing] = []
        self.scores: Counter[EntryId] = Counter()
        self.entrants = [self._build_entrant(number, troubles) for number in range(1, entries + 1)]

    def _build_entrant(self, number: int, troubles: bool) -> Entrant:
        happens = [troubles and self.chance.random() < 0.1 for _ in range(3)]
        return Entrant(
            id=EntryId(number),
            number=number,
            bonds=frozenset({Bond("club", self.chance.choice("abc"))}),
            section=self.chance.choice(("Beginners", "Mixed", None)),
            arrives=2 if happens[0] else 1,
            leaves_after=2 if happens[1] else None,
            absent=frozenset({3} if happens[2] else ()),
        )

    def draw(self, number: int) -> Draw:
        best = sorted(self.entrants, key=lambda one: (-self.scores[one.id], one.number))
        draw_input = DrawInput(
            round=number,
            entrants=tuple(self._update_entrant(one) for one in best),
            history=tuple(self.history),
            section_tables={"Beginners": (1, len(self.entrants))},
            seed=number,
        )
        standings = [[one.id for one in best]] * len(self.plan)
        drawn = draw_stage(self.plan, draw_input, standings)
        assert list_next_slots(self.plan, draw_input, standings) == list_decided_slots(self.plan, drawn)
        return drawn

    def _update_entrant(self, one: Entrant) -> Entrant:
        return Entrant(
            id=one.id,
            number=one.number,
            score=self.scores[one.id],
            bonds=one.bonds,
            section=one.section,
            arrives=one.arrives,
            leaves_after=one.leaves_after,
            absent=one.absent,
        )

    def play(self, drawn: Draw) -> None:
        for table in drawn.tables:
            winner = self._choose_winner(table)
            self.history.append(
                PlayedPairing(
                    round=drawn.round,
                    a=table.a,
                    b=table.b,
                    table=table.number,
                    slot=table.slot,
                    winner=winner,
                )
            )
            won = {Side.A: table.a, Side.B: table.b, None: ()}[winner]
            self.scores.update(dict.fromkeys(won, 2))
        self.history += [PlayedPairing(round=drawn.round, a=(bye.entry,), slot=bye.slot) for bye in drawn.byes]

    def _choose_winner(self, table: DrawnTable) -> Side | None:
        stage = get_stage(PlayedPairing(round=1, a=table.a, slot=table.slot))
        assert stage is not None
        is_bracket = FORMATS[self.plan[stage].format].is_bracket
        if self.may_draw and not is_bracket and self.chance.random() < 0.2:
            return None
        return self.chance.choice(list(Side))


@cache
def play_to_the_end(
    plan: StagePlan, entries: int, *, seed: int = 1, may_draw: bool = False, troubles: bool = False
) -> int:
    """Play every round and return their number; equal plans of presets and forms are played once."""
    tournament = Tournament(plan, entries, seed, may_draw=may_draw, troubles=troubles)
    is_open = any(is_endless(plan[index]) for index in list_blocks(plan)[-1])
    for number in range(1, MAX_ROUNDS + 1):
        drawn = tournament.draw(number)
        if (not drawn.tables and number > 3) or (is_open and number > OPEN_END + total(plan)):
            return number - 1
        tournament.play(drawn)
    raise AssertionError(f"{plan} of {entries} does not end")


def is_endless(stage: Stage) -> bool:
    """Return whether neither the stage nor its format limits the number of rounds."""
    rounds = (FORMATS[stage.format].rounds(entries, stage.settings) for entries in ENTRIES[2:])
    return stage.rounds is None and None in rounds


def total(plan: StagePlan) -> int:
    """Return the rounds of all stages that give a number."""
    return sum(stage.rounds or 0 for stage in plan)


def read_form(typed: FormData) -> tuple[StagePlan | None, list[Refusal]]:
    """Return the plan that the form reads, if any, and its refusals."""
    form = FormReader({name: values[-1] for name, values in typed.items() if values})
    _stages, plan = read_stages(form, typed)
    return plan, list(form.refusals)


def is_named(typed: FormData, refusal: Refusal) -> bool:
    """Return whether the refusal names a field of the form, or one of its lines."""
    return any(refusal.field == name or name.startswith(f"{refusal.field}.") for name in typed)


# Presets and questions


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_preset_plays_to_its_end_with_any_entry_count(preset: Preset) -> None:
    for entries in SIZES:
        plan, refusals = read_form(get_stages_data(preset.stages(entries, preset.rounds)))
        assert plan is not None, refusals
        play_to_the_end(plan, entries, troubles=entries % 2 == 1)


@pytest.mark.parametrize(("drawn", "all_play", "final"), list(product((False, True), repeat=3)))
def test_every_planner_answer_gives_a_playable_tournament(drawn: bool, all_play: bool, final: bool) -> None:
    small, large = (2, 3, 4, 5, 7, 8, 12), (24, 41)
    any_rounds = (1, 2, 3, 5, 8, 40, None)  # 40 rounds exceed the number of opponents in small fields only
    for expected, rounds in [
        *product(small, any_rounds),
        *product(large, any_rounds if IS_LONG else (3, None)),
    ]:
        answers = Answers(
            has_drawn_partners=drawn,
            all_play=all_play,
            has_final=final,
            expected=expected,
            rounds=rounds or suggest_rounds(expected),
        )
        preset = suggest_preset(answers)
        assert preset.draws_partners == drawn
        plan, refusals = read_form(get_stages_data(preset.stages(expected, answers.rounds)))
        assert plan is not None, refusals
        for entries in {expected, expected // 2, min(41, expected + 3)} if IS_LONG else {expected}:
            play_to_the_end(plan, entries, troubles=entries % 2 == 0)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_preset_that_the_ruleset_cannot_play_is_refused_at_its_stage(preset: Preset, ruleset: Any) -> None:
    plan = parse_stage_plan(preset.stages(24, preset.rounds))
    refused = None
    try:
        check_plan(plan, seats=ruleset.seats)
    except Refusal as refusal:
        refused = (refusal.code, refusal.field)
    if preset.draws_partners and ruleset.seats == 2:
        assert refused == ("partners_need_four", "stages.0.format")
    else:
        assert refused is None
        for length in LENGTHS:
            needs_winner = any(FORMATS[stage.format].is_bracket for stage in plan)
            play_to_the_end(plan, 9, may_draw=length.games_to_win is None and not needs_winner)


# Every setting that the form offers


def list_answers(field: StageField) -> list[list[str]]:
    """Return the answers that a field offers, and for numbers some that are out of range."""
    if field.is_several:
        return [[], *([text] for text in field.values_by_text), [*field.values_by_text]]
    if field.options:
        return [[text] for text in field.values_by_text]
    if field.name == "rounds":
        return [[""], ["0"], ["1"], ["5"], [str(field.most + 1)]]
    return [[""], ["0"], ["1"], ["2"], [str(field.most)], [str(field.most + 1)]]


def iter_settings(key: str) -> Iterator[FormData]:
    """Yield forms of one stage with this format and every combination of its settings."""
    offered = FORMAT_FIELDS[key]
    for chosen in product(*(list_answers(field) for field in offered)):
        settings = {f"stages.0.{field.name}": value for field, value in zip(offered, chosen, strict=True)}
        yield {"stages.0.format": [key], **settings}


@pytest.mark.long
@pytest.mark.parametrize("key", FORMAT_FIELDS)
def test_every_settings_combination_is_refused_at_a_field_or_played(key: str) -> None:
    chance = Random(key)
    combinations = list(iter_settings(key))
    if not IS_LONG:
        combinations = chance.sample(combinations, min(TRIED, len(combinations)))
    share = 1.0 if IS_LONG else PLAYED / len(combinations)
    for place, typed in enumerate(combinations):
        plan, refusals = read_form(typed)
        assert (plan is None) == bool(refusals)
        assert all(is_named(typed, refusal) for refusal in refusals), refusals
        if plan is not None and chance.random() < share:
            small, any_size = chance.randrange(12), place % 42
            for entries in {small, any_size} if IS_LONG or place % 6 == 0 else {small}:
                play_to_the_end(plan, entries, may_draw=place % 3 == 0, troubles=place % 2 == 0)


@pytest.mark.long
@pytest.mark.parametrize("key", FORMAT_FIELDS)
def test_default_settings_play_with_any_entry_count(key: str) -> None:
    plan, _ = read_form({"stages.0.format": [key]})
    assert plan is not None
    for entries in SIZES:
        play_to_the_end(plan, entries)


@pytest.mark.long
@pytest.mark.parametrize("key", [key for key, (first, *_) in FORMAT_FIELDS.items() if first.name == "rounds"])
def test_more_rounds_than_opponents_are_played(key: str) -> None:
    plan, _ = read_form({"stages.0.format": [key], "stages.0.rounds": ["40"]})
    assert plan is not None
    for entries in (4, 5, 9):
        play_to_the_end(plan, entries)


@st.composite
def stages(draw: st.DrawFn) -> FormData:
    """Generate form data of any stages, sensible or not."""
    typed: FormData = {}
    sides = draw(st.sampled_from((1, 2, 0)))
    keys = [key for key in FORMAT_FIELDS if sides in (0, FORMATS[key].side)]
    for place in range(draw(st.integers(1, 4))):
        key = draw(st.sampled_from(keys))
        takes = draw(st.sampled_from(("all", "top", "pool_top", "ranked"))) if place else "all"
        typed |= {f"stages.{place}.format": [key], f"stages.{place}.takes": [takes]}
        fields = [*list_player_fields(takes)[1:], *FORMAT_FIELDS[key]] if place else FORMAT_FIELDS[key]
        for field in fields:
            usual = field.name != "rounds" and draw(st.integers(0, 2)) > 0
            answer = list_answers(field)[0] if usual else draw(st.sampled_from(list_answers(field)))
            typed[f"stages.{place}.{field.name}"] = answer
    return typed


@property_settings
@given(typed=stages(), entries=st.integers(0, 41), seed=st.integers(0, 10**6), troubles=st.booleans())
def test_random_stages_are_refused_at_a_field_or_played(
    typed: FormData, entries: int, seed: int, troubles: bool
) -> None:
    plan, refusals = read_form(typed)
    assert (plan is None) == bool(refusals)
    assert all(is_named(typed, refusal) for refusal in refusals), refusals
    if plan is not None:
        play_to_the_end(plan, entries, seed=seed, troubles=troubles)


@property_settings
@given(typed=stages())
def test_accepted_form_input_is_shown_unchanged(typed: FormData) -> None:
    form = FormReader({name: values[-1] for name, values in typed.items() if values})
    stages, plan = read_stages(form, typed)
    if plan is not None:
        again = get_stages_data(stages)
        form = FormReader({name: values[-1] for name, values in again.items() if values})
        assert read_stages(form, again, stages) == (stages, plan)
