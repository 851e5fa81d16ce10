"""The engine as a filter: a JSON question a line in, a JSON answer a line out (docs/api/rules-filter.md).

$ echo '{"ask":"score","ruleset":"canadian","contract":"6","tricks":7}' | python3 -m rules
{"made":true,"declarers":6,"opponents":0,"game":null}
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable
from typing import BinaryIO, NoReturn

from errors import Refusal

from .questions import answer_question, describe_questions, refusal_to_json


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m rules",
        description="The game of Charlemagne as a filter: reads one JSON question a line from standard "
        "input and writes one JSON answer a line to standard output, both in UTF-8.",
        epilog='For example: {"ask":"score","ruleset":"canadian","contract":"6","tricks":7}',
    )
    parser.add_argument("--describe", action="store_true", help="print questions and rulesets as JSON")
    options = parser.parse_args(argv)
    try:
        if options.describe:
            sys.stdout.buffer.write(json.dumps(describe_questions(), indent=2).encode() + b"\n")
        else:
            answer_lines(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the answers has closed the pipe: buffered output must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


def answer_lines(questions: Iterable[bytes], answers: BinaryIO) -> None:
    """Answer each line before the next one is read; blank lines are skipped."""
    for line in questions:
        if line.strip():
            answers.write(answer_line(line))
            answers.flush()


def answer_line(line: bytes) -> bytes:
    """Return the answer to one line, as a line. Refuses within the answer: not_json, and what ``answer_question``
    refuses."""
    try:
        question = json.loads(line.decode("utf-8-sig"), parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        found = refusal_to_json(Refusal("not_json"))
    else:
        found = answer_question(question)
    return json.dumps(found, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(name)


if __name__ == "__main__":
    sys.exit(main())
