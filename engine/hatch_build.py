"""Dependencies of the wheel `charlemagne-engine`: the rules are those of its own version."""

from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Dependencies(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        metadata["dependencies"] = [
            f"charlemagne-rules=={metadata['version']}",
            "cryptography",
            "openskill",
        ]
