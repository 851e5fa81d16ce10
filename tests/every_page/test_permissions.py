"""Access: every address, as every kind of reader, is as the policy says."""

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

from clubs.calendar import today_in
from clubs.club_files import KIND, new_path, topic_of
from clubs.models import Account, Club, Membership, PictureKind, Role
from clubs.policy import MAY, Audience, Permission
from clubs.services import set_club_picture
from clubs.services.people_import import imports_topic
from clubs.services.pictures import pictures_topic
from clubs.uploads import Upload
from jobs.models import Job, Status
from operations.data_dir import AUTHORITY
from operations.roles_page import FILE, Address, addresses, roles_page
from operations.up.authority import open_authority
from operations.verifier.views import PROGRAM, edition
from scoring.phone import table_program
from tests.builders import TUESDAY, a_club, an_account, mark, standings_after
from tests.saved_states import saved_state, taken_back
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.alerts.stop_links import stop_letters
from tournaments.imports.uploaded_events import BroughtFile
from tournaments.mirrors.queries import requests_topic
from tournaments.models import Event, Plan, Season
from tournaments.papers.orders import Order, Paper
from tournaments.papers.paper_files import FILES as PAPERS
from tournaments.papers.paper_files import topic_of as papers_topic
from web.pictures import SafePicture

from .test_every_page import LEADS_ON, SHOWN

pytestmark = pytest.mark.django_db

WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b(?!.*django_session)", re.IGNORECASE | re.DOTALL)
OF_THE_READER = re.compile('"clubs_(devicesession|tries)"')
"""What is known of whoever asks: their session, and how often they guessed."""
READERS = ("nobody", *Role, "the owner of another club")
LOOKED_AT = (Role.DIRECTOR, Role.DESK)
"""Of the readers those as whom test_page_snapshots opens each page that is for everybody."""
ROLELESS = frozenset({"nobody", "the owner of another club"})
SIGN_IN = "/sign-in?next="
NOTHING_HERE = "no such method, or another page"
"""An address that only forms are sent to leads whoever loads it to the form's page, which asks by itself."""
OF_FILES = re.compile("/file/|/print/|<slug:token>")
"""In patterns of pages about a file that lies in the data folder."""


def a_directors_change(hall: Hall) -> int:
    """The id of a line of the club's history that directors may undo."""
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
"""What is posted: the fields of several forms."""


def last_word(path: str) -> str:
    return path.rpartition("/")[2]


def a_job(hall: Hall, pattern: str) -> int:
    """Work in the background, of the plan, of a file, of the club's own file, of a paper or of the event."""
    if "/file/" in pattern:
        return a_club_file(hall).pk
    if "/print/" in pattern:
        return a_paper(hall.event if "/e/" in pattern else hall.event.club).pk
    topic = hall.event.topic
    if "/plan/" in pattern:
        topic = Plan.objects.get(pk=PKS["plan"](hall)).topic
    if "/import/" in pattern:
        topic = BroughtFile(hall.event.club_id, last_word(hall.brought)).topic
    if "/uploads/" in pattern:
        topic = Upload(hall.event.club_id, last_word(hall.upload)).topic
    if "/mirrors/" in pattern:
        topic = requests_topic(hall.event.club)
    if "/page/" in pattern:
        topic = pictures_topic(hall.event.club)
    if "/bringing-in/" in pattern:
        topic = imports_topic(hall.event.club)
    return Job.objects.get_or_create(kind="draw", key=topic, topic=topic)[0].pk


def a_club_file(hall: Hall) -> Job:
    """Work that is done, and its file."""
    topic = topic_of(hall.event.club)
    found = Job.objects.filter(topic=topic).first()
    if found is None:
        path = new_path(hall.event.club_id)
        path.write_bytes(b"PK")
        done = {"status": Status.DONE, "ended_at": timezone.now(), "result": {"file": path.name}}
        found = Job.objects.create(kind=KIND, key=str(hall.event.club_id), topic=topic, **done)
    return found


