"""The seal by which a table leads to a page of one's own: ours, for this purpose, and for a day."""

from datetime import timedelta

from django.core import signing

from scoring.table_access import AT_TABLE, SEAL_KEPT, match_sealed


class Earlier(signing.TimestampSigner):
    """It signs as it did a while ago."""

    def __init__(self, *, ago: timedelta) -> None:
        super().__init__(salt=AT_TABLE)
        self.ago = ago

    def timestamp(self) -> str:
        return signing.b62_encode(signing.b62_decode(super().timestamp()) - int(self.ago.total_seconds()))


def test_is_over_after_a_day() -> None:
    assert match_sealed(Earlier(ago=SEAL_KEPT - timedelta(minutes=1)).sign_object(7)) == 7
    assert match_sealed(Earlier(ago=SEAL_KEPT + timedelta(minutes=1)).sign_object(7)) is None


def test_is_good_for_its_purpose_and_as_it_was_made_only() -> None:
    sealed = signing.dumps(7, salt=AT_TABLE)
    assert match_sealed(sealed) == 7
    assert match_sealed(signing.dumps(7, salt="another purpose")) is None
    assert match_sealed(sealed[:-1] + ("A" if sealed[-1] != "A" else "B")) is None
    assert match_sealed("") is None
