"""Refusals of the strict providers: for each rule one request that breaks it, and the error."""

import copy

import pytest

import dialects.chat.broken
import dialects.messages.broken
import dialects.responses.broken
from dialects.faults import Refused
from dialects.upstream import DIALECTS

BROKEN = {
    "chat": dialects.chat.broken, "messages": dialects.messages.broken, "responses": dialects.responses.broken}
HEADERS = {"anthropic-version": "2023-06-01"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_valid_request_is_accepted(dialect):
    DIALECTS[dialect][0].validate(BROKEN[dialect].REQUEST, HEADERS)


_RULES = [
    pytest.param(dialect, *rule, id=f"{dialect}: {rule[-1]}")
    for dialect, module in BROKEN.items() for rule in module.RULES]


@pytest.mark.parametrize(("dialect", "place", "value", "words"), _RULES)
def test_request_that_breaks_a_rule_is_refused(dialect, place, value, words):
    """Expects a refusal. `place` is the path of the member that gets the value; without a value, the member is
    removed."""
    request = copy.deepcopy(BROKEN[dialect].REQUEST)
    *way, last = place
    target = request
    for step in way:
        target = target[step]
    if value is None:
        del target[last]
    elif isinstance(target, list) and last == len(target):
        target.append(value)
    else:
        target[last] = value
    with pytest.raises(Refused) as caught:
        DIALECTS[dialect][0].validate(request, HEADERS)
    assert words in caught.value.message


@pytest.mark.parametrize(("headers", "words"), [
    ({}, "anthropic-version: header is required"),
    ({"anthropic-version": "2020-01-01"}, "not a valid version"),
    ({"anthropic-version": "2026-10-21"}, "temperature: Extra inputs are not permitted"),
])
def test_messages_need_a_version_that_has_the_members(headers, words):
    with pytest.raises(Refused, match=words):
        DIALECTS["messages"][0].validate(BROKEN["messages"].REQUEST, headers)
