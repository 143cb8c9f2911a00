internal import HeadgatePrimitives

/// Writes an imported configuration, with comments about settings that were not imported.
struct ImportedText {
    private let configuration: ImportedConfiguration
    /// Variables that replace plain secrets, by upstream and the secret's name.
    private var variables: [String: String] = [:]
    private(set) var notes: IssueList
    private let positions: [String: SourcePosition]

    /// - Parameter positions: Positions of plain secrets, by secret.
    init(_ configuration: ImportedConfiguration, notes: IssueList, positions: [String: SourcePosition]) {
        (self.configuration, self.notes, self.positions) = (configuration, notes, positions)
        var used: Set<String> = []
        for (_, upstream) in configuration.upstreams {
            let values = [upstream.key].compactMap(\.self) + upstream.headers.map(\.value)
            for case .variable(let name) in values { used.insert(name) }
        }
        for (name, upstream) in configuration.upstreams {
            if upstream.key?.literal != nil { replace("API_KEY", of: name, &used) }
            for header in upstream.headers where ImportedText.isSecret(header) {
                replace(header.name, of: name, &used)
            }
        }
    }

    private mutating func replace(_ secret: String, of upstream: String, _ used: inout Set<String>) {
        let words = "\(upstream)_\(secret)".utf8.map { byte in
            ASCII.isLetter(byte) ? byte & 0xDF : ASCII.isDigit(byte) ? byte : UInt8(ascii: "_")
        }
        var name = String(decoding: words, as: UTF8.self)
        if ASCII.isDigit(name.utf8.first ?? 0) { name = "_" + name }
        let (stem, value) = (name, value(of: secret, upstream))
        var number = 2
        while used.contains(name) {
            name = "\(stem)_\(number)"
            number += 1
        }
        used.insert(name)
        variables["\(upstream) \(secret)"] = name
        notes.add(
            "a secret stands in the clear, and was not copied: set \(name) to what upstream \(quoted(upstream)) had as "
                + (secret == "API_KEY" ? "api_key" : "the header \(quoted(secret))"),
            at: value.flatMap { positions[$0] } ?? SourcePosition(line: 1, column: 1))
    }

    private func value(of secret: String, _ name: String) -> String? {
        let upstream = configuration.upstreams.first { $0.name.isExactly(name) }?.upstream
        if secret == "API_KEY" { return upstream?.key?.literal }
        return upstream?.headers.first { $0.name == secret }?.value.literal
    }

    /// Words in the names of headers that contain secrets.
    private static let secretWords = [
        "auth", "key", "token", "secret", "cookie", "pass", "credential", "session", "signature",
    ]

    /// Returns whether a plain value is probably a secret.
    private static func isSecret(_ header: ImportedUpstream.Header) -> Bool {
        guard let value = header.value.literal else { return false }
        let name = header.name.lowercasedASCII
        return looksLikeSecret(value) || secretWords.contains(where: name.contains)
    }

    // MARK: Text

