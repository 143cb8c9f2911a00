#!/usr/bin/env python3
"""Changes the sources in COUNT places, one by one, and lists the changes that no covering test notices.

    Tests/Mutation/mutate.py [NUMBER ...]

All changes are compiled together, in a copy below .build-mutation that is built once; HEADGATE_MUTANT=17 switches
number 17 on. SEED=1 to 4 share a build and have no change in common; the next four seeds choose others. With numbers,
only these changes are tried. With NEAR=1, only suites near the changed file run, if there are any.
"""

import itertools
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import rewriting

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build-mutation"
TREE = WORK / "tree"
SEEDS_OF_A_BUILD = 4
AT_ONCE = 2
# Exit code of the test library if its filter finds no test.
NO_TESTS = 69
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


def run(targets, suites, mutant, limit):
    """Returns the name of the first failing test, another reason for the end of the run, or None if all tests pass."""
    names = f"({'|'.join(targets)})\\."
    environment = {**os.environ, "HEADGATE_MUTANT": str(mutant), "SWIFT_BACKTRACE": "enable=no"}
    process = subprocess.Popen(
        [TREE / ".build/debug/headgatePackageTests.xctest", "--testing-library", "swift-testing", *WIDTH, "--filter",
         f"^{names}" + (f"({'|'.join(suites)})/" if suites else ""), "--skip", SKIPPED_TEST],
        cwd=TREE, env=environment, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30)))
    timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    started, reason = time.monotonic(), None
    try:
        for line in process.stdout:
            issue = re.search(r'Test (?:case .* to )?"?([^"(]+).* recorded an issue', line)
            if issue:
                reason = issue[1]
                break
        else:
            code = process.wait()
            if code not in (0, NO_TESTS):
                reason = f"ends after {limit:.0f} s" if time.monotonic() - started >= limit else f"ends with {code}"
    finally:
        timer.cancel()
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.stdout.close()
        process.wait()
    return reason


def suites_near(path, targets):
    """Returns suites whose folder has the same name as the source's, and suites whose files are named after the source
    or mention one of its types."""
    stem, folder = Path(path).stem.split("+")[0], Path(path).parts[2]
    names = set(re.findall(r"\b(?:struct|class|enum|extension|protocol|actor) ([A-Z]\w+)", (ROOT / path).read_text()))
    word = re.compile(rf"\b({'|'.join(names | {stem})})\b")
    found = set()
    for target in targets:
        for test in (ROOT / "Tests" / target).rglob("*.swift"):
            text = test.read_text()
            if folder in test.parts or test.stem.startswith(stem) or word.search(text):
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
    # Suites that run first, or the only suites with NEAR=1.
    near = {site.path: suites_near(site.path, AREAS[area][1]) for area, _, site in work}
    nearest = bool(os.environ.get("NEAR"))

    def unchanged(targets):
        started = time.monotonic()
        covered = [site.path for area, _, site in work if tuple(AREAS[area][1]) == targets]
        those = sorted({suite for path in covered for suite in near[path]})
        if failed := run(targets, those if nearest else [], 0, 3600):
            sys.exit(f"mutate: without a change, {failed} of {', '.join(targets)}")
        print(f"{', '.join(targets)}: {time.monotonic() - started:.0f} s without a change", flush=True)
        return targets, time.monotonic() - started

    def attempt(item):
        area, number, site = item
        targets = tuple(AREAS[area][1])
        limit = 60 + 4 * times[targets]
        suites = near[site.path]
        reason = suites and run(targets, suites, number, limit)
        if not reason and not (nearest and suites):
            reason = run(targets, [], number, limit)
        print(f"{number:4} {area}: {site.path}:{site.line + 1}: {site.change}: {reason or 'SURVIVES'}", flush=True)
        return area, number, site, reason

    with ThreadPoolExecutor(AT_ONCE) as threads:
        times = dict(threads.map(unchanged, sorted({tuple(AREAS[area][1]) for area, _, _ in work})))
        results = list(threads.map(attempt, work))
    print("\n| module | mutations | noticed | survivors |\n|---|--:|--:|---|")
    for area in AREAS:
        of = [result for result in results if result[0] == area]
        left = "; ".join(f"{number} `{Path(site.path).name}:{site.line + 1}` {site.change}"
                         for _, number, site, reason in of if not reason)
        if of:
            print(f"| {area} | {len(of)} | {sum(bool(result[3]) for result in of)} | {left} |")
    noticed = sum(bool(result[3]) for result in results)
    print(f"| all | {len(results)} | {noticed} | {100 * noticed / max(len(results), 1):.1f} % |")


if __name__ == "__main__":
    main()
