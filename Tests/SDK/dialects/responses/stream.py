"""The events of a response, numbered in order."""

import json


def event(kind: str, number: int, **members) -> bytes:
    document = {"type": kind, **members, "sequence_number": number}
    return f"event: {kind}\ndata: {json.dumps(document, ensure_ascii=False)}\n\n".encode()


class ItemStream:
    def __init__(self):
        self.events = []
        self._items = 0

    def add(self, kind: str, **members):
        self.events.append(event(kind, len(self.events), **members))

    def add_item(self, item: dict, deltas: tuple):
        """Adds an item whose content arrives in these deltas."""
        place = {"output_index": self._items}
        self._items += 1
        started = {**item, **({"status": "in_progress"} if "status" in item else {})}
        for member, empty in (("content", []), ("arguments", ""), ("summary", [])):
            if member in item:
                started[member] = empty
        self.add("response.output_item.added", **place, item=started)
        place["item_id"] = item["id"]
        if item["type"] == "function_call":
            self._text("response.function_call_arguments", place, deltas, "arguments")
        elif item["type"] == "message":
            self._part(item["content"][0], {**place, "content_index": 0}, deltas)
        elif item["summary"]:
            place["summary_index"] = 0
            self.add("response.reasoning_summary_part.added", **place, part={"type": "summary_text", "text": ""})
            self._text("response.reasoning_summary_text", place, deltas, "text")
            self.add("response.reasoning_summary_part.done", **place, part=item["summary"][0])
        self.add("response.output_item.done", output_index=place["output_index"], item=item)

    def _part(self, part: dict, place: dict, deltas: tuple):
        member = "refusal" if part["type"] == "refusal" else "text"
        self.add("response.content_part.added", **place, part={**part, member: ""})
        more = {} if member == "refusal" else {"logprobs": []}
        self._text(f"response.{part['type']}", place, deltas, member, **more)
        self.add("response.content_part.done", **place, part=part)

    def _text(self, kind: str, place: dict, deltas: tuple, member: str, **more):
        for delta in deltas:
            self.add(f"{kind}.delta", **place, delta=delta, **more)
        self.add(f"{kind}.done", **place, **{member: "".join(deltas)}, **more)
