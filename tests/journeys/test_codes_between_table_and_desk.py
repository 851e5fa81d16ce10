"""A table and a desk with no network between them: each reads what the other's screen shows."""

import re

from playwright.sync_api import FilePayload, Locator, expect

from scoring.bundles import Kind, frames_of
from scoring.models import Match
from tests.builders import fresh, next_round, play_round, statuses
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_without_a_network import both_agree, is_all_sent, marks_after_reading, plain_phones

__all__ = ["plain_phones"]

HANDS = [*("A-5-5", "B-5-5") * 5, "B-5-5"]
ENDS_THE_MATCH = "A-gros_charlemagne-8"


def opened_at(table: str, phones: Phones) -> Phone:
    """A phone that had a network for as long as it took to open its table."""
    phone = phones()
    phone.open(table)
    phone.page.locator("body[data-codes]").wait_for(state="attached")
    return phone


def plays_the_match(phone: Phone) -> None:
    for said in HANDS:
        phone.mark(said)
    marks_after_reading(phone, ENDS_THE_MATCH)
    both_agree(phone)


def photos_of(screen: Phone, codes: Locator) -> list[FilePayload]:
    """Return what a camera sees of each code that is shown."""
    photos: list[FilePayload] = []
    count = codes.count()
    for number in range(1, count + 1):
        expect(screen.page.get_by_text(f"QR code {number} of {count}", exact=True)).to_be_visible()
        seen = codes.nth(number - 1).screenshot()
        photos.append({"name": f"{number}.png", "mimeType": "image/png", "buffer": seen})
        if count > 1:
            screen.tap(screen.button("Next"))
    return photos


def shows_its_codes(phone: Phone) -> list[FilePayload]:
    phone.opens_news()
    phone.tap(phone.button("Show it to the desk"))
    expect(phone.page.locator("#show-codes")).to_be_visible()
    phone.picture("codes")
    assert violations(phone) == []
    photos = photos_of(phone, phone.page.locator("#show-codes .codes li"))
    phone.tap(phone.button("Back to the table"))
    return photos


def gives(reader: Locator, photos: list[FilePayload]) -> None:
    expect(reader).to_be_enabled()
    reader.set_input_files(photos)


def desk_of(hall: Hall, phones: Phones) -> Phone:
    assert hall.event is not None
    desk = phones.laptop()
    desk.sign_in(hall.owner)
    desk.open(f"/e/{hall.event.short}/desk")
    desk.tap(desk.link("Table without network?"))
    return desk


def reads(desk: Phone, photos: list[FilePayload]) -> None:
    gives(desk.page.locator("#codes input[type=file]"), photos)
    expect(desk.page.get_by_text("All QR codes scanned")).to_be_visible()
    desk.picture("read")
    desk.tap(desk.button("Import results"))


def test_a_match_in_flight_mode_is_counted_from_the_photos_of_its_codes_and_never_twice(
    hall: Hall, plain_phones: Phones
) -> None:
    hall.a_night()
    phone = opened_at(hall.table, plain_phones)
    assert not phone.runs("isSecureContext")
    phone.page.context.set_offline(True)
    plays_the_match(phone)
    photos = shows_its_codes(phone)

    desk = desk_of(hall, plain_phones)
    gives(desk.page.locator("#codes input[type=file]"), photos[:1])
    expect(desk.page.get_by_text(f"Scanned: 1 of {len(photos)}")).to_be_visible()
    desk.tap(desk.button("Import results"))
    expect(desk.page.get_by_role("alert")).to_contain_text(f"Missing QR codes, of {len(photos)}: 2")
    reads(desk, photos[:0:-1])
    expect(desk.page.get_by_text("Received: 14. Already recorded: 0.")).to_be_visible()
    desk.picture("taken")
    assert violations(desk) == []
    match = fresh(hall.match)
    assert match.is_over
    assert match.agreements.count() == 2
    assert statuses(match) == [(number, "current") for number in range(1, 13)]

    reads(desk, photos)
    expect(desk.page.get_by_text("Received: 0. Already recorded: 14.")).to_be_visible()
    assert fresh(match).revision == match.revision

    phone.page.context.set_offline(False)
    is_all_sent(phone)
    assert fresh(match).revision == match.revision
    assert statuses(match) == [(number, "current") for number in range(1, 13)]


