"""A strict provider that derives its responses from the requests, because an agent's order is not known in advance."""

import threading
from types import SimpleNamespace

from dialects.answers import text
from dialects.readings import turns
from dialects.upstream import StrictUpstream

# Members that only the agents' own providers accept: a beta of Messages, and Codex's metadata for OpenAI.
_AGENTS_OWN = {"messages": ("context_management",), "responses": ("client_metadata",), "chat": ()}


class ScriptedModel(StrictUpstream):
    """A provider whose `play` receives the turns of a request and returns the response."""

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
        # An agent's side requests, such as one for a title, have no tools.
        if not body.get("tools"):
            return text("A task")
        with self._lock:
            return self.play(turns(self.dialect, body))

    def refusals(self) -> list:
        return [received.refused for received in self.received if received.refused]

    def asked_with_results(self) -> list:
        """The turns of the last request, which contains the results of calls."""
        return turns(self.dialect, self.asked)
