"""`headgate chat` with the models of upstreams that nobody wrote into a configuration, of OpenAI and of Anthropic."""

import json

from gateways import UPSTREAM_KEY
from listing_upstreams import listing  # noqa: F401  (a fixture)
from terminal_chats import ask, chats  # noqa: F401  (a fixture)


def message_events(*texts: str, reason: str = "end_turn", is_whole: bool = True) -> bytes:
    """An answer of Anthropic's Messages."""
    events = [
        {"type": "message_start", "message": {"id": "msg_1", "model": "c", "usage": {"input_tokens": 7, "output_tokens": 1}}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}} for text in texts)]
    if is_whole:
        events += [
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 5}},
            {"type": "message_stop"}]
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


def test_key_of_anthropic_alone_is_enough_for_a_chat(chats, listing, tmp_path):  # noqa: F811
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
    # Neither whole nor said to be.
    upstream.answer = message_events("Half", is_whole=False)
    chat.line("And now?")
    chat.expect("Half\n.*/retry asks again")
    path, request = upstream.posted[-1]
    assert path == "/v1/messages" and request["system"] == "Be brief." and request["max_tokens"] > 0
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "user"]
    upstream.answer = message_events("Cut", reason="max_tokens")
    chat.line("/retry")
    chat.expect("Cut\n\\(cut off at the limit of tokens\\)\nclaude-new> ")
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
