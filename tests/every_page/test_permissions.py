"""Access to every address, for every kind of reader, matches the policy."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from PIL import Image
from pytest_django.fixtures import Settings

from clubs.calendar import get_club_today
from clubs.club_files import KIND, get_file_topic, prepare_path
from clubs.models import Account, Club, Membership, PictureKind, Role
from clubs.policy import ROLE_PERMISSIONS, Audience, Permission
from clubs.services.people_import import get_imports_topic
from clubs.services.pictures import get_pictures_topic, set_club_picture
from clubs.uploads import Upload
from jobs.models import Job, Status
from operations import club_imports
from operations.data_dir import AUTHORITY_FILE
from operations.up.authority import open_authority
from operations.verifier.views import PROGRAM, compute_edition
from scoring.phone import compile_table_program
from server.addresses import Address, list_addresses
from tests.builders import TUESDAY, build_account, build_club, compute_standings, mark
from tests.saved_states import rolled_back, saved_state
from tests.support.browser import Browser
from tests.support.hall import Hall
from tools.roles_page import ROLES_FILE, render_roles_page
from tournaments.alerts.stop_links import get_stop_letters
from tournaments.imports.uploaded_events import UploadedEventFile
from tournaments.mirrors.queries import get_requests_topic
from tournaments.models import Event, Plan, Season
from tournaments.papers.orders import Order, Paper
from tournaments.papers.paper_files import PAPER_STORE as PAPERS
from tournaments.papers.paper_files import get_topic as papers_topic
from web.pictures import SafePicture

from .test_every_page import OTHER_CLUB_PAGES, PATHS_BY_PATTERN, REDIRECTS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b(?!.*django_session)", re.IGNORECASE | re.DOTALL)
READER_TABLES = re.compile('"clubs_(devicesession|tries)"')
"""Tables that any request may write: the reader's session and the count of wrong guesses."""
READERS = ("nobody", *Role, "the owner of another club")
CHECKED_ROLES = (Role.DIRECTOR, Role.DESK)
"""Roles that skip the pages for everybody here, because test_page_snapshots opens those pages with them."""
ROLELESS = frozenset({"nobody", "the owner of another club"})
SIGN_IN_PATH = "/sign-in?next="
NOT_FOUND_REASON = "no such method, or another page"
"""Outcome of a GET of a form-only address: 405, or a redirect to the form's page, which checks access itself."""
FILE_PATTERN = re.compile("/file/|/print/|<slug:token>")
"""Patterns of pages about a file in the data folder."""


def record_director_change(hall: Hall) -> int:
    """Let directors undo the latest change in the club's history, and return its id."""
    line = hall.event.club.actions.latest("pk")
    line.permission = Permission.DIRECT
    line.save(update_fields=["permission"])
    return line.pk


FORM = {
    "act": "withdraw",
    "name": "Mine",
    "number": "1",
    "present": "1",
    "reason": "mine",
    "side": "A",
    "seat": "2",
}
"""Fields of several forms, posted to every address."""


def get_last_segment(path: str) -> str:
    return path.rpartition("/")[2]


def create_job(hall: Hall, pattern: str) -> int:
    """Create a task with the topic of the pattern: a plan, a file, a paper, an import or the event."""
    if "/file/" in pattern:
        return create_club_file(hall).pk
    if "/print/" in pattern:
        return create_paper(hall.event if "/e/" in pattern else hall.event.club).pk
    topic = hall.event.topic
    if "/plan/" in pattern:
        topic = Plan.objects.get(pk=PKS["plan"](hall)).topic
    if "/import/" in pattern:
        topic = UploadedEventFile(hall.event.club_id, get_last_segment(hall.event_import)).topic
    if "/installation/" in pattern:
        topic = club_imports.get_topic(hall.event.club)
    if "/uploads/" in pattern:
        topic = Upload(hall.event.club_id, get_last_segment(hall.upload)).topic
    if "/mirrors/" in pattern:
        topic = get_requests_topic(hall.event.club)
    if "/page/" in pattern:
        topic = get_pictures_topic(hall.event.club)
    if "/bringing-in/" in pattern:
        topic = get_imports_topic(hall.event.club)
    return Job.objects.get_or_create(kind="draw", key=topic, topic=topic)[0].pk


def create_club_file(hall: Hall) -> Job:
    """Return a finished task with the club's file."""
    topic = get_file_topic(hall.event.club)
    found = Job.objects.filter(topic=topic).first()
    if found is None:
        path = prepare_path(hall.event.club_id)
        path.write_bytes(b"PK")
        done = {"status": Status.DONE, "ended_at": timezone.now(), "result": {"file": path.name}}
        found = Job.objects.create(kind=KIND, key=str(hall.event.club_id), topic=topic, **done)
    return found


