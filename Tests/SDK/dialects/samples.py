"""Schemas and data that the dialects' requests have in common."""

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
# One that answers can be held to.
CLOSED = {**SCHEMA, "additionalProperties": False, "required": ["city"]}
TOO_LONG = "a" * 65
PNG = "data:image/png;base64,iVBORw0K"
# Such members, one level down, are refused where answers are to be held to them.
OPEN_WITHIN = {**CLOSED, "properties": {"city": SCHEMA}}
OPEN_ITEMS = {**CLOSED, "properties": {"city": {"type": "array", "items": SCHEMA}}}
