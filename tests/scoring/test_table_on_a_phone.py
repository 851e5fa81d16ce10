"""Table screen rendered by the phone's script: the same HTML as the server's, byte for byte."""

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

from rules import BAS_SAINT_LAURENT_JOKERS, MAINE, TWO_PLAYER, MatchCriterion, MatchFormat, Side
from scoring.models import Match, TableCard
from scoring.phone import PHONE_REFUSALS, SCREEN_TEXTS, SERVER_VARIABLES, compile_table_program
from scoring.services.agreement import call_desk, record_agreement, settle_call
from tests.builders import FIFTY_MINUTES, TWO_GAMES, mark, matches_of, play, play_round, start_next_round, win
from tests.long_runs import IS_LONG
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, confirm_hand, press_kind, tap
from tests.support.phone_drawing import draw_from_known, draw_in_node, list_attribute_names, to_json_value
from tests.tournaments.public.test_own_pages import open_own_page
from tournaments.rounds.services.clock import begin_round, call_last_hand, pause_clock
from web.portable_templates import compile_template
from wording.sentences import get_sentence

pytestmark = pytest.mark.django_db

LANGUAGES = ("fr", "en")
SCREEN, HANDS = "scoring/table.html#screen", "scoring/hands.html#main"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
JOKER_RULES = {"ruleset": BAS_SAINT_LAURENT_JOKERS}
ALL_DETAILS = {"details": ("declarer", "trump", "mode")}
State = Callable[[Hall, Browser], Page]


def build_marked_state(*hands: str) -> State:
    """Return a state in which another phone has marked these hands."""

    def open_state(hall: Hall, phone: Browser) -> Page:
        play(hall.match, *hands)
        return phone.open(hall.table)

    return open_state


def set_other_dealer(hall: Hall, phone: Browser) -> Page:
    page = phone.open(hall.table)
    return phone.send(page, page.find_form("/dealer"), ("seat", "3"))


def undo_hand(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "misdeal", "B petite made")
    return press_kind(phone, phone.open(hall.table), "undone")


def correct_hand(hall: Hall, phone: Browser) -> Page:
    first, *_ = play(hall.match, "A 6 7", "B 7 failed", "void")
    mark(hall.match, "A grosse failed", replaced=first)
    return phone.open(hall.table)


def mark_charlemagne_twice(hall: Hall, phone: Browser) -> Page:
    page = tap(phone, phone.open(hall.table), "A-8-8")
    mark(hall.match, "A charlemagne made", number=1)
    return phone.open(page.path)


def open_correction(hall: Hall, phone: Browser) -> Page:
    correct_hand(hall, phone)
    return phone.open(f"{hall.table}/hands/1")


def mark_twice(hall: Hall, phone: Browser) -> Page:
    page = tap(phone, phone.open(hall.table), "A-6-7")
    mark(hall.match, "B 6 7", number=1)
    mark(hall.match, "void", number=1, director=hall.owner)
    mark(hall.match, "B 7 made")
    return phone.open(page.path)


def build_agreed_state(*sides: str) -> State:
    def open_state(hall: Hall, phone: Browser) -> Page:
        win(hall.match)
        page = phone.open(hall.table)
        for side in sides:
            page = phone.send(page, page.find_form("/agree"), ("side", side))
        return page

    return open_state


def open_next_game(hall: Hall, phone: Browser) -> Page:
    win(hall.match)
    return phone.open(f"{hall.table}?game=3")


