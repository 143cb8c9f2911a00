/// Rules about the order of the chains. One place defines it, and no other place puts middleware around requests.
enum ChainRules {
    /// Files that compose chains from the parts of capabilities.
    static let composers: Set<String> = [
        "Sources/HeadgateGateway/Seam/Capabilities.swift", "Sources/HeadgateGateway/Seam/Capability.swift",
    ]

    /// Middleware that is created outside its own folder.
    static func madeElsewhere(_ files: [SourceFile]) -> [Violation] {
        var folders: [Substring: Substring] = [:]
        for file in files {
            for line in file.code {
                guard let match = line.text.firstMatch(of: middleware) else { continue }
                folders[match.output.1] = folder(of: file)
            }
        }
        return files.filter { !composers.contains($0.path) }.flatMap { file in
            file.code.flatMap { line in
                line.text.matches(of: making).map(\.output.1)
                    .filter { name in folders[name].map { $0 != folder(of: file) } ?? false }
                    .map { name in
                        Violation(
                            file, line: line.number,
                            "makes \(name), which is for its capability: CapabilityOrder has the one order")
                    }
            }
        }
    }

    private static func folder(of file: SourceFile) -> Substring {
        file.path[..<(file.path.lastIndex(of: "/") ?? file.path.startIndex)]
    }

    private nonisolated(unsafe) static let middleware =
        #/(?:struct|class) (\w+): (?:RelayMiddleware|UpstreamMiddleware|ServerGate)\b/#
    private nonisolated(unsafe) static let making = #/\b([A-Z]\w*)(?:\.init)?(?:\(|\))/#
}
