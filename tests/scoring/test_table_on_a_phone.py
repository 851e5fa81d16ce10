"""The table's screen, drawn by the script from what the server drew it from: the same bytes."""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import cache
from http import HTTPStatus
from typing import Any
from unittest.mock import patch

import pytest
from django.core.signing import TimestampSigner, b62_encode
from django.db import transaction
from django.utils import timezone, translation

from rules import BAS_SAINT_LAURENT_JOKERS, MAINE, TWO_PLAYER, DecidedBy, MatchFormat, Side
from scoring.models import Match, TableCard
from scoring.phone import ABSENT, REFUSALS, WORDS, table_program
from scoring.services import agree, dispute, settle_call
from tests.builders import (
    BY_THE_CLOCK,
    TWO_GAMES,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    win,
)
from tests.long import IS_LONG
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, confirm, press, tap, typed_hand
from tests.support.on_a_phone import drawn_from_known, names_in, plain, run_by_node
from tests.tournaments.public.test_own_pages import page_of
from tournaments.rounds.services.clock import begin_round, call_last_hand, pause_clock
from web.portable_templates import compile_template
from wording.sentences import sentence

pytestmark = pytest.mark.django_db

LANGUAGES = ("fr", "en")
SCREEN, HANDS = "scoring/table.html#screen", "scoring/hands.html#main"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
BY_OTHER_RULES = {"ruleset": BAS_SAINT_LAURENT_JOKERS}
ALL_DETAILS = {"details": ("declarer", "trump", "mode")}
State = Callable[[Hall, Browser], Page]


def after(*hands: str) -> State:
    """The screen once these hands are marked by another phone."""

    def opened(hall: Hall, phone: Browser) -> Page:
        play(hall.match, *hands)
        return phone.open(hall.table)

    return opened


def dealt_by_another(hall: Hall, phone: Browser) -> Page:
    page = phone.open(hall.table)
    return phone.send(page, page.form("/dealer"), ("seat", "3"))


def undone(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "misdeal", "B petite made")
    return press(phone, phone.open(hall.table), "undone")


def corrected(hall: Hall, phone: Browser) -> Page:
    first, *_ = play(hall.match, "A 6 7", "B 7 failed", "void")
    mark(hall.match, "A grosse failed", replacing=first)
    return phone.open(hall.table)


def two_marks_of_a_charlemagne(hall: Hall, phone: Browser) -> Page:
    page = tap(phone, phone.open(hall.table), "A-8-8")
    mark(hall.match, "A charlemagne made", number=1)
    return phone.open(page.path)


def correcting(hall: Hall, phone: Browser) -> Page:
    corrected(hall, phone)
    return phone.open(f"{hall.table}/hands/1")


def two_marks(hall: Hall, phone: Browser) -> Page:
    page = tap(phone, phone.open(hall.table), "A-6-7")
    mark(hall.match, "B 6 7", number=1)
    mark(hall.match, "void", number=1, director=hall.owner)
    mark(hall.match, "B 7 made")
    return phone.open(page.path)


def agreed_by(*sides: str) -> State:
    def opened(hall: Hall, phone: Browser) -> Page:
        win(hall.match)
        page = phone.open(hall.table)
        for side in sides:
            page = phone.send(page, page.form("/agree"), ("side", side))
        return page

    return opened


def going_on(hall: Hall, phone: Browser) -> Page:
    win(hall.match)
    return phone.open(f"{hall.table}?game=3")