def a_paper(of: Event | Club) -> Job:
    """Work that is done, and its file."""
    topic = papers_topic(of)
    found = Job.objects.filter(topic=topic).first()
    if found is None:
        path = PAPERS.new_path(of.pk if isinstance(of, Club) else of.club_id, "pdf")
        path.write_bytes(b"%PDF")
        order = Order(paper=Paper.BLANK, of=of.pk)
        done = {"status": Status.DONE, "ended_at": timezone.now(), "result": {"file": path.name}}
        found = Job.objects.create(kind=order.kind, key=order.key, topic=topic, **done)
    return found


PKS: dict[str, Callable[[Hall], int]] = {
    "house-rules": lambda hall: int(last_word(hall.house_rules)),
    "plan": lambda hall: int(last_word(hall.plan)),
    "seasons": lambda hall: int(last_word(hall.season)),
    "federations": lambda hall: hall.kept_federation.pk,
    "team": lambda hall: hall.membership.pk,
    "passkeys": lambda hall: hall.passkey.pk,
    "invitations": lambda hall: hall.an_invitation().invitation.pk,
    "programs": lambda hall: hall.a_token().pk,
    "webhooks": lambda hall: hall.webhook.pk,
    "mirrors": lambda hall: 1,
    "events": lambda hall: hall.event.pk,
    "people": lambda hall: int(last_word(hall.played)),
    "incidents": lambda hall: int(last_word(hall.incident)),
    "calendar": lambda hall: int(last_word(hall.recurring_night)),
    "usual": lambda hall: int(last_word(hall.usual_night)),
    "dues": lambda hall: int(last_word(hall.dues)),
    "prizes": lambda hall: int(last_word(hall.prize)),
    "categories": lambda hall: int(last_word(hall.prize_category)),
    "mine": lambda hall: hall.match.players.get(seat=0).person_id,
    "alerts": lambda hall: 1,
}
"""What stands in an address for ``<int:pk>``, by the word before it."""


def a_logo(hall: Hall) -> str:
    """The digest of the logo that the club has from now on."""
    dot = BytesIO()
    Image.new("RGB", (1, 1)).save(dot, "WEBP")
    picture = SafePicture(content=dot.getvalue(), width=1, height=1)
    set_club_picture(club_id=hall.event.club_id, kind=PictureKind.LOGO, picture=picture)
    return picture.digest


STANDS_FOR: dict[str, Callable[[Hall, str], Any]] = {
    "short": lambda hall, _: hall.event.short,
    "place": lambda hall, _: 0,
    "slug": lambda hall, _: hall.event.club.slug,
    "code": lambda hall, _: hall.code,
    "match_id": lambda hall, _: hall.match.pk,
    "number": lambda hall, _: 1,
    "delivery_id": lambda hall, _: hall.webhook.deliveries.get().pk,
    "person_id": lambda hall, _: int(last_word(hall.fee)),
    "year": lambda hall, _: 2026,
    "month": lambda hall, _: 9,
    "feed_id": lambda hall, _: hall.kept_federation.feeds.get().pk,
    "partner": lambda hall, _: hall.partner,
    "table_number": lambda hall, _: 1,
    "phone_id": lambda hall, _: 1,
    "ending": lambda hall, _: "csv",
    "entry": lambda hall, _: 1,
    "stage": lambda hall, _: 0,
    "section": lambda hall, _: 0,
    "step": lambda hall, pattern: "unpublish" if "/rounds/" in pattern else "end",
    "action_id": lambda hall, pattern: (
        hall.event.actions.latest("pk").pk if "/e/" in pattern else a_directors_change(hall)
    ),
    "job_id": a_job,
    "token": lambda hall, pattern: last_word(
        hall.upload
        if "/uploads/" in pattern
        else hall.brought_night
        if "/import-night/" in pattern
        else hall.brought
    ),
    "secret": lambda hall, _: "used",
    "on": lambda hall, _: today_in(hall.event.club),
    "base": lambda hall, _: "maine",
    "key": lambda hall, pattern: hall.line_of_federation if "/federations/" in pattern else "canadian",
    "name": lambda hall, _: "night",
    "letters": lambda hall, pattern: stop_letters(1) if "/alerts/" in pattern else "BCDFGH",
    "language": lambda hall, _: "fr",
    "kind": lambda hall, _: "logo",
    "digest": lambda hall, pattern: a_logo(hall) if pattern.endswith(".webp") else table_program("fr").digest,
    "pk": lambda hall, pattern: PKS[last_word(pattern.partition("/<int:pk>")[0])](hall),
}
ELSEWHERE: dict[str, Callable[[Hall], str]] = {
    "/e/<slug:short>/sign-up/<uuid:key>": lambda hall: hall.signed_up,
    "/e/<slug:short>/desk/rounds/<int:number>/comparison": lambda hall: hall.comparison,
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>/<slug:key>": lambda hall: hall.line_of_season,
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>/<slug:key>.<ending:ending>": (
        lambda hall: f"{hall.line_of_season}.csv"
    ),
    "/c/<slug:slug>/feed.json": lambda hall: f"/c/{hall.kept_federation.club.slug}/feed.json",
    "/e/<slug:short>/board/<int:number>": lambda hall: hall.board.replace("desk/boards", "board"),
    "/e/<slug:short>/desk/boards/<int:number>": lambda hall: hall.board,
    "/club/<slug:slug>/seasons/<int:pk>/clubs": lambda hall: hall.series,
    "/c/<slug:slug>/log.json": lambda hall: f"{hall.log}.json",
    "/c/<slug:slug>/log.txt": lambda hall: f"{hall.log}.txt",
    "/c/<slug:slug>/log/inclusion/<int:number>/<int:size>.json": lambda hall: (
        f"{hall.log}/inclusion/1/1.json"
    ),
    "/c/<slug:slug>/log/consistency/<int:older>/<int:newer>.json": (
        lambda hall: f"{hall.log}/consistency/1/1.json"
    ),
    "/club/<slug:slug>/interclub/<slug:short>": lambda hall: hall.shared,
    "/verifier/<str:edition>/<str:name>": lambda hall: f"/verifier/{edition()}/{PROGRAM}",
}
"""Pages of another night of the club, or of another club."""


