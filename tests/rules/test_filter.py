"""The filter ``python -m rules``, which answers questions of programs in other languages.

``tests/vectors/questions.jsonl`` has a question and its answer on each line, worked out from the rules. For a
refusal it gives only the code: the details are for people.
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
from rules import RULESETS, answer_question, ruleset_to_json
from tests.rules.sheets import property_settings
from tests.rules.vectors import FOLDER

Case = dict[str, Any]
CASES: list[Case] = [json.loads(line) for line in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
# Without installed packages and in the C locale.
COMMAND = (sys.executable, "-S", "-E", "-m", "rules")
MINIMAL_ENVIRONMENT = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "")}


def run_filter(lines: bytes, *arguments: str) -> list[Any]:
    """Return the answers of the filter, one for each line."""
    done = subprocess.run(
        (*COMMAND, *arguments), input=lines, capture_output=True, cwd=PROJECT, env=MINIMAL_ENVIRONMENT, check=True
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def remove_details(found: Any) -> Any:
    """Return the answer without the details of a refusal."""
    return {name: value for name, value in found.items() if name != "details"}


DESCRIPTION: dict[str, Any] = json.loads(
    subprocess.run(
        (*COMMAND, "--describe"), capture_output=True, cwd=PROJECT, env=MINIMAL_ENVIRONMENT, check=True
    ).stdout
)
QUESTIONS: dict[str, Any] = DESCRIPTION["questions"]


class TestFilterVectors:
    @pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
    def test_answer_matches_the_vector(self, case: Case) -> None:
        assert remove_details(answer_question(case["question"])) == case["answer"]

    @pytest.mark.slow
    def test_filter_answers_all_questions_in_order(self) -> None:
        lines = "".join(json.dumps(case["question"], ensure_ascii=False) + "\n" for case in CASES)
        assert [remove_details(found) for found in run_filter(lines.encode())] == [case["answer"] for case in CASES]

    def test_vectors_cover_every_question_and_ruleset(self) -> None:
        answered = [case["question"] for case in CASES if "refused" not in case["answer"]]
        refused = [case["question"] for case in CASES if "refused" in case["answer"]]
        assert {question["ask"] for question in answered} == set(QUESTIONS)
        assert {question["ruleset"] for question in answered} == set(RULESETS)
        assert {question.get("ask") for question in refused if isinstance(question, dict)} > {"game", "setup"}

    def test_answer_has_exactly_the_described_keys(self) -> None:
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
VALID_QUESTIONS = [case["question"] for case in CASES if isinstance(case["question"], dict)]


def is_answer_or_refusal(found: Any) -> bool:
    """Check that the answer survives JSON; a refusal must have exactly these keys."""
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return "refused" not in found or set(found) in ({"refused", "details"}, {"refused", "at"})


class TestInvalidQuestions:
    @pytest.mark.slow
    @property_settings
    @given(question=JSON)
    def test_arbitrary_json_question_is_refused(self, question: Any) -> None:
        found = answer_question(question)
        assert set(found) == {"refused", "details"}
        assert is_answer_or_refusal(found)

    @pytest.mark.slow
    @property_settings
    @given(data=st.data())
    def test_arbitrary_field_value_is_answered_or_refused(self, data: st.DataObject) -> None:
        question = dict(data.draw(st.sampled_from(VALID_QUESTIONS)))
        for name in data.draw(st.sets(st.sampled_from(sorted(question)), min_size=1, max_size=2)):
            others = st.sampled_from([other[name] for other in VALID_QUESTIONS if name in other])
            question[name] = data.draw(JSON | others)
        assert is_answer_or_refusal(answer_question(question))

    @pytest.mark.slow
    @property_settings
    @given(data=st.data())
    def test_arbitrary_nested_value_is_answered_or_refused(self, data: st.DataObject) -> None:
        question = json.loads(json.dumps(data.draw(st.sampled_from(VALID_QUESTIONS))))
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
        assert is_answer_or_refusal(answer_question(question))

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
    def test_invalid_json_line_is_refused_and_the_filter_continues(self, line: bytes) -> None:
        good = b'{"ask":"score","ruleset":"canadian","contract":"6","tricks":6}'
        bad, after = run_filter(line + b"\n" + good)
        assert bad == {"refused": "not_json", "details": {}}
        assert after == {"made": True, "declarers": 6, "opponents": 0, "game": None}

    def test_seed_with_a_lone_surrogate_is_refused(self) -> None:
        found = answer_question({"ask": "shuffle", "ruleset": "maine", "seed": "\ud800"})
        assert remove_details(found) == {"refused": "not_text"}

    def test_refusal_names_the_field(self) -> None:
        hands = [{"declarer": 0, "contract": "6", "tricks": 6}, {"declarer": 0, "contract": "4", "tricks": 6}]
        found = answer_question({"ask": "game", "ruleset": "canadian", "hands": hands})
        assert found == {
            "refused": "below_minimum",
            "details": {"field": "hands.1.contract", "contract": "4", "minimum": 5},
        }

    @pytest.mark.slow
    def test_refusal_echoes_the_input_as_valid_json(self) -> None:
        lines = b'{"ask":"score","ruleset":"maine","contract":"\xc3\xa9\\ud800","tricks":6}\n'
        lines += b'{"ask":"score","ruleset":"maine","contract":"6","tricks":1e999}\n'
        contract, tricks = run_filter(lines)
        assert contract["details"]["contract"] == "é\ud800"
        assert tricks == {"refused": "not_a_number", "details": {"field": "tricks", "value": "inf"}}


class TestFilterStream:
    SCORE = b'{"ask":"score","ruleset":"maine","contract":"6","tricks":6}'

    def test_each_line_is_answered_before_the_next_is_sent(self) -> None:
        with subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT, env=MINIMAL_ENVIRONMENT
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
    def test_blank_lines_are_skipped_and_the_last_needs_no_newline(self) -> None:
        lines = b"\n" + self.SCORE + b"\r\n  \n\n\xef\xbb\xbf" + self.SCORE
        assert len(run_filter(lines)) == 2
        assert run_filter(b"") == []

    @pytest.mark.slow
    def test_filter_exits_quietly_when_its_output_is_closed(self) -> None:
        with subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            env=MINIMAL_ENVIRONMENT,
        ) as engine:
            assert engine.stdin
            assert engine.stdout
            assert engine.stderr
            engine.stdout.close()
            engine.stdin.write(self.SCORE + b"\n")
            engine.stdin.close()
            assert engine.stderr.read() == b""
            assert engine.wait() == 0


class TestFilterDocumentation:
    TEXT = (PROJECT / "docs" / "api" / "rules-filter.md").read_text(encoding="utf-8")

    @pytest.mark.slow
    def test_documented_examples_give_their_answers(self) -> None:
        lines = [line for line in self.TEXT.splitlines() if line.startswith("    {")]
        questions, answers = lines[::2], lines[1::2]
        assert run_filter("\n".join(questions).encode()) == [json.loads(line) for line in answers]

    def test_documentation_names_every_question_and_refusal_code(self) -> None:
        codes = {case["answer"].get("refused") for case in CASES} | set(QUESTIONS)
        assert {code for code in codes if code and f"`{code}`" not in self.TEXT} <= {"game_over"}


class TestFilterDescription:
    def test_description_contains_every_ruleset_in_full(self) -> None:
        assert list(DESCRIPTION["rulesets"]) == list(RULESETS)
        for key, ruleset in RULESETS.items():
            described = DESCRIPTION["rulesets"][key]
            assert {name: described[name] for name in ruleset_to_json(ruleset)} == ruleset_to_json(ruleset)
            assert (described["cards"], described["kitty"]) == (ruleset.cards, ruleset.kitty)

    @pytest.mark.parametrize("name", QUESTIONS)
    def test_question_requires_exactly_the_described_fields(self, name: str) -> None:
        question = next(
            case["question"] for case in CASES if "refused" not in case["answer"] and case["question"]["ask"] == name
        )
        required = QUESTIONS[name]["fields"]
        assert set(question) <= {"ask", *required, *QUESTIONS[name]["optional"]}
        for field in required:
            without = {key: value for key, value in question.items() if key != field}
            assert remove_details(answer_question(without)) == {"refused": "missing_field"}, field
        assert remove_details(answer_question(question | {"id": 7})) == {"refused": "unknown_field"}

    def test_help_describes_the_filter(self) -> None:
        done = subprocess.run(
            (*COMMAND, "--help"), capture_output=True, cwd=PROJECT, env=MINIMAL_ENVIRONMENT, check=True, text=True
        )
        assert "one JSON question a line" in " ".join(done.stdout.split())
        assert "--describe" in done.stdout
