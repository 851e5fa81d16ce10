"""Web Push messages: encrypted as in the standard's example, signed, and sent only to known services."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import override_settings

from tests.support.push_service import PushBrowser, decode, encode
from web.web_push import PushSubscription, encrypt_message, get_application_key, is_sendable

EXAMPLE = {
    "sender": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "body": (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    ),
}
"""The example in RFC 8291, appendix A."""


def test_encryption_matches_the_example_of_the_standard() -> None:
    sender = ec.derive_private_key(int.from_bytes(decode(EXAMPLE["sender"]), "big"), ec.SECP256R1())
    subscription = PushSubscription(endpoint="", p256dh=EXAMPLE["p256dh"], auth=EXAMPLE["auth"])
    message = b"When I grow up, I want to be a watermelon"
    assert (
        encode(encrypt_message(message, subscription, sender=sender, salt=decode(EXAMPLE["salt"]))) == EXAMPLE["body"]
    )


@pytest.mark.parametrize(
    ("endpoint", "is_known"),
    [
        ("https://fcm.googleapis.com/fcm/send/cGhvbmU:APA91b", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/gAAAAA", True),
        ("https://web.push.apple.com/QGuQyavXutnMH", True),
        ("https://wns2-by3p.notify.windows.com/w/?token=BQYAAA%3d", True),
        ("http://fcm.googleapis.com/fcm/send/phone", False),
        ("https://fcm.googleapis.com.example.org/fcm/send/phone", False),
        ("https://fcm.googleapis.com@192.168.1.1/fcm/send/phone", False),
        ("https://fcm.googleapis.com:8443/fcm/send/phone", False),
        ("https://192.168.1.1/push.apple.com/admin", False),
        ("https://x@router.local#.push.apple.com/admin", False),
        ("https://push.apple.com/\r\nHost: router.local", False),
        ("https://127.0.0.1/", False),
        ("", False),
    ],
)
def test_messages_go_only_to_known_push_services(endpoint: str, is_known: bool) -> None:
    subscription = PushSubscription(endpoint=endpoint, p256dh=EXAMPLE["p256dh"], auth=EXAMPLE["auth"])
    assert is_sendable(subscription) is is_known


@pytest.mark.parametrize(
    "spoiled", [{"p256dh": ""}, {"p256dh": "é"}, {"p256dh": encode(b"\4" + b"1" * 64)}, {"auth": "AAAA"}]
)
def test_subscription_with_an_unusable_key_is_refused(spoiled: dict[str, str]) -> None:
    address = PushBrowser("https://web.push.apple.com/phone").address
    assert is_sendable(PushSubscription(**address))
    assert not is_sendable(PushSubscription(**(address | spoiled)))


def test_application_key_derives_from_the_secret_key() -> None:
    first = get_application_key()
    assert get_application_key() == first
    assert len(decode(first)) == 65
    with override_settings(SECRET_KEY="another one"):
        assert get_application_key() != first
