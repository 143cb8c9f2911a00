"""A strict provider whose answers follow from what it is asked, as an agent's do not come in an order known before."""

import threading
from types import SimpleNamespace

from dialects.answers import text
from dialects.readings import turns
from dialects.upstream import StrictUpstream

# What the agents' own providers take, and no other one: a beta of Messages, and what Codex tells OpenAI of itself.
_AGENTS_OWN = {"messages": ("context_management",), "responses": ("client_metadata",), "chat": ()}


class ScriptedModel(StrictUpstream):
    """`play` is given the turns of a request and returns the answer."""

    def __init__(self, dialect: str):
        super().__init__(dialect)
        self._lock = threading.Lock()
        self._asked = threading.local()
        strict, own = self.rules, _AGENTS_OWN[dialect]

        def validate(body: dict, headers: dict):
            self._asked.body = body
            strict.validate({name: value for name, value in body.items() if name not in own}, headers)

        self.rules = SimpleNamespace(validate=validate)
        self.play = None

    def next_answer(self):
        body = self._asked.body
        # What an agent asks beside the task, such as a title, has no tools.
        if not body.get("tools"):
            return text("A task")
        with self._lock:
            return self.play(turns(self.dialect, body))

    def refusals(self) -> list:
        return [received.refused for received in self.received if received.refused]

    def asked_with_results(self) -> list:
        """The turns of the last request, which has the results of calls in it."""
        return turns(self.dialect, self.asked)
