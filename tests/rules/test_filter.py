"""The engine as a filter: what programs in other languages rely on.

``tests/vectors/questions.jsonl`` holds a question and its answer a line, worked out from the rules. Of a
refusal, a vector gives the code only: the details are for people.
"""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operations.data_dir import PROJECT
from rules import RULESETS, answer, ruleset_to_json
from tests.rules.sheets import law
from tests.rules.vectors import FOLDER

Case = dict[str, Any]
CASES: list[Case] = [
    json.loads(line) for line in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
# Without the packages of this environment, and in the plainest locale.
COMMAND = (sys.executable, "-S", "-E", "-m", "rules")
PLAIN = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "")}


def filtered(lines: bytes, *arguments: str) -> list[Any]:
    """Return what the filter answers, line by line."""
    done = subprocess.run(
        (*COMMAND, *arguments), input=lines, capture_output=True, cwd=PROJECT, env=PLAIN, check=True
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def as_vector(found: Any) -> Any:
    """An answer without the details of a refusal."""
    return {name: value for name, value in found.items() if name != "details"}


DESCRIBED: dict[str, Any] = json.loads(
    subprocess.run((*COMMAND, "--describe"), capture_output=True, cwd=PROJECT, env=PLAIN, check=True).stdout
)
QUESTIONS: dict[str, Any] = DESCRIBED["questions"]


class TestTheVectors:
    @pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
    def test_a_question_is_answered_as_worked_out_from_the_rules(self, case: Case) -> None:
        assert as_vector(answer(case["question"])) == case["answer"]

    @pytest.mark.slow
    def test_the_filter_answers_them_all_in_their_order(self) -> None:
        lines = "".join(json.dumps(case["question"], ensure_ascii=False) + "\n" for case in CASES)
        assert [as_vector(found) for found in filtered(lines.encode())] == [case["answer"] for case in CASES]

    def test_they_ask_every_question_of_every_kind(self) -> None:
        answered = [case["question"] for case in CASES if "refused" not in case["answer"]]
        refused = [case["question"] for case in CASES if "refused" in case["answer"]]
        assert {question["ask"] for question in answered} == set(QUESTIONS)
        assert {question["ruleset"] for question in answered} == set(RULESETS)
        assert {question.get("ask") for question in refused if isinstance(question, dict)} > {"game", "setup"}

    def test_an_answer_has_the_keys_that_are_described_and_no_other(self) -> None:
        for case in CASES:
            if "refused" not in case["answer"]:
                described = QUESTIONS[case["question"]["ask"]]["answer"]
                keys = set(described)
                if case["answer"].get("legal") is False:
                    keys = {"legal", "at", "reason"}
                elif "at" in described:
                    keys -= {"at", "reason"}
                assert set(case["answer"]) == keys, case["name"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
ASKED = [case["question"] for case in CASES if isinstance(case["question"], dict)]


def is_answer_or_refusal(found: Any) -> bool:
    """Whether it survives JSON, and is a refusal of exactly this shape if it is one."""
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return "refused" not in found or set(found) in ({"refused", "details"}, {"refused", "at"})


class TestABadQuestion:
    @pytest.mark.slow
    @law
    @given(question=JSON)
    def test_is_refused_whatever_it_is(self, question: Any) -> None:
        found = answer(question)
        assert set(found) == {"refused", "details"}
        assert is_answer_or_refusal(found)

    @pytest.mark.slow
    @law
    @given(data=st.data())
    def test_with_anything_in_any_field_is_answered_or_refused(self, data: st.DataObject) -> None:
        question = dict(data.draw(st.sampled_from(ASKED)))
        for name in data.draw(st.sets(st.sampled_from(sorted(question)), min_size=1, max_size=2)):
            others = st.sampled_from([other[name] for other in ASKED if name in other])
            question[name] = data.draw(JSON | others)
        assert is_answer_or_refusal(answer(question))

    @law
    @given(data=st.data())
    def test_with_anything_deep_in_a_field_is_answered_or_refused(self, data: st.DataObject) -> None:
        question = json.loads(json.dumps(data.draw(st.sampled_from(ASKED))))
        inner: Any = question
        while True:
            places = sorted(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not places:
                break
            place = data.draw(st.sampled_from(places))
            if not isinstance(inner[place], dict | list) or data.draw(st.booleans()):
                inner[place] = data.draw(JSON)
                break
            inner = inner[place]
        assert is_answer_or_refusal(answer(question))

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(b"score", id="a word"),
            pytest.param(b'{"ask":', id="cut off"),
            pytest.param(b"[NaN]", id="not a number of JSON"),
            pytest.param(b"-Infinity", id="nor is this"),
            pytest.param(b'"\xff"', id="not UTF-8"),
            pytest.param(b"[" * 100_000, id="too deep"),
            pytest.param(b"9" * 5_000, id="too long a number"),
            pytest.param(b'{"ask":"score"} {"ask":"score"}', id="two on a line"),
        ],
    )
    def test_that_is_no_json_is_refused_and_the_filter_goes_on(self, line: bytes) -> None:
        good = b'{"ask":"score","ruleset":"canadian","contract":"6","tricks":6}'
        bad, after = filtered(line + b"\n" + good)
        assert bad == {"refused": "not_json", "details": {}}
        assert after == {"made": True, "declarers": 6, "opponents": 0, "game": None}

    def test_of_a_seed_with_half_a_character_is_refused(self) -> None:
        found = answer({"ask": "shuffle", "ruleset": "maine", "seed": "\ud800"})
        assert as_vector(found) == {"refused": "not_text"}

    def test_tells_the_field_that_it_concerns(self) -> None:
        hands = [{"declarer": 0, "contract": "6", "tricks": 6}, {"declarer": 0, "contract": "4", "tricks": 6}]
        found = answer({"ask": "game", "ruleset": "canadian", "hands": hands})
        assert found == {
            "refused": "below_minimum",
            "details": {"field": "hands.1.contract", "contract": "4", "minimum": 5},
        }

    @pytest.mark.slow
    def test_says_back_what_was_sent_as_far_as_json_can_hold_it(self) -> None:
        lines = b'{"ask":"score","ruleset":"maine","contract":"\xc3\xa9\\ud800","tricks":6}\n'
        lines += b'{"ask":"score","ruleset":"maine","contract":"6","tricks":1e999}\n'
        contract, tricks = filtered(lines)
        assert contract["details"]["contract"] == "é\ud800"
        assert tricks == {"refused": "not_a_number", "details": {"field": "tricks", "value": "inf"}}


class TestTheStream:
    SCORE = b'{"ask":"score","ruleset":"maine","contract":"6","tricks":6}'

    def test_each_line_is_answered_before_the_next_is_sent(self) -> None:
        with subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT, env=PLAIN
        ) as engine:
            assert engine.stdin
            assert engine.stdout
            for _ in range(3):
                engine.stdin.write(self.SCORE + b"\n")
                engine.stdin.flush()
                assert json.loads(engine.stdout.readline())["made"] is True
            engine.stdin.close()
            assert engine.wait() == 0

    @pytest.mark.slow
    def test_blank_lines_are_passed_over_and_the_last_one_may_be_open(self) -> None:
        lines = b"\n" + self.SCORE + b"\r\n  \n\n\xef\xbb\xbf" + self.SCORE
        assert len(filtered(lines)) == 2
        assert filtered(b"") == []

    @pytest.mark.slow
    def test_it_ends_quietly_when_nobody_reads_on(self) -> None:
        with subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            env=PLAIN,
        ) as engine:
            assert engine.stdin
            assert engine.stdout
            assert engine.stderr
            engine.stdout.close()
            engine.stdin.write(self.SCORE + b"\n")
            engine.stdin.close()
            assert engine.stderr.read() == b""
            assert engine.wait() == 0


