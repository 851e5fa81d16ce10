"""Removal of a club: nothing of it stays in the installation, and other clubs are untouched."""

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
from tests.builders import build_account, build_club
from tests.laws.random_club import RandomClub
from tests.long_runs import RUN_SEED, choose_count
from tests.support.browser import Browser
from tests.tournaments.interclub.test_interclub import ClubMeeting
from tournaments.models import InvitedClub, Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("deferred foreign keys"),
]
ACTION_COUNT = 60
INSTALLATION_MODELS = {"jobs.Job", "jobs.LongWrite", "live.Revision"}
"""Tables of the installation, not of a club: jobs of the worker, and counts of changes."""


def read_all_rows() -> dict[str, list[dict[str, Any]]]:
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models(include_auto_created=True)
        if model._meta.label not in INSTALLATION_MODELS
    }


@pytest.mark.long
@pytest.mark.parametrize("seed", [f"{RUN_SEED}{number}" for number in range(choose_count(1, long=20))])
def test_removal_restores_the_state_before_the_club_came(seed: str) -> None:
    dice = Random(seed)
    RandomClub(dice).perform(ACTION_COUNT)
    before = read_all_rows()
    other = RandomClub(dice)
    other.perform(ACTION_COUNT)
    remove_club(other.club)
    assert read_all_rows() == before


@pytest.mark.long
def test_removed_clubs_people_stay_as_guests_at_other_events() -> None:
    meeting = ClubMeeting().accept_invitation()
    meeting.enter_pair(0, 1)
    page = f"/e/{meeting.event.short}/standings"
    names = [str(entry.player_1) for entry in meeting.event.entries.order_by("number")]
    remove_club(meeting.guest)
    assert not (Visitor.objects.exists())
    assert not (InvitedClub.objects.exists())
    assert not Person.objects.filter(club=meeting.guest.pk).exists()
    assert [str(entry.player_1) for entry in meeting.event.entries.order_by("number")] == names
    assert Browser().open(page).status == 200


@pytest.mark.slow
def test_removal_keeps_an_account_that_belongs_to_another_team() -> None:
    owner, both = build_account("Rita"), build_account("Guy")
    club, other = build_club("Rimouski", owner=both), build_club("Matane", owner=both)
    build_club("Gaspé", owner=owner)
    remove_club(other)
    assert both.memberships.get().club == club
    remove_club(Club.objects.get(name="Gaspé"))
    assert list(Account.objects.all()) == [both]


class TestRemoveClubCommand:
    @pytest.mark.slow
    def test_command_writes_the_club_to_a_file_first(self, tmp_path: Path) -> None:
        first, club = build_club("Rimouski"), build_club("Matane")
        file, output = tmp_path / "matane.zip", StringIO()
        call_command("remove_club", club.slug, str(file), stdout=output)
        assert "Removed: Matane" in output.getvalue()
        assert open_backup(file).club == club.slug
        assert list(Club.objects.all()) == [first]

    @pytest.mark.slow
    def test_command_removes_nothing_if_the_file_cannot_be_written(self, tmp_path: Path) -> None:
        build_club("Rimouski")
        club, file = build_club("Matane"), tmp_path / "matane.zip"
        file.write_bytes(b"")
        with pytest.raises(CommandError, match="Choose another name"):
            call_command("remove_club", club.slug, str(file))
        assert Club.objects.count() == 2

    @pytest.mark.parametrize(("slug", "why"), [("rimouski", "cannot be removed"), ("nowhere", "matane, rimouski")])
    def test_command_refuses_the_host_club_and_unknown_clubs(self, slug: str, why: str, tmp_path: Path) -> None:
        build_club("Rimouski"), build_club("Matane")
        with pytest.raises(CommandError, match=why):
            call_command("remove_club", slug, str(tmp_path / "club.zip"))
        assert Club.objects.count() == 2
