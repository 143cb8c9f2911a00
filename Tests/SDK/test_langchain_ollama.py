"""LangChain's classes for Ollama, unchanged, on models of every provider."""

import base64
import http.server
import json
import threading
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_ollama import ChatOllama, OllamaEmbeddings, OllamaLLM
from pydantic import BaseModel

from dialects.answers import Answer, Broken, Call, Failure, Reasoning, Text, calls, text
from gateways import KEY, KEYS, Gateways, short_folder
from ollama_ways import PNG, stream, way, ways  # noqa: F401  (fixtures)

HEADERS = {"headers": {"Authorization": f"Bearer {KEY}"}}


def chat(way, **more) -> ChatOllama:  # noqa: F811
    model = "claude-sonnet-4-6" if way.upstream.dialect == "messages" else way.model
    return ChatOllama(model=model, base_url=way.url, client_kwargs=HEADERS, **more)


def ask(model, messages, stream: bool):  # noqa: F811
    if not stream:
        return model.invoke(messages)
    whole = None
    for part in model.stream(messages):
        whole = part if whole is None else whole + part
    return whole


@tool
def weather(city: str) -> str:
    """Tells the weather."""


def test_model_answers(way, stream):  # noqa: F811
    way.upstream.will(text("Hel", "lo."))
    answer = ask(chat(way, temperature=0.5), [SystemMessage("Be brief."), HumanMessage("Say hello.")], stream)
    assert answer.content == "Hello."
    assert answer.usage_metadata["input_tokens"] == 21 and answer.usage_metadata["output_tokens"] == 9
    assert answer.response_metadata["done_reason"] == "stop"
    assert way.turns == [("system", "Be brief."), ("user", "Say hello.")]


def test_tools_go_through_two_rounds(way, stream):  # noqa: F811
    model = chat(way).bind_tools([weather])
    question = HumanMessage("Which is warmer?")
    rome, oslo = (Call(f"call_{city}", "weather", (f'{{"city": "{city}"}}',)) for city in ("Rome", "Oslo"))
    way.upstream.will(calls(rome, oslo))
    answer = ask(model, [question], stream)
    assert [call["args"] for call in answer.tool_calls] == [{"city": "Rome"}, {"city": "Oslo"}]
    results = [
        ToolMessage(content, tool_call_id=call["id"]) for content, call in zip(("24", "3"), answer.tool_calls)]
    way.upstream.will(text("Rome."))
    # Ollama's client sends no call ids, so results must be in the order of their calls.
    answer = ask(model, [question, AIMessage("", tool_calls=answer.tool_calls), *results], stream)
    assert answer.content == "Rome."
    asked = {turn[1]: turn[3]["city"] for turn in way.turns if turn[0] == "call"}
    told = {asked[turn[1]]: turn[2] for turn in way.turns if turn[0] == "result"}
    assert told == {"Rome": "24", "Oslo": "3"}


def test_thinking_is_separate_from_the_reply(way, stream):  # noqa: F811
    way.upstream.will(Answer((Reasoning(("Hm.",)), Text(("Yes.",)))))
    answer = ask(chat(way, reasoning=True), [HumanMessage("Is it?")], stream)
    assert (answer.content, answer.additional_kwargs["reasoning_content"]) == ("Yes.", "Hm.")
    assert way.wishes["effort"] == "medium"


def test_images_are_shown(way):  # noqa: F811
    way.upstream.will(text("A dot."))
    url = "data:image/png;base64," + base64.b64encode(PNG).decode()
    content = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": url}]
    chat(way).invoke([HumanMessage(content)])
    assert [turn[1] for turn in way.turns if turn[0] == "image"] == [url]


def test_structured_answer_is_an_object(way):  # noqa: F811
    class Place(BaseModel):
        """A place."""

        city: str

    way.upstream.will(text('{"city": "Rome"}'))
    assert chat(way).with_structured_output(Place).invoke("Where?") == Place(city="Rome")


def test_failures_are_raised(way):  # noqa: F811
    way.upstream.will(Failure(429, "scripted words"))
    with pytest.raises(Exception, match="scripted words"):
        chat(way).invoke("Hello")
    way.upstream.will(Broken(text("Hel", "lo"), 2))
    with pytest.raises(Exception):
        ask(chat(way), [HumanMessage("Hello")], True)


def test_prompt_is_answered(way):  # noqa: F811
    way.upstream.will(text("Rome", "."))
    model = OllamaLLM(model=way.model, base_url=way.url, client_kwargs=HEADERS)
    assert model.invoke("Where?") == "Rome."


class _Embedder(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked: list

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body))
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        # The data is out of order, which an upstream is allowed to send.
        data = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 0.5]}
            for index, text in enumerate(texts)]
        document = json.dumps({"object": "list", "data": data[::-1], "usage": {"prompt_tokens": 3}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(document)))
        self.end_headers()
        self.wfile.write(document)

    def log_message(self, *_):
        pass


def test_texts_are_embedded_in_their_order():
    handler = type("Embedder", (_Embedder,), {"asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    with short_folder() as folder:
        gateways = Gateways(Path(folder))
        try:
            url = f"http://127.0.0.1:{server.server_port}/v1"
            gateway = gateways.start(
                f'listen: 127.0.0.1:0\nupstreams:\n  up: {{kind: openai, base_url: "{url}", api_key: "${{UPSTREAM_KEY}}"}}\n'
                f"models:\n  words: {{upstream: up, model: inner}}\n{KEYS}")
            embeddings = OllamaEmbeddings(model="words", base_url=gateway.urls[0], client_kwargs=HEADERS)
            assert embeddings.embed_documents(["a", "bcd"]) == [[1.0, 0.5], [3.0, 0.5]]
            assert embeddings.embed_query("ab") == [2.0, 0.5]
        finally:
            gateways.end()
            server.shutdown()
            server.server_close()
            thread.join()
    assert handler.asked[0] == (
        "/v1/embeddings", {"model": "inner", "input": ["a", "bcd"], "encoding_format": "float"})
