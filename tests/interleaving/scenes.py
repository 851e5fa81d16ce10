"""Scenes in which any two services run concurrently."""

from collections.abc import Callable

from tests.interleaving.calls import Scene
from tests.interleaving.club_scenes import build_club_scene, build_entries_scene
from tests.interleaving.federation_scenes import build_federation_scene
from tests.interleaving.night_scenes import (
    build_draft_scene,
    build_finished_event_scene,
    build_finished_round_scene,
    build_league_scene,
    build_running_round_scene,
)
from tests.interleaving.phone_scenes import build_alerts_scene

SCENES: tuple[Callable[[], Scene], ...] = (
    build_running_round_scene,
    build_finished_round_scene,
    build_draft_scene,
    build_league_scene,
    build_finished_event_scene,
    build_entries_scene,
    build_club_scene,
    build_federation_scene,
    build_alerts_scene,
)
