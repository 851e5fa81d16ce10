"""The code of a table in an address: ``<code:code>``."""

from django.urls import register_converter

CODE = "code"


class CodeConverter:
    """Six digits, as they stand on the card."""

    regex = r"\d{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(CodeConverter, CODE)
