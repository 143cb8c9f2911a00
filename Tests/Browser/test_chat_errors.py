"""Errors in the chat, which never lose a message."""

import json

from playwright.sync_api import expect

from browsers import chromium_only, serve_modules


def test_a_rate_limit_shows_when_to_retry(chat, talking):
    chat.expected_problems = ["429"]
    chat.send("Hello")
    talking.next().fail(429, "Slow down.", retry_after="7")
    alert = chat.last.get_by_role("alert")
    expect(alert).to_contain_text("Try again in 7 s.")
    chat.last.get_by_role("button", name="Try again").click()
    talking.next().answer("Hi.")
    expect(chat.text).to_have_text("Hi.")
    expect(alert).to_have_count(0)


def test_a_truncated_stream_keeps_the_received_text(chat, talking):
    chat.send("Hello")
    talk = talking.next()
    talk.say("Half of")
    expect(chat.text).to_have_text("Half of")
    talk.cut()
    expect(chat.last.get_by_role("alert")).to_be_visible()
    expect(chat.text).to_have_text("Half of")
    chat.page.reload()
    expect(chat.text).to_have_text("Half of")
    expect(chat.last.get_by_role("alert")).to_be_visible()
    chat.last.get_by_role("button", name="Try again").click()
    again = talking.next()
    assert again.said == [("user", "Hello")]
    again.answer("All of it.")
    expect(chat.text).to_have_text("All of it.")


def test_an_error_event_is_shown_where_it_came(chat, talking):
    chat.send("Hello")
    talk = talking.next()
    talk.say("Some")
    expect(chat.text).to_have_text("Some")
    talk.event({"error": {"message": "The model fell over.", "type": "server_error"}})
    expect(chat.last.get_by_role("alert")).to_contain_text("The model fell over.")
    expect(chat.text).to_have_text("Some")
    talk.cut()


def test_a_stream_without_its_marker_is_broken(chat):
    """Streams as a proxy can cut them; the gateway itself never ends a stream this way."""
    event = json.dumps({"choices": [{"index": 0, "delta": {"content": "Half"}}]})
    endings = iter(["", 'data: {"choices":[]}\n\n', "data: [DONE]"])
    chat.page.route(
        "**/v1/chat/completions",
        lambda route: route.fulfill(body=f"data: {event}\n\n{next(endings)}", content_type="text/event-stream"),
    )
    for count in (2, 4, 6):
        chat.send("Hello")
        expect(chat.page.locator("#messages > li")).to_have_count(count)
        expect(chat.last.get_by_role("alert")).to_contain_text("The answer broke off before its end.")
        expect(chat.text).to_have_text("Half")
    # Each message shows its outcome. Only the last one can be retried, because a retry of an older one would lose the
    # messages after it.
    chat.page.reload()
    expect(chat.page.get_by_text("The answer broke off before its end.")).to_have_count(3)
    expect(chat.page.get_by_role("button", name="Try again")).to_have_count(1)


def test_an_unreachable_gateway_is_named(chat):
    chat.expected_problems = ["ERR_CONNECTION_REFUSED"]
    chat.page.route("**/v1/chat/completions", lambda route: route.abort("connectionrefused"))
    chat.send("Hello")
    expect(chat.last.get_by_role("alert")).to_contain_text("The gateway cannot be reached.")


FULL = "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') } }"


def test_full_storage_is_reported(chat, talking):
    chat.page.evaluate(FULL)
    chat.ask(talking, "Hello", "Hi.")
    expect(chat.page.get_by_role("alert").filter(has_text="is not stored")).to_be_visible()
    expect(chat.text).to_have_text("Hi.")


@chromium_only
def test_an_unstored_conversation_can_be_left_and_exported(chat, talking, tmp_path):
    chat.ask(talking, "Kept?", "Yes.")
    chat.page.evaluate(FULL)
    chat.ask(talking, "And now?", "No.")
    chat.page.get_by_role("button", name="New chat").click()
    chat.ask(talking, "Hello", "Hi.")
    titles = chat.page.locator("#conversation-list .title")
    expect(titles).to_have_text(["Hello", "Kept?"])
    titles.last.click()
    expect(chat.page.locator("#messages > li .text")).to_have_text(["Kept?", "Yes.", "And now?", "No."])
    with chat.page.expect_download() as download:
        chat.page.get_by_role("button", name="Export").click()
    file = tmp_path / "export.json"
    download.value.save_as(file)
    said = [
        [message["content"] for message in conversation["messages"]]
        for conversation in json.loads(file.read_text())["conversations"]
    ]
    assert sorted(said) == [["Hello", "Hi."], ["Kept?", "Yes.", "And now?", "No."]]


def test_a_failed_export_is_reported(chat, talking):
    chat.ask(talking, "Hello", "Hi.")
    chat.page.evaluate("() => { window.structuredClone = () => { throw new RangeError('Invalid string length'); } }")
    chat.page.get_by_role("button", name="Export").click()
    words = "Nothing was exported: this is more than fits into one file."
    expect(chat.page.get_by_role("alert").filter(has_text=words)).to_be_visible()


# The expected result for every way of cutting the bytes into pieces.
STREAM = (
    "\ufeff: note\r\ndata: w\u00f6rld \U0001f30d\r\n\r\nevent: error\rdata: one\rdata:two\r\r"
    "id: 7\ndata:  x\n\ndata: lost"
)
EXPECTED = [["message", "w\u00f6rld \U0001f30d"], ["error", "one\ntwo"], ["message", " x"]]
PARSE = """async ([bytes, size]) => {
  const { events } = await import("/modules/events.js");
  const body = new ReadableStream({ start(controller) {
    for (let at = 0; at < bytes.length; at += size) controller.enqueue(new Uint8Array(bytes.slice(at, at + size)));
    controller.close();
  } });
  const found = [];
  for await (const { type, data } of events(body)) found.push([type, data]);
  return found;
}"""


def test_events_are_independent_of_byte_splits(chat):
    content = list(STREAM.encode())
    serve_modules(chat.page)
    for size in [*range(1, 12), len(content)]:
        assert chat.page.evaluate(PARSE, [content, size]) == EXPECTED, size