class TestTheDocumentation:
    TEXT = (PROJECT / "docs" / "api" / "rules-filter.md").read_text(encoding="utf-8")

    @pytest.mark.slow
    def test_its_examples_are_true(self) -> None:
        lines = [line for line in self.TEXT.splitlines() if line.startswith("    {")]
        questions, answers = lines[::2], lines[1::2]
        assert filtered("\n".join(questions).encode()) == [json.loads(line) for line in answers]

    def test_it_names_every_question_and_every_code_of_the_vectors(self) -> None:
        codes = {case["answer"].get("refused") for case in CASES} | set(QUESTIONS)
        assert {code for code in codes if code and f"`{code}`" not in self.TEXT} <= {"game_over"}


class TestTheDescription:
    def test_it_has_every_ruleset_whole(self) -> None:
        assert list(DESCRIBED["rulesets"]) == list(RULESETS)
        for key, ruleset in RULESETS.items():
            described = DESCRIBED["rulesets"][key]
            assert {name: described[name] for name in ruleset_to_json(ruleset)} == ruleset_to_json(ruleset)
            assert (described["cards"], described["kitty"]) == (ruleset.cards, ruleset.kitty)

    @pytest.mark.parametrize("name", QUESTIONS)
    def test_a_question_needs_exactly_the_fields_that_are_described(self, name: str) -> None:
        question = next(
            case["question"]
            for case in CASES
            if "refused" not in case["answer"] and case["question"]["ask"] == name
        )
        required = QUESTIONS[name]["fields"]
        assert set(question) <= {"ask", *required, *QUESTIONS[name]["optional"]}
        for field in required:
            without = {key: value for key, value in question.items() if key != field}
            assert as_vector(answer(without)) == {"refused": "missing_field"}, field
        assert as_vector(answer(question | {"id": 7})) == {"refused": "unknown_field"}

    def test_help_says_what_it_is(self) -> None:
        done = subprocess.run(
            (*COMMAND, "--help"), capture_output=True, cwd=PROJECT, env=PLAIN, check=True, text=True
        )
        assert "one JSON question a line" in " ".join(done.stdout.split())
        assert "--describe" in done.stdout
