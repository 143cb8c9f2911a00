/// Who sends a request, as far as handlers need to know.
package protocol Caller: Sendable {
    /// A name from the configuration, fit for a log.
    var name: String { get }
    func allows(model: String) -> Bool
    /// Whether there is a name with that prefix that the caller may use.
    func allowsSome(withPrefix prefix: String) -> Bool
    /// Whether the caller may also see how the gateway itself is doing.
    var isAdmin: Bool { get }
}

/// Nobody was asked for a key: a route without authentication serves nobody's models.
package struct UnknownCaller: Caller {
    package let name = "unknown"
    package let isAdmin = false

    package init() {}

    package func allows(model _: String) -> Bool { false }
    package func allowsSome(withPrefix _: String) -> Bool { false }
}