def path_of(hall: Hall, pattern: str) -> str:
    """An address of that pattern, of this club."""
    if pattern in ELSEWHERE:
        return ELSEWHERE[pattern](hall)
    return re.sub(r"<\w+:(\w+)>", lambda part: str(STANDS_FOR[part[1]](hall, pattern)), pattern)


def reader_of(hall: Hall, who: str) -> Browser:
    """Somebody's browser, that sends forms without a token."""
    browser = Browser(account=None if who == "nobody" else _account(hall, who))
    browser.client.handler.enforce_csrf_checks = False
    return browser


def _account(hall: Hall, who: str) -> Account:
    if who == Role.OWNER:
        return hall.owner
    if who in ROLELESS:
        return Hall().owner
    account = an_account()
    Membership.objects.create(club=hall.event.club, account=account, role=who)
    return account


@contextmanager
def written() -> Iterator[list[str]]:
    """The statements that change anything in the database, but for who is signed in."""
    found: list[str] = []

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        if WRITES.match(sql):
            found.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        yield found


def is_for_all(address: Address) -> bool:
    return address.opens_to in (Audience.PUBLIC, Audience.TABLE, Audience.LINK)


def expected(address: Address, who: str) -> str:
    """Return what becomes of that reader at that address: opened, refused, no page, or asked to sign in."""
    opening = address.opens_to
    if is_for_all(address):
        return "opened"
    if who == "nobody":
        return "asked to sign in"
    if opening is Audience.ACCOUNT:
        return "opened"
    if who in ROLELESS:
        return "no page" if "<" in address.pattern else "opened"  # whatever club they own
    return "opened" if opening in MAY[Role(who)] else "refused"


def found_at(browser: Browser, path: str, form: dict[str, str] | None) -> str:
    response: Any = browser.client.get(path) if form is None else browser.client.post(path, form)
    leads_to = response.headers.get("Location", "")
    if leads_to.startswith(SIGN_IN):
        return "asked to sign in"
    if response.status_code == 405 or (form is None and leads_to):
        return NOTHING_HERE
    assert response.status_code < 500, path
    return {404: "no page", 403: "refused"}.get(response.status_code, "opened")


