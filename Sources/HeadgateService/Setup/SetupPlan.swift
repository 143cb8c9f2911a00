package import HeadgateConfiguration

/// Configuration that `headgate init` writes, with comments and without secrets.
package struct SetupPlan {
    package struct Upstream {
        package enum KeySource: Equatable {
            /// The provider's own variable.
            case variable
            /// A file that contains only the key.
            case file(String)
            /// None: the provider accepts requests without a key.
            case none
        }

        package let provider: KnownProvider
        package var key: KeySource
        /// Pasted key that is still to be written to its file.
        package var pastedKey: String?
        /// URL, if it is not the provider's usual one.
        package var url: String?

        package init(_ provider: KnownProvider, key: KeySource = .variable, url: String? = nil) {
            (self.provider, self.key, self.url) = (provider, key, url)
        }
    }

    /// Upstreams; at least one.
    package var upstreams: [Upstream]
    /// Digest of the client key in hexadecimal digits; nil without a key.
    package var keyDigest: String?

    package init(_ upstreams: [Upstream], keyDigest: String? = nil) {
        (self.upstreams, self.keyDigest) = (upstreams, keyDigest)
    }

    /// Variables that the gateway will need.
    package var variables: [String] {
        upstreams.flatMap { upstream in
            let address = upstream.url == nil && upstream.provider.url == nil ? upstream.provider.urlVariable : nil
            return [address, upstream.key == .variable ? upstream.provider.keyVariable : nil].compactMap(\.self)
        }
    }

    /// Whether the gateway holds a provider's key, and so requires keys of its clients.
    package var hasSecret: Bool { upstreams.contains { $0.key != .none && $0.provider.keyVariable != nil } }

    package var text: String {
        var lines = [
            "# Headgate's configuration, begun by 'headgate init'.",
            "# 'headgate check' says what is in force and finds mistakes; headgate.example.yaml has every key with its",
            "# meaning, and 'headgate schema' prints a schema for editors.",
            "# Keep secrets out of this file: ${NAME} reads an environment variable, {file: PATH} a file.",
            "",
            "# Where the gateway serves: this machine alone.",
            "listen: 127.0.0.1:8686",
            "",
            "# Where requests go.",
            "upstreams:",
        ]
        for upstream in upstreams { lines += SetupPlan.lines(of: upstream) }
        lines += ["", "# What is served: names that clients write, or patterns for them, and where they lead."]
        lines += ["# An exact name beats a pattern, and the longest pattern wins.", "models:"] + models
        lines += ["", "# Who may come in, known by the SHA-256 of their keys; 'headgate key add' makes more."]
        if let keyDigest {
            lines += ["keys:", "  - name: own", "    sha256: \(keyDigest)"]
            lines.append("    admin: true                             # also opens /status and /metrics")
        } else if !hasSecret {
            lines.append("# keys:      none: no upstream holds a secret, and only this machine reaches the gateway")
        } else {
            lines.append(
                "# keys:      none: the gateway makes one at its first start, which 'headgate key show' prints")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of upstream: Upstream) -> [String] {
        let provider = upstream.provider
        var lines = ["  \(provider.name):", "    kind: \(provider.kind.rawValue)"]
        if let url = upstream.url ?? provider.url {
            lines.append("    base_url: \(YAMLText.literal(url))")
        } else if let variable = provider.urlVariable {
            let message = "set it to the address of your resource"
            lines.append("    base_url: \(YAMLText.variable(variable, otherwise: message))")
        }
        switch (upstream.key, provider.keyVariable) {
        case (.file(let path), _?): lines.append("    api_key: {file: \(YAMLText.literal(path))}")
        case (.variable, let variable?):
            let message = "set it to your key of \(provider.title)"
            lines.append("    api_key: \(YAMLText.variable(variable, otherwise: message))")
        case (.none, _), (_, nil): break
        }
        if let url = upstream.url, url.hasPrefix("http://"), (try? UpstreamURL(parsing: url)) == nil {
            lines.append("    plain_http: true                        # keys and prompts travel in the clear to it")
            lines.append("    allow_private: true")
        }
        if let speaks = provider.speaks {
            lines.append("    speaks: [\(speaks.map(\.rawValue).joined(separator: ", "))]")
        }
        return lines
    }

    /// Lines of the models. A single upstream serves every name, unless it is the model on this device. If there are
    /// several, each serves its own maker's models. The rest go to the first one that has models of many makers, or
    /// else to the first one.
    private var models: [String] {
        func line(_ name: String, _ upstream: Upstream) -> String {
            "  \(YAMLText.scalar(name)): {upstream: \(upstream.provider.name)}"
        }
        let remote = upstreams.filter { $0.provider.kind != .onDevice }
        let rest = remote.first { $0.provider.patterns.isEmpty } ?? remote.first
        var lines: [String] = []
        if remote.count > 1 {
            for upstream in remote where upstream.provider.name != rest?.provider.name {
                lines += upstream.provider.patterns.map { line($0, upstream) }
                if upstream.provider.patterns.isEmpty {
                    lines.append("  # Models of \(upstream.provider.title) need a line each, such as:")
                    lines.append("  # some-model: {upstream: \(upstream.provider.name)}")
                }
            }
        }
        for upstream in upstreams where upstream.provider.kind == .onDevice {
            lines += upstream.provider.patterns.map { line($0, upstream) }
        }
        if let rest { lines.append(line("*", rest)) }
        return lines
    }
}
