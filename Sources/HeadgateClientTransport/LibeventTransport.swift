public import HTTPTypes
internal import HeadgateEventLoop
public import HeadgateHTTP
internal import HeadgateNetwork
internal import HeadgateUpstream

/// Sends requests over HTTP/1.1 on a loop of libevent, with connections that are kept: the client that Headgate itself
/// uses towards upstreams. For programs on Linux; an app of Apple's systems has `URLSessionTransport`.
public final class LibeventTransport: ClientTransport {
    /// Bounds of a transport.
    public struct Options: Sendable {
        /// Until the connection can be used: name, addresses and TLS together.
        public var connectTimeout = Duration.seconds(5)
        /// From the first byte of a request to the end of the response's head.
        public var responseTimeout = Duration.seconds(120)
        /// Without progress inside a body.
        public var silenceTimeout = Duration.seconds(120)

        public init() {}
    }

    private let group: EventLoopGroup
    private let transport: LoopTransport

    /// Starts the thread of its loop.
    ///
    /// - Throws: where there is none to be had.
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

    /// - Throws: `TransportError`.
    public func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        try await transport.send(request, body: body, baseURL: baseURL, operationID: operationID)
    }

    /// Ends its thread; requests in flight fail. Must be called once, after the last request.
    public func shutDown() { group.stop() }
}
