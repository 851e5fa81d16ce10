"""Template tags for wall screens, in the reader's language."""

from django import template
from django.utils.functional import Promise

from tournaments.board.boards import Board
from tournaments.board.labels import SCENES
from wording.lookups import build_lookup

register = template.Library()
register.filter("get_scene_name", build_lookup(SCENES))


@register.simple_tag
def list_scenes(board: Board) -> list[tuple[str, str | Promise, bool]]:
    """Return each scene: value, words, and whether the board shows it."""
    return [(scene.value, label, scene is board.scene) for scene, label in SCENES.items()]
