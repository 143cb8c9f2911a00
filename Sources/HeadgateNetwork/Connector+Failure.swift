internal import HeadgateLibC

extension Connector {
    package enum Failure: Error, Hashable, Sendable {
        /// Connecting failed with this errno. Of several addresses, it is that of one which the network could reach, if
        /// there was one.
        case refused(Int32)
        /// The deadline passed during this activity, such as "looking up api.example.com".
        case timedOut(String)
        /// The name was not found, with the resolver's message.
        case nameNotFound(String)
        /// The policy allows no address of the host. The text names an address, the reason, and the key that would
        /// allow it.
        case forbidden(String)
        /// The proxy was reached but opened no tunnel.
        case proxy(String)

        /// Whether no address could be tried for lack of a route or a name, as for every host when this machine is
        /// offline.
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
    /// Description for a log, which contains no secret and no text of the peer.
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

/// Returns the system's message for an errno, such as "Connection refused".
package func systemErrorText(_ error: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}
