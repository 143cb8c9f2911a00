internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The routes by public model name. An exact name has priority, then the longest matching pattern. Names are compared
/// byte by byte, as upstreams do.
package struct ModelTable: Sendable {
    private var exact: [ExactText: ModelRoute] = [:]
    /// Routes by prefix, longest prefix first.
    private var patterns: [(prefix: String, name: String, route: ModelRoute)] = []
    /// Routes by name or pattern, in the order of the configuration.
    package private(set) var routes: [(name: String, route: ModelRoute)] = []
    /// Exact names, which can be listed, in the order of the configuration.
    package private(set) var names: [String] = []
    /// The upstreams of all targets, once for each key, without duplicates.
    private(set) var upstreams: [Upstream] = []

    /// Adds a route.
    ///
    /// - Parameter name: a model name, or a prefix followed by `*`.
    mutating func add(_ name: String, _ route: ModelRoute) {
        for upstream in route.targets.flatMap(\.upstreams) where !upstreams.contains(where: { $0 === upstream }) {
            upstreams.append(upstream)
        }
        routes.append((name, route))
        if let prefix = name.patternPrefix {
            patterns.append((prefix, name, route))
            patterns.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
        } else {
            exact[ExactText(name)] = route
            names.append(name)
        }
    }

    package func route(of model: String) -> ModelRoute? {
        exact[ExactText(model)] ?? patternRoute(of: model)
    }

    /// Returns the configured name that matches a model: the model name itself, or a pattern; nil if none matches.
    package func match(of model: String) -> String? {
        if exact[ExactText(model)] != nil { return model }
        return patterns.first { model.utf8.starts(with: $0.prefix.utf8) }.map(\.name)
    }

    private func patternRoute(of model: String) -> ModelRoute? {
        // Many configurations have only the pattern `*`.
        for index in patterns.indices
        where patterns[index].prefix.isEmpty || model.utf8.starts(with: patterns[index].prefix.utf8) {
            return patterns[index].route
        }
        return nil
    }

    /// Returns whether a pattern passes requested names unchanged to the upstream.
    func hasPattern(to upstream: String) -> Bool { patterns.contains { $0.route.passesNames(to: upstream) } }

    /// Returns whether a pattern, and not an exact name, routes the model to the upstream.
    func isServed(_ model: String, byPatternTo upstream: String) -> Bool {
        guard let route = patternRoute(of: model), route.passesNames(to: upstream) else { return false }
        return exact[ExactText(model)] == nil
    }

    /// Returns whether the caller may use any model of an upstream.
    func serves(_ upstream: String, _ caller: ClientKey) -> Bool {
        func leads(_ route: ModelRoute) -> Bool { route.targets.contains { $0.upstream.name.isExactly(upstream) } }
        return exact.contains { leads($1) && caller.allows(model: $0.text) }
            || patterns.contains { leads($0.route) && caller.allowsSome(withPrefix: $0.prefix) }
    }
}
