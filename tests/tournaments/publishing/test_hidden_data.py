"""Hidden data affect no public address: pages, feeds, files, frames and pictures are identical without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.utils import timezone

from clubs.models import Person
from clubs.policy import Audience
from engine.phases import PhaseRelease, PhaseSettings
from engine.visibility import USUAL, Names, RanksRelease, Release, Results
from federations.feed_files import build_feed_file
from federations.models import ClubFeed, Federation
from federations.services.federation_settings import open_federation
from federations.services.feed_refresh import combine_feeds
from federations.services.publishing import request_due_feeds, switch_feed_on
from scoring.models import Match
from server.addresses import list_addresses
from tests.builders import build_account, build_running_night, mark, matches_of, play_round, start_next_round, win
from tests.support.browser import Browser
from tests.support.feeds import SEASON_START, build_feed, create_followed_feed
from tests.tournaments.alerts.test_alerts import run_worker
from tournaments.entries.services.entry_actions import correct_player_name
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import change_phase, rename_event
from tournaments.fee_rates import Rates
from tournaments.models import Event, Season
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.money.services.prizes import PrizeDetails, change_prize, give_prize
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.rounds import close_round, discard_draft, draw_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.seasons.services import open_season
from tournaments.standings.services import refresh_standings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EVENT_FREE_PATHS = re.compile(r"^(account|link|sign-|start|language|rules|help|manifest|robots|t/|api/|verifier/)")
DIFFERS_ANYWAY = re.compile(
    r'csrfmiddlewaretoken" value="[^"]*|X-CSRFToken[^}]*|If-None-Match[^}]*|SEQUENCE:\d+'
    r"|(?<=</id>)<updated>[^<]*"  # time of reading, in an empty feed
    r'|data-revision="[^"]*'  # tells only that something has changed, like the ETag
)


class Evening:
    """A night with two rounds played and a draft of the third, or ended, with or without final standings."""

    def __init__(
        self,
        release: Release,
        *,
        is_over: bool = False,
        is_final: bool = False,
        stages: Sequence[Mapping[str, Any]] = (),
        hidden_stage: int | None = None,
    ) -> None:
        self.event: Event = build_running_night(4, stages=stages)
        event = self.event
        open_season(
            club=event.club,
            name="Autumn",
            starts=event.held_on,
            ends=event.held_on,
            ladders=[{"name": "All"}],
        )
        self.prize = give_prize(
            event_id=event.pk, winners=[self.person.pk], details=PrizeDetails(name="Ham 0", is_public=False)
        )
        change_rates(event_id=event.pk, rates=Rates(member=500, guest=500))
        Person.objects.filter(pk=self.hidden_person.pk).update(is_hidden=True)
        play_round(event)
        start_next_round(event)
        for match in matches_of(event, 2):
            win(match)
        close_round(event_id=event.pk, number=2)
        if is_over or is_final:
            end_event(event_id=event.pk)
        else:
            draw_round(event_id=event.pk, seed=0)
        change_release(event_id=event.pk, release=release)
        if hidden_stage is not None:
            settings = PhaseSettings(released=PhaseRelease.FINAL)
            change_phase(event_id=event.pk, stage=hidden_stage, settings=settings)
        if is_final:
            refresh_standings(event_id=event.pk)
            publish_final(event_id=event.pk)
        switch_feed_on(club_id=event.club_id)
        self.federation = open_federation(
            club_id=event.club_id,
            name="Region",
            starts=SEASON_START,
            ends=max(SEASON_START, event.held_on),
            ladder={"name": "", "counts": "match_wins"},
        )
        create_followed_feed(self.federation, build_feed("Matane", nights=4))

    @property
    def person(self) -> Person:
        return self.event.entries.get(number=1).player_1

    @property
    def hidden_person(self) -> Person:
        return self.event.entries.get(number=2).player_1

    @property
    def last_match(self) -> Match:
        return matches_of(self.event, 2)[1]


@pytest.fixture(autouse=True)
def _at_one_moment() -> Iterator[None]:
    """Freeze the time, because pages that show it would differ between two reads."""
    with patch.object(timezone, "now", return_value=timezone.now()):
        yield


Secret = Callable[[Evening, int], object]
"""A function that writes hidden data in one of two ways, 0 or 1."""


def change_round_2_winner(evening: Evening, way: int) -> None:
    points = [(4567, 1), (1, 4567)][way]
    adjust_table(event_id=evening.event.pk, number=2, table=1, games=(1 - way, way), points=points)


def change_hands(evening: Evening, way: int) -> None:
    """Correct a hand to one of two hands with the same points."""
    first = evening.last_match.marks.filter(number=1, status="current").get()
    mark(evening.last_match, ["B 6 7", "B 6 8"][way], replaced=first, director=build_account())


def rename_hidden_event(evening: Evening, way: int) -> None:
    rename_event(event_id=evening.event.pk, name=f"Soirée secrète {way}", held_on=evening.event.held_on)


def change_surname(evening: Evening, way: int) -> None:
    name = f"Agathe {['Aube', 'Audet'][way]}"
    correct_player_name(event_id=evening.event.pk, number=1, place=1, name=name)


def change_first_name(evening: Evening, way: int) -> None:
    name = ["Zoé Zimmer", "Yves Yale"][way]
    correct_player_name(event_id=evening.event.pk, number=3, place=1, name=name)


def change_hidden_name(evening: Evening, way: int) -> None:
    name = ["Olga Oz", "Paul Poe"][way]
    correct_player_name(event_id=evening.event.pk, number=2, place=1, name=name)


def redraw_draft(evening: Evening, way: int) -> None:
    discard_draft(event_id=evening.event.pk, number=3)
    draw_round(event_id=evening.event.pk, seed=way)


def change_payment(evening: Evening, way: int) -> None:
    if way:
        pay_fee(event_id=evening.event.pk, person_id=evening.person.pk)


def change_private_prize(evening: Evening, way: int) -> None:
    assert evening.prize is not None
    details = PrizeDetails(name=f"Ham {way}", amount=way, is_public=False)
    change_prize(event_id=evening.event.pk, prize_id=evening.prize.pk, details=details)


@dataclass(frozen=True)
class HiddenCase:
    """``secrets`` hidden by ``release``; once all is released, the pages of ``public_patterns`` show them."""

    secrets: tuple[Secret, ...]
    release: Release = USUAL
    is_over: bool = False
    is_final: bool = False
    stages: tuple[Mapping[str, Any], ...] = ()
    hidden_stage: int | None = None
    public_patterns: tuple[str, ...] = ()


RESULTS_OF_ROUND_2 = ("/c/{slug}", "/e/{short}/rounds/2", "/e/{short}/standings")
CASES: Mapping[str, HiddenCase] = {
    "what is for the desk": HiddenCase((redraw_draft, change_payment, change_private_prize, change_hidden_name)),
    "a silent round": HiddenCase(
        (change_round_2_winner,),
        Release(silent_from=2),
        public_patterns=("/e/{short}/rounds/2", "/e/{short}/standings"),
    ),
    "a silent evening that is over": HiddenCase(
        (change_round_2_winner,), Release(silent_from=1), is_over=True, public_patterns=RESULTS_OF_ROUND_2
    ),
    "a hidden stage": HiddenCase(
        (change_round_2_winner,),
        stages=({"format": "random", "rounds": 1}, {"format": "random"}),
        hidden_stage=1,
        public_patterns=("/e/{short}/rounds/2", "/e/{short}/standings"),
    ),
    "results and standings until they are final": HiddenCase(
        (change_round_2_winner,),
        Release(results=Results.NOTHING, ranked=RanksRelease.FINAL),
        is_over=True,
        public_patterns=RESULTS_OF_ROUND_2,
    ),
    "results and standings for ever": HiddenCase(
        (change_round_2_winner,), Release(results=Results.NOTHING, ranked=RanksRelease.NEVER), is_over=True
    ),
    "an event that is not public": HiddenCase(
        (rename_hidden_event, change_round_2_winner),
        Release(is_public=False),
        is_over=True,
        public_patterns=RESULTS_OF_ROUND_2,
    ),
    "hands": HiddenCase(
        (change_hands,), Release(results=Results.TOTALS), public_patterns=("/e/{short}/rounds/2/tables/2",)
    ),
    "surnames": HiddenCase((change_surname,), Release(names=Names.SHORT)),
    "surnames of a final evening": HiddenCase((change_surname,), Release(names=Names.SHORT), is_final=True),
    "who is hidden on a final evening": HiddenCase((change_hidden_name,), is_final=True),
    "names": HiddenCase((change_surname, change_first_name), Release(names=Names.NUMBERS)),
}


def iter_public_addresses(evening: Evening) -> Iterator[str]:
    """Yield every public address of the event, its club, and a federation that follows the club and another one."""
    event, federation = evening.event, evening.federation
    values: dict[str, list[Any]] = {
        "short": [event.short],
        "number": [1, 2, 3],
        "table_number": [1, 2],
        "entry": [1, 2, 3, 4],
        "slug": [event.club.slug],
        "pk": [1],
        "place": [0],
        "year": [event.held_on.year],
        "month": [event.held_on.month, SEASON_START.month],
        "ending": ["json"],
        "kind": ["logo"],
        "digest": ["0" * 64],
        **{name: [1] for name in ("size", "older", "newer")},
    }
    season = Season.objects.get(club=event.club).pk
    people = list(Person.objects.filter(club=event.club).order_by("pk").values_list("pk", flat=True)[:3])
    for address in list_addresses():
        if address.access is not Audience.PUBLIC or EVENT_FREE_PATHS.match(address.pattern.lstrip("/")):
            continue
        names = re.findall(r"<\w+:(\w+)>", address.pattern)
        here = {**values, "partner": people[1:2], "key": people[:2], "pk": [season]}
        if "people" in address.pattern:
            here["pk"] = people
        elif "federations" in address.pattern:
            here["pk"], here["key"] = [federation.pk], list_federation_keys(federation, address.pattern)
        for chosen in product(*(here[name] for name in names)):
            yield re.sub(r"<\w+:\w+>", "{}", address.pattern).format(*chosen)
    for path in (f"/e/{event.short}", f"/c/{event.club.slug}"):
        yield f"/oembed?url=http://testserver{path}"
    yield f"/e/{event.short}?who=a"
    yield f"/fr/e/{event.short}"


def list_federation_keys(federation: Federation, pattern: str) -> list[str]:
    """Return the keys of the federation's standings or ratings."""
    what = "ratings" if "ratings" in pattern else "ladder"
    return [line["key"] for line in federation.worked_out[what]]


