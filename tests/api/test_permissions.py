"""Every operation, with every kind of key: it opens as the policy says, and changes nothing for others."""

import pytest
from django.db import transaction

from api.operation import Operation
from api.operations import OPERATIONS
from api.schema import scope_for
from clubs.models import Scope
from clubs.policy import Audience
from tests.api.program import Program, a_secret
from tests.api.walk import body_of, path_of
from tests.builders import a_club
from tests.every_page.test_permissions import a_hall, written
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

SHUT = {"token_required": "no key", "scope_too_small": "too small", "not_found": "nothing there"}
ELSEWHERE = "manage, of another club"


def expected(operation: Operation, who: str) -> set[str]:
    """What a program is answered: done or not, by reasons of its own; or why it is not let in."""
    scopes = [str(scope) for scope in Scope]
    needs = scope_for(operation)
    if not needs or (operation.name == "getMe" and who):
        return {"let in", "nothing there"}
    if not who:
        is_named = "short" in operation.path or "slug" in operation.path or operation.name == "getMe"
        return {"no key"} if is_named else {"let in"}
    if who == ELSEWHERE:
        return {"nothing there"}
    return {"let in", "nothing there"} if scopes.index(who) >= scopes.index(needs) else {"too small"}


def found_at(program: Program, hall: Hall, operation: Operation) -> str:
    answer = program.ask(operation.method, path_of(hall, operation), body_of(operation))
    assert answer.status_code < 500, operation.name
    code = answer.json()["code"] if answer.status_code in (401, 403, 404) else ""
    return SHUT.get(code, "let in")


@pytest.mark.parametrize("who", ["", *Scope, ELSEWHERE])
def test_every_operation_opens_to_the_keys_that_the_policy_says(who: str) -> None:
    hall = a_hall()
    club = a_club("Ailleurs", owner=hall.owner) if who == ELSEWHERE else hall.event.club
    scope = Scope.MANAGE if who == ELSEWHERE else who
    program = Program(a_secret(club, hall.owner, scope) if who else "")
    program.ask("get", "clubs")  # which notes that the key is used
    wrong = {}
    for operation in OPERATIONS:
        with transaction.atomic():
            with written() as statements:
                found = found_at(program, hall, operation)
            transaction.set_rollback(True)
        if found not in expected(operation, who) or (found != "let in" and statements):
            wrong[operation.name] = found, statements[:1]
    assert wrong == {}


def test_every_operation_can_be_opened() -> None:
    hall = a_hall()
    program = Program(a_secret(hall.event.club, hall.owner))
    shut = set()
    for operation in OPERATIONS:
        with transaction.atomic():
            if found_at(program, hall, operation) != "let in":
                shut.add(operation.name)
            transaction.set_rollback(True)
    assert shut == set()


def test_what_needs_no_key_changes_nothing_but_at_a_table() -> None:
    for one in OPERATIONS:
        if isinstance(one.needs, Audience) and one.method != "get":
            assert one.needs is Audience.TABLE
