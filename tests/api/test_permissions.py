"""Every operation, with every kind of key: it opens as the policy says, and changes nothing for others."""

from functools import cache

import pytest

from api.operation import Operation
from api.operations import OPERATIONS
from clubs.models import Scope
from clubs.policy import Audience
from tests.api.program import Program, a_secret
from tests.api.walk import a_hall_with_paths, body_of
from tests.builders import a_club
from tests.every_page.test_permissions import written
from tests.saved_states import taken_back

pytestmark = pytest.mark.django_db

SHUT = {"token_required": "no key", "scope_too_small": "too small", "not_found": "nothing there"}
ELSEWHERE = "manage, of another club"


def expected(operation: Operation, who: str) -> set[str]:
    """Return what a program is answered: done or not, by reasons of its own; or why it is not let in."""
    scopes = [str(scope) for scope in Scope]
    needs = operation.least_scope
    if not needs or (operation.name == "getMe" and who):
        return {"let in", "nothing there"}
    if not who:
        is_named = "short" in operation.path or "slug" in operation.path or operation.name == "getMe"
        return {"no key"} if is_named else {"let in"}
    if who == ELSEWHERE:
        return {"nothing there"}
    return {"let in", "nothing there"} if scopes.index(who) >= scopes.index(needs) else {"too small"}


def found_at(program: Program, path: str, operation: Operation) -> str:
    answer = program.ask(operation.method, path, body_of(operation))
    assert answer.status_code < 500, operation.name
    code = answer.json()["code"] if answer.status_code in (401, 403, 404) else ""
    return SHUT.get(code, "let in")


@cache
def walked(who: str) -> list[tuple[Operation, str, list[str]]]:
    """Return what becomes of a program with that key at every operation, and what was written in the
    database."""
    hall, paths = a_hall_with_paths()
    club = a_club("Ailleurs", owner=hall.owner) if who == ELSEWHERE else hall.event.club
    scope = Scope.MANAGE if who == ELSEWHERE else who
    program = Program(a_secret(club, hall.owner, scope) if who else "")
    program.ask("get", "clubs")  # which notes that the key is used
    found = []
    for operation in OPERATIONS:
        with taken_back(), written() as statements:
            answered = found_at(program, paths[operation.name], operation)
        found.append((operation, answered, statements))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("who", ["", *Scope, ELSEWHERE])
def test_every_operation_opens_to_the_keys_that_the_policy_says(who: str) -> None:
    wrong = {
        operation.name: (found, statements[:1])
        for operation, found, statements in walked(who)
        if found not in expected(operation, who) or (found != "let in" and statements)
    }
    assert wrong == {}


def test_every_operation_can_be_opened() -> None:
    assert {one.name for one, found, _ in walked(Scope.MANAGE) if found != "let in"} == set()


def test_what_needs_no_key_changes_nothing_but_at_a_table() -> None:
    for one in OPERATIONS:
        if isinstance(one.needs, Audience) and one.method != "get":
            assert one.needs is Audience.TABLE
