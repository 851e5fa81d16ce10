"""Two-factor sign-in after a restore: it is still required, and its secrets are encrypted in the file."""

import time
import zipfile
from pathlib import Path

import pytest

from clubs.models import SecondFactor
from clubs.services.second_factor import PURPOSE, check_second_factor, renew_recovery_codes
from clubs.totp import compute_digits, step_at
from operations.backup import create_backup, restore
from tests.operations.backup.test_backup import forget_everything, state
from tests.support.hall import Hall
from web.sealing import decrypt_text

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("whole tables, and sequences"),
    pytest.mark.slow,
]


def test_restore_keeps_authenticator_and_recovery_codes_encrypted(tmp_path: Path) -> None:
    hall = Hall(pairs=2)
    assert hall.app
    codes = renew_recovery_codes(account_id=hall.owner.pk)
    secret = decrypt_text(SecondFactor.objects.get().sealed, purpose=PURPOSE) or ""
    rows = state()
    create_backup(tmp_path / "all.zip")
    forget_everything()
    restore(tmp_path / "all.zip")
    assert state() == rows
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert not [one for one in (secret, *codes) if one in text]
    check_second_factor(account_id=hall.owner.pk, code=compute_digits(secret, step_at(time.time())))
    check_second_factor(account_id=hall.owner.pk, code=codes[0])
