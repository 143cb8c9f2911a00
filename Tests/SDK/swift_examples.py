"""Builds the examples of the Swift client, and all Swift code in its documents, as an app would: in a package outside
this repository that depends on the products only, in each language mode."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BUILD = REPOSITORY / ".build" / "examples"
BUILD_SECONDS = 900

# Documents whose Swift code must compile unchanged.
DOCUMENTS = ["docs/client.md", "docs/faults.md", "Sources/HeadgateClient/HeadgateClient.docc/FiveMinutes.md"]
EXAMPLES = {"Chat": "Examples/chat/Sources/chat", "ChatApp": "Examples/chat-app/Sources/ChatApp"}
MODES = {
    "Swift5": ".swiftLanguageMode(.v5)",
    "Swift6": ".swiftLanguageMode(.v6)",
    "MainActor": ".swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)",
}

# Declarations that the reader's app already has.
PRELUDE = """\
import Foundation
import HeadgateClientURLSession

let gatewayKey = "hg-key"
let installation = "app-1"
let isOffline = false
let keychain = Keychain()
let client = try! HeadgateClient(apiKey: gatewayKey)
let session = ChatSession(client: client, model: "fast")
let request = ChatRequest(model: "fast", prompt: "Hello.")

struct Keychain: Sendable {
    func key(for name: String) async throws -> String? { name.isEmpty ? nil : "hg-key" }
}

func show(_ text: String) { print(text) }
func play(_ sound: [UInt8]) { print(sound.count) }
"""

FENCE = re.compile(r"^( *)```swift\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
MANIFEST_URL = re.compile(r"\.package\(url: [^)]*\)")
# Modules that only Apple's systems have; code that imports them is compiled only there.
APPLES = {"SwiftUI", "FoundationModels"}


def pieces(document: str) -> list[str]:
    """Returns the Swift code blocks of a document, without the indentation of a list."""
    text = (REPOSITORY / document).read_text()
    found = []
    for indentation, code in FENCE.findall(text):
        lines = code.splitlines()
        assert all(line.startswith(indentation) or not line.strip() for line in lines), document
        found.append("\n".join(line[len(indentation):] for line in lines) + "\n")
    assert len(found) == text.count("```swift"), f"a piece of {document} is not closed"
    return found


def is_manifest(piece: str) -> bool:
    return piece.startswith("// swift-tools-version")


def source(piece: str, number: int) -> str:
    """Returns a file with a piece of code, whose statements become the body of a function."""
    lines = piece.splitlines()
    imports = [line for line in lines if line.startswith("import ")]
    rest = [line for line in lines if not line.startswith("import ")]
    modules = {line.split()[1] for line in imports}
    imports += [f"import {name}" for name in ("Foundation", "HeadgateClientURLSession") if name not in modules]
    # Property wrappers and extensions must be at the top level of a file.
    if not any(line.startswith("extension ") for line in lines) and "SwiftUI" not in modules:
        body = "\n".join("    " + line if line else line for line in rest)
        rest = [f"func piece{number}() async throws {{", body, "}"]
    conditions = " && ".join(f"canImport({name})" for name in sorted(modules & APPLES))
    foundation = "#if canImport(FoundationNetworking)\n    import FoundationNetworking\n#endif"
    text = "\n".join([*imports, foundation, "", *rest, ""])
    return f"#if {conditions}\n{text}#endif\n" if conditions else text


def write_package(folder: pathlib.Path) -> None:
    """Writes an app's package with each example and all pieces, once for each mode."""
    sources = {}
    for name, path in EXAMPLES.items():
        for file in (REPOSITORY / path).iterdir():
            sources[f"{name}/{file.name}"] = file.read_text()
    sources["Pieces/Prelude.swift"] = PRELUDE
    code = [piece for document in DOCUMENTS for piece in pieces(document) if not is_manifest(piece)]
    for number, piece in enumerate(code, start=1):
        sources[f"Pieces/Piece{number}.swift"] = source(piece, number)
    targets = []
    for mode, settings in MODES.items():
        for name in [*EXAMPLES, "Pieces"]:
            for path, text in sources.items():
                if path.startswith(f"{name}/"):
                    file = folder / "Sources" / f"{name}{mode}" / path.split("/")[1]
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(text)
            kind = "target" if name == "Pieces" else "executableTarget"
            targets.append(
                f'        .{kind}(name: "{name}{mode}", dependencies: [client, session], swiftSettings: [{settings}]),')
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
        'let client = Target.Dependency.product(name: "HeadgateClient", package: "headgate")\n'
        'let session = Target.Dependency.product(name: "HeadgateClientURLSession", package: "headgate")\n'
        'let package = Package(\n    name: "examples", platforms: [.macOS(.v14), .iOS(.v17)],\n'
        f'    dependencies: [.package(name: "headgate", path: "{REPOSITORY}")],\n'
        "    targets: [\n" + "\n".join(targets) + "\n    ]\n)\n")


def run(command: list, folder: pathlib.Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=BUILD_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


def check_manifests(folder: pathlib.Path) -> None:
    """Checks that manifests in the documents are valid, with a path instead of the package's URL."""
    for document in DOCUMENTS:
        for number, piece in enumerate(filter(is_manifest, pieces(document))):
            place = folder / f"manifest-{number}"
            place.mkdir()
            dependency = f'.package(name: "headgate", path: "{REPOSITORY}")'
            (place / "Package.swift").write_text(MANIFEST_URL.sub(dependency, piece))
            run(["swift", "package", "dump-package"], place)


def build() -> dict[str, pathlib.Path]:
    """Builds all examples and documents; returns the chat program of each language mode."""
    with tempfile.TemporaryDirectory(prefix="headgate-examples-") as name:
        folder = pathlib.Path(name)
        (folder / "app").mkdir()
        write_package(folder / "app")
        run(["swift", "build", "--scratch-path", str(BUILD)], folder / "app")
        check_manifests(folder)
    return {mode: BUILD / "debug" / f"Chat{mode}" for mode in MODES}


if __name__ == "__main__":
    os.environ.pop("HEADGATE_DEVELOPMENT", None)
    for built in build().values():
        print(built)
    sys.exit(0)
