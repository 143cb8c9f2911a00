/// Failure of an exchange with an upstream.
public struct TransportError: Error, Equatable {
    /// Kind of failure.
    public enum Kind: Equatable, Sendable {
        /// The upstream is being started; `detail` may be shown to clients.
        case notReady
        /// Too many requests wait for the upstream, or have waited for too long; `detail` may be shown to clients.
        case busy
        /// The gateway has no key for the upstream now; `detail` may be shown to clients.
        case noKey
        /// The upstream cannot work on this machine; `detail` may be shown to clients.
        case unavailable
        /// No connection: refused, no such path, or a proxy that opens no tunnel.
        case connect
        /// No connection, for lack of a route or a name; this machine might be offline.
        case unreachable
        /// No connection within the connect deadline.
        case connectTimeout
        /// The TLS handshake failed; `detail` may be shown to clients.
        case tls
        /// The body's content encoding is not supported, or its bytes are invalid; `detail` may be shown to clients.
        case encoding
        /// No response within the first-byte deadline.
        case responseTimeout
        /// No progress within the silence deadline, after the head.
        case silenceTimeout
        /// The connection ended, or was reset, before the response's head was complete.
        case closedBeforeResponse
        /// The connection ended inside the body.
        case truncatedBody
        /// The bytes are not HTTP as the gateway accepts it.
        case protocolViolation
        /// Recordings are replayed, and none of them matches the request; `detail` may be shown to clients.
        case notRecorded
        /// A middleware around the transport failed; `detail` names the type of its error.
        case middleware
        /// The gateway cancelled the request.
        case cancelled
    }

    /// Kind of the failure.
    public let kind: Kind
    /// Message of the system or the codec, for the log. It contains no secret and no body.
    public let detail: String

    /// - Parameter detail: message for the log, without secrets or content.
    public init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        self.detail = detail
    }
}
