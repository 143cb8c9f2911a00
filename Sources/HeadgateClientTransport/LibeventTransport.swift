public import HTTPTypes
internal import HeadgateEventLoop
public import HeadgateHTTP
internal import HeadgateNetwork
internal import HeadgateUpstream

/// Sends requests over HTTP/1.1 on an event loop of libevent, and keeps its connections open.
///
/// It is the client that Headgate itself uses for upstreams. It is for programs on Linux; apps on Apple's systems use
/// `URLSessionTransport`.
public final class LibeventTransport: ClientTransport {
    /// The time limits of a transport.
    public struct Options: Sendable {
        /// The limit until a connection can be used: name lookup, connecting and TLS together.
        public var connectTimeout = Duration.seconds(5)
        /// The limit from the first byte of a request to the end of the response's head.
        public var responseTimeout = Duration.seconds(120)
        /// The limit without progress inside a body.
        public var silenceTimeout = Duration.seconds(120)

        public init() {}
    }

    private let group: EventLoopGroup
    private let transport: LoopTransport

    /// Creates a transport, and starts the thread of its loop.
    ///
    /// - Throws: An error if the thread and its loop cannot be created.
    public init(_ options: Options = Options()) throws {
        group = try EventLoopGroup(starting: 1)
        var access = UpstreamAccess(allowsPrivateAddresses: true)
        access.tls = try? TLSContext.client(authorities: nil)
        let upstream = UpstreamTransport(
            network: UpstreamNetwork(group: group), access: access,
            timeouts: TransferTimeouts(
                connect: options.connectTimeout, firstByte: options.responseTimeout, silence: options.silenceTimeout))
        transport = LoopTransport(loop: group.loops[0], transport: upstream)
    }

    /// Sends a request.
    ///
    /// - Throws: `TransportError`.
    public func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        try await transport.send(request, body: body, baseURL: baseURL, operationID: operationID)
    }

    /// Ends the transport's thread, which makes requests in flight fail. Must be called once, after the last request.
    public func shutDown() { group.stop() }
}
