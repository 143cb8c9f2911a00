"""A page that is reloaded in the middle of a reply, from a model whose streams continue without their clients."""

import pytest
from playwright.sync_api import expect

from chat import Chat, wait_for_models
from conftest import serve_configuration


@pytest.fixture(scope="module")
def detaching_gateway(tmp_path_factory, talking_server):
    text = (
        "listen: 127.0.0.1:0\n"
        f'upstreams: {{talker: {{kind: openai, base_url: "http://{talking_server.address}/v1"}}}}\n'
        "models:\n"
        "  talker: {upstream: talker, on_disconnect: detach}\n"
        "  second: {upstream: talker, on_disconnect: detach}\n"
    )
    yield from serve_configuration(tmp_path_factory.mktemp("detaching"), text)


@pytest.fixture
def chat(detaching_gateway, talking, visit):
    page = Chat(visit, detaching_gateway.origin)
    page.open()
    yield page
    page.check()


def reload(chat):
    chat.page.reload()
    wait_for_models(chat.page)


def test_a_reply_resumes_where_it_was(chat, talking):
    chat.send("Count.")
    talk = talking.next()
    talk.say("One", ", two")
    expect(chat.text).to_have_text("One, two")
    reload(chat)
    expect(chat.text).to_have_text("One, two")
    talk.say(", three")
    expect(chat.text).to_have_text("One, two, three")
    expect(chat.last).to_have_attribute("aria-busy", "true")
    reload(chat)
    talk.say(", four")
    talk.finish(prompt=9, completion=12)
    expect(chat.last.locator(".figures")).to_contain_text("12 tokens")
    expect(chat.text).to_have_text("One, two, three, four")
    expect(chat.last).not_to_contain_text("Stopped.")
    assert talking.is_quiet
    reload(chat)
    expect(chat.text).to_have_text("One, two, three, four")
    expect(chat.page.get_by_role("button", name="Send")).to_be_visible()


def test_a_reply_completed_meanwhile_is_shown(chat, talking):
    chat.send("Count.")
    talk = talking.next()
    talk.say("One")
    expect(chat.text).to_have_text("One")
    chat.page.goto("about:blank")
    talk.say(", two")
    talk.finish()
    chat.open()
    expect(chat.text).to_have_text("One, two")
    expect(chat.last.locator(".figures")).to_be_visible()


def test_stop_cancels_the_upstream_after_a_reload_too(chat, talking):
    chat.send("Tell a long story.")
    talk = talking.next()
    talk.say("Once upon ")
    expect(chat.text).to_have_text("Once upon")
    reload(chat)
    talk.say("a time")
    expect(chat.text).to_have_text("Once upon a time")
    chat.page.get_by_role("button", name="Stop").click()
    assert talk.is_left()
    expect(chat.last).to_contain_text("Stopped.")
    reload(chat)
    expect(chat.last).to_contain_text("Stopped.")
    expect(chat.text).to_have_text("Once upon a time")


def test_a_lost_reply_stays_stopped(chat, talking):
    chat.expected_problems.append("404")
    responses = []
    chat.page.on("response", lambda response: responses.append(response))
    chat.send("Count.")
    talk = talking.next()
    talk.say("One")
    expect(chat.text).to_have_text("One")
    stream = next(one.headers["x-request-id"] for one in responses if one.url.endswith("/v1/chat/completions"))
    chat.page.goto("about:blank")
    assert chat.page.request.delete(f"{chat.origin}/v1/streams/{stream}").status == 200
    assert talk.is_left()
    chat.open()
    expect(chat.text).to_have_text("One")
    expect(chat.last).to_contain_text("Stopped.")
    expect(chat.page.get_by_role("button", name="Send")).to_be_visible()


@pytest.mark.parametrize("status", [None, 429, 503])
def test_resuming_a_reply_is_retried_if_the_gateway_does_not_respond(chat, talking, status):
    chat.expected_problems += ["ERR_CONNECTION_REFUSED", "429", "503"]
    chat.send("Count.")
    talk = talking.next()
    talk.say("One")
    expect(chat.text).to_have_text("One")
    tries = []

    def refuse_twice(route):
        tries.append(route.request.url)
        if len(tries) > 2:
            route.continue_()
        elif status is None:
            route.abort("connectionrefused")
        else:
            route.fulfill(status=status, content_type="application/json", body='{"error": {"message": "busy"}}')

    chat.page.route("**/v1/streams/*", refuse_twice)
    reload(chat)
    talk.say(", two")
    expect(chat.text).to_have_text("One, two")
    talk.finish()
    expect(chat.last.locator(".figures")).to_be_visible()
    assert len(tries) == 3 and talking.is_quiet


def test_an_empty_rest_does_not_complete_a_reply_without_an_end(chat, talking):
    chat.send("Count.")
    talk = talking.next()
    talk.say("One")
    expect(chat.text).to_have_text("One")
    chat.page.route("**/v1/streams/*", lambda route: route.fulfill(status=204))
    reload(chat)
    expect(chat.last).to_contain_text("broke off before its end")
    expect(chat.text).to_have_text("One")
