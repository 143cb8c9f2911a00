"""`headgate chat` with models that are discovered at OpenAI's and Anthropic's upstreams."""

import json

from gateways import UPSTREAM_KEY, gateways, key_line  # noqa: F401  (a fixture)
from listing_upstreams import listing  # noqa: F401  (a fixture)
from terminal_chats import ask, chats  # noqa: F401  (a fixture)


def message_events(*texts: str, reason: str = "end_turn", is_whole: bool = True) -> bytes:
    """Returns a stream in the format of Anthropic's Messages."""
    events = [
        {"type": "message_start", "message": {"id": "msg_1", "model": "c", "usage": {"input_tokens": 7, "output_tokens": 1}}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}} for text in texts)]
    if is_whole:
        events += [
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 5}},
            {"type": "message_stop"}]
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


def test_an_anthropic_key_suffices_for_a_chat(chats, listing, tmp_path):  # noqa: F811
    upstream = listing("claude-new", "claude-old", key=UPSTREAM_KEY, is_anthropic=True)
    upstream.answer = message_events("Good ", "**morning**.")
    variables = {
        "ANTHROPIC_API_KEY": UPSTREAM_KEY, "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{upstream.port}",
        "HEADGATE_LISTEN": "127.0.0.1:1"}
    chat = chats("--system", "Be brief.", **variables)
    chat.expect("claude-new> ")
    chat.line("Hello.")
    chat.expect("Good morning\\.\nclaude-new> ")
    chat.line("/usage")
    chat.expect("7 tokens in, 5 out")
    chat.line("/model")
    chat.expect(r"\* claude-new\n  claude-old\nclaude-new> ")
    # The next response is incomplete: it has no end event.
    upstream.answer = message_events("Half", is_whole=False)
    chat.line("And now?")
    chat.expect("Half\n.*/retry asks again")
    path, request = upstream.posted[-1]
    assert path == "/v1/messages" and request["system"] == "Be brief." and request["max_tokens"] > 0
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "user"]
    upstream.answer = message_events("Cut", reason="max_tokens")
    chat.line("/retry")
    chat.expect("Cut\n\\(cut off at the limit of tokens\\) /continue lets it go on\\.\nclaude-new> ")
    upstream.answer = message_events("I will not", reason="refusal")
    chat.line("Do it.")
    chat.expect("I will not\n\\(cut off: the model refused to go on\\)\nclaude-new> ")
    upstream.answer = message_events("Whole")
    answer = ask(tmp_path, "--model", "claude-old", "Hello.", **variables)
    assert (answer.returncode, answer.stdout) == (0, b"Whole\n"), answer.stderr


def test_models_that_an_upstream_lists_can_be_chosen(chats, listing):  # noqa: F811
    upstream = listing("text-embedding-x", "gpt-x", "gpt-y", key=UPSTREAM_KEY)
    chat = chats(OPENAI_API_KEY=UPSTREAM_KEY, OPENAI_BASE_URL=upstream.url, HEADGATE_LISTEN="127.0.0.1:1")
    chat.expect("gpt-x> ")
    chat.send("/model gpt-y\t\r")
    chat.expect("gpt-y> ")


def chunks(*deltas: dict) -> bytes:
    """Returns a stream in OpenAI's format."""
    events = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events) + b"data: [DONE]\n\n"


def test_text_after_a_refusal_is_shown_completely(chats, listing):  # noqa: F811
    upstream = listing("gpt-x", key=UPSTREAM_KEY)
    upstream.answer = chunks({"content": "One"}, {"refusal": "I will not"}, {"content": " two three"})
    chat = chats(OPENAI_API_KEY=UPSTREAM_KEY, OPENAI_BASE_URL=upstream.url, HEADGATE_LISTEN="127.0.0.1:1")
    chat.expect("gpt-x> ")
    chat.line("Hello.")
    chat.expect("One\n\nI will not.*two three\n")


def test_model_with_a_changed_dialect_is_called_in_it(gateways, chats, listing):  # noqa: F811
    upstream = listing("m", key=UPSTREAM_KEY)
    upstream.answer = chunks({"content": "First."})

    def configuration(kind: str) -> str:
        return (
            "listen: 127.0.0.1:0\n"
            f'upstreams: {{up: {{kind: {kind}, base_url: "{upstream.url}", api_key: "${{UPSTREAM_KEY}}"}}}}\n'
            f"models: {{m: {{upstream: up}}}}\nkeys: [{key_line()}]\n")

    gateway = gateways.start(configuration("openai"))
    chat = chats("--url", gateway.urls[0], "--model", "m")
    chat.line("Hello.")
    chat.expect("First\\.\nm> ")
    gateway.write(configuration("anthropic"))
    assert gateway.reload().returncode == 0
    upstream.is_anthropic = True
    upstream.answer = message_events("Second.")
    chat.line("And now?")
    chat.expect("Second\\.\nm> ")
    path, request = upstream.posted[-1]
    assert path == "/v1/messages" and len(request["messages"]) == 3
