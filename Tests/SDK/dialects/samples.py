"""Schemas and data shared by the dialects' requests."""

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
# A schema that strict mode accepts.
CLOSED = {**SCHEMA, "additionalProperties": False, "required": ["city"]}
TOO_LONG = "a" * 65
PNG = "data:image/png;base64,iVBORw0K"
# Strict mode refuses open objects on inner levels, too.
OPEN_WITHIN = {**CLOSED, "properties": {"city": SCHEMA}}
OPEN_ITEMS = {**CLOSED, "properties": {"city": {"type": "array", "items": SCHEMA}}}
