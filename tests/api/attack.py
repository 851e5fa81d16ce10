"""Fuzzing of the API with schemathesis: valid and invalid requests, at existing and arbitrary addresses."""

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
from api.schema import build_openapi

load_all_checks()
RESPONSE_CHECKS: Any = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
    ]
)
OPERATIONS_BY_NAME = {one.name: one for one in OPERATIONS}

PathValues = Callable[[Operation], Mapping[str, Any]]
"""Values for the path parameters of an operation."""


@dataclass(kw_only=True)
class Attack:
    """A fuzzing run against the API.

    Each sender in ``send`` sends every case, to a server or to the ``application`` in this process. ``context``
    surrounds each request and undoes its changes where possible.
    """

    send: Mapping[str, Callable[[Case[Any]], Any]]
    context: Callable[[], AbstractContextManager[object]] = nullcontext
    application: Any = None
    answers: Counter[int] = field(default_factory=Counter)
    failures: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def run(self, path_values: PathValues, *, cases: int, number: int) -> None:
        """Try this number of ``cases`` at each operation; the seed ``number`` makes a run repeatable."""
        for name, strategy in _list_strategies(path_values, self.application):
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
        def run_case(case: Case[Any]) -> None:
            for who, send in self.send.items():
                with self.context():
                    self._check_answer(who, name, case, send(case))

        run_case()

    def _check_answer(self, key_name: str, name: str, case: Case[Any], answer: Any) -> None:
        self.answers[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=RESPONSE_CHECKS)
        except BaseExceptionGroup as failures:
            for failure in failures.exceptions:
                report = f"{failure}\n{case.as_curl_command()}"
                self.failures.setdefault((key_name, name, type(failure).__name__), report[:1500])


def _list_strategies(path_values: PathValues, application: Any) -> Iterator[tuple[str, st.SearchStrategy[Case[Any]]]]:
    schema = schemathesis.openapi.from_dict(_remove_security(deepcopy(build_openapi())))
    schema.app = application
    found: Any
    for found in schema.get_all_operations():
        operation = found.ok()
        name: str = operation.definition.raw["operationId"]
        here = dict(path_values(OPERATIONS_BY_NAME[name]))
        yield (
            name,
            st.one_of(
                operation.as_strategy(GenerationMode.POSITIVE, path_parameters=here),
                operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=here),
                operation.as_strategy(GenerationMode.POSITIVE),
            ),
        )


def _remove_security(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without its security: each sender adds its own key."""
    schema["components"].pop("securitySchemes")
    for operations in schema["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    return schema
