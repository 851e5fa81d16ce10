"""A club leaves an installation: nothing of it is left there, and all of the others stays."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from clubs.models import Account, Club, Person
from operations.backup import open_backup
from operations.backup.club_removal import remove_club
from tests.builders import a_club, an_account
from tests.laws.random_club import RandomClub
from tests.long import WORD, often
from tests.support.browser import Browser
from tests.tournaments.interclub.test_interclub import Meeting
from tournaments.models import InvitedClub, Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("that nothing points to a row that is gone is asked at the end of a transaction"),
]
DEEDS = 60
OF_THE_INSTALLATION = {"jobs.Job", "jobs.Course", "live.Revision"}
"""What the worker was asked for, and how often something has changed."""


def everything() -> dict[str, list[dict[str, Any]]]:
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models(include_auto_created=True)
        if model._meta.label not in OF_THE_INSTALLATION
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", [f"{WORD}{number}" for number in range(often(2, long=20))])
def test_whatever_a_club_has_lived_through_the_installation_is_as_before_it_came(seed: str) -> None:
    dice = Random(seed)
    RandomClub(dice).live(DEEDS)
    before = everything()
    other = RandomClub(dice)
    other.live(DEEDS)
    remove_club(other.club)
    assert everything() == before


@pytest.mark.slow
def test_at_the_events_of_others_its_people_stay_as_guests() -> None:
    meeting = Meeting().accepted()
    meeting.enters(0, 1)
    page = f"/e/{meeting.event.short}/standings"
    names = [str(entry.player_1) for entry in meeting.event.entries.order_by("number")]
    remove_club(meeting.guest)
    assert not (Visitor.objects.exists())
    assert not (InvitedClub.objects.exists())
    assert not Person.objects.filter(club=meeting.guest.pk).exists()
    assert [str(entry.player_1) for entry in meeting.event.entries.order_by("number")] == names
    assert Browser().open(page).status == 200


@pytest.mark.slow
def test_an_account_that_is_in_the_team_of_another_stays() -> None:
    owner, both = an_account("Rita"), an_account("Guy")
    club, other = a_club("Rimouski", owner=both), a_club("Matane", owner=both)
    a_club("Gaspé", owner=owner)
    remove_club(other)
    assert both.memberships.get().club == club
    remove_club(Club.objects.get(name="Gaspé"))
    assert list(Account.objects.all()) == [both]


class TestTheCommand:
    @pytest.mark.slow
    def test_writes_the_club_to_a_file_first(self, tmp_path: Path) -> None:
        first, club = a_club("Rimouski"), a_club("Matane")
        file, said = tmp_path / "matane.zip", StringIO()
        call_command("remove_club", club.slug, str(file), stdout=said)
        assert "Removed: Matane" in said.getvalue()
        assert open_backup(file).club == club.slug
        assert list(Club.objects.all()) == [first]

    def test_removes_nothing_where_the_file_cannot_be_written(self, tmp_path: Path) -> None:
        a_club("Rimouski")
        club, file = a_club("Matane"), tmp_path / "matane.zip"
        file.write_bytes(b"")
        with pytest.raises(CommandError, match="Choose another name"):
            call_command("remove_club", club.slug, str(file))
        assert Club.objects.count() == 2

    @pytest.mark.parametrize(
        ("slug", "why"), [("rimouski", "cannot be removed"), ("nowhere", "matane, rimouski")]
    )
    def test_refuses_the_club_that_runs_the_installation_and_one_that_there_is_not(
        self, slug: str, why: str, tmp_path: Path
    ) -> None:
        a_club("Rimouski"), a_club("Matane")
        with pytest.raises(CommandError, match=why):
            call_command("remove_club", slug, str(tmp_path / "club.zip"))
        assert Club.objects.count() == 2
