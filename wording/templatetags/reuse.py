"""``{% keep %}``: a part of a page that appears more than once, though its block can be filled only once."""

from dataclasses import dataclass

from django import template
from django.template.base import Parser, Token
from django.utils.safestring import mark_safe

register = template.Library()


@dataclass(eq=False)
class StoreNode(template.Node):
    """Node that stores its content under a name and renders nothing.

    A partial would not do: it does not see what a page that extends this one puts into a block.
    """

    name: str
    nodelist: template.NodeList

    def render(self, context: template.Context) -> str:
        context[self.name] = mark_safe(self.nodelist.render(context).strip())  # noqa: S308
        return ""


@register.tag
def keep(parser: Parser, token: Token) -> StoreNode:
    """Store content for reuse: ``{% keep title %}{% block title %}…{% endblock %}{% endkeep %}``, then ``{{
    title }}``."""
    _, name = token.split_contents()
    inside = parser.parse(("endkeep",))
    parser.delete_first_token()
    return StoreNode(name, inside)
