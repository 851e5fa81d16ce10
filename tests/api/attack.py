"""Cases that schemathesis makes from the schema: whatever it allows and whatever it does not, at addresses
where there is something, and anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from api.operation import Operation
from api.operations import OPERATIONS
from api.schema import openapi

load_all_checks()
HELD_TO: Any = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
    ]
)
BY_NAME = {one.name: one for one in OPERATIONS}

Words = Callable[[Operation], Mapping[str, Any]]
"""What the words of its address stand for."""


@dataclass(kw_only=True)
class Attack:
    """Each case is sent as everybody of ``send`` would, to the server or to the ``application`` in this
    process; ``within`` it is tried, and taken back where that is possible."""

    send: Mapping[str, Callable[[Case[Any]], Any]]
    within: Callable[[], AbstractContextManager[object]] = nullcontext
    application: Any = None
    answers: Counter[int] = field(default_factory=Counter)
    found: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def run(self, words: Words, *, cases: int, number: int) -> None:
        """So many at each operation; ``number`` says them again."""
        for name, strategy in _strategies(words, self.application):
            self._run(name, strategy, cases, number)

    def _run(self, name: str, strategy: st.SearchStrategy[Case[Any]], cases: int, number: int) -> None:
        @seed(number)
        @settings(
            max_examples=cases,
            database=None,
            deadline=None,
            derandomize=False,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def each(case: Case[Any]) -> None:
            for who, send in self.send.items():
                with self.within():
                    self._try(who, name, case, send(case))

        each()

    def _try(self, who: str, name: str, case: Case[Any], answer: Any) -> None:
        self.answers[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=HELD_TO)
        except BaseExceptionGroup as failures:
            for failure in failures.exceptions:
                told = f"{failure}\n{case.as_curl_command()}"
                self.found.setdefault((who, name, type(failure).__name__), told[:1500])


def _strategies(words: Words, application: Any) -> Iterator[tuple[str, st.SearchStrategy[Case[Any]]]]:
    schema = schemathesis.openapi.from_dict(_without_keys(deepcopy(openapi())))
    schema.app = application
    found: Any
    for found in schema.get_all_operations():
        operation = found.ok()
        name: str = operation.definition.raw["operationId"]
        here = dict(words(BY_NAME[name]))
        yield (
            name,
            st.one_of(
                operation.as_strategy(GenerationMode.POSITIVE, path_parameters=here),
                operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=here),
                operation.as_strategy(GenerationMode.POSITIVE),
            ),
        )


def _without_keys(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the same to whoever asks: what is tried is not who that is."""
    schema["components"].pop("securitySchemes")
    for operations in schema["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    return schema
