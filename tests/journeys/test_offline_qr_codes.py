"""A table and a desk without a network between them: each scans the QR codes on the other's screen."""

import re

from playwright.sync_api import FilePayload, Locator, expect

from scoring.bundles import Kind, build_frames
from scoring.models import Match
from tests.builders import list_statuses, play_round, reload_match, start_next_round
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_offline_matches import confirm_for_both_sides, is_all_sent, mark_after_reading, plain_phones

__all__ = ["plain_phones"]

HANDS = [*("A-5-5", "B-5-5") * 5, "B-5-5"]
ENDS_THE_MATCH = "A-gros_charlemagne-8"


def open_then_go_offline(table: str, phones: Phones) -> Phone:
    """Open a table on a phone, and wait until the phone can show QR codes offline."""
    phone = phones()
    phone.open(table)
    phone.page.locator("body[data-codes]").wait_for(state="attached")
    return phone


def play_match(phone: Phone) -> None:
    for hand in HANDS:
        phone.mark(hand)
    mark_after_reading(phone, ENDS_THE_MATCH)
    confirm_for_both_sides(phone)


def take_code_photos(screen: Phone, codes: Locator) -> list[FilePayload]:
    """Return a photo of each QR code on the screen."""
    photos: list[FilePayload] = []
    count = codes.count()
    for number in range(1, count + 1):
        expect(screen.page.get_by_text(f"QR code {number} of {count}", exact=True)).to_be_visible()
        seen = codes.nth(number - 1).screenshot()
        photos.append({"name": f"{number}.png", "mimeType": "image/png", "buffer": seen})
        if count > 1:
            screen.tap(screen.find_button("Next"))
    return photos


def show_codes(phone: Phone) -> list[FilePayload]:
    phone.open_updates()
    phone.tap(phone.find_button("Show it to the desk"))
    expect(phone.page.locator("#show-codes")).to_be_visible()
    phone.take_picture("codes")
    assert find_violations(phone) == []
    photos = take_code_photos(phone, phone.page.locator("#show-codes .codes li"))
    phone.tap(phone.find_button("Back to the table"))
    return photos


def choose_photos(reader: Locator, photos: list[FilePayload]) -> None:
    expect(reader).to_be_enabled()
    reader.set_input_files(photos)


def open_desk(hall: Hall, phones: Phones) -> Phone:
    assert hall.event is not None
    desk = phones.open_laptop()
    desk.sign_in(hall.owner)
    desk.open(f"/e/{hall.event.short}/desk")
    desk.tap(desk.link("Table without network?"))
    return desk


def import_photos(desk: Phone, photos: list[FilePayload]) -> None:
    choose_photos(desk.page.locator("#codes input[type=file]"), photos)
    expect(desk.page.get_by_text("All QR codes scanned")).to_be_visible()
    desk.take_picture("read")
    desk.tap(desk.find_button("Import results"))


def test_offline_match_is_imported_from_photos_exactly_once(hall: Hall, plain_phones: Phones) -> None:
    hall.build_night()
    phone = open_then_go_offline(hall.table, plain_phones)
    assert not phone.run_script("isSecureContext")
    phone.page.context.set_offline(True)
    play_match(phone)
    photos = show_codes(phone)

    desk = open_desk(hall, plain_phones)
    choose_photos(desk.page.locator("#codes input[type=file]"), photos[:1])
    expect(desk.page.get_by_text(f"Scanned: 1 of {len(photos)}")).to_be_visible()
    desk.tap(desk.find_button("Import results"))
    expect(desk.page.get_by_role("alert")).to_contain_text(f"Missing QR codes, of {len(photos)}: 2")
    import_photos(desk, photos[:0:-1])
    expect(desk.page.get_by_text("Received: 14. Already recorded: 0.")).to_be_visible()
    desk.take_picture("taken")
    assert find_violations(desk) == []
    match = reload_match(hall.match)
    assert match.is_over
    assert match.agreements.count() == 2
    assert list_statuses(match) == [(number, "current") for number in range(1, 13)]

    import_photos(desk, photos)
    expect(desk.page.get_by_text("Received: 0. Already recorded: 14.")).to_be_visible()
    assert reload_match(match).revision == match.revision

    phone.page.context.set_offline(False)
    is_all_sent(phone)
    assert reload_match(match).revision == match.revision
    assert list_statuses(match) == [(number, "current") for number in range(1, 13)]


