internal import HeadgateLibC

extension Connector {
    package enum Failure: Error, Hashable, Sendable {
        /// An errno. Of several addresses, that of one which the network could reach, if there was one.
        case refused(Int32)
        /// With what was going on, such as "looking up api.example.com".
        case timedOut(String)
        /// With the resolver's words.
        case nameNotFound(String)
        /// No address of the host may be connected to: which, why, and the key that would allow it.
        case forbidden(String)
        /// The proxy was reached but opened no tunnel.
        case proxy(String)

        /// Whether nothing was found that could be connected to, for want of a route or a name: so it is for every host
        /// when this machine is offline.
        package var isUnreachable: Bool {
            switch self {
            case .refused(let error): Failure.withoutRoute.contains(error)
            case .nameNotFound: true
            case .timedOut, .forbidden, .proxy: false
            }
        }

        /// Errors that say nothing about the host.
        static let withoutRoute: Set<Int32> = [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT]
    }
}

extension Connector.Failure: CustomStringConvertible {
    /// For a log: no secret, and no sentence of the peer's.
    package var description: String {
        switch self {
        case .refused(let error): systemErrorText(error)
        case .timedOut(let activity): "timed out while \(activity)"
        case .nameNotFound(let text): "the name was not found: \(text)"
        case .forbidden(let text): text
        case .proxy(let text): text
        }
    }
}

/// The system's words for an errno, such as "Connection refused".
package func systemErrorText(_ error: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}
