/// A request that the gateway makes by itself to learn whether an upstream works.
package struct HealthCheckConfiguration: Sendable, Hashable {
    /// Behind the path of the base URL; begins with `/`.
    package var path: String
    /// From 1 s to 24 h.
    package var every: Duration

    package init(path: String = "/models", every: Duration = .seconds(30)) {
        self.path = path
        self.every = every
    }
}