def test_damaged_foreign_or_outdated_code_is_refused_with_the_reason(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    phone = open_then_go_offline(hall.table, phones)
    phone.page.context.set_offline(True)
    phone.mark("A-6-7")
    (photo,) = show_codes(phone)
    desk = open_desk(hall, phones)
    choose_photos(desk.page.locator("#codes input[type=file]"), [photo])
    expect(desk.page.get_by_text("All QR codes scanned")).to_be_visible()
    field = desk.page.locator("textarea")
    whole = field.input_value().strip()

    def is_refused(text: str, why: str) -> None:
        field.fill(text)
        desk.tap(desk.find_button("Import results"))
        expect(desk.page.get_by_role("alert")).to_contain_text(why)
        desk.take_picture("refused")
        assert list_statuses(hall.match) == []

    is_refused(whole[:60] + ("A" if whole[60] != "A" else "B") + whole[61:], "Incomplete or damaged QR code")
    is_refused(whole.replace(":1/1:", ":1/2:"), "Missing QR codes, of 2: 2")
    is_refused(re.sub(r"CHM1:H:\d{6}", "CHM1:H:000000", whole), "Incomplete or damaged QR code")
    (foreign,) = build_frames(Kind.HANDS, hall.match.card.code, {"entries": []}, "the key of another laptop")
    is_refused(foreign, "This QR code is not from a table here")
    play_round(event)
    desk.open(desk.page.url)
    import_photos(desk, [photo])
    expect(desk.page.get_by_text("Hand 1: Round 1 is already closed")).to_be_visible()


def test_offline_phone_learns_its_next_round_from_desk_codes(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    phone = open_then_go_offline(hall.table, phones)
    phone.mark("A-6-7")
    is_all_sent(phone)
    phone.page.context.set_offline(True)
    phone.mark("B-7-7")
    play_round(event)
    start_next_round(event)
    first, following = hall.match, Match.objects.get(card=hall.match.card, round_number=2)

    def show_desk_codes(match: Match) -> list[FilePayload]:
        desk.open(f"/match/{match.pk}")
        desk.tap(desk.page.get_by_text("Score sheet and QR codes"))
        desk.tap(desk.link("Send round by QR code"))
        desk.take_picture("round")
        assert find_violations(desk) == []
        return take_code_photos(desk, desk.page.locator(".codes li"))

    def read_codes(photos: list[FilePayload]) -> None:
        phone.open_updates()
        phone.tap(phone.find_button("Scan the desk’s QR codes"))
        expect(phone.page.locator("#read-codes")).to_be_visible()
        choose_photos(phone.page.locator("#read-codes input[type=file]"), photos)

    desk = phones("desk")
    desk.sign_in(hall.owner)
    older = show_desk_codes(first)
    of_another_table = show_desk_codes(Match.objects.exclude(card=first.card).latest("pk"))
    codes = show_desk_codes(following)
    read_codes(of_another_table)
    expect(phone.page.get_by_text("QR code of another table")).to_be_visible()
    assert find_violations(phone) == []
    phone.take_picture("another-table")
    phone.tap(phone.find_button("Back to the table"))
    read_codes(codes)
    expect(phone.page.locator("#screen h1")).to_contain_text("round 2")
    phone.take_picture("round-2")
    read_codes(older)
    expect(phone.page.get_by_text("Ask for a new one")).to_be_visible()
    phone.tap(phone.find_button("Back to the table"))
    phone.mark("B-6-6")
    phone.expect_sent_totals(0, 6)
    phone.page.context.set_offline(False)
    is_all_sent(phone)
    assert list_statuses(following) == [(1, "current")]
