/// What surrounds a request on the server's side, besides its head and body. The server adds what is its own by inheritance.
open class ServerRequestMetadata {
    package final let connection: ConnectionEnds
    package final let bodyLength: BodyLength
    /// What is being found out about this request; its outcome is completed by the connection.
    package final let record: RequestRecord
    /// What goes on for the request; given up when the client leaves before the reply has begun.
    package final var work: (any Cancellable)?
    /// Set by whoever authenticates.
    package final var caller: any Caller = UnknownCaller()
    /// Octets of body that the operation accepts. Zero until somebody who has checked the caller raises it.
    package final var bodyLimit = 0
    /// Values of the route's template, not percent-decoded.
    package final var pathParameters: [String: String] = [:]

    package init(connection: ConnectionEnds, bodyLength: BodyLength, record: RequestRecord) {
        self.connection = connection
        self.bodyLength = bodyLength
        self.record = record
    }

    /// Runs what waits for something, as a task where the request lives.
    open func run(_ operation: @escaping () async -> Void) {
        // A request is confined to one loop; without a server there is none, and nobody else to touch it.
        nonisolated(unsafe) let operation = operation
        work = TaskWork(Task { await operation() })
    }
}

/// A task as something that can be given up.
package final class TaskWork: Cancellable {
    private let task: Task<Void, Never>

    package init(_ task: Task<Void, Never>) { self.task = task }

    package func cancel() { task.cancel() }
}

/// What the listener of a downstream connection makes of whoever connected.
package enum ConnectionAdmission: Sendable, Equatable {
    /// A client key decides, request by request.
    case byKey
    /// No key is asked for; the name is for the log. The owner is the user that the gateway runs as, at the other end of a socket.
    case admitted(as: String, isOwner: Bool)
    /// Nothing is served here; the text, for the peer, says why.
    case refused(String)
}

/// The two ends of a downstream connection.
package struct ConnectionEnds: Sendable {
    package enum Carrier: Sendable, Equatable {
        case tcp
        case tls
        case unix
    }

    package let carrier: Carrier
    package let admission: ConnectionAdmission
    /// Textual IP address, without brackets; empty on a Unix socket.
    package let localAddress: String
    package let localPort: UInt16
    package let remoteAddress: String
    /// The local end as it stands in a `Host` field.
    package let localAuthority: String

    package init(
        localAddress: String, localPort: UInt16, remoteAddress: String, carrier: Carrier = .tcp,
        admission: ConnectionAdmission = .byKey
    ) {
        self.carrier = carrier
        self.admission = admission
        self.localAddress = localAddress
        self.localPort = localPort
        self.remoteAddress = remoteAddress
        localAuthority = localAddress.contains(":") ? "[\(localAddress)]:\(localPort)" : "\(localAddress):\(localPort)"
    }
}

extension ConnectionEnds {
    /// Whether the connection came in on an address that only this machine reaches.
    package var isLocal: Bool {
        if case .unix = carrier { return true }
        return localAddress == "::1" || localAddress.hasPrefix("127.")
    }
}
