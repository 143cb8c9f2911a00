/// Who sends a request, as far as handlers need to know.
protocol Caller: Sendable {
    /// A name from the configuration, fit for a log.
    var name: String { get }
    func allows(model: String) -> Bool
    /// Whether the caller may use some name with that prefix.
    func allowsSome(withPrefix prefix: String) -> Bool
    /// Whether the caller may also see the gateway's metrics and status.
    var isAdmin: Bool { get }
}

/// On routes without authentication, which serve no models.
struct UnknownCaller: Caller {
    let name = "unknown"
    let isAdmin = false

    func allows(model _: String) -> Bool { false }
    func allowsSome(withPrefix _: String) -> Bool { false }
}
