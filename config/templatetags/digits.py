"""``{{ number|digits:"a" }}``: a number as classes, one for each of its digits that is not 0.

Where a match stands in a bracket is a number without end, and no page may bear a style of its own (the policy
of ``config.headers``). So ``103|digits:"a"`` is ``a100 a3``, of which css/charts.css makes the number again.
"""

from django import template

register = template.Library()

MOST = 19_999


@register.filter
def digits(number: int, name: str) -> str:
    written = str(min(number, MOST))
    places = range(len(written) - 1, -1, -1)
    return " ".join(
        f"{name}{digit}{'0' * place}" for digit, place in zip(written, places, strict=True) if digit != "0"
    )