def answered(path: str, hall: Hall, browser: Browser, method: str) -> tuple[str, list[str]]:
    """Return what became of the reader, and what was written in the database; afterwards, all is as
    before."""
    form = FORM | {"event": hall.event.short} if method == "post" else None
    cookies = browser.client.cookies.output(header="", sep=";")
    with taken_back(), written() as statements:
        found = found_at(browser, path, form)
    browser.client.cookies.clear()
    browser.client.cookies.load(cookies)
    return found, statements


@pytest.fixture(autouse=True)
def by_https(settings: Settings) -> Iterator[None]:
    """As under `up --https`, where there is a page about its certificate."""
    settings.HTTP_PORT, settings.HTTPS_PORT = 8000, 8443
    open_authority(settings.DATA_DIR, timezone.now())
    yield
    (settings.DATA_DIR / AUTHORITY).unlink()


def test_every_view_declares_who_may_open_it() -> None:
    assert [one.pattern for one in addresses() if one.opens_to is None] == []


def a_hall() -> Hall:
    hall = Hall()
    mark(hall.match, "A 6 7")
    standings_after(hall.event)
    assert hall.webhook
    assert hall.federation
    a_club("Les As de Matane")  # with one club, and with one season, their lists lead on at once
    Season.objects.create(
        club=hall.event.club, name="Last", starts=TUESDAY, ends=TUESDAY, ladders=[{"name": "General"}]
    )
    return hall


def a_full_hall() -> tuple[Hall, list[tuple[Address, str]]]:
    """Such a hall, and of every pattern an address at which there is something."""
    hall, paths = _a_hall_with_all_rows()
    return hall, [(one, paths.get(one.pattern) or path_of(hall, one.pattern)) for one in addresses()]


@saved_state
def _a_hall_with_all_rows() -> tuple[Hall, dict[str, str]]:
    """That hall, with all that stands in the database: a file would not be put back."""
    hall = a_hall()
    patterns = [one.pattern for one in addresses() if not OF_FILES.search(one.pattern)]
    return hall, {pattern: path_of(hall, pattern) for pattern in patterns}


@cache
def walked(who: str) -> dict[Address, dict[str, tuple[str, list[str]]]]:
    """Return what becomes of that reader at every address, by method. The walk is made once, for all who
    look."""
    hall, every = a_full_hall()
    browser = reader_of(hall, who)
    return {
        address: {
            method: answered(path, hall, browser, method)
            for method in ("get", "post")
            if not (method == "get" and who in LOOKED_AT and address.pattern in SHOWN and is_for_all(address))
        }
        for address, path in every
    }


@pytest.mark.slow
@pytest.mark.parametrize("who", READERS)
def test_every_address_opens_to_whom_the_policy_says_and_changes_nothing_for_anybody_else(who: str) -> None:
    wrong = {}
    for address, by_method in walked(who).items():
        for method, (found, statements) in by_method.items():
            wanted = expected(address, who)
            if found not in (wanted, NOTHING_HERE) or (found != "opened" and statements):
                wrong[f"{method} {address.pattern}"] = found, wanted, statements
    assert wrong == {}


def test_to_load_an_address_changes_nothing() -> None:
    """Links and prefetches only read, also for readers who may do everything."""
    changed = {}
    for address, by_method in walked(Role.OWNER).items():
        _, statements = by_method["get"]
        if more := [one for one in statements if not OF_THE_READER.search(one)]:
            changed[address.pattern] = more
    assert changed == {}


def test_every_address_can_be_opened_in_one_way_at_least() -> None:
    for address, by_method in walked(Role.OWNER).items():
        if address.pattern in LEADS_ON:
            continue
        assert "opened" in {found for found, _ in by_method.values()}, address.pattern


def test_every_role_may_help_and_what_a_role_may_the_next_one_may_too() -> None:
    assert set(MAY) == set(Role)
    assert all(Permission.HELP in deeds for deeds in MAY.values())
    assert MAY[Role.DESK] < MAY[Role.DIRECTOR] < MAY[Role.OWNER] == frozenset(Permission)


def test_the_table_in_docs_is_the_one_that_is_held_to() -> None:
    assert FILE.read_text(encoding="utf-8") == roles_page(), "write it anew: python manage.py roles"
