"""An app that shows six digits, after a restore: asked for as before, and sealed in the file."""

import time
import zipfile
from pathlib import Path

import pytest

from clubs.models import SecondFactor
from clubs.one_time_codes import digits_at, step_at
from clubs.services import check_second_factor, renew_recovery_codes
from clubs.services.second_factor import PURPOSE
from operations.backup import back_up, restore
from tests.operations.backup.test_backup import forget_everything, state
from tests.support.hall import Hall
from web.sealing import unseal

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("every table is read whole, written anew, and numbered on"),
    pytest.mark.slow,
]


def test_the_app_of_an_account_goes_along_sealed_and_with_its_codes(tmp_path: Path) -> None:
    hall = Hall(pairs=2)
    assert hall.app
    codes = renew_recovery_codes(account_id=hall.owner.pk)
    secret = unseal(SecondFactor.objects.get().sealed, purpose=PURPOSE) or ""
    rows = state()
    back_up(tmp_path / "all.zip")
    forget_everything()
    restore(tmp_path / "all.zip")
    assert state() == rows
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert not [one for one in (secret, *codes) if one in text]
    check_second_factor(account_id=hall.owner.pk, code=digits_at(secret, step_at(time.time())))
    check_second_factor(account_id=hall.owner.pk, code=codes[0])
