/// Types whose thread safety the compiler does not check, each with the reason why it is safe. There must be no others.
enum UncheckedSendable {
    static let allowed = [
        "EventLoop": "everything but its locked inbox is touched on its own thread alone, which every entry checks",
        "LoopBound": "carries a value of a loop through other threads; every access checks for the loop",
        "Locked": "the value is reached only inside its mutex, which ThreadSanitizer understands",
    ]

    static func outsideTheList(_ files: [SourceFile]) -> [Violation] {
        declarations(in: files).filter { allowed[$0.type] == nil }.map { file, line, type in
            let advice = "confine the value to a loop (LoopBound), lock it (Locked), or make it a real Sendable"
            return Violation(file, line: line, "\(type) is @unchecked Sendable but not in the list: \(advice)")
        }
    }

    /// Names in the list that no file needs must be removed.
    static func stale(_ files: [SourceFile]) -> [Violation] {
        let found = Set(declarations(in: files).map(\.type))
        return allowed.keys.filter { !found.contains($0) }.sorted().map { type in
            Violation(path: "UncheckedSendable.swift", "no \(type) is @unchecked Sendable: take it off the list")
        }
    }

    /// Returns each use with the nearest type declared before it, to which it belongs.
    private static func declarations(in files: [SourceFile]) -> [(file: SourceFile, line: Int, type: String)] {
        files.flatMap { file in
            var type = "?"
            var found: [(file: SourceFile, line: Int, type: String)] = []
            for (number, text) in file.code {
                for match in text.matches(of: declarationOrUse) {
                    if let name = match.1 {
                        type = String(name)
                    } else {
                        found.append((file, number, type))
                    }
                }
            }
            return found
        }
    }

    private nonisolated(unsafe) static let declarationOrUse =
        #/\b(?:class|struct|enum|actor|extension)\s+([\w.]+)|@unchecked\s+Sendable/#
}
