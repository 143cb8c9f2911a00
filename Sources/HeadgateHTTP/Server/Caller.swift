/// Who sends a request, as far as handlers need to know.
package protocol Caller: Sendable {
    /// A name from the configuration, fit for a log.
    var name: String { get }
    func allows(model: String) -> Bool
    /// Whether the caller may use some name with that prefix.
    func allowsSome(withPrefix prefix: String) -> Bool
    /// Whether the caller may also see the gateway's metrics and status.
    var isAdmin: Bool { get }
}

/// On routes without authentication, which serve no models.
package struct UnknownCaller: Caller {
    package let name = "unknown"
    package let isAdmin = false

    package init() {}

    package func allows(model _: String) -> Bool { false }
    package func allowsSome(withPrefix _: String) -> Bool { false }
}
