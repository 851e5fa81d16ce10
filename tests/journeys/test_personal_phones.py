"""Two phones on a night of two rounds: one knows its player, who changes tables, and one does not."""

import re

import pytest
from playwright.sync_api import expect

from clubs.models import Person
from scoring.models import Match
from tests.builders import compute_standings, matches_of, play_round, start_next_round
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.events.services.lifecycle import end_event

SCREENS = ((320, 568), (390, 844))


def choose_person(phone: Phone, hall: Hall, person: Person) -> None:
    """Choose the person on the phone, through the table's More menu."""
    phone.open(hall.table)
    phone.open(f"{hall.table}#more")
    phone.tap(phone.link("^(Ma page|My page)$"))
    phone.tap(phone.find_button(f"^{person.name}$"))
    expect(phone.page.locator("#live")).to_be_visible()


def list_people(match: Match) -> set[Person]:
    return {player.person for player in match.players.select_related("person")}


def is_right_on_every_phone(phone: Phone) -> None:
    """Check the layout on each size of phone, and run axe on the last one."""
    for screen in SCREENS:
        phone.resize(*screen)
        is_nothing_cut_off_sideways(phone, screen)
    assert find_violations(phone) == []


def publish_round_2(hall: Hall) -> None:
    event = hall.event
    assert event is not None
    play_round(event)
    compute_standings(event)
    start_next_round(event)


def get_scorekeeper(match: Match) -> str:
    return Match.objects.get(pk=match.pk).pencil_holder


def test_phone_moves_to_its_persons_table_with_one_tap(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    first, second = (phones(name, locale="fr-CA") for name in ("first", "second"))
    loser = hall.match.players.get(seat=1).person
    choose_person(first, hall, loser)
    first.open(hall.table)
    second.open(hall.table)
    second.mark("A-6-7")
    second.expect_sent_totals(6, 0)
    publish_round_2(hall)
    here, there = matches_of(event, 2)
    assert loser in list_people(there)
    first.poll_for_updates()
    expect(first.page.locator(".move .tile")).to_have_text("Table 2")
    for width, height in SCREENS:
        first.resize(width, height)
        size = first.run_script("parseFloat(getComputedStyle(document.querySelector('.move .tile')).fontSize)")
        assert size == min(60, 0.19 * width), width
    expect(first.page.locator(".lanes")).to_have_count(0)
    is_right_on_every_phone(first)
    first.take_picture("move")
    second.poll_for_updates()
    expect(second.page.locator(".move li")).to_have_count(2)
    is_right_on_every_phone(second)
    second.take_picture("move-of-four")
    assert get_scorekeeper(here) == ""
    taps = first.taps
    first.tap(first.link("^(Ouvrir la table|Open table) 2$"))
    expect(first.page.locator("h1")).to_contain_text("Table 2")
    first.mark("A-6-7")
    assert first.taps - taps == 3
    first.expect_sent_totals(6, 0)
    assert get_scorekeeper(there)
    second.tap(second.link("^(Rester à cette table|Stay at this table)$"))
    second.mark("A-6-7")
    second.expect_sent_totals(6, 0)
    assert get_scorekeeper(here)


@pytest.mark.long
def test_phone_that_stays_is_not_asked_again_offline(hall: Hall, phones: Phones) -> None:
    hall.build_night(pairs=4)
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
    publish_round_2(hall)
    phone.poll_for_updates()
    stay = phone.link("^Rester à cette table$")
    expect(stay).to_be_visible()
    phone.page.context.set_offline(True)
    phone.tap(stay)
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
    phone.page.context.set_offline(False)
    phone.poll_for_updates()
    phone.expect_sent_totals(6, 0)
    expect(phone.page.locator(".move")).to_have_count(0)


def test_finished_night_shows_rank_results_and_the_picture(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=7)
    personal_phone, unknown = (phones(name, locale="fr-CA") for name in ("known", "unknown"))
    person = min(list_people(hall.match), key=lambda person: person.pk)
    choose_person(personal_phone, hall, person)
    personal_phone.take_picture("own-page")
    play_round(event)
    compute_standings(event)
    personal_phone.poll_for_updates()
    expect(personal_phone.page.locator("#now")).to_be_visible()
    personal_phone.take_picture("between-rounds")
    personal_phone.open(hall.table)
    personal_phone.take_picture("between-rounds-at-the-table")
    end_event(event_id=event.pk)
    personal_phone.poll_for_updates()
    unknown.open(hall.table)
    for phone in (personal_phone, unknown):
        expect(phone.page).to_have_url(re.compile(f"/e/{event.short}/mine$"))
        expect(phone.page.locator(".event-end h2")).to_have_text(re.compile("Merci d’avoir joué|Thank you for playing"))
        is_right_on_every_phone(phone)
        phone.take_picture("end")
    expect(personal_phone.page.locator(".event-end .tile")).to_have_text(re.compile(r"^\s*(Rang|Rank) \d\s*$"))
    with personal_phone.page.expect_download() as saved:
        personal_phone.tap(personal_phone.page.locator(".event-end a[data-share]"))
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