def time_called(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7", "B 8 made")
    return confirm_hand(phone, press_kind(phone, phone.open(hall.table), "time_called"))


def call_time(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7")
    return press_kind(phone, phone.open(hall.table), "time_called")


def build_awarded_state(text: str) -> State:
    def open_state(hall: Hall, phone: Browser) -> Page:
        play(hall.match, "B 6 7")
        mark(hall.match, f"{text} awarded", director=hall.owner)
        return phone.open(hall.table)

    return open_state


def open_after_end(hall: Hall, phone: Browser) -> Page:
    first, *_ = play(hall.match, "A 6 7", "B 6 7")
    mark(hall.match, "A gros_charlemagne made", replaced=first)
    return phone.open(hall.table)


def build_question_state(notation: str, *hands: str) -> State:
    """Return a state in which a hand is read back before it is recorded."""

    def open_state(hall: Hall, phone: Browser) -> Page:
        play(hall.match, *hands)
        page = tap(phone, phone.open(hall.table), notation)
        assert page.find_all(role="alertdialog")
        return page

    return open_state


def open_correction_question(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7", "B 5 made")
    return tap(phone, phone.open(f"{hall.table}/hands/1"), "A-mulot-0")


def called(hall: Hall, phone: Browser) -> Page:
    call_desk(match_id=hall.match.pk, note='<"Who\'s" & what>', device="")
    return phone.open(hall.table)


def call_desk_by_phone(hall: Hall, phone: Browser) -> Page:
    page = phone.open(hall.table)
    return phone.send(page, page.find_form("/dispute"))


def build_answered_state(*, ago: timedelta) -> State:
    def open_state(hall: Hall, phone: Browser) -> Page:
        call_desk(match_id=hall.match.pk)
        settle_call(match_id=hall.match.pk, account=hall.owner, ruling="The <hand> stands.")
        hall.match.disputes.update(settled_at=timezone.now() - ago)
        return phone.open(hall.table)

    return open_state


def close_match(hall: Hall, phone: Browser) -> Page:
    play_round(hall.event)
    return phone.open(hall.table)


def close_match_within_game(hall: Hall, phone: Browser) -> Page:
    play(hall.match, "A 6 7")
    Match.objects.update(closed_at=timezone.now())
    return phone.open(hall.table)


def move_to_next_table(hall: Hall, phone: Browser) -> Page:
    tap(phone, phone.open(hall.table), "A-6-7")
    play_round(hall.event)
    start_next_round(hall.event, seed=2)
    page = phone.open(hall.table)
    assert page.find_all("section", class_="move")
    return page


def move_on_and_stay(hall: Hall, phone: Browser) -> Page:
    move_to_next_table(hall, phone)
    return phone.open(f"{hall.table}?stay={matches_of(hall.event, 2)[0].pk}")


def open_for_moved_person(hall: Hall, phone: Browser) -> Page:
    open_own_page(hall.event, hall.match.players.get(seat=0).person, phone)
    other = TableCard.objects.get(topic=hall.event.topic, number=2)
    return phone.open(f"/t/{other.code}")


def open_for_idle_person(hall: Hall, phone: Browser) -> Page:
    open_own_page(hall.event, hall.match.players.get(seat=0).person, phone)
    Match.objects.update(closed_at=timezone.now())
    Match.objects.exclude(pk=hall.match.pk).update(round_number=2)
    return phone.open(hall.table)


def open_unused_table(hall: Hall, phone: Browser) -> Page:
    Match.objects.update(closed_at=timezone.now())
    Match.objects.exclude(pk=hall.match.pk).update(round_number=2)
    return phone.open(hall.table)


def build_clock_state(*acts: Callable[..., object], minutes: int | None = None, then: Sequence[str] = ()) -> State:
    def open_state(hall: Hall, phone: Browser) -> Page:
        begin_round(event_id=hall.event.pk, number=1, minutes=minutes)
        for act in acts:
            act(event_id=hall.event.pk, number=1)
        play(hall.match, *then)
        return phone.open(hall.table)

    return open_state


def send_refused_undo(hall: Hall, phone: Browser) -> Page:
    page = tap(phone, phone.open(hall.table), "A-6-7")
    mark(hall.match, "B 5 made")
    return press_kind(phone, page, "undone")


def send_refused_agreement(hall: Hall, phone: Browser) -> Page:
    win(hall.match)
    page = phone.open(hall.table)
    return phone.send(page, page.find_form("/agree"), ("side", "<C>"))


KNOCKOUT: dict[str, Any] = {"draw_format": "knockout"}

STATES: dict[str, tuple[dict[str, Any], State]] = {
    "a fresh match": ({}, build_marked_state()),
    "a fresh match, and who dealt first": ({"ruleset": MAINE}, set_other_dealer),
    "hands": ({}, build_marked_state("A 6 7", "B mulot failed", "misdeal", "void", "A 8 made")),
    "an undo": (JOKER_RULES, undo_hand),
    "a correction": (JOKER_RULES, correct_hand),
    "a hand to be corrected": (JOKER_RULES, open_correction),
    "two marks": ({}, mark_twice),
    "two marks of a Charlemagne": (JOKER_RULES, mark_charlemagne_twice),
    "a game over": ({}, build_agreed_state()),
    "a game over, one agrees": ({}, build_agreed_state("B")),
    "a game over, both agree": ({}, build_agreed_state("A", "B")),
    "a game of two over": ({"match_format": TWO_GAMES}, build_agreed_state()),
    "a game of two over and agreed": ({"match_format": TWO_GAMES}, build_agreed_state("A", "B")),
    "a second game, begun": ({"match_format": TWO_GAMES}, open_next_game),
    "a second game": ({"match_format": TWO_GAMES}, build_marked_state("A gros_charlemagne made", "B 6 7")),
    "a match over": ({"match_format": TWO_GAMES}, build_marked_state("A charlemagne made", "A charlemagne made")),
    "a match over, one game each": (
        {"match_format": TWO_GAMES},
        build_marked_state("A charlemagne made", "B charlemagne made", "A 6 7"),
    ),
    "a match over by its hands, with a game of who has lost it": (
        {"match_format": MatchFormat(hands=3, decided_by=MatchCriterion.POINTS)},
        build_marked_state("A gros_charlemagne made", "A 6 made", "B gros_charlemagne made"),
    ),
    "a match by the clock": ({"match_format": FIFTY_MINUTES}, build_marked_state("A 6 7")),
    "time called": ({"match_format": FIFTY_MINUTES}, time_called),
    "time called, drawn": ({"match_format": FIFTY_MINUTES}, build_marked_state("time_called")),
    "a question whether time is up": ({"match_format": FIFTY_MINUTES}, call_time),
    "an awarded hand": ({}, build_awarded_state("A 6 made")),
    "a typed score sheet": ({}, build_marked_state("B 6 7", "totals 32 12")),
    "an awarded game": ({}, build_awarded_state("totals 12 6 A")),
    "a hand after the end": ({}, open_after_end),
    "two players": ({"ruleset": TWO_PLAYER}, build_marked_state("A 6 7", "B 6 failed")),
    "two players, a game over": ({"ruleset": TWO_PLAYER}, build_marked_state("B charlemagne made")),
    "other rules": (
        JOKER_RULES,
        build_marked_state("A 5 made", "A petite failed", "B grosse made"),
    ),
    "details": (ALL_DETAILS, build_marked_state("A 6 7")),
    "details by other rules": (JOKER_RULES | ALL_DETAILS, build_marked_state()),
    "a question": ({}, build_question_state("B-mulot-0")),
    "a question, failed": ({}, build_question_state("B-gros_charlemagne-failed", "A 6 7")),
    "a question that ends the game": ({}, build_question_state("A-charlemagne-8", "B 6 7")),
    "a question that ends a game of two": ({"match_format": TWO_GAMES}, build_question_state("A-charlemagne-8")),
    "a question that ends the match": (
        {"match_format": TWO_GAMES},
        build_question_state("A-charlemagne-8", "A charlemagne made"),
    ),
    "two players, a match of two over": (
        {"ruleset": TWO_PLAYER, "match_format": TWO_GAMES},
        build_marked_state("B charlemagne made", "B charlemagne made"),
    ),
    "a question of two players": ({"ruleset": TWO_PLAYER}, build_question_state("B-charlemagne-8")),
    "a question on a correction": ({}, open_correction_question),
    "a Charlemagne": ({}, build_marked_state("A 6 7", "B charlemagne failed")),
    "a call": ({}, called),
    "a call of a phone": ({}, call_desk_by_phone),
    "a call that the desk has answered": ({}, build_answered_state(ago=timedelta())),
    "a call answered long ago": ({}, build_answered_state(ago=timedelta(minutes=15))),
    "a closed round": ({}, close_match),
    "a round closed within a game": ({}, close_match_within_game),
    "a round elsewhere": ({}, move_to_next_table),
    "a round elsewhere, and who stays": ({}, move_on_and_stay),
    "the phone of somebody at another table": ({}, open_for_moved_person),
    "the phone of somebody who sits out": ({}, open_for_idle_person),
    "a table at which nobody plays": ({}, open_unused_table),
    "a clock": ({"match_format": FIFTY_MINUTES}, build_clock_state()),
    "a clock that stands": ({}, build_clock_state(pause_clock, minutes=45)),
    "the last hand": ({}, build_clock_state(call_last_hand)),
    "after the last hand": ({}, build_clock_state(call_last_hand, then=("A 6 7", "misdeal"))),
    "after the last hand by the clock": (
        {"match_format": FIFTY_MINUTES},
        build_clock_state(call_last_hand, then=("A 6 7",)),
    ),
    "an extra hand": (KNOCKOUT, build_clock_state(call_last_hand, then=("A 6 made", "B 6 made"))),
    "after an extra hand": (
        KNOCKOUT,
        build_clock_state(call_last_hand, then=("A 6 made", "B 6 made", "B 5 made")),
    ),
    "a misdeal after the time": ({}, build_clock_state(call_last_hand, then=("misdeal", "void"))),
    "a refusal": ({}, send_refused_undo),
    "a refusal of the server's": ({}, send_refused_agreement),
}


@pytest.fixture(autouse=True)
def one_second() -> Iterator[None]:
    """Freeze the signing time: the link to the player's page must be equal on each rendering."""
    stamp = b62_encode(int(time.time()))
    with patch.object(TimestampSigner, "timestamp", lambda _: stamp):
        yield


def read_context(page: Page, names: frozenset[str]) -> dict[str, Any]:
    """Return the template context of the page as a phone has it."""
    context = page.response.context_data
    values: dict[str, Any] = to_json_value(context, names) | {
        "time_zone": context["session"].match.card.club.time_zone,
        "csrf_token": next(iter(TOKEN.findall(page.html)), ""),
    }
    refusal = context.get("refusal")
    if refusal is not None and refusal.code not in PHONE_REFUSALS:
        values["refusal"] = {"code": refusal.code, "sentence": get_sentence(refusal)}
    return values


def build_drawing(name: str, language: str, page: Page) -> dict[str, Any]:
    program, names = get_program(name, language)
    with translation.override(language):
        return {"program": program, "name": name, "context": read_context(page, names)}


@cache
def get_program(name: str, language: str) -> tuple[dict[str, Any], frozenset[str]]:
    """Compile the template for phones, and list the names that it uses."""
    program = compile_template(name, language=language, filter_values=SCREEN_TEXTS, absent_names=SERVER_VARIABLES)
    return program, list_attribute_names(program)


def iter_screens(state: str) -> Iterator[tuple[str, Hall, Browser, Page]]:
    """Yield the language, hall, phone and server-rendered page of the state.

    A short run takes one language, in turn; a long run takes all of them.
    """
    settings, shown_on = STATES[state]
    turn = list(STATES).index(state) % len(LANGUAGES)
    for language in LANGUAGES if IS_LONG else LANGUAGES[turn:][:1]:
        with transaction.atomic():  # rolled back, so that each language starts with an empty database
            hall = Hall(**settings)
            phone = hall.add_phone(language=language)
            phone.client.defaults["HTTP_HX_REQUEST"] = "true"
            yield language, hall, phone, shown_on(hall, phone)
            transaction.set_rollback(True)


KNOWN_VALUES = re.compile(r'<template id="known">(.*?)</template>', re.DOTALL)


def build_own_drawing(language: str, page: Page) -> dict[str, Any]:
    """Build the input from which the phone renders this screen with its stored values."""
    context, program = page.response.context_data, compile_table_program(language)
    question, refusal = context.get("pending_mark"), context.get("refusal")
    view: dict[str, Any] = {}
    if context["screen"].corrected_line is not None:
        view["correcting"] = context["screen"].corrected_line.number
    if context.get("goes_on"):
        view["goesOn"] = str(context["screen"].number)
    if question is not None:
        form = {"match": question.match_id, "entry_key": str(question.entry_key), "number": question.number}
        seen = {} if question.supersedes is None else {"supersedes": str(question.supersedes)}
        view["asked"] = {name: str(value) for name, value in (form | seen | question.hand).items()}
    if refusal is not None:
        view["refusal"] = {"code": refusal.code, "details": refusal.details, "sentence": get_sentence(refusal)}
    found = KNOWN_VALUES.search(page.html)
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
def test_phone_renders_the_same_screen_as_the_server(state: str) -> None:
    from_values, as_by_the_server, from_known, screens = [], [], [], []
    for language, hall, phone, screen in iter_screens(state):
        hands = phone.open(f"{hall.table}/hands")
        from_values += [build_drawing(SCREEN, language, screen), build_drawing(HANDS, language, hands)]
        with translation.override(language):
            from_known.append(build_own_drawing(language, screen))
        screens.append(KNOWN_VALUES.sub("", screen.html))
        as_by_the_server += [screens[-1], extract_main(hands.html)]
    assert draw_in_node(from_values)["drawn"] == as_by_the_server
    assert draw_from_known(from_known) == screens


def read_known_values(page: Page) -> dict[str, Any]:
    found = KNOWN_VALUES.search(page.html)
    assert found is not None
    return dict(json.loads(found[1]))


class TestSelfRenderingPhone:
    """Responses to a phone that renders the screen itself."""

    def open_table(self, *hands: str, **settings: Any) -> tuple[Browser, Page]:
        hall, phone = Hall(**settings), Browser()
        play(hall.match, *hands)
        page = phone.open(hall.table)
        phone.client.defaults |= {"HTTP_HX_REQUEST": "true", "HTTP_CHARLEMAGNE_DRAWS": "1"}
        return phone, page

    @pytest.mark.long
    def test_self_rendering_phone_receives_only_values(self) -> None:
        phone, page = self.open_table("A 6 7")
        news = phone.open(page.path)
        assert read_known_values(news) == read_known_values(page)
        assert "<main" not in news.html
        assert "Charlemagne-Draws" in news.response.headers["Vary"]
        recorded = tap(phone, page, "B-7-7")
        assert [mark["number"] for mark in read_known_values(recorded)["marks"]] == [1, 2]
        assert "<main" not in recorded.html
        assert read_known_values(recorded) == read_known_values(phone.open(page.path))

    @pytest.mark.slow
    def test_recorded_hand_returns_changes_of_other_phones(self) -> None:
        phone, page = self.open_table("A 8 8", "A 8 8", "A 8 8", "A 8 8", match_format=TWO_GAMES)
        match = Match.objects.get(pk=read_known_values(page)["match"]["pk"])
        hand_form = build_hand_form(match, contract="7")
        mark(match, "B 5 made")
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        token = phone.client.cookies["csrftoken"].value
        recorded = Page(phone.client.post(page.path, hand_form | {"csrfmiddlewaretoken": token}))
        phone_values = read_known_values(recorded)
        assert [each["status"] for each in phone_values["marks"][4:]] == ["current", "rival"]
        assert [each["side"] for each in phone_values["agreements"]] == ["A"]
        assert phone_values == read_known_values(phone.open(page.path))

    @pytest.mark.long
    def test_self_rendering_phone_shows_server_questions_and_refusals(self) -> None:
        phone, page = self.open_table("A 8 8", "A 8 8", "A 8 8")
        confirmation = tap(phone, page, "A-8-8")
        assert confirmation.find_one(role="alertdialog")
        refused = tap(phone, page, "B-7-7", number="9")
        assert refused.alert

    def test_desk_receives_the_whole_screen(self) -> None:
        hall = Hall()
        desk = hall.desk.open(f"/match/{hall.match.pk}", **{"HX-Request": "true", "Charlemagne-Draws": "1"})
        assert "<main" in desk.html


def extract_main(page: str) -> str:
    """Return the content of the main element."""
    return page.partition("<main")[2].partition(">\n")[2].partition("\n</main>")[0]


def test_table_program_exists_only_in_site_languages() -> None:
    digest = compile_table_program("fr").digest
    assert Browser().client.get(f"/t/screens/fr/{digest}.json").status_code == HTTPStatus.OK
    assert Browser().client.get(f"/t/screens/xx/{digest}.json").status_code == HTTPStatus.NOT_FOUND
