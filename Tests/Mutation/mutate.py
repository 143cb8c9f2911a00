#!/usr/bin/env python3
"""Changes the sources in COUNT places, one by one, and lists the changes that no covering test notices.

    Tests/Mutation/mutate.py [NUMBER ...]

All changes are compiled together, in a copy below .build-mutation that is built once; HEADGATE_MUTANT=17 switches
number 17 on. SEED=1 to 4 share a build and have no change in common; the next four seeds choose others. With numbers,
only these changes are tried. Suites near a changed file run first, for all changes; with NEAR=1, no others run.

A change counts as noticed if a test fails or hangs with it, fails or hangs with it once more alone, and passes alone
without it, or if the program traps. Thus neither a slow machine nor an unreliable test counts.
"""

import itertools
import json
import os
import random
import re
import resource
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import rewriting

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build-mutation"
TREE = WORK / "tree"
SEEDS_OF_A_BUILD = 4
AT_ONCE = 2
# Seconds in which no test begins or ends, and the seconds that a run may take.
SILENCE, LONGEST = 120, 1800
# Ends of a run that no slow machine causes.
TRAPS = {f"ends with -{number:d}" for number in (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGSEGV)}
# The test reads the text of the sources, in which operators replace the original tokens.
SKIPPED_TEST = "everyCodeOfTheSourcesIsInTheCatalogue"
WIDTH = ["--experimental-maximum-parallelization-width", "16"]
# Folders of Sources by area, and the test targets that cover them.
GATEWAY = ["HeadgateGatewayTests", "IntegrationTests"]
KEPT = ["HeadgateGatewayTests", "HeadgateStoresTests", "IntegrationTests"]
AREAS = {
    "HTTP codec": (["HeadgateHTTP/Codec", "HeadgateHTTP/Body"], ["HeadgateHTTPTests", "ConformanceTests"]),
    "SSE": (["ServerSentEvents"], ["ServerSentEventsTests", "ConformanceTests"]),
    "JSON": (["JSONBytes"], ["JSONBytesTests"]),
    "relay": (["HeadgateRelay"], GATEWAY),
    "routing": (["HeadgateRelay/Routing", "HeadgateRelay/Targets"], GATEWAY),
    "dialects": (["HeadgateDialects"], ["HeadgateDialectsTests"]),
    "limits": (["HeadgateGateway/Limits"], KEPT),
    "cache": (["HeadgateGateway/Cache"], KEPT),
    "keys": (["HeadgateGateway/Keys"], KEPT),
    "server": (["HeadgateServer"], ["HeadgateServerTests", "HeadgateServerTransportTests", "ConformanceTests",
                                    "IntegrationTests"]),
    "upstream": (["HeadgateUpstream"], ["HeadgateUpstreamTests", "IntegrationTests"]),
}
# Appended to the manifest. Builds only the products that the covering tests need, and lets every target use the
# switches.
MANIFEST = """
package.targets.append(.target(name: "Mutants"))
for target in package.targets where !["Mutants"].contains(target.name) && target.path == nil
    && ![.system, .plugin].contains(target.type) && target.name != "CHeadgate" { target.dependencies.append("Mutants") }
package.products = []
var needed: Set<String> = []
@MainActor func need(_ name: String) {
    guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { return }
    for case .byNameItem(let name, _) in target.dependencies { need(name) }
}
for name in [%s] { need(name) }
package.targets.removeAll { !needed.contains($0.name) }
"""


