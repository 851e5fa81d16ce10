"""``{{ number|digits:"a" }}``: a number as CSS classes, one for each of its digits that is not 0.

The position of a match in a bracket has no upper limit, and pages may not have inline styles (the policy of
``server.headers``). So ``103|digits:"a"`` is ``a100 a3``, which css/charts.css adds up again.
"""

from django import template

register = template.Library()

MAX_NUMBER = 19_999


@register.filter
def digit_classes(number: int, name: str) -> str:
    text = str(min(number, MAX_NUMBER))
    places = range(len(text) - 1, -1, -1)
    return " ".join(f"{name}{digit}{'0' * place}" for digit, place in zip(text, places, strict=True) if digit != "0")
