"""Pages as tests read them are those of a browser; malformed pages fail."""

import pytest

from tests.support.markup import read


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>deeper</p></b>",
        "<main><p>open</main>",
        "<main>",
        "</p>",
        "<script>let x = 1;",
        '<p class="a>b</p>',
    ],
)
def test_a_page_that_is_not_in_order_fails(html: str) -> None:
    with pytest.raises(AssertionError):
        read(html)


def test_attributes_are_read_however_they_are_written() -> None:
    field = read("""<INPUT name="a &amp; b" value='"x" > y' type=text hidden viewBox="0 0 1 1"/>""").one(
        "input"
    )
    assert field.attrs == {
        "name": "a & b",
        "value": '"x" > y',
        "type": "text",
        "hidden": "",
        "viewbox": "0 0 1 1",
    }


def test_texts_are_read_without_remarks_and_nothing_begins_within_a_script() -> None:
    page = read('<!doctype html><!-- <p> --><p>3 &lt; 5 < 7<br>&amp;</p><script>if (a<b) "</p>"</script>')
    assert page.text == "3 < 5 < 7&"
    assert page.one("script").children == ['if (a<b) "</p>"']


def test_elements_are_found_in_the_order_of_the_page_by_kind_class_and_attributes() -> None:
    page = read(
        '<ul><li class="a b" id="1"><b class="b"></b></li><li class="a" id="2"></li></ul><p class="a"></p>'
    )
    assert [one.tag for one in page.every()] == ["ul", "li", "b", "li", "p"]
    assert [one.tag for one in page.every(class_="a")] == ["li", "li", "p"]
    assert page.one("li", class_="b", id="1").one().tag == "b"