def create_paper(of: Event | Club) -> Job:
    """Return a finished task with a paper."""
    topic = papers_topic(of)
    found = Job.objects.filter(topic=topic).first()
    if found is None:
        path = PAPERS.build_path(of.pk if isinstance(of, Club) else of.club_id, "pdf")
        path.write_bytes(b"%PDF")
        order = Order(paper=Paper.MEMBERS if isinstance(of, Club) else Paper.BLANK, of=of.pk)
        done = {"status": Status.DONE, "ended_at": timezone.now(), "result": {"file": path.name}}
        found = Job.objects.create(kind=order.kind, key=order.key, topic=topic, **done)
    return found


PKS: dict[str, Callable[[Hall], int]] = {
    "house-rules": lambda hall: int(get_last_segment(hall.house_rules)),
    "plan": lambda hall: int(get_last_segment(hall.plan)),
    "seasons": lambda hall: int(get_last_segment(hall.season)),
    "federations": lambda hall: hall.saved_federation.pk,
    "team": lambda hall: hall.membership.pk,
    "passkeys": lambda hall: hall.passkey.pk,
    "invitations": lambda hall: hall.build_invitation().invitation.pk,
    "programs": lambda hall: hall.build_token().pk,
    "webhooks": lambda hall: hall.webhook.pk,
    "mirrors": lambda hall: 1,
    "events": lambda hall: hall.event.pk,
    "people": lambda hall: int(get_last_segment(hall.played_person)),
    "incidents": lambda hall: int(get_last_segment(hall.incident)),
    "calendar": lambda hall: int(get_last_segment(hall.recurring_night)),
    "usual": lambda hall: int(get_last_segment(hall.night_template)),
    "dues": lambda hall: int(get_last_segment(hall.dues)),
    "prizes": lambda hall: int(get_last_segment(hall.prize)),
    "categories": lambda hall: int(get_last_segment(hall.prize_category)),
    "mine": lambda hall: hall.match.players.get(seat=0).person_id,
    "alerts": lambda hall: 1,
}
"""Values of ``<int:pk>``, by the path segment before it."""


def set_logo(hall: Hall) -> str:
    """Set the club's logo and return its digest."""
    dot = BytesIO()
    Image.new("RGB", (1, 1)).save(dot, "WEBP")
    picture = SafePicture(content=dot.getvalue(), width=1, height=1)
    set_club_picture(club_id=hall.event.club_id, kind=PictureKind.LOGO, picture=picture)
    return picture.digest


PATH_VALUES: dict[str, Callable[[Hall, str], Any]] = {
    "short": lambda hall, _: hall.event.short,
    "place": lambda hall, _: 0,
    "slug": lambda hall, _: hall.event.club.slug,
    "code": lambda hall, _: hall.code,
    "match_id": lambda hall, _: hall.match.pk,
    "number": lambda hall, _: 1,
    "delivery_id": lambda hall, _: hall.webhook.deliveries.get().pk,
    "person_id": lambda hall, _: int(get_last_segment(hall.fee)),
    "year": lambda hall, _: 2026,
    "month": lambda hall, _: 9,
    "feed_id": lambda hall, _: hall.saved_federation.feeds.get().pk,
    "partner": lambda hall, _: hall.partner,
    "table_number": lambda hall, _: 1,
    "phone_id": lambda hall, _: 1,
    "ending": lambda hall, _: "csv",
    "entry": lambda hall, _: 1,
    "stage": lambda hall, _: 0,
    "section": lambda hall, _: 0,
    "step": lambda hall, pattern: "unpublish" if "/rounds/" in pattern else "end",
    "action_id": lambda hall, pattern: (
        hall.event.actions.latest("pk").pk if "/e/" in pattern else record_director_change(hall)
    ),
    "job_id": create_job,
    "token": lambda hall, pattern: get_last_segment(
        hall.upload
        if "/uploads/" in pattern
        else hall.night_import
        if "/import-night/" in pattern
        else hall.event_import
    ),
    "secret": lambda hall, _: "used",
    "on": lambda hall, _: get_club_today(hall.event.club),
    "base": lambda hall, _: "maine",
    "key": lambda hall, pattern: hall.federation_line_key if "/federations/" in pattern else "canadian",
    "name": lambda hall, _: "night",
    "letters": lambda hall, pattern: get_stop_letters(1) if "/alerts/" in pattern else "BCDFGH",
    "language": lambda hall, _: "fr",
    "kind": lambda hall, _: "logo",
    "digest": lambda hall, pattern: set_logo(hall) if pattern.endswith(".webp") else compile_table_program("fr").digest,
    "pk": lambda hall, pattern: PKS[get_last_segment(pattern.partition("/<int:pk>")[0])](hall),
}
ELSEWHERE: dict[str, Callable[[Hall], str]] = {
    "/e/<slug:short>/sign-up/<uuid:key>": lambda hall: hall.sign_up_entry,
    "/e/<slug:short>/desk/rounds/<int:number>/comparison": lambda hall: hall.comparison,
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>/<slug:key>": lambda hall: hall.season_line,
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>/<slug:key>.<ending:ending>": (lambda hall: f"{hall.season_line}.csv"),
    "/c/<slug:slug>/feed.json": lambda hall: f"/c/{hall.saved_federation.club.slug}/feed.json",
    "/e/<slug:short>/desk/line-ups": lambda hall: f"/e/{hall.team_event.short}/desk/line-ups",
    "/e/<slug:short>/line-up/<slug:letters>": lambda hall: hall.captain_page,
    "/e/<slug:short>/board/<int:number>": lambda hall: hall.board.replace("desk/boards", "board"),
    "/e/<slug:short>/desk/boards/<int:number>": lambda hall: hall.board,
    "/club/<slug:slug>/seasons/<int:pk>/clubs": lambda hall: hall.series,
    "/c/<slug:slug>/log.json": lambda hall: f"{hall.log}.json",
    "/c/<slug:slug>/log.txt": lambda hall: f"{hall.log}.txt",
    "/c/<slug:slug>/log/inclusion/<int:number>/<int:size>.json": lambda hall: f"{hall.log}/inclusion/1/1.json",
    "/c/<slug:slug>/log/consistency/<int:older>/<int:newer>.json": (lambda hall: f"{hall.log}/consistency/1/1.json"),
    "/club/<slug:slug>/interclub/<slug:short>": lambda hall: hall.shared_event,
    "/verifier/<str:edition>/<str:name>": lambda hall: f"/verifier/{compute_edition()}/{PROGRAM}",
}
"""Paths of pages that belong to another night of the club, or to another club."""


