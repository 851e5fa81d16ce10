"""Exported lists can be imported again, completely, in either language."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from clubs.models import Family, Person
from rules import RULESETS, Ruleset, Side
from tests.builders import build_event
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.entries.bonds import apart_groups_from_json
from tournaments.entries.entry_import.values import ENTRY_FIELDS
from tournaments.entries.services.bonds import keep_apart
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.imports.hand_sheets.words import KINDS, fold_text, match_contract
from tournaments.models import NOT_ARRIVED, Entry, Event
from web.names import fold_name
from wording.labels.exports import CELL_FORMATTERS

pytestmark = pytest.mark.django_db

FULL_DETAILS: list[dict[str, Any]] = [
    {"section": "Mixte", "team": "Les Joyeux-Atouts", "rating": 1512, "table": 3, "side": Side.B},
    {"family": "Roy, Cyr", "car": "Honda", "labels": "Women, 50/50", "absent": [2, 3], "byes_asked": [4]},
    {"arrives": 3, "withdrawn": [5], "leaves_after": 6, "absent": [4, 6], "excused": [4], "is_house": True},
    {"leaves_after": 1, "table": 3, "disqualification": "Insultes, deux fois"},
    {"leaves_after": 0, "table": 3},
    {"is_waiting": True, "arrives": NOT_ARRIVED},
    {"is_waiting": True, "player_2": None},
]


def build_full_event() -> Event:
    """Build an event whose entries have a value in every column of the list."""
    event = build_event(pairs=0, tables=9)
    event.sections = [{"name": "Mixte", "first_table": None, "last_table": None}]
    event.save()
    names = ("Anne Roy et Guy Roy", "Luc O'Neil et Ève Cyr", "Lise Morin et Paul Morin", "Rita A et Yvon A")
    more = ("Jean-Guy B et Zoé B", "Omer C et Marie C", "Left Out et Odd Out", "Guy E et Lucie E")
    entries = add_entry_list(event_id=event.pk, text="\n".join([*names, *more])).entries
    entries.pop(0).delete()
    for entry, details in zip(entries, FULL_DETAILS, strict=True):
        Entry.objects.filter(pk=entry.pk).update(**details)
    keep_apart(event_id=event.pk, text="2 - 3 - 4\n5; 6", always=True)
    return event


def list_imported_values(event: Event) -> list[tuple[Any, ...]]:
    entries = event.entries.order_by("number")
    return [(one.number, str(one), *(getattr(one, name) for name in ENTRY_FIELDS)) for one in entries]


def list_apart_pairs(event: Event) -> set[tuple[int, int]]:
    numbers = dict(event.entries.values_list("pk", "number"))
    groups = ([numbers[pk] for pk in one.entries] for one in apart_groups_from_json(event.kept_apart))
    return {(one, other) for group in groups for one in group for other in group if one < other}


def import_list(browser: Browser, path: str, content: bytes, name: str) -> Page:
    page = browser.open(path)
    page = browser.send(page, page.find_form(control_name="file"), file=SimpleUploadedFile(name, content))
    return browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))


@pytest.mark.parametrize(("language", "ending"), [("fr", "csv"), ("en", "xlsx")])
@pytest.mark.long
def test_exported_entries_import_completely(language: str, ending: str) -> None:
    hall = Hall()
    event = build_full_event()
    Event.objects.filter(pk=event.pk).update(club=hall.event.club)
    event.refresh_from_db()
    other = build_event(pairs=0, tables=9, club=hall.event.club)
    Event.objects.filter(pk=other.pk).update(sections=event.sections)
    browser = Browser(account=hall.owner, language=language)
    file = browser.client.get(f"/e/{event.short}/desk/entries.{ending}").content
    page = import_list(browser, f"/e/{other.short}/desk/entries/file", file, f"entries.{ending}")
    assert page.status == 200, page.text
    other.refresh_from_db()
    assert list_imported_values(other) == list_imported_values(event)
    assert list_apart_pairs(other) == list_apart_pairs(event)


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("page", ["entries", "desk/entries/check-in"])
def test_lists_with_partners_in_one_column_are_imported(page: str, language: str) -> None:
    hall = Hall()
    other = build_event(pairs=0, club=hall.event.club)
    browser = Browser(account=hall.owner, language=language)
    Person.objects.filter(club=hall.event.club).update(shows_full_name=True)
    Event.objects.filter(pk=hall.event.pk).update(shows_names="agreed")
    file = browser.client.get(f"/e/{hall.event.short}/{page}.csv").content
    import_list(browser, f"/e/{other.short}/desk/entries/file", file, "entries.csv")
    assert [str(one) for one in other.entries.all()] == [str(one) for one in hall.event.entries.all()]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "ending"), [("fr", "csv"), ("en", "xlsx")])
def test_exported_people_import_completely(language: str, ending: str) -> None:
    office, other = Office(), Office()
    family = Family.objects.create(club=office.club, name="Roy-Cyr")
    add_person(office, "Luc O'Neil", contact="+1 418 555-0101", is_guest=True, labels=["50/50", "Women"])
    add_person(office, "Ève D'Amours (mère)", contact="=A1", family=family)
    add_person(office, "Jean-Guy St-Pierre")
    browser = Browser(account=office.owner, language=language)
    file = browser.client.get(f"/club/{office.club.slug}/people.{ending}").content
    browser = Browser(account=other.owner, language=language)
    page = import_list(browser, f"/club/{other.club.slug}/people/import", file, f"people.{ending}")
    assert page.status == 200, page.text
    assert list_people_details(other) == list_people_details(office)


def add_person(office: Office, name: str, **details: Any) -> None:
    Person.objects.create(club=office.club, name=name, folded_name=fold_name(name), **details)


def list_people_details(office: Office) -> list[tuple[Any, ...]]:
    people = office.club.people.select_related("family").order_by("folded_name")
    return [(one.name, one.contact, str(one.family or ""), one.is_guest, one.labels) for one in people]


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: str(ruleset.key))
def test_exported_contract_names_are_read_in_every_ruleset(ruleset: Ruleset, language: str) -> None:
    words, keys = CELL_FORMATTERS["contract"], [one.key for one in ruleset.contracts]
    with override(language):
        named = {key: match_contract(words(key), keys) for key in keys}
        kinds = {kind: KINDS[fold_text(words(kind))] for kind in KINDS.values()}
    assert named == {key: key for key in keys}
    assert kinds == {kind: kind for kind in kinds}
