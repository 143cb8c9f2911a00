internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Which targets serve which public model name: exact names first, then the longest matching pattern. Names are
/// compared byte by byte, as upstreams do.
package struct ModelTable: Sendable {
    private var exact: [ExactText: ModelRoute] = [:]
    /// Prefixes, longest first.
    private var patterns: [(prefix: String, route: ModelRoute)] = []
    /// By names and patterns, in the order of the configuration.
    package private(set) var routes: [(name: String, route: ModelRoute)] = []
    /// The names that can be listed, in the order of the configuration.
    package private(set) var names: [String] = []
    /// The upstreams of all targets, each with each of its keys, once.
    package private(set) var upstreams: [Upstream] = []

    /// - Parameter name: a model name, or a prefix followed by `*`.
    mutating func add(_ name: String, _ route: ModelRoute) {
        for upstream in route.targets.flatMap(\.upstreams) where !upstreams.contains(where: { $0 === upstream }) {
            upstreams.append(upstream)
        }
        routes.append((name, route))
        if let prefix = name.patternPrefix {
            patterns.append((prefix, route))
            patterns.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
        } else {
            exact[ExactText(name)] = route
            names.append(name)
        }
    }

    package func route(of model: String) -> ModelRoute? {
        exact[ExactText(model)] ?? patternRoute(of: model)
    }

    /// The configured name that matches: the same, or a pattern; nil for none.
    package func match(of model: String) -> String? {
        if exact[ExactText(model)] != nil { return model }
        return patterns.first { model.utf8.starts(with: $0.prefix.utf8) }.map { $0.prefix + "*" }
    }

    private func patternRoute(of model: String) -> ModelRoute? {
        // Many have the one that matches everything alone.
        for index in patterns.indices
        where patterns[index].prefix.isEmpty || model.utf8.starts(with: patterns[index].prefix.utf8) {
            return patterns[index].route
        }
        return nil
    }

    /// Whether a pattern passes names on to the upstream.
    func hasPattern(to upstream: String) -> Bool { patterns.contains { $0.route.passesNames(to: upstream) } }

    /// Whether a pattern, and no exact name, routes this name to that upstream.
    func isServed(_ model: String, byPatternTo upstream: String) -> Bool {
        guard let route = patternRoute(of: model), route.passesNames(to: upstream) else { return false }
        return exact[ExactText(model)] == nil
    }

    /// Whether the caller may use anything of an upstream.
    func serves(_ upstream: String, _ caller: ClientKey) -> Bool {
        func leads(_ route: ModelRoute) -> Bool { route.targets.contains { $0.upstream.name == upstream } }
        return exact.contains { leads($1) && caller.allows(model: $0.text) }
            || patterns.contains { leads($0.route) && caller.allowsSome(withPrefix: $0.prefix) }
    }
}