def build_path(hall: Hall, pattern: str) -> str:
    """Build a path of the pattern with values of this hall."""
    if pattern in ELSEWHERE:
        return ELSEWHERE[pattern](hall)
    return re.sub(r"<\w+:(\w+)>", lambda part: str(PATH_VALUES[part[1]](hall, pattern)), pattern)


def build_reader(hall: Hall, who: str) -> Browser:
    """Return the browser of a reader, which sends forms without a CSRF token."""
    browser = Browser(account=None if who == "nobody" else _get_account(hall, who))
    browser.client.handler.enforce_csrf_checks = False
    return browser


def _get_account(hall: Hall, who: str) -> Account:
    if who == Role.OWNER:
        return hall.owner
    if who in ROLELESS:
        return Hall().owner
    account = build_account()
    Membership.objects.create(club=hall.event.club, account=account, role=who)
    return account


@contextmanager
def record_writes() -> Iterator[list[str]]:
    """Record the SQL statements that write to the database while the block runs, except to sessions."""
    found: list[str] = []

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        if WRITES.match(sql):
            found.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        yield found


def is_for_all(address: Address) -> bool:
    return address.access in (Audience.PUBLIC, Audience.TABLE, Audience.LINK)


def get_expected_outcome(address: Address, who: str) -> str:
    """Return the expected outcome for a reader at an address: opened, refused, no page, or asked to sign in."""
    opening = address.access
    if is_for_all(address):
        return "opened"
    if who == "nobody":
        return "asked to sign in"
    if opening is Audience.ACCOUNT:
        return "opened"
    if who in ROLELESS:
        return "no page" if "<" in address.pattern else "opened"  # without parameters: for the owner of any club
    return "opened" if opening in ROLE_PERMISSIONS[Role(who)] else "refused"


def find_outcome(browser: Browser, path: str, form: dict[str, str] | None) -> str:
    response: Any = browser.client.get(path) if form is None else browser.client.post(path, form)
    leads_to = response.headers.get("Location", "")
    if leads_to.startswith(SIGN_IN_PATH):
        return "asked to sign in"
    if response.status_code == 405 or (form is None and leads_to):
        return NOT_FOUND_REASON
    assert response.status_code < 500, path
    return {404: "no page", 403: "refused"}.get(response.status_code, "opened")


def visit(path: str, hall: Hall, browser: Browser, method: str) -> tuple[str, list[str]]:
    """Visit an address and return the outcome and the writing statements; all changes are rolled back."""
    form = FORM | {"event": hall.event.short} if method == "post" else None
    cookies = browser.client.cookies.output(header="", sep=";")
    with rolled_back(), record_writes() as statements:
        found = find_outcome(browser, path, form)
    browser.client.cookies.clear()
    browser.client.cookies.load(cookies)
    return found, statements


