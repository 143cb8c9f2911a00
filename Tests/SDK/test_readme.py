"""Commands in the README, and on the pages that it links to first, work as written."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from conftest import REPOSITORY
from test_on_device import running  # noqa: F401  (a fixture)

# The model uses every processor.
pytestmark = pytest.mark.serial


# The dictionary is in Debian's package wamerican.
DICTIONARY = Path("/usr/share/dict/words")


def blocks(language, page="README.md"):
    return re.findall(rf"```{language}\n(.*?)```", (REPOSITORY / page).read_text(), re.DOTALL)


def run(command, base_url):
    command = command.replace("http://127.0.0.1:8686", base_url)
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True).stdout


def test_first_curl_streams_what_the_readme_shows(running):  # noqa: F811
    first = next(block for block in blocks("sh") if "chat/completions" in block)
    output = run(first, running[1])
    shown = next(block for block in blocks("text") if "[DONE]" in block)
    assert output.count("data: [DONE]") == shown.count("data: [DONE]") == 1
    # The model's text varies, but the README promises the members of its chunks.
    members = [json.loads(text.splitlines()[0].removeprefix("data: ")).keys() for text in (output, shown)]
    assert members[0] == members[1]


def test_first_answer_is_a_sensible_sentence_each_time(running):  # noqa: F811
    first = next(block for block in blocks("sh") if "chat/completions" in block)
    words = {word.lower() for word in DICTIONARY.read_text().split()}
    for _ in range(3):
        events = [json.loads(text) for text in re.findall(r"^data: (\{.*\})$", run(first, running[1]), re.M)]
        text = "".join(choice["delta"].get("content") or "" for event in events for choice in event["choices"])
        said = re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower())
        assert len(said) >= 4, text
        assert sum(word in words for word in said) >= 0.9 * len(said), text
        # Other characters, such as emoji, cannot replace words.
        assert sum(map(len, said)) >= 0.7 * len(text), text


def test_other_curl_lines_succeed(running):  # noqa: F811
    block = next(block for block in blocks("sh") if "/v1/models" in block)
    lines = block.strip().splitlines()
    assert len(lines) == 3
    outputs = [json.loads(run(line, running[1])) for line in lines]
    assert [model["id"] for model in outputs[0]["data"]] == ["smollm2"]
    assert outputs[1]["id"] == "smollm2"
    assert outputs[2] == {"status": "ok"}


def test_python_example_runs(running, capsys):  # noqa: F811
    code = blocks("python")[0].replace("http://127.0.0.1:8686", running[1])
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("library", ["openai", "anthropic", "ollama"])
def test_libraries_of_the_apps_page_connect(running, library):  # noqa: F811
    code = next(code for code in blocks("python", "docs/apps.md") if code.startswith(("import " + library, "from " + library)))
    found = {}
    exec(compile(code.replace("http://127.0.0.1:8686", running[1]), "docs/apps.md", "exec"), found)
    client = found["client"]
    messages = [{"role": "user", "content": "Say hello."}]
    answer = {
        "openai": lambda: client.chat.completions.create(
            model="smollm2", max_tokens=16, messages=messages).choices[0].message.content,
        "anthropic": lambda: client.messages.create(model="smollm2", max_tokens=16, messages=messages).content[0].text,
        "ollama": lambda: client.chat(model="smollm2", messages=messages, options={"num_predict": 16}).message.content,
    }[library]()
    assert answer


def test_quickstarts_first_request_is_that_of_the_readme():
    first = next(block for block in blocks("sh") if "chat/completions" in block)
    assert first in blocks("sh", "docs/quickstart.md")
