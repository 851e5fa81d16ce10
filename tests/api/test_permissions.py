"""Every operation with every kind of key: the policy decides, and a refused request writes nothing."""

from functools import cache

import pytest
from django.core.cache import caches

from api.operation import Operation
from api.operations import OPERATIONS
from clubs.models import Scope
from clubs.policy import Audience
from tests.api.operation_paths import build_body, build_hall_with_paths
from tests.api.program import Program, create_secret
from tests.builders import build_club
from tests.every_page.test_permissions import record_writes
from tests.saved_states import rolled_back

pytestmark = pytest.mark.django_db

SHUT = {"token_required": "no key", "scope_too_small": "too small", "not_found": "nothing there"}
ELSEWHERE = "manage, of another club"


def get_expected_outcomes(operation: Operation, who: str) -> set[str]:
    """Return the outcomes that the policy allows for this kind of key; "" is no key."""
    scopes = [str(scope) for scope in Scope]
    needs = operation.minimum_scope
    if not needs or (operation.name == "getMe" and who):
        return {"let in", "nothing there"}
    if not who:
        is_named = "short" in operation.path or "slug" in operation.path or operation.name == "getMe"
        return {"no key"} if is_named else {"let in"}
    if who == ELSEWHERE:
        return {"nothing there"}
    return {"let in", "nothing there"} if scopes.index(who) >= scopes.index(needs) else {"too small"}


def find_outcome(program: Program, path: str, operation: Operation) -> str:
    answer = program.send_request(operation.method, path, build_body(operation))
    assert answer.status_code < 500, operation.name
    code = answer.json()["code"] if answer.status_code in (401, 403, 404) else ""
    return SHUT.get(code, "let in")


@cache
def visit_all_operations(who: str) -> list[tuple[Operation, str, list[str]]]:
    """Call every operation with this kind of key; return each outcome and the SQL that wrote something."""
    hall, paths = build_hall_with_paths()
    club = build_club("Ailleurs", owner=hall.owner) if who == ELSEWHERE else hall.event.club
    scope = Scope.MANAGE if who == ELSEWHERE else who
    program = Program(create_secret(club, hall.owner, scope) if who else "")
    program.send_request("get", "clubs")  # records the use of the key before writes are observed
    found = []
    for operation in OPERATIONS:
        caches["rates"].clear()  # as of a program that asks seldom: the throttle writes nothing
        with rolled_back(), record_writes() as statements:
            answered = find_outcome(program, paths[operation.name], operation)
        found.append((operation, answered, statements))
    return found


@pytest.mark.long
@pytest.mark.parametrize("who", ["", *Scope, ELSEWHERE])
def test_every_operation_accepts_the_keys_of_the_policy(who: str) -> None:
    wrong = {
        operation.name: (found, statements[:1])
        for operation, found, statements in visit_all_operations(who)
        if found not in get_expected_outcomes(operation, who) or (found != "let in" and statements)
    }
    assert wrong == {}


@pytest.mark.slow
def test_every_operation_can_be_called() -> None:
    assert {one.name for one, found, _ in visit_all_operations(Scope.MANAGE) if found != "let in"} == set()


def test_keyless_writes_exist_only_at_a_table() -> None:
    for one in OPERATIONS:
        if isinstance(one.access, Audience) and one.method != "get":
            assert one.access is Audience.TABLE
