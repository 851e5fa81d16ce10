"""Hidden data are at no public address: every page, feed, file, frame and picture is the same without
them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.utils import timezone

from clubs.models import Person
from clubs.policy import Audience
from engine.visibility import USUAL, Names, RanksRelease, Release, Results
from federations.feed_files import feed_file
from federations.models import ClubFeed, Federation
from federations.services.federation_settings import open_federation
from federations.services.feed_refresh import add_up
from federations.services.publishing import request_due_feeds, switch_feed_on
from operations.roles_page import addresses
from scoring.models import Match
from tests.builders import a_running_night, an_account, mark, matches_of, next_round, play_round, win
from tests.support.browser import Browser
from tests.support.feeds import FIRST, a_feed, a_kept_feed
from tests.tournaments.alerts.test_alerts import work
from tournaments.entries.services.entry_actions import correct_player_name
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import rename_event
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

NO_WORDS_OF_AN_EVENT = re.compile(
    r"^(account|link|sign-|start|language|rules|help|manifest|robots|t/|api/|verifier/)"
)
DIFFERS_ANYWAY = re.compile(
    r'csrfmiddlewaretoken" value="[^"]*|X-CSRFToken[^}]*|If-None-Match[^}]*|SEQUENCE:\d+'
    r"|(?<=</id>)<updated>[^<]*"  # of an empty feed: when it was read
    r'|data-revision="[^"]*'  # that something has changed, as the entity tag says too
)


class Evening:
    """Two rounds are played, the third is a draft; or all is over, without or with the final standings."""

    def __init__(self, release: Release, *, is_over: bool = False, is_final: bool = False) -> None:
        self.event: Event = a_running_night(4)
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
        Person.objects.filter(pk=self.hidden.pk).update(is_hidden=True)
        play_round(event)
        next_round(event)
        for match in matches_of(event, 2):
            win(match)
        close_round(event_id=event.pk, number=2)
        if is_over or is_final:
            end_event(event_id=event.pk)
        else:
            draw_round(event_id=event.pk, seed=0)
        change_release(event_id=event.pk, release=release)
        if is_final:
            refresh_standings(event_id=event.pk)
            publish_final(event_id=event.pk)
        switch_feed_on(club_id=event.club_id)
        self.federation = open_federation(
            club_id=event.club_id,
            name="Region",
            starts=FIRST,
            ends=max(FIRST, event.held_on),
            ladder={"name": "", "counts": "match_wins"},
        )
        a_kept_feed(self.federation, a_feed("Matane", nights=4))

    @property
    def person(self) -> Person:
        return self.event.entries.get(number=1).player_1

    @property
    def hidden(self) -> Person:
        return self.event.entries.get(number=2).player_1

    @property
    def last_match(self) -> Match:
        return matches_of(self.event, 2)[1]


@pytest.fixture(autouse=True)
def _at_one_moment() -> Iterator[None]:
    """Yield what pages say of the hour differs between any two looks."""
    with patch.object(timezone, "now", return_value=timezone.now()):
        yield


Secret = Callable[[Evening, int], object]
"""Makes it one of two ways: 0 or 1."""


def who_won_round_2(evening: Evening, way: int) -> None:
    points = [(4567, 1), (1, 4567)][way]
    adjust_table(event_id=evening.event.pk, number=2, table=1, games=(1 - way, way), points=points)


def which_hands(evening: Evening, way: int) -> None:
    """Two hands that come to the same."""
    first = evening.last_match.marks.filter(number=1, status="current").get()
    mark(evening.last_match, ["B 6 7", "B 6 8"][way], replacing=first, director=an_account())


def what_the_event_is_called(evening: Evening, way: int) -> None:
    rename_event(event_id=evening.event.pk, name=f"Soirée secrète {way}", held_on=evening.event.held_on)


def how_a_name_ends(evening: Evening, way: int) -> None:
    name = f"Agathe {['Aube', 'Audet'][way]}"
    correct_player_name(event_id=evening.event.pk, number=1, place=1, name=name)


def how_another_begins(evening: Evening, way: int) -> None:
    name = ["Zoé Zimmer", "Yves Yale"][way]
    correct_player_name(event_id=evening.event.pk, number=3, place=1, name=name)


def what_somebody_hidden_is_called(evening: Evening, way: int) -> None:
    name = ["Olga Oz", "Paul Poe"][way]
    correct_player_name(event_id=evening.event.pk, number=2, place=1, name=name)


def what_a_draft_says(evening: Evening, way: int) -> None:
    discard_draft(event_id=evening.event.pk, number=3)
    draw_round(event_id=evening.event.pk, seed=way)


def who_has_paid(evening: Evening, way: int) -> None:
    if way:
        pay_fee(event_id=evening.event.pk, person_id=evening.person.pk)


def what_is_won_in_private(evening: Evening, way: int) -> None:
    assert evening.prize is not None
    details = PrizeDetails(name=f"Ham {way}", amount=way, is_public=False)
    change_prize(event_id=evening.event.pk, prize_id=evening.prize.pk, details=details)


@dataclass(frozen=True)
class KeptBack:
    """``secrets`` under ``release``; at some addresses they are ``told_at`` once everything is released."""

    secrets: tuple[Secret, ...]
    release: Release = USUAL
    is_over: bool = False
    is_final: bool = False
    told_at: tuple[str, ...] = ()


RESULTS_OF_ROUND_2 = ("/c/{slug}", "/e/{short}/rounds/2", "/e/{short}/standings")
CASES: Mapping[str, KeptBack] = {
    "what is for the desk": KeptBack(
        (what_a_draft_says, who_has_paid, what_is_won_in_private, what_somebody_hidden_is_called)
    ),
    "a silent round": KeptBack(
        (who_won_round_2,), Release(silent_from=2), told_at=("/e/{short}/rounds/2", "/e/{short}/standings")
    ),
    "a silent evening that is over": KeptBack(
        (who_won_round_2,), Release(silent_from=1), is_over=True, told_at=RESULTS_OF_ROUND_2
    ),
    "results and standings until they are final": KeptBack(
        (who_won_round_2,),
        Release(results=Results.NOTHING, ranked=RanksRelease.FINAL),
        is_over=True,
        told_at=RESULTS_OF_ROUND_2,
    ),
    "results and standings for ever": KeptBack(
        (who_won_round_2,), Release(results=Results.NOTHING, ranked=RanksRelease.NEVER), is_over=True
    ),
    "an event that is not public": KeptBack(
        (what_the_event_is_called, who_won_round_2),
        Release(is_public=False),
        is_over=True,
        told_at=RESULTS_OF_ROUND_2,
    ),
    "hands": KeptBack(
        (which_hands,), Release(results=Results.TOTALS), told_at=("/e/{short}/rounds/2/tables/2",)
    ),
    "surnames": KeptBack((how_a_name_ends,), Release(names=Names.SHORT)),
    "surnames of a final evening": KeptBack((how_a_name_ends,), Release(names=Names.SHORT), is_final=True),
    "who is hidden on a final evening": KeptBack((what_somebody_hidden_is_called,), is_final=True),
    "names": KeptBack((how_a_name_ends, how_another_begins), Release(names=Names.NUMBERS)),
}


def public_addresses(evening: Evening) -> Iterator[str]:
    """Every address that is open to everybody, of this event, its club, and what they have; with those of a
    federation that follows the club, and another one."""
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
        "month": [event.held_on.month, FIRST.month],
        "ending": ["json"],
        "kind": ["logo"],
        "digest": ["0" * 64],
        **{name: [1] for name in ("size", "older", "newer")},
    }
    season = Season.objects.get(club=event.club).pk
    people = list(Person.objects.filter(club=event.club).order_by("pk").values_list("pk", flat=True)[:3])
    for address in addresses():
        if address.opens_to is not Audience.PUBLIC or NO_WORDS_OF_AN_EVENT.match(address.pattern.lstrip("/")):
            continue
        names = re.findall(r"<\w+:(\w+)>", address.pattern)
        here = {**values, "partner": people[1:2], "key": people[:2], "pk": [season]}
        if "people" in address.pattern:
            here["pk"] = people
        elif "federations" in address.pattern:
            here["pk"], here["key"] = [federation.pk], of_federation(federation, address.pattern)
        for chosen in product(*(here[name] for name in names)):
            yield re.sub(r"<\w+:\w+>", "{}", address.pattern).format(*chosen)
    for path in (f"/e/{event.short}", f"/c/{event.club.slug}"):
        yield f"/oembed?url=http://testserver{path}"
    yield f"/e/{event.short}?who=a"
    yield f"/fr/e/{event.short}"


def of_federation(federation: Federation, pattern: str) -> list[str]:
    """The keys of its lines, or of its ratings."""
    what = "ratings" if "ratings" in pattern else "ladder"
    return [line["key"] for line in federation.worked_out[what]]


Answer = tuple[int, str | bytes]


def answers(paths: Iterable[str]) -> dict[str, Answer]:
    """Return what anybody is answered there, once the worker has done what waited, and the federation has
    asked."""
    federation_hears()
    caches["pages"].clear()
    reader, found = Browser(), {}
    for path in paths:
        page = reader.open(path)
        found[path] = page.status, DIFFERS_ANYWAY.sub("", page.html) or b"".join(page.response)
    return found


def federation_hears() -> None:
    request_due_feeds()
    work()
    federation, feed = Federation.objects.get(), ClubFeed.objects.get()
    federation.feeds.update_or_create(
        address=f"https://testserver/c/{feed.club.slug}/feed.json",
        defaults={"public_id": feed.public_id.hex, "content": feed_file(feed.written, feed.signature)},
    )
    add_up(federation.pk)


def differing(evening: Evening, secrets: Iterable[Secret], paths: Collection[str]) -> dict[str, str]:
    """The addresses at which the two ways of these secrets are told apart, with the first line that does."""
    told = []
    for way in (0, 1):
        for secret in secrets:
            secret(evening, way)
        told.append(answers(paths))
    one, other = told
    return {path: _first(one[path], other[path]) for path in paths if one[path] != other[path]}


def _first(one: Answer, other: Answer) -> str:
    lines = zip_longest(*(str(body).splitlines() for _, body in (one, other)))
    return next(f"{a} / {b}" for a, b in lines if a != b)


@pytest.mark.long("every address eleven times: test_what_leaks.py opens each once")
@pytest.mark.parametrize("name", CASES)
def test_is_at_no_public_address(name: str) -> None:
    case = CASES[name]
    evening = Evening(case.release, is_over=case.is_over, is_final=case.is_final)
    federation_hears()
    evening.federation.refresh_from_db()
    paths = [*public_addresses(evening)]
    assert len(paths) > 100
    assert differing(evening, case.secrets, paths) == {}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.told_at])
def test_is_there_once_it_is_released(name: str) -> None:
    case = CASES[name]
    evening = Evening(Release(), is_over=case.is_over)
    event = evening.event
    paths = [path.format(short=event.short, slug=event.club.slug) for path in case.told_at]
    assert [*differing(evening, case.secrets, paths)] == paths
