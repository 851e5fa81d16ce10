"""Two phones on a night of two rounds: one knows its person, who changes tables, and one does not."""

import re

from playwright.sync_api import expect

from clubs.models import Person
from scoring.models import Match
from tests.builders import matches_of, next_round, play_round, standings_after
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.events.services.lifecycle import end_event

SCREENS = ((320, 568), (390, 844))


def says_who_it_is(phone: Phone, hall: Hall, person: Person) -> None:
    """From the table, by its three dots."""
    phone.open(hall.table)
    phone.open(f"{hall.table}#more")
    phone.tap(phone.link("^(Ma page|My page)$"))
    phone.tap(phone.button(f"^{person.name}$"))
    expect(phone.page.locator("#live")).to_be_visible()


def people_of(match: Match) -> set[Person]:
    return {player.person for player in match.players.select_related("person")}


def is_right_on_every_phone(phone: Phone) -> None:
    """On a usual one last, where axe looks at it."""
    for screen in SCREENS:
        phone.resize(*screen)
        is_nothing_cut_off_sideways(phone, screen)
    assert violations(phone) == []


def publish_round_2(hall: Hall) -> None:
    event = hall.event
    assert event is not None
    play_round(event)
    standings_after(event)
    next_round(event)


def holder(match: Match) -> str:
    return Match.objects.get(pk=match.pk).pencil_holder


def test_a_phone_goes_to_its_persons_table_with_one_tap_and_marks_nothing_at_the_old_one(
    hall: Hall, phones: Phones
) -> None:
    event = hall.a_night(pairs=4)
    first, second = (phones(name, locale="fr-CA") for name in ("first", "second"))
    loser = hall.match.players.get(seat=1).person
    says_who_it_is(first, hall, loser)
    first.open(hall.table)
    second.open(hall.table)
    second.mark("A-6-7")
    second.sees_totals(6, 0)
    publish_round_2(hall)
    here, there = matches_of(event, 2)
    assert loser in people_of(there)
    first.looks_for_news()
    expect(first.page.locator(".move .tile")).to_have_text("Table 2")
    for width, height in SCREENS:
        first.resize(width, height)
        size = first.runs("parseFloat(getComputedStyle(document.querySelector('.move .tile')).fontSize)")
        assert size == min(60, 0.19 * width), width
    expect(first.page.locator(".lanes")).to_have_count(0)
    is_right_on_every_phone(first)
    first.picture("move")
    second.looks_for_news()
    expect(second.page.locator(".move li")).to_have_count(2)
    is_right_on_every_phone(second)
    second.picture("move-of-four")
    assert holder(here) == ""
    taps = first.taps
    first.tap(first.link("^(Ouvrir la table|Open table) 2$"))
    expect(first.page.locator("h1")).to_contain_text("Table 2")
    first.mark("A-6-7")
    assert first.taps - taps == 3
    first.sees_totals(6, 0)
    assert holder(there)
    second.tap(second.link("^(Rester à cette table|Stay at this table)$"))
    second.mark("A-6-7")
    second.sees_totals(6, 0)
    assert holder(here)


def test_who_stays_is_not_asked_again_although_nobody_hears_it(hall: Hall, phones: Phones) -> None:
    hall.a_night(pairs=4)
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
    publish_round_2(hall)
    phone.looks_for_news()
    stay = phone.link("^Rester à cette table$")
    expect(stay).to_be_visible()
    phone.page.context.set_offline(True)
    phone.tap(stay)
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
    phone.page.context.set_offline(False)
    phone.looks_for_news()
    phone.sees_totals(6, 0)
    expect(phone.page.locator(".move")).to_have_count(0)


def test_the_end_of_the_night_is_rank_figures_thanks_and_the_picture(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(pairs=7)
    known, unknown = (phones(name, locale="fr-CA") for name in ("known", "unknown"))
    person = min(people_of(hall.match), key=lambda person: person.pk)
    says_who_it_is(known, hall, person)
    known.picture("own-page")
    play_round(event)
    standings_after(event)
    known.looks_for_news()
    expect(known.page.locator("#now")).to_be_visible()
    known.picture("between-rounds")
    known.open(hall.table)
    known.picture("between-rounds-at-the-table")
    end_event(event_id=event.pk)
    known.looks_for_news()
    unknown.open(hall.table)
    for phone in (known, unknown):
        expect(phone.page).to_have_url(re.compile(f"/e/{event.short}/mine$"))
        expect(phone.page.locator(".ended h2")).to_have_text(
            re.compile("Merci d’avoir joué|Thank you for playing")
        )
        is_right_on_every_phone(phone)
        phone.picture("end")
    expect(known.page.locator(".ended .tile")).to_have_text(re.compile(r"^\s*(Rang|Rank) \d\s*$"))
    with known.page.expect_download() as saved:
        known.tap(known.page.locator(".ended a[data-share]"))
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
