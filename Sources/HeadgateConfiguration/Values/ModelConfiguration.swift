/// Which upstream serves a public model name, or all the names that a pattern matches.
package struct ModelConfiguration: Sendable, Hashable {
    /// An exact name, or a pattern: a prefix followed by `*`, or `*` alone. Unique.
    package var name: String
    /// The name of the upstream.
    package var upstream: String
    /// What the upstream calls the model; nil passes the public name on.
    package var model: String?
    /// The upstream's, with what the model changes of them.
    package var timeouts: UpstreamTimeouts
    /// The upstream's, with what the model changes of them.
    package var parameters: ParameterRules

    package init(
        name: String, upstream: String, model: String? = nil, timeouts: UpstreamTimeouts = .init(),
        parameters: ParameterRules = .init()
    ) {
        self.name = name
        self.upstream = upstream
        self.model = model
        self.timeouts = timeouts
        self.parameters = parameters
    }

    /// Whether ``name`` is a pattern.
    package var isPattern: Bool { name.utf8.last == UInt8(ascii: "*") }
}
