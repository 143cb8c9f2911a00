"""The fill level of the model's context, the actions when it is too full, and one prompt to two models."""

from playwright.sync_api import expect

from chat import open_settings


def texts(page):
    return page.locator("#messages > li .text")


def test_the_context_is_measured(chat, talking):
    context = chat.page.locator("#context")
    expect(context).to_be_hidden()
    chat.prompt.fill("a" * 400)
    expect(context).to_have_text("≈ 100 tokens so far")
    chat.prompt.fill("Hello")
    chat.prompt.press("Enter")
    talking.next().answer("Hi.", prompt=1500, completion=300)
    expect(context).to_have_text("1,800 tokens so far")
    open_settings(chat.page)
    chat.page.get_by_label("Context, in tokens").fill("2000")
    expect(context).to_have_text("1,800 of 2,000 tokens (90 %)")
    meter = chat.page.get_by_role("meter", name="Part of the context that is used")
    expect(meter).to_be_visible()
    assert meter.evaluate("node => node.value / node.max") == 0.9
    chat.prompt.fill("a" * 400)
    expect(context).to_have_text("≈ 1,900 of 2,000 tokens (95 %)")
    expect(context).to_have_class("full")


def test_a_known_context_size_is_shown(chat, talking):
    known = {"general.architecture": "headgate", "headgate.context_length": 4096}
    chat.page.route("**/api/show", lambda route: route.fulfill(json={"model_info": known}))
    chat.page.reload()
    chat.send("Hello")
    talking.next().answer("Hi.", prompt=1000, completion=24)
    expect(chat.page.locator("#context")).to_have_text("1,024 of 4,096 tokens (25 %)")


TOO_LONG = [
    "This model's maximum context length is 8192 tokens.", "prompt is too long: 9 tokens > 8 maximum",
    "the request exceeds the available context size",
]  # fmt: skip


def test_a_too_long_conversation_is_sent_without_its_oldest_messages(chat, talking):
    chat.expected_problems = ["400"]
    for number in range(4):
        chat.ask(talking, f"Question {number}", f"Answer {number}")
    chat.send("Question 4")
    talking.next().fail(400, TOO_LONG[0])
    alert = chat.last.get_by_role("alert")
    expect(alert).to_contain_text("Too long: the conversation is longer than the model can read.")
    expect(alert).to_contain_text(TOO_LONG[0])
    alert.get_by_role("button", name="Drop the oldest and try again").click()
    talk = talking.next()
    assert [text for _, text in talk.said] == ["Question 2", "Answer 2", "Question 3", "Answer 3", "Question 4"]
    talk.fail(400, TOO_LONG[1])
    chat.last.get_by_role("button", name="Drop the oldest and try again").click()
    talk = talking.next()
    assert [text for _, text in talk.said] == ["Question 3", "Answer 3", "Question 4"]
    talk.answer("Answer 4")
    expect(chat.last.locator(".figures")).to_be_visible()
    expect(chat.page.locator("#messages > li.out")).to_have_count(6)
    chat.page.reload()
    expect(chat.page.get_by_text("The messages in grey are not sent any more.")).to_be_visible()
    chat.ask(talking, "Question 5", "Answer 5")
    chat.page.get_by_role("button", name="Include them again").click()
    expect(chat.page.locator("#messages > li.out")).to_have_count(0)
    chat.send("Question 6")
    talk = talking.next()
    assert len(talk.said) == 13
    talk.answer("Answer 6")


def test_a_too_large_request_is_sent_without_the_oldest_messages(chat, talking):
    chat.expected_problems = ["413"]
    for number in range(2):
        chat.ask(talking, f"Question {number}", f"Answer {number}")
    chat.send("Question 2")
    talking.next().fail(413, "The request body is larger than 32 MiB.")
    chat.last.get_by_role("button", name="Drop the oldest and try again").click()
    talk = talking.next()
    assert [text for _, text in talk.said] == ["Question 1", "Answer 1", "Question 2"]
    talk.answer("Answer 2")


def test_a_single_message_cannot_be_shortened(chat, talking):
    chat.expected_problems = ["400"]
    for words in TOO_LONG:
        chat.send("A very long question")
        talking.next().fail(400, words)
        chat.last.get_by_role("button", name="Drop the oldest and try again").click()
        expect(chat.page.get_by_role("alert").filter(has_text="Nothing older is left to drop")).to_be_visible()
        assert talking.is_quiet
        chat.page.get_by_role("button", name="New chat").click()


