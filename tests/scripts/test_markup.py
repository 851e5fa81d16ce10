"""Pages are parsed as a browser parses them; malformed pages fail."""

import pytest

from tests.support.markup import parse_html


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
def test_malformed_page_raises_an_error(html: str) -> None:
    with pytest.raises(AssertionError):
        parse_html(html)


def test_attributes_are_read_in_any_notation() -> None:
    field = parse_html("""<INPUT name="a &amp; b" value='"x" > y' type=text hidden viewBox="0 0 1 1"/>""").find_one(
        "input"
    )
    assert field.attrs == {
        "name": "a & b",
        "value": '"x" > y',
        "type": "text",
        "hidden": "",
        "viewbox": "0 0 1 1",
    }


def test_text_excludes_comments_and_script_markup() -> None:
    page = parse_html('<!doctype html><!-- <p> --><p>3 &lt; 5 < 7<br>&amp;</p><script>if (a<b) "</p>"</script>')
    assert page.text == "3 < 5 < 7&"
    assert page.find_one("script").children == ['if (a<b) "</p>"']


def test_elements_are_found_in_page_order_by_tag_class_and_attribute() -> None:
    page = parse_html(
        '<ul><li class="a b" id="1"><b class="b"></b></li><li class="a" id="2"></li></ul><p class="a"></p>'
    )
    assert [one.tag for one in page.find_all()] == ["ul", "li", "b", "li", "p"]
    assert [one.tag for one in page.find_all(class_="a")] == ["li", "li", "p"]
    assert page.find_one("li", class_="b", id="1").find_one().tag == "b"