def test_what_is_damaged_foreign_or_of_a_closed_round_is_refused_with_the_reason(
    hall: Hall, phones: Phones
) -> None:
    event = hall.a_night()
    phone = opened_at(hall.table, phones)
    phone.page.context.set_offline(True)
    phone.mark("A-6-7")
    (photo,) = shows_its_codes(phone)
    desk = desk_of(hall, phones)
    gives(desk.page.locator("#codes input[type=file]"), [photo])
    expect(desk.page.get_by_text("All QR codes scanned")).to_be_visible()
    field = desk.page.locator("textarea")
    whole = field.input_value().strip()

    def is_refused(text: str, why: str) -> None:
        field.fill(text)
        desk.tap(desk.button("Import results"))
        expect(desk.page.get_by_role("alert")).to_contain_text(why)
        desk.picture("refused")
        assert statuses(hall.match) == []

    is_refused(whole[:60] + ("A" if whole[60] != "A" else "B") + whole[61:], "Incomplete or damaged QR code")
    is_refused(whole.replace(":1/1:", ":1/2:"), "Missing QR codes, of 2: 2")
    is_refused(re.sub(r"CHM1:H:\d{6}", "CHM1:H:000000", whole), "Incomplete or damaged QR code")
    (foreign,) = frames_of(Kind.HANDS, hall.match.card.code, {"entries": []}, "the key of another laptop")
    is_refused(foreign, "This QR code is not from a table here")
    play_round(event)
    desk.open(desk.page.url)
    reads(desk, [photo])
    expect(desk.page.get_by_text("Hand 1: Round 1 is already closed")).to_be_visible()


def test_a_phone_in_flight_mode_learns_its_next_round_from_the_desks_codes(
    hall: Hall, phones: Phones
) -> None:
    event = hall.a_night(pairs=4)
    phone = opened_at(hall.table, phones)
    phone.mark("A-6-7")
    is_all_sent(phone)
    phone.page.context.set_offline(True)
    phone.mark("B-7-7")
    play_round(event)
    next_round(event)
    first, following = hall.match, Match.objects.get(card=hall.match.card, round_number=2)

    def codes_at_the_desk(match: Match) -> list[FilePayload]:
        desk.open(f"/match/{match.pk}")
        desk.tap(desk.page.get_by_text("Score sheet and QR codes"))
        desk.tap(desk.link("Send round by QR code"))
        desk.picture("round")
        assert violations(desk) == []
        return photos_of(desk, desk.page.locator(".codes li"))

    def reads_codes(photos: list[FilePayload]) -> None:
        phone.opens_news()
        phone.tap(phone.button("Scan the desk’s QR codes"))
        expect(phone.page.locator("#read-codes")).to_be_visible()
        gives(phone.page.locator("#read-codes input[type=file]"), photos)

    desk = phones("desk")
    desk.sign_in(hall.owner)
    older = codes_at_the_desk(first)
    of_another_table = codes_at_the_desk(Match.objects.exclude(card=first.card).latest("pk"))
    codes = codes_at_the_desk(following)
    reads_codes(of_another_table)
    expect(phone.page.get_by_text("QR code of another table")).to_be_visible()
    assert violations(phone) == []
    phone.picture("another-table")
    phone.tap(phone.button("Back to the table"))
    reads_codes(codes)
    expect(phone.page.locator("#screen h1")).to_contain_text("round 2")
    phone.picture("round-2")
    reads_codes(older)
    expect(phone.page.get_by_text("Ask for a new one")).to_be_visible()
    phone.tap(phone.button("Back to the table"))
    phone.mark("B-6-6")
    phone.sees_totals(0, 6)
    phone.page.context.set_offline(False)
    is_all_sent(phone)
    assert statuses(following) == [(1, "current")]
