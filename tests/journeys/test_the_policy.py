"""What somebody got written into a page does nothing: the browser refuses it, and the journeys hear that."""

import pytest

from tests.journeys.hall import Hall
from tests.journeys.phone import Phones

SMUGGLED = {
    "script-src": "<img src='/nothing' onerror='document.title = 1'>",
    "style-src-elem": "<style>h1 { display: none }</style>",
    "img-src": "<img src='http://127.0.0.1:9/picture.png'>",
    "form-action": "<form action='http://127.0.0.1:9/'></form>",
}


@pytest.mark.parametrize("source", SMUGGLED)
def test_what_a_page_did_not_bring_is_neither_run_nor_loaded_nor_sent(
    hall: Hall, phones: Phones, source: str
) -> None:
    phone = phones()
    phone.open(f"/e/{hall.a_night().short}")
    with phone.page.expect_console_message(lambda said: f"{source} '" in said.text):
        phone.runs(f"document.querySelector('main').insertAdjacentHTML('beforeend', `{SMUGGLED[source]}`)")
        phone.runs("document.querySelector('main > form:last-child')?.submit()")
    assert len(phones.refused) == 1
    phones.refused.clear()
