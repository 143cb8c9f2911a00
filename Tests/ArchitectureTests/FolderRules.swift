/// Rules about references inside a module: a file names types of the same folder and of lower folders.
enum FolderRules {
    /// Folders of each module, lowest first. The module's own files are in the folder "", which is above all others if
    /// it is not in the list.
    static let floors: [String: [String]] = [
        "HeadgateAPI": ["Runtime"],
        "HeadgateApps": ["Text", "Editing", "Catalogue"],
        "HeadgateClient": [
            "Faults", "JSON", "Failures", "Connecting", "Media", "Schemas", "Messages", "Streaming", "Tools",
            "Transport", "Middleware", "Typed", "Operations", "", "Session",
        ],
        "HeadgateCommand": [
            "Configuration", "Check", "ReachableGateway", "Control", "Doctor", "Explain", "Listing", "Keys", "Open",
            "Run", "Serve", "Setup", "Apps", "State", "Usage", "Chat", "UserService",
        ],
        "HeadgateConfiguration": [
            "Issues", "Scalars", "Writing", "YAML", "Values", "", "Providers", "Declarations", "Explanation",
            "Decoding", "Import", "Schema",
        ],
        "HeadgateDiagnosis": ["Findings", "Observations", "Reading", "Judgement"],
        "HeadgateDialects": [
            "JSON", "Errors", "Forms", "Model", "Messages", "Ollama", "Responses", "Chat", "", "Telemetry", "Tokens",
        ],
        "HeadgateGateway": [
            "Seam", "Replay", "Presets", "Faults", "Cost", "Limits", "Overload", "Cache", "Disconnect", "Ledger",
            "LocalResponses", "Recording", "Inspection",
            "Observation", "Keys", "Alerts", "Explain", "Ollama",
        ],
        "HeadgateHTTP": ["", "Body", "Codec", "Multipart", "Server", "Client", "Routing"],
        "HeadgateNetwork": ["Names", "Service", "Handover", "TLS"],
        "HeadgateOpenAPI": ["", "Body", "Values", "Multipart", "Streams", "Server", "Client"],
        "HeadgatePrimitives": ["Time", "Values", "Text"],
        "HeadgateRelay": [
            "Errors", "Outcome", "Dialects", "Caller", "Request", "Admission", "Upstream", "Targets", "Routing",
            "Relay",
        ],
        "HeadgateServerTransport": ["Bodies"],
        "HeadgateService": [
            "", "Log", "Metrics", "Tracing", "Alerts", "Watching", "Configuration", "Keys", "Recording", "Setup",
            "State",
            "Composing", "Process",
        ],
        "HeadgateStores": ["", "Redis", "Cache", "SQLite", "Keys", "Ledger", "PostgreSQL", "Copying", "Responses"],
        "HeadgateTerminal": ["", "Clipboard", "Code", "Input", "Markdown", "QRCode"],
        "HeadgateTesting": [
            "", "Files", "Observing", "Script", "Loading", "Playing", "Client", "TLS", "Transport", "Upstream",
            "Servers",
        ],
        "HeadgateUpstream": ["", "Supervision", "KeyCommand", "LocalServer", "OnDevice"],
        "OpenAPIGenerator": ["Swift", "Document", "Model", "Reading", "Writing"],
    ]

    /// Number of files in the largest permitted circle, in which each file depends on all others.
    static let largestCircle = 11

    /// One reference from a file to a top-level type of another file.
    struct Reference {
        let file: SourceFile
        let name: String
        let definition: SourceFile
    }

    /// Returns the references between files.
    ///
    /// - Parameter files: files of one module.
    static func references(in files: [SourceFile]) -> [Reference] {
        let names = files.map { file in Set(file.code.lazy.flatMap { words(of: $0.text) }) }
        var definitions: [Substring: SourceFile] = [:]
        for file in files {
            for line in file.code {
                guard let match = line.text.prefixMatch(of: definition) else { continue }
                definitions[match.output.1, default: file] = file
            }
        }
        return zip(files, names).flatMap { file, names in
            names.compactMap { name in
                definitions[name[...]].flatMap { $0.path == file.path ? nil : $0 }
                    .map { Reference(file: file, name: name, definition: $0) }
            }
        }
    }

    /// Returns the references from hand-written files to folders above their own.
    static func pointingUp(_ references: [Reference], floors: [String]) -> [Violation] {
        func floor(of file: SourceFile) -> Int {
            file.isGenerated ? -1 : floors.firstIndex(of: folder(of: file)) ?? floors.count
        }
        return references.filter { !$0.file.isGenerated && floor(of: $0.definition) > floor(of: $0.file) }
            .map { reference in
                Violation(
                    reference.file,
                    "names \(reference.name) of \(folder(of: reference.definition)), which is above "
                        + "\(folder(of: reference.file)): move it, or turn the dependency around")
            }
    }

    /// Returns the folders of a module without a floor.
    static func withoutFloor(_ files: [SourceFile], floors: [String]) -> [Violation] {
        files.filter { !$0.isGenerated && !folder(of: $0).isEmpty && !floors.contains(folder(of: $0)) }
            .map { Violation($0, "no floor for the folder \(folder(of: $0)): add it to FolderRules") }
    }

    /// Returns the largest set of files that all depend on one another.
    static func largestCircle(of references: [Reference]) -> [String] {
        var next: [String: Set<String>] = [:]
        for reference in references { next[reference.file.path, default: []].insert(reference.definition.path) }
        var back: [String: Set<String>] = [:]
        for (from, all) in next { for to in all { back[to, default: []].insert(from) } }
        var (done, largest): (Set<String>, [String]) = ([], [])
        for start in next.keys where !done.contains(start) {
            let circle = reachable(from: start, by: next).intersection(reachable(from: start, by: back))
            done.formUnion(circle)
            if circle.count > max(1, largest.count) { largest = circle.sorted() }
        }
        return largest
    }

    private static func reachable(from start: String, by edges: [String: Set<String>]) -> Set<String> {
        var (seen, open) = (Set([start]), [start])
        while let path = open.popLast() {
            for other in edges[path, default: []] where seen.insert(other).inserted { open.append(other) }
        }
        return seen
    }

    /// Returns the folder below the module's; empty for a file of the module itself.
    static func folder(of file: SourceFile) -> String {
        let parts = file.path.split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : ""
    }

    private static func words(of line: String) -> [String] {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { $0.first?.isUppercase == true }.map(
            String.init)
    }

    private nonisolated(unsafe) static let definition =
        #/(?:(?:package|public|internal|final|open|indirect) )*(?:class|struct|enum|protocol|actor|typealias) (\w+)/#
}
