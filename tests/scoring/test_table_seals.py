"""Seal in the link from a table to a player's page: valid for one purpose and one day."""

from datetime import timedelta

from django.core import signing

from scoring.table_access import SEAL_MAX_AGE, TABLE_PARAM, read_sealed_match


class EarlierSigner(signing.TimestampSigner):
    """A signer whose timestamps lie in the past."""

    def __init__(self, *, ago: timedelta) -> None:
        super().__init__(salt=TABLE_PARAM)
        self.ago = ago

    def timestamp(self) -> str:
        return signing.b62_encode(signing.b62_decode(super().timestamp()) - int(self.ago.total_seconds()))


def test_seal_expires_after_a_day() -> None:
    assert read_sealed_match(EarlierSigner(ago=SEAL_MAX_AGE - timedelta(minutes=1)).sign_object(7)) == 7
    assert read_sealed_match(EarlierSigner(ago=SEAL_MAX_AGE + timedelta(minutes=1)).sign_object(7)) is None


def test_seal_is_valid_only_for_its_purpose_and_value() -> None:
    sealed = signing.dumps(7, salt=TABLE_PARAM)
    assert read_sealed_match(sealed) == 7
    assert read_sealed_match(signing.dumps(7, salt="another purpose")) is None
    assert read_sealed_match(sealed[:-1] + ("A" if sealed[-1] != "A" else "B")) is None
    assert read_sealed_match("") is None