@pytest.fixture(autouse=True)
def by_https(settings: Settings) -> Iterator[None]:
    """Serve as under `up --https`, where a page about the certificate exists."""
    settings.HTTP_PORT, settings.HTTPS_PORT = 8000, 8443
    open_authority(settings.DATA_DIR, timezone.now())
    yield
    (settings.DATA_DIR / AUTHORITY_FILE).unlink()


@pytest.mark.long
def test_every_view_declares_its_access() -> None:
    assert [one.pattern for one in list_addresses() if one.access is None] == []


def build_hall() -> Hall:
    hall = Hall()
    mark(hall.match, "A 6 7")
    compute_standings(hall.event)
    assert hall.webhook
    assert hall.federation
    build_club("Les As de Matane")  # the list of a single club, or season, redirects to it
    Season.objects.create(
        club=hall.event.club, name="Last", starts=TUESDAY, ends=TUESDAY, ladders=[{"name": "General"}]
    )
    return hall


def build_full_hall() -> tuple[Hall, list[tuple[Address, str]]]:
    """Build a hall and return it with a path for every address."""
    hall, paths = _build_hall_with_rows()
    return hall, [(one, paths.get(one.pattern) or build_path(hall, one.pattern)) for one in list_addresses()]


@saved_state
def _build_hall_with_rows() -> tuple[Hall, dict[str, str]]:
    """Build the hall and the paths of pages that need no file: ``saved_state`` restores only rows."""
    hall = build_hall()
    patterns = [one.pattern for one in list_addresses() if not FILE_PATTERN.search(one.pattern)]
    return hall, {pattern: build_path(hall, pattern) for pattern in patterns}


@cache
def visit_all_addresses(who: str) -> dict[Address, dict[str, tuple[str, list[str]]]]:
    """Return the outcome and the writes at every address, by method; a reader's visits are made once for all tests."""
    hall, every = build_full_hall()
    browser = build_reader(hall, who)
    return {
        address: {
            method: visit(path, hall, browser, method)
            for method in ("get", "post")
            if not (
                method == "get" and who in CHECKED_ROLES and address.pattern in PATHS_BY_PATTERN and is_for_all(address)
            )
        }
        for address, path in every
    }


NIGHTLY_READERS = {Role.OWNER: pytest.mark.long("test_page_snapshots opens every page as owner, too")}


@pytest.mark.parametrize("who", [pytest.param(who, marks=NIGHTLY_READERS.get(who, ())) for who in READERS])
def test_every_address_opens_only_as_the_policy_says(who: str) -> None:
    wrong = {}
    for address, by_method in visit_all_addresses(who).items():
        if address.pattern in OTHER_CLUB_PAGES:
            continue
        for method, (found, statements) in by_method.items():
            wanted = get_expected_outcome(address, who)
            if found not in (wanted, NOT_FOUND_REASON) or (found != "opened" and statements):
                wrong[f"{method} {address.pattern}"] = found, wanted, statements
    assert wrong == {}


@pytest.mark.long
def test_get_requests_change_nothing() -> None:
    """GET requests (links, prefetches) only read, even for readers who may do everything."""
    changed = {}
    for address, by_method in visit_all_addresses(Role.OWNER).items():
        _, statements = by_method["get"]
        if more := [one for one in statements if not READER_TABLES.search(one)]:
            changed[address.pattern] = more
    assert changed == {}


@pytest.mark.long
def test_number_too_large_for_any_row_is_not_found() -> None:
    hall = build_hall()
    browser = build_reader(hall, Role.OWNER)
    for pattern in (one.pattern for one in list_addresses() if "<int:" in one.pattern):
        path = build_path(hall, re.sub(r"<int:\w+>", str(2**70), pattern))
        assert browser.client.get(path).status_code == 404, path
        assert browser.client.post(path, FORM).status_code == 404, path


@pytest.mark.long
def test_every_address_can_be_opened_by_an_owner() -> None:
    for address, by_method in visit_all_addresses(Role.OWNER).items():
        if address.pattern in REDIRECTS | OTHER_CLUB_PAGES:
            continue
        assert "opened" in {found for found, _ in by_method.values()}, address.pattern


@pytest.mark.long
def test_each_role_includes_the_permissions_of_the_lower_one() -> None:
    assert set(ROLE_PERMISSIONS) == set(Role)
    assert all(Permission.HELP in permissions for permissions in ROLE_PERMISSIONS.values())
    assert (
        ROLE_PERMISSIONS[Role.DESK]
        < ROLE_PERMISSIONS[Role.DIRECTOR]
        < ROLE_PERMISSIONS[Role.OWNER]
        == frozenset(Permission)
    )


@pytest.mark.long
def test_roles_page_is_up_to_date() -> None:
    assert ROLES_FILE.read_text(encoding="utf-8") == render_roles_page(), "write it anew: python manage.py roles"
