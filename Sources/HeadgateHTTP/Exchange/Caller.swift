/// Who sends a request, as far as handlers need to know.
package protocol Caller: Sendable {
    /// A name from the configuration, fit for a log.
    var name: String { get }
    func allows(model: String) -> Bool
}

/// Nobody was asked for a key: a route without authentication serves nobody's models.
package struct UnknownCaller: Caller {
    package let name = "unknown"

    package init() {}

    package func allows(model _: String) -> Bool { false }
}
