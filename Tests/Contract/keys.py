"""Rules for new keys that a schema cannot express, and the key of the document's examples."""

import itertools
import json
import os
import re
import urllib.error
import urllib.request

RATE = re.compile("[1-9][0-9]{0,5}[kM]?/[smhd]")
_numbers = itertools.count()


def put_back_key():
    """Creates the key of the examples, unless it exists."""
    request = urllib.request.Request(
        os.environ["CONTRACT_GATEWAY"] + "/admin/keys", json.dumps({"name": "laptop"}).encode(),
        {"Authorization": f"Bearer {os.environ['CONTRACT_KEY']}", "Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=10).close()
    except urllib.error.HTTPError as error:
        assert error.code == 409, error.read()


def as_makes_sense(body):
    """Makes a body valid: a free name, no unknown group, a future time, well-formed models, a burst within its rate,
    one rate per period, and no passthrough with a budget.

    Schema violations stay, because they must be refused.
    """
    if not isinstance(body, dict):
        return body
    changed = dict(body)
    if isinstance(body.get("name"), str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", body["name"], re.A):
        changed["name"] = f"{body['name'][:40]}-{next(_numbers)}"
    if isinstance(body.get("group"), str):
        del changed["group"]
    if isinstance(body.get("expires"), str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", body["expires"], re.A):
        changed["expires"] = "2999-01-01"
    models = body.get("models")
    if isinstance(models, list) and models and all(isinstance(name, str) and name for name in models):
        changed["models"] = ["*"]
    upstreams = body.get("passthrough")
    if "budget" in body and isinstance(upstreams, list) and all(isinstance(name, str) for name in upstreams):
        del changed["passthrough"]
    limits = body.get("limits")
    if isinstance(limits, dict) and is_whole(limits.get("burst")) and 1 <= limits["burst"] <= 1_000_000:
        changed["limits"] = {name: value for name, value in limits.items() if name != "burst"} or {"in_flight": 1}
    if isinstance(changed.get("limits"), dict):
        changed["limits"] = {name: one_in_each_period(value) for name, value in changed["limits"].items()}
    return changed


def one_in_each_period(rates):
    """Returns the first rate of each period; returns anything that is not a list of rates unchanged."""
    if not isinstance(rates, list) or not all(isinstance(rate, str) and RATE.fullmatch(rate) for rate in rates):
        return rates
    firsts = {}
    for rate in rates:
        firsts.setdefault(rate[-1], rate)
    return list(firsts.values())


def is_whole(value) -> bool:
    """Returns whether JSON regards a value as an integer; 8.0 is one, too."""
    return not isinstance(value, bool) and isinstance(value, (int, float)) and value == int(value)