Answer = tuple[int, str | bytes]


def fetch_answers(paths: Iterable[str]) -> dict[str, Answer]:
    """Return the status and content of each address, after the worker and the federation have caught up."""
    update_federation()
    caches["pages"].clear()
    reader, found = Browser(), {}
    for path in paths:
        page = reader.open(path)
        found[path] = page.status, DIFFERS_ANYWAY.sub("", page.html) or b"".join(page.response)
    return found


def update_federation() -> None:
    request_due_feeds()
    run_worker()
    federation, feed = Federation.objects.get(), ClubFeed.objects.get()
    federation.feeds.update_or_create(
        address=f"https://testserver/c/{feed.club.slug}/feed.json",
        defaults={"public_id": feed.public_id.hex, "content": build_feed_file(feed.written, feed.signature)},
    )
    combine_feeds(federation.pk)


def find_differences(evening: Evening, secrets: Iterable[Secret], paths: Collection[str]) -> dict[str, str]:
    """Return the addresses whose content depends on the secrets, each with the first line that differs."""
    answers = []
    for way in (0, 1):
        for secret in secrets:
            secret(evening, way)
        answers.append(fetch_answers(paths))
    one, other = answers
    return {path: _find_first_difference(one[path], other[path]) for path in paths if one[path] != other[path]}


def _find_first_difference(one: Answer, other: Answer) -> str:
    lines = zip_longest(*(str(body).splitlines() for _, body in (one, other)))
    return next(f"{a} / {b}" for a, b in lines if a != b)


@pytest.mark.long("opens every address eleven times; test_data_leaks.py opens each once")
@pytest.mark.parametrize("name", CASES)
def test_hidden_data_are_at_no_public_address(name: str) -> None:
    case = CASES[name]
    evening = Evening(
        case.release,
        is_over=case.is_over,
        is_final=case.is_final,
        stages=case.stages,
        hidden_stage=case.hidden_stage,
    )
    update_federation()
    evening.federation.refresh_from_db()
    paths = [*iter_public_addresses(evening)]
    assert len(paths) > 100
    assert find_differences(evening, case.secrets, paths) == {}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.public_patterns])
def test_released_data_are_on_their_public_pages(name: str) -> None:
    case = CASES[name]
    evening = Evening(Release(), is_over=case.is_over, stages=case.stages)
    event = evening.event
    paths = [path.format(short=event.short, slug=event.club.slug) for path in case.public_patterns]
    assert [*find_differences(evening, case.secrets, paths)] == paths
