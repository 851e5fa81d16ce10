"""URL converter for the code of a table: ``<code:code>``."""

from django.urls import register_converter

CODE = "code"


class CodeConverter:
    """Six digits, as printed on the card."""

    regex = r"\d{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(CodeConverter, CODE)
