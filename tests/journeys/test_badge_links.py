"""A badge's QR code serves its player through a round: check-in, table and withdrawal."""

from playwright.sync_api import expect

from tests.builders import compute_standings, matches_of, start_next_round, win
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.entries.badge_codes import build_player_link
from tournaments.events.services.settings import plan_hall
from tournaments.rounds.services.rounds import close_round


def test_badge_link_serves_check_in_round_and_withdrawal(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=8)
    plan_hall(event_id=event.pk, per_row=2, snakes=False)
    person = event.entries.get(number=1).player_1
    phone = phones(locale="fr-CA")
    phone.open(build_player_link(event, person.pk))
    attendance = phone.page.locator("[aria-labelledby=attendance]")
    expect(phone.page.locator("figure.hall")).to_contain_text("à partir du bureau")
    phone.tap(phone.find_button("^Je suis là$"))
    expect(attendance).to_contain_text("Votre présence est confirmée")
    is_nothing_cut_off_sideways(phone)
    assert find_violations(phone) == []
    phone.take_picture("own-link")
    phone.tap(attendance.get_by_text("Je dois partir"))
    phone.tap(phone.find_button("Je pars après cette ronde"))
    expect(attendance).to_contain_text("plus dans les tirages")
    for match in matches_of(event):
        win(match)
    close_round(event_id=event.pk, number=1)
    compute_standings(event)
    start_next_round(event)
    phone.poll_for_updates()
    expect(phone.page.locator("[aria-labelledby=now]")).to_contain_text("plus de table")
    expect(phone.find_button("Finalement, je reste")).to_be_visible()
    assert not event.entries.get(number=1).seatings.filter(round__number=2).exists()
    phone.set_text_size(32)
    is_nothing_cut_off_sideways(phone)
    assert find_violations(phone) == []