def time_called(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7", "B 8 made")
    return confirm(phone, press(phone, phone.open(hall.table), "time_called"))


def asked_whether_time_is_up(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7")
    return press(phone, phone.open(hall.table), "time_called")


def awarded(text: str) -> State:
    def opened(hall: Hall, phone: Browser) -> Page:
        play(hall.match, "B 6 7")
        mark(hall.match, f"{text} awarded", director=hall.owner)
        return phone.open(hall.table)

    return opened


def after_the_end(hall: Hall, phone: Browser) -> Page:
    first, *_ = play(hall.match, "A 6 7", "B 6 7")
    mark(hall.match, "A gros_charlemagne made", replacing=first)
    return phone.open(hall.table)


def asked(said: str, *hands: str) -> State:
    """The question before a hand that is read aloud."""

    def opened(hall: Hall, phone: Browser) -> Page:
        play(hall.match, *hands)
        page = tap(phone, phone.open(hall.table), said)
        assert page.every(role="alertdialog")
        return page

    return opened


def asked_to_correct(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7", "B 5 made")
    return tap(phone, phone.open(f"{hall.table}/hands/1"), "A-mulot-0")


def called(hall: Hall, phone: Browser) -> Page:
    dispute(match_id=hall.match.pk, note='<"Who\'s" & what>', device="")
    return phone.open(hall.table)


def called_by_a_phone(hall: Hall, phone: Browser) -> Page:
    page = phone.open(hall.table)
    return phone.send(page, page.form("/dispute"))


def answered(*, ago: timedelta) -> State:
    def opened(hall: Hall, phone: Browser) -> Page:
        dispute(match_id=hall.match.pk)
        settle_call(match_id=hall.match.pk, account=hall.owner, ruling="The <hand> stands.")
        hall.match.disputes.update(settled_at=timezone.now() - ago)
        return phone.open(hall.table)

    return opened


def closed(hall: Hall, phone: Browser) -> Page:
    play_round(hall.event)
    return phone.open(hall.table)


def closed_within_a_game(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7")
    Match.objects.update(closed_at=timezone.now())
    return phone.open(hall.table)


def moved_on(hall: Hall, phone: Browser) -> Page:
    tap(phone, phone.open(hall.table), "A-6-7")
    play_round(hall.event)
    next_round(hall.event, seed=2)
    page = phone.open(hall.table)
    assert page.every("section", class_="move")
    return page


def moved_on_and_staying(hall: Hall, phone: Browser) -> Page:
    moved_on(hall, phone)
    return phone.open(f"{hall.table}?stay={matches_of(hall.event, 2)[0].pk}")


def page_of_person_at_another_table(hall: Hall, phone: Browser) -> Page:
    page_of(hall.event, hall.match.players.get(seat=0).person, phone)
    other = TableCard.objects.get(topic=hall.event.topic, number=2)
    return phone.open(f"/t/{other.code}")


def page_of_person_sitting_out(hall: Hall, phone: Browser) -> Page:
    page_of(hall.event, hall.match.players.get(seat=0).person, phone)
    Match.objects.update(closed_at=timezone.now())
    Match.objects.exclude(pk=hall.match.pk).update(round_number=2)
    return phone.open(hall.table)


def where_nobody_plays(hall: Hall, phone: Browser) -> Page:
    Match.objects.update(closed_at=timezone.now())
    Match.objects.exclude(pk=hall.match.pk).update(round_number=2)
    return phone.open(hall.table)


def on_the_clock(*acts: Callable[..., object], minutes: int | None = None, then: Sequence[str] = ()) -> State:
    def opened(hall: Hall, phone: Browser) -> Page:
        begin_round(event_id=hall.event.pk, number=1, minutes=minutes)
        for act in acts:
            act(event_id=hall.event.pk, number=1)
        play(hall.match, *then)
        return phone.open(hall.table)

    return opened


def refused(hall: Hall, phone: Browser) -> Page:
    page = tap(phone, phone.open(hall.table), "A-6-7")
    mark(hall.match, "B 5 made")
    return press(phone, page, "undone")


def refused_by_the_server(hall: Hall, phone: Browser) -> Page:
    win(hall.match)
    page = phone.open(hall.table)
    return phone.send(page, page.form("/agree"), ("side", "<C>"))


KNOCKOUT: dict[str, Any] = {"draw_format": "knockout"}

STATES: dict[str, tuple[dict[str, Any], State]] = {
    "a fresh match": ({}, after()),
    "a fresh match, and who dealt first": ({"ruleset": MAINE}, dealt_by_another),
    "hands": ({}, after("A 6 7", "B mulot failed", "misdeal", "void", "A 8 made")),
    "an undo": (BY_OTHER_RULES, undone),
    "a correction": (BY_OTHER_RULES, corrected),
    "a hand to be corrected": (BY_OTHER_RULES, correcting),
    "two marks": ({}, two_marks),
    "two marks of a Charlemagne": (BY_OTHER_RULES, two_marks_of_a_charlemagne),
    "a game over": ({}, agreed_by()),
    "a game over, one agrees": ({}, agreed_by("B")),
    "a game over, both agree": ({}, agreed_by("A", "B")),
    "a game of two over": ({"match_format": TWO_GAMES}, agreed_by()),
    "a game of two over and agreed": ({"match_format": TWO_GAMES}, agreed_by("A", "B")),
    "a second game, begun": ({"match_format": TWO_GAMES}, going_on),
    "a second game": ({"match_format": TWO_GAMES}, after("A gros_charlemagne made", "B 6 7")),
    "a match over": ({"match_format": TWO_GAMES}, after("A charlemagne made", "A charlemagne made")),
    "a match over, one game each": (
        {"match_format": TWO_GAMES},
        after("A charlemagne made", "B charlemagne made", "A 6 7"),
    ),
    "a match over by its hands, with a game of who has lost it": (
        {"match_format": MatchFormat(hands=3, decided_by=DecidedBy.POINTS)},
        after("A gros_charlemagne made", "A 6 made", "B gros_charlemagne made"),
    ),
    "a match by the clock": ({"match_format": BY_THE_CLOCK}, after("A 6 7")),
    "time called": ({"match_format": BY_THE_CLOCK}, time_called),
    "time called, drawn": ({"match_format": BY_THE_CLOCK}, after("time_called")),
    "a question whether time is up": ({"match_format": BY_THE_CLOCK}, asked_whether_time_is_up),
    "an awarded hand": ({}, awarded("A 6 made")),
    "an awarded game": ({}, awarded("totals 12 6 A")),
    "a hand after the end": ({}, after_the_end),
    "two players": ({"ruleset": TWO_PLAYER}, after("A 6 7", "B 6 failed")),
    "two players, a game over": ({"ruleset": TWO_PLAYER}, after("B charlemagne made")),
    "other rules": (
        BY_OTHER_RULES,
        after("A 5 made", "A petite failed", "B grosse made"),
    ),
    "details": (ALL_DETAILS, after("A 6 7")),
    "details by other rules": (BY_OTHER_RULES | ALL_DETAILS, after()),
    "a question": ({}, asked("B-mulot-0")),
    "a question, failed": ({}, asked("B-gros_charlemagne-failed", "A 6 7")),
    "a question that ends the game": ({}, asked("A-charlemagne-8", "B 6 7")),
    "a question that ends a game of two": ({"match_format": TWO_GAMES}, asked("A-charlemagne-8")),
    "a question that ends the match": (
        {"match_format": TWO_GAMES},
        asked("A-charlemagne-8", "A charlemagne made"),
    ),
    "two players, a match of two over": (
        {"ruleset": TWO_PLAYER, "match_format": TWO_GAMES},
        after("B charlemagne made", "B charlemagne made"),
    ),
    "a question of two players": ({"ruleset": TWO_PLAYER}, asked("B-charlemagne-8")),
    "a question on a correction": ({}, asked_to_correct),
    "a Charlemagne": ({}, after("A 6 7", "B charlemagne failed")),
    "a call": ({}, called),
    "a call of a phone": ({}, called_by_a_phone),
    "a call that the desk has answered": ({}, answered(ago=timedelta())),
    "a call answered long ago": ({}, answered(ago=timedelta(minutes=15))),
    "a closed round": ({}, closed),
    "a round closed within a game": ({}, closed_within_a_game),
    "a round elsewhere": ({}, moved_on),
    "a round elsewhere, and who stays": ({}, moved_on_and_staying),
    "the phone of somebody at another table": ({}, page_of_person_at_another_table),
    "the phone of somebody who sits out": ({}, page_of_person_sitting_out),
    "a table at which nobody plays": ({}, where_nobody_plays),
    "a clock": ({"match_format": BY_THE_CLOCK}, on_the_clock()),
    "a clock that stands": ({}, on_the_clock(pause_clock, minutes=45)),
    "the last hand": ({}, on_the_clock(call_last_hand)),
    "after the last hand": ({}, on_the_clock(call_last_hand, then=("A 6 7", "misdeal"))),
    "after the last hand by the clock": (
        {"match_format": BY_THE_CLOCK},
        on_the_clock(call_last_hand, then=("A 6 7",)),
    ),
    "an extra hand": (KNOCKOUT, on_the_clock(call_last_hand, then=("A 6 made", "B 6 made"))),
    "after an extra hand": (
        KNOCKOUT,
        on_the_clock(call_last_hand, then=("A 6 made", "B 6 made", "B 5 made")),
    ),
    "a misdeal after the time": ({}, on_the_clock(call_last_hand, then=("misdeal", "void"))),
    "a refusal": ({}, refused),
    "a refusal of the server's": ({}, refused_by_the_server),
}


@pytest.fixture(autouse=True)
def one_second() -> Iterator[None]:
    """The seal of a player's own page is of the second in which it is asked for."""
    stamp = b62_encode(int(time.time()))
    with patch.object(TimestampSigner, "timestamp", lambda _: stamp):
        yield


def values_of(page: Page, names: frozenset[str]) -> dict[str, Any]:
    """Return what the server drew a page from, as a phone has it."""
    context = page.response.context_data
    values: dict[str, Any] = plain(context, names) | {
        "time_zone": context["session"].match.card.club.time_zone,
        "csrf_token": next(iter(TOKEN.findall(page.html)), ""),
    }
    refusal = context.get("refusal")
    if refusal is not None and refusal.code not in REFUSALS:
        values["refusal"] = {"code": refusal.code, "sentence": sentence(refusal)}
    return values


def drawing(name: str, language: str, page: Page) -> dict[str, Any]:
    program, names = program_of(name, language)
    with translation.override(language):
        return {"program": program, "name": name, "context": values_of(page, names)}


@cache
def program_of(name: str, language: str) -> tuple[dict[str, Any], frozenset[str]]:
    """A template as it is compiled for phones, and all names of which it asks."""
    program = compile_template(name, language=language, words=WORDS, absent=ABSENT)
    return program, names_in(program)


def screens_in(state: str) -> Iterator[tuple[str, Hall, Browser, Page]]:
    """The screen of such a match as the server draws it, with the hall, and who looks: in one language by
    turns, in a long run in each."""
    settings, shown_on = STATES[state]
    turn = list(STATES).index(state) % len(LANGUAGES)
    for language in LANGUAGES if IS_LONG else LANGUAGES[turn:][:1]:
        with transaction.atomic():  # each hall is the only one, which is put back and not made anew
            hall = Hall(**settings)
            phone = hall.phone(language=language)
            phone.client.defaults["HTTP_HX_REQUEST"] = "true"
            yield language, hall, phone, shown_on(hall, phone)
            transaction.set_rollback(True)


KNOWN = re.compile(r'<template id="known">(.*?)</template>', re.DOTALL)


def own_drawing(language: str, page: Page) -> dict[str, Any]:
    """Return the same screen as the phone draws it, of what the page lets it know."""
    context, program = page.response.context_data, table_program(language)
    asked, refusal = context.get("asked"), context.get("refusal")
    view: dict[str, Any] = {}
    if context["screen"].correcting is not None:
        view["correcting"] = context["screen"].correcting.number
    if context.get("goes_on"):
        view["goesOn"] = str(context["screen"].number)
    if asked is not None:
        form = {"match": asked.match_id, "entry_key": str(asked.entry_key), "number": asked.number}
        seen = {} if asked.supersedes is None else {"supersedes": str(asked.supersedes)}
        view["asked"] = {name: str(value) for name, value in (form | seen | asked.hand).items()}
    if refusal is not None:
        view["refusal"] = {"code": refusal.code, "details": refusal.details, "sentence": sentence(refusal)}
    found = KNOWN.search(page.html)
    assert found is not None
    return {
        "program": json.loads(program.text),
        "name": SCREEN,
        "known": json.loads(found[1]),
        "view": view,
        "moment": {
            "now": context["now"].isoformat(),
            "entry_key": str(context["entry_key"]),
            "csrf_token": next(iter(TOKEN.findall(page.html)), ""),
            "waiting": 0,
            "is_away": False,
            "is_hindered": False,
            "stays": str(context["session"].match.pk) if context["stays"] else "",
        },
    }


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_a_phone_draws_what_the_server_does_from_its_values_and_from_what_it_knows_itself(state: str) -> None:
    from_values, as_by_the_server, from_known, screens = [], [], [], []
    for language, hall, phone, screen in screens_in(state):
        hands = phone.open(f"{hall.table}/hands")
        from_values += [drawing(SCREEN, language, screen), drawing(HANDS, language, hands)]
        with translation.override(language):
            from_known.append(own_drawing(language, screen))
        screens.append(KNOWN.sub("", screen.html))
        as_by_the_server += [screens[-1], within_main(hands.html)]
    assert run_by_node(from_values)["drawn"] == as_by_the_server
    assert drawn_from_known(from_known) == screens


def known_of(page: Page) -> dict[str, Any]:
    found = KNOWN.search(page.html)
    assert found is not None
    return dict(json.loads(found[1]))


class TestAPhoneThatDrawsByItself:
    """Answers to a phone that says it draws by itself."""

    def opened(self, *hands: str, **settings: Any) -> tuple[Browser, Page]:
        hall, phone = Hall(**settings), Browser()
        play(hall.match, *hands)
        page = phone.open(hall.table)
        phone.client.defaults |= {"HTTP_HX_REQUEST": "true", "HTTP_CHARLEMAGNE_DRAWS": "1"}
        return phone, page

    def test_hears_what_is_known_of_its_table_and_nothing_that_it_draws(self) -> None:
        phone, page = self.opened("A 6 7")
        news = phone.open(page.path)
        assert known_of(news) == known_of(page)
        assert "<main" not in news.html
        assert "Charlemagne-Draws" in news.response.headers["Vary"]
        recorded = tap(phone, page, "B-7-7")
        assert [mark["number"] for mark in known_of(recorded)["marks"]] == [1, 2]
        assert "<main" not in recorded.html
        assert known_of(recorded) == known_of(phone.open(page.path))

    def test_hears_with_its_hand_what_others_have_done_since_it_looked(self) -> None:
        phone, page = self.opened("A 8 8", "A 8 8", "A 8 8", "A 8 8", match_format=TWO_GAMES)
        match = Match.objects.get(pk=known_of(page)["match"]["pk"])
        said = typed_hand(match, contract="7")
        mark(match, "B 5 made")
        agree(match_id=match.pk, side=Side.A, game=1)
        token = phone.client.cookies["csrftoken"].value
        recorded = Page(phone.client.post(page.path, said | {"csrfmiddlewaretoken": token}))
        known = known_of(recorded)
        assert [each["status"] for each in known["marks"][4:]] == ["current", "rival"]
        assert [each["side"] for each in known["agreements"]] == ["A"]
        assert known == known_of(phone.open(page.path))

    @pytest.mark.slow
    def test_sees_what_only_the_server_says(self) -> None:
        phone, page = self.opened("A 8 8", "A 8 8", "A 8 8")
        asked = tap(phone, page, "A-8-8")
        assert asked.one(role="alertdialog")
        refused = tap(phone, page, "B-7-7", number="9")
        assert refused.alert

    def test_at_the_desk_sees_the_whole_screen(self) -> None:
        hall = Hall()
        desk = hall.desk.open(f"/match/{hall.match.pk}", **{"HX-Request": "true", "Charlemagne-Draws": "1"})
        assert "<main" in desk.html


def within_main(page: str) -> str:
    """Without what stands around the block of the page."""
    return page.partition("<main")[2].partition(">\n")[2].partition("\n</main>")[0]


def test_a_program_is_there_in_the_languages_of_the_site_only() -> None:
    digest = table_program("fr").digest
    assert Browser().client.get(f"/t/screens/fr/{digest}.json").status_code == HTTPStatus.OK
    assert Browser().client.get(f"/t/screens/xx/{digest}.json").status_code == HTTPStatus.NOT_FOUND