def beside(chat, model: str):
    open_settings(chat.page)
    chat.page.get_by_label("Side by side with").select_option(model)


def two(talking):
    """Returns the requests of both models, by the models' names."""
    talks = [talking.next(), talking.next()]
    return {talk.request["model"]: talk for talk in talks}


def test_two_models_answer_side_by_side(chat, talking):
    beside(chat, "second")
    chat.send("Hello")
    talks = two(talking)
    assert talks["talker"].said == talks["second"].said == [("user", "Hello")]
    for words in ("One", "Two"):
        for model, talk in talks.items():
            talk.say(f"{words} of {model}. ")
    answers = chat.page.locator("#messages > li.beside")
    expect(answers).to_have_count(2)
    expect(answers.nth(0)).to_contain_text("One of talker. Two of talker.")
    expect(answers.nth(1)).to_contain_text("One of second. Two of second.")
    boxes = [answer.bounding_box() for answer in answers.all()]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] and abs(boxes[0]["y"] - boxes[1]["y"]) < 1
    talks["second"].finish()
    expect(answers.nth(1).locator(".figures")).to_be_visible()
    expect(chat.page.get_by_role("button", name="Stop")).to_be_visible()
    talks["talker"].finish()
    expect(chat.page.get_by_role("button", name="Send")).to_be_visible()
    # The conversation continues with the model that the user chooses.
    beside(chat, "")
    answers.nth(1).get_by_role("button", name="Continue with this one").click()
    chat.send("And then?")
    talk = talking.next()
    assert talk.said[1] == ("assistant", "One of second. Two of second. ")
    talk.answer("That.")
    expect(texts(chat.page).last).to_have_text("That.")
    expect(chat.page.get_by_role("button", name="Send")).to_be_visible()
    chat.page.reload()
    expect(texts(chat.page)).to_have_text(["Hello", "One of talker. Two of talker.", "One of second. Two of second.",
                                           "And then?", "That."])  # fmt: skip


def test_both_replies_are_stopped_and_a_failed_one_is_retried(chat, talking):
    chat.expected_problems = ["500"]
    beside(chat, "second")
    chat.send("Hello")
    talks = two(talking)
    talks["second"].fail(500, "Oh no.")
    answers = chat.page.locator("#messages > li.beside")
    expect(answers.nth(1).get_by_role("alert")).to_contain_text("Oh no.")
    talks["talker"].say("One")
    expect(answers.nth(0)).to_contain_text("One")
    chat.page.keyboard.press("Escape")
    assert talks["talker"].is_left()
    expect(answers.nth(0)).to_contain_text("Stopped.")
    answers.nth(1).get_by_role("button", name="Try again").click()
    talk = talking.next()
    assert talk.request["model"] == "second"
    talk.answer("Two")
    expect(answers.nth(1).locator(".text")).to_have_text("Two")
    expect(answers).to_have_count(2)


def test_a_phone_has_one_row_for_the_header_and_one_column(chat, talking):
    chat.page.set_viewport_size({"width": 360, "height": 740})
    chat.page.reload()
    header = chat.page.get_by_role("banner").bounding_box()
    assert header["height"] < 60
    controls = chat.page.locator("header > :visible:not(.unseen)")
    middles = [box["y"] + box["height"] / 2 for control in controls.all() if (box := control.bounding_box())["width"] > 1]
    assert len(middles) >= 3 and max(middles) - min(middles) < 4
    beside(chat, "second")
    # In a narrow window, the drawer covers the messages.
    chat.page.get_by_role("button", name="Close settings").click()
    chat.send("Hello")
    for talk in two(talking).values():
        talk.answer("Hi.")
    boxes = [answer.bounding_box() for answer in chat.page.locator("#messages > li.beside").all()]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 360
    # Links to other pages are at the bottom of a narrow window, and at the side of a wide one.
    link = chat.page.get_by_role("navigation", name="Pages").get_by_role("link", name="API docs")
    assert link.bounding_box()["y"] > 680
    chat.page.set_viewport_size({"width": 1280, "height": 900})
    assert link.bounding_box()["x"] < 80
