"""Settings of drf-spectacular."""

from typing import Any

TITLE, VERSION = "Charlemagne", "1.0.0"
OPENAPI: dict[str, Any] = {
    "TITLE": TITLE,
    "VERSION": VERSION,
    "DESCRIPTION": "Read and manage clubs, nights and tournaments of Charlemagne.",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [],
    "APPEND_COMPONENTS": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "An API key of a club."}}
    },
}