    /// - Parameter source: Name of the imported file.
    func text(from source: String) -> String {
        var lines = [
            "# Headgate's configuration, from \(escaped(source)) by 'headgate import litellm'.",
            "# 'headgate check' finds mistakes; headgate.example.yaml has every key with its meaning.",
        ]
        let notes = notes.sorted
        if !notes.isEmpty {
            lines += ["#", "# Not carried over, by the line there:"]
            lines += notes.map { "#   \($0.position?.line ?? 0): \($0.message)" }
        }
        lines += ["", "# LiteLLM serves on port 4000 of every address by itself; this is this machine alone."]
        lines.append("listen: 127.0.0.1:8686")
        if !configuration.upstreams.isEmpty { lines += ["", "upstreams:"] }
        for (name, upstream) in configuration.upstreams { lines += self.lines(of: upstream, name) }
        if !configuration.models.isEmpty { lines += ["", "models:"] }
        for model in configuration.models { lines += ImportedText.lines(of: model) }
        if let digest = configuration.clientKey {
            lines += ["", "# Of clients; 'headgate key new' makes more.", "keys:"]
            lines += ["  - name: master                        # LiteLLM's master_key", "    sha256: \"\(digest)\""]
        } else {
            lines += [
                "", "# keys: of clients; without any, the gateway makes one for you. 'headgate key new' makes more.",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of upstream: ImportedUpstream, _ name: String) -> [String] {
        var lines = ["  \(name):", "    kind: \(upstream.kind.rawValue)", "    base_url: \(upstream.url.yaml)"]
        if let version = upstream.apiVersion { lines.append("    api_version: \(ImportedText.version(version))") }
        if let key = upstream.key {
            let value = variables["\(name) API_KEY"].map { YAMLText.variable($0) } ?? key.yaml
            lines.append("    api_key: \(value)")
        }
        if !upstream.headers.isEmpty { lines.append("    headers:") }
        for header in upstream.headers {
            let value = variables["\(name) \(header.name)"].map { YAMLText.variable($0) } ?? header.value.yaml
            lines.append("      \(YAMLText.scalar(header.name)): \(value)")
        }
        if let speaks = upstream.speaks {
            lines.append("    speaks: [\(speaks.map(\.rawValue).joined(separator: ", "))]")
        }
        if upstream.isPlain { lines.append("    plain_http: true      # keys and prompts travel in the clear") }
        if upstream.isPrivate { lines.append("    allow_private: true") }
        if let (failures, cooldown) = configuration.breaker {
            lines.append("    breaker: {failures: \(failures), cooldown: \(ImportedText.duration(cooldown))}")
        }
        return lines
    }

    /// Returns an API version in quotes, because it is a date and must stay text.
    private static func version(_ value: ImportedValue) -> String {
        value.literal.map { "\"\($0.replacing("\"", with: ""))\"" } ?? value.yaml
    }

    private static func lines(of model: ImportedModel) -> [String] {
        var lines = ["  \(YAMLText.scalar(model.name)):"]
        if model.targets.count == 1, let target = model.targets.first {
            lines.append("    upstream: \(target.upstream)")
            if let name = target.model { lines.append("    model: \(YAMLText.literal(name))") }
        } else {
            lines.append("    targets:")
            // Equal weights are the default.
            let isWeighted = model.choice == .weighted && Set(model.targets.map(\.weight)).count > 1
            for target in model.targets {
                var members = ["upstream: \(target.upstream)"]
                if let name = target.model { members.append("model: \(YAMLText.literal(name))") }
                if isWeighted { members.append("weight: \(min(1000, target.weight))") }
                lines.append("      - {\(members.joined(separator: ", "))}")
            }
            if model.choice != .first { lines.append("    choose: \(model.choice.rawValue)") }
        }
        if let attempts = model.attempts { lines.append("    retry: {attempts: \(attempts)}") }
        let (firstByte, firstContent) = (model.firstByte.map(duration), model.firstContent.map(duration))
        lines += map("timeouts", [("first_byte", firstByte), ("first_content", firstContent)])
        let (requests, tokens) = (model.requestsPerMinute.map { "\($0)/m" }, model.tokensPerMinute.map { "\($0)/m" })
        lines += map(
            "limits", [("requests", requests), ("tokens", tokens), ("in_flight", model.inFlight.map(String.init))])
        if !model.defaults.isEmpty { lines += ["    parameters:", "      defaults:"] }
        for (name, value) in model.defaults.sorted(by: { $0.key < $1.key }) {
            lines.append("        \(name): \(value)")
        }
        return lines
    }

    private static func map(_ key: String, _ members: [(String, String?)]) -> [String] {
        let written = members.compactMap { name, value in value.map { "\(name): \($0)" } }
        return written.isEmpty ? [] : ["    \(key): {\(written.joined(separator: ", "))}"]
    }

    /// Returns a duration from one millisecond to one day.
    private static func duration(_ seconds: Double) -> String {
        let milliseconds = Int((min(86_400, max(0.001, seconds)) * 1000).rounded())
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
