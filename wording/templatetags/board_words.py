"""Template tags for wall screens, in the reader's language."""

from django import template
from django.utils.functional import Promise

from tournaments.board.boards import Board, Scene
from wording.labels.boards import SCENES

register = template.Library()


@register.simple_tag
def scenes_of(board: Board) -> list[tuple[str, str | Promise, bool]]:
    """Return each scene: value, words, and whether the board shows it."""
    return [(scene.value, words, scene is board.scene) for scene, words in SCENES.items()]


@register.filter
def scene_name(scene: Scene) -> str | Promise:
    return SCENES[scene]
