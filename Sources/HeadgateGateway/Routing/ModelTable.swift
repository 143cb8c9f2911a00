internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Which upstream serves which public model name: exact names first, then the longest matching pattern. Names are
/// compared byte by byte, as upstreams do.
struct ModelTable: Sendable {
    final class Target: Sendable {
        let upstream: Upstream
        /// The upstream's name for the model; nil to send the public name.
        let model: String?
        /// The parameter rules of the upstream or the model.
        let parameters: ParameterRewriting?

        init(upstream: Upstream, model: String?, parameters: ParameterRewriting?) {
            self.upstream = upstream
            self.model = model
            self.parameters = parameters
        }

        /// Whether parameters need neither a change nor a check.
        var takesRequestsAsTheyAre: Bool { parameters == nil && !upstream.isOnDevice }

        /// The model's name in responses; nil to leave the upstream's.
        func publicModel(_ requested: String) -> String? { model == nil ? nil : requested }
    }

    private var exact: [ExactText: Target] = [:]
    /// Prefixes, longest first.
    private var patterns: [(prefix: String, target: Target)] = []
    /// The names that can be listed, in the order of the configuration.
    private(set) var names: [String] = []

    /// - Parameter name: a model name, or a prefix followed by `*`.
    mutating func add(_ name: String, _ target: Target) {
        if !upstreams.contains(where: { $0 === target.upstream }) { upstreams.append(target.upstream) }
        if let prefix = name.patternPrefix {
            patterns.append((prefix, target))
            patterns.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
        } else {
            exact[ExactText(name)] = target
            names.append(name)
        }
    }

    /// The upstreams that serve some model, each once.
    private(set) var upstreams: [Upstream] = []

    func target(of model: String) -> Target? {
        exact[ExactText(model)] ?? patternTarget(of: model)
    }

    private func patternTarget(of model: String) -> Target? {
        patterns.first { model.utf8.starts(with: $0.prefix.utf8) }?.target
    }

    /// Whether a pattern routes to the upstream.
    func hasPattern(to upstream: String) -> Bool { patterns.contains { $0.target.upstream.name == upstream } }

    /// Whether a pattern, and no exact name, routes this name to that upstream.
    func isServed(_ model: String, byPatternTo upstream: String) -> Bool {
        guard let target = patternTarget(of: model), target.model == nil else { return false }
        return target.upstream.name.isExactly(upstream) && exact[ExactText(model)] == nil
    }

    /// Whether the caller may use anything of an upstream.
    func serves(_ upstream: String, _ caller: any Caller) -> Bool {
        exact.contains { $1.upstream.name == upstream && caller.allows(model: $0.text) }
            || patterns.contains { $0.target.upstream.name == upstream && caller.allowsSome(withPrefix: $0.prefix) }
    }
}