def pool(seed, count):
    """Returns the numbered places of a build by area, with alternating kinds."""
    wanted = -(-count * SEEDS_OF_A_BUILD * 5 // (len(AREAS) * 4))
    taken, chosen, numbers = set(), {}, itertools.count(1)
    for area in sorted(AREAS, key=lambda area: area == "relay"):
        draw = random.Random(f"{(seed - 1) // SEEDS_OF_A_BUILD} {area}")
        kinds = {}
        for folder in AREAS[area][0]:
            for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")):
                if "Generated" in path.parts:
                    continue
                relative = str(path.relative_to(ROOT))
                for site in rewriting.sites(relative, path.read_text()):
                    if site not in taken:
                        kinds.setdefault(site.kind, []).append(site)
        for kind in kinds.values():
            draw.shuffle(kind)
        rows = itertools.zip_longest(*(kinds[kind] for kind in sorted(kinds)))
        order = [site for row in rows for site in row if site]
        chosen[area] = list(zip(numbers, order[:wanted]))
        taken.update(site for _, site in chosen[area])
    return chosen


def write(path, text):
    """Writes a file only if it differs, so that nothing else is rebuilt."""
    data = text if isinstance(text, bytes) else text.encode()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy(numbered, declared):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True, text=True,
                            capture_output=True).stdout.split("\0")
    files = {name for name in listed if name and (ROOT / name).is_file()}
    changed = {}
    for number, site in numbered:
        changed.setdefault(site.path, []).append((number, site))
    for name in files - {"Package.swift"}:
        source = ROOT / name
        write(TREE / name, rewriting.rewritten(source.read_text(), changed[name]) if name in changed
              else source.read_bytes())
        (TREE / name).chmod(source.stat().st_mode)
    targets = ", ".join(f'"{name}"' for name in sorted({name for _, tests in AREAS.values() for name in tests}))
    manifest = (ROOT / "Package.swift").read_text().replace("    .treatAllWarnings(as: .error),\n", "")
    write(TREE / "Package.swift", manifest + MANIFEST % targets)
    write(TREE / "Sources/Mutants/Mutants.swift", rewriting.declarations(declared))
    for folder in ("Sources", "Tests"):
        for path in (TREE / folder).rglob("*.swift"):
            if str(path.relative_to(TREE)) not in files and path.name != "Mutants.swift":
                path.unlink()


