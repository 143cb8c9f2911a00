internal import HeadgateEventLoop
internal import HeadgateServer

extension LibeventServer {
    /// Bounds of a server.
    public struct Options: Sendable {
        /// Number of threads that serve; the default is one for each processor.
        public var loops = EventLoopGroup.availableProcessors
        /// Maximum bytes of a request's body.
        public var bodyLimit = 1 << 20
        /// Maximum bytes, as received, of the bodies that all requests together have collected; each counts until its
        /// request is over. A body that does not fit gets status 503, and a body larger than the whole limit 413.
        /// Decoded values do not count, nor do bodies read in pieces (64 KiB and one read each), nor bodies that arrive
        /// with their heads.
        public var bodyMemory = 256 << 20
        /// Maximum number of connections. Further ones get a response that says so, and are closed.
        public var connections = 10_000
        /// Time in which the head of a request must arrive.
        public var headTimeout = Duration.seconds(10)
        /// Time in which the body of a request must arrive, or each 32 KiB of a longer body. Time in which the handler
        /// does not read the body does not count.
        public var bodyTimeout = Duration.seconds(30)
        /// Maximum time in which a client receives none of the bytes that wait for it.
        public var writeTimeout = Duration.seconds(30)
        /// Time for which a shutdown waits for responses in flight.
        public var drainTimeout = Duration.seconds(30)
        /// Time for which a shutdown, once all responses have ended, waits for canceled handlers that still run.
        public var handlerTimeout = Duration.seconds(5)

        public init() {}

        var limits: ServerLimits {
            var limits = ServerLimits()
            limits.connections = connections
            limits.headTimeout = headTimeout
            limits.bodyTimeout = bodyTimeout
            limits.bodyCheckInterval = min(limits.bodyCheckInterval, bodyTimeout)
            limits.writeTimeout = writeTimeout
            limits.drainTimeout = drainTimeout
            return limits
        }
    }

    /// Address of a server.
    public enum Address: Hashable, Sendable, CustomStringConvertible {
        /// A literal IP address; port 0 lets the system choose.
        case tcp(ip: String, port: UInt16)
        /// A Unix socket that only its owner may connect to.
        case unix(path: String)

        init(_ address: ListenerSettings.Address) {
            switch address {
            case .tcp(let ip, let port): self = .tcp(ip: ip, port: port)
            case .unix(let path): self = .unix(path: path)
            }
        }

        var listened: ListenerSettings.Address {
            switch self {
            case .tcp(let ip, let port): .tcp(ip: ip, port: port)
            case .unix(let path): .unix(path: path)
            }
        }

        public var description: String { listened.description }
    }

    /// Error of a route that cannot be registered.
    public struct RouteError: Error, Equatable, CustomStringConvertible {
        public let path: String
        public let reason: String

        public var description: String { "the route '\(path)' cannot be registered: \(reason)" }
    }

    /// Error of a server that cannot start, or cannot accept connections.
    public struct StartFailure: Error, Equatable, CustomStringConvertible {
        public let description: String
    }
}