def build(chosen):
    """Builds all changes, and permanently drops the changes that the compiler refuses."""
    remembered = WORK / "refused.json"
    refused = set(json.loads(remembered.read_text())) if remembered.exists() else set()

    def key(site):
        return f"{site.path}:{site.line}:{site.column}:{site.form}"

    # A refused change retains its operator, so that no other module is rebuilt.
    declared = [pair for pairs in chosen.values() for pair in pairs]
    while True:
        numbered = [pair for pair in declared if key(pair[1]) not in refused]
        copy(numbered, declared)
        run = subprocess.run(["nice", "-n", "5", os.environ.get("SWIFT", "swift"), "build", "--build-tests", "-Xswiftc",
                              "-gnone"], cwd=TREE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        (WORK / "build.log").write_text(run.stdout)
        if run.returncode == 0:
            return {area: [pair for pair in pairs if key(pair[1]) not in refused] for area, pairs in chosen.items()}
        new = set()
        for path, line in re.findall(r"^(/\S+\.swift):(\d+):\d+: error:", run.stdout, re.M):
            if not Path(path).is_relative_to(TREE):
                continue
            near = [site for _, site in numbered if site.path == str(Path(path).relative_to(TREE))]
            if near:
                nearest = min(abs(site.line + 1 - int(line)) for site in near)
                new |= {key(site) for site in near if abs(site.line + 1 - int(line)) == nearest}
        if not new:
            sys.exit(f"{run.stdout[-4000:]}\nmutate: the build fails, and no change is the reason")
        refused |= new
        remembered.write_text(json.dumps(sorted(refused)))
        print(f"the compiler refuses {len(new)} changes", flush=True)


def run(tests, skipped, mutant):
    """Runs the tests until one fails. Returns None if all pass, or else the reason and the tests that may be it."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [TREE / ".build/debug/headgatePackageTests.xctest", "--testing-library", "swift-testing", *WIDTH, "--filter",
         tests, "--skip", "|".join([SKIPPED_TEST, *skipped]), "--event-stream-version", "0",
         "--event-stream-output-path", f"/dev/fd/{write}"],
        cwd=TREE, env={**os.environ, "HEADGATE_MUTANT": str(mutant), "SWIFT_BACKTRACE": "enable=no"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, pass_fds=[write],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30)))
    os.close(write)
    running, started = set(), time.monotonic()
    try:
        last, rest = started, b""
        while True:
            now = time.monotonic()
            if now - last > SILENCE or now - started > LONGEST:
                return f"hangs after {now - started:.0f} s", sorted(running)
            if not select.select([read], [], [], 1)[0]:
                if process.poll() is None:
                    continue
                break
            data = os.read(read, 1 << 16)
            if not data:
                break
            last, (*lines, rest) = now, (rest + data).split(b"\n")
            for payload in (json.loads(line)["payload"] for line in lines):
                test = payload.get("testID", "")
                if payload["kind"] == "testStarted" and ".swift:" in test:
                    running.add(test)
                elif payload["kind"] == "testEnded":
                    running.discard(test)
                elif payload["kind"] == "runEnded":
                    return None
                elif payload["kind"] == "issueRecorded" and payload["issue"].get("isFailure", True):
                    return short(test), [test] if test in running else sorted(running)
        return f"ends with {process.wait()}", sorted(running)
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(read)
        process.wait()


def short(test):
    """Returns the suite and the function of a test's identifier."""
    return re.sub(r"\(.*", "", test.partition(".")[2])


def notice(tests, skipped, mutant):
    """Returns the test that notices the change, or another reason to call it noticed; None if all tests pass."""
    skipped = list(skipped)
    while found := run(tests, skipped, mutant):
        reason, suspects = found
        alone = "^(" + "|".join(re.escape(test) for test in suspects) + ")$"
        if reason in TRAPS or suspects and run(alone, [], mutant) and not run(alone, [], 0):
            return reason
        print(f"{mutant:4} not counted: {reason}, {len(suspects)} tests", flush=True)
        if not suspects:
            return None
        skipped.append(alone)
    return None


def suites_near(path, targets, root=TREE):
    """Returns suites whose folder has the same name as the source's, and suites whose files are named after the source
    or mention one of its types."""
    module, *folders, file = Path(path).parts[1:]
    stem = Path(file).stem.split("+")[0]
    names = set(re.findall(r"\b(?:struct|class|enum|extension|protocol|actor) ([A-Z]\w+)", (root / path).read_text()))
    word = re.compile(rf"\b({'|'.join(names | {stem})})\b")
    found = set()
    for target in targets:
        for test in (root / "Tests" / target).rglob("*.swift"):
            text = test.read_text()
            within = test.relative_to(root / "Tests" / target).parts[:-1]
            same = folders[0] in within if folders else not within and target == f"{module}Tests"
            if same or test.stem.startswith(stem) or word.search(text):
                found.update(re.findall(r"\b(?:struct|class|enum) (\w+Tests)\b", text))
    return sorted(found)


def main():
    seed, count = int(os.environ.get("SEED") or 1), int(os.environ.get("COUNT") or 120)
    chosen = build(pool(seed, count))
    share, rest = divmod(count, len(AREAS))
    if rest:
        share += 1
    place = (seed - 1) % SEEDS_OF_A_BUILD
    named = {int(number) for number in sys.argv[1:]}
    work = [(area, number, site) for area, pairs in chosen.items()
            for index, (number, site) in enumerate(pairs)
            if (number in named if named else place * share <= index < (place + 1) * share)]
    reasons = {}

    def attempt(item, is_near):
        area, number, site = item
        targets = f"^({'|'.join(AREAS[area][1])})\\."
        suites = suites_near(site.path, AREAS[area][1])
        near = f"{targets}({'|'.join(suites)})/"
        if is_near:
            reason = suites and notice(near, [], number)
        else:
            reason = notice(targets, [near] if suites else [], number)
        if reason:
            reasons[number] = reason
        survives = "SURVIVES" if not is_near or os.environ.get("NEAR") else "survives tests near it"
        print(f"{number:4} {area}: {site.path}:{site.line + 1}: {site.change}: {reason or survives}", flush=True)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(lambda item: attempt(item, True), work))
        if not os.environ.get("NEAR"):
            list(threads.map(lambda item: attempt(item, False), [item for item in work if item[1] not in reasons]))
    print("\n| module | mutations | noticed | survivors |\n|---|--:|--:|---|")
    for area in AREAS:
        of = [item for item in work if item[0] == area]
        left = "; ".join(f"{number} `{Path(site.path).name}:{site.line + 1}` {site.change}"
                         for _, number, site in of if number not in reasons)
        if of:
            print(f"| {area} | {len(of)} | {sum(number in reasons for _, number, _ in of)} | {left} |")
    print(f"| all | {len(work)} | {len(reasons)} | {100 * len(reasons) / max(len(work), 1):.1f} % |")


if __name__ == "__main__":
    main()
