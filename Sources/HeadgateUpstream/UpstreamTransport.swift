package import HTTPTypes
internal import HeadgateCoding
internal import HeadgateEventLoop
package import HeadgateHTTP
package import HeadgateNetwork

/// Transport to one upstream: HTTP/1.1 on the loop of the caller, with a pool of connections per loop.
///
/// Connections are never shared between upstreams, and so never between credentials.
package final class UpstreamTransport: RelayTransport {
    private let pools: UpstreamPools
    /// Deadlines in the units of timers.
    private let deadlines: TransferDeadlines

    package convenience init(
        network: UpstreamNetwork, access: UpstreamAccess = UpstreamAccess(), timeouts: TransferTimeouts
    ) {
        self.init(pools: UpstreamPools(network: network, access: access), timeouts: timeouts)
    }

    private init(pools: UpstreamPools, timeouts: TransferTimeouts) {
        self.pools = pools
        deadlines = TransferDeadlines(timeouts)
    }

    /// Returns the same upstream over the same connections, with other deadlines.
    package func with(timeouts: TransferTimeouts) -> UpstreamTransport {
        UpstreamTransport(pools: pools, timeouts: timeouts)
    }

    package func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let transfer = UpstreamTransfer(
            request, target: baseURL.endpoint, pool: pools.pool(on: EventLoop.current), deadlines: deadlines)
        transfer.start(completion)
        return transfer
    }

    /// Maximum bytes of a decoded body. Whole responses are limited to a quarter of this, and a stream of this size has
    /// a million events.
    private static let maximumDecodedSize = 256 << 20

    /// Returns the body without its content coding.
    ///
    /// - Throws: ``TransportError`` if the coding is unknown.
    static func decoded(
        _ fields: HeadFields, _ body: any BodySource
    ) throws(TransportError) -> any BodySource {
        guard let name = fields.value(of: .contentEncoding) else { return body }
        guard let coding = ContentCoding(name) else {
            body.cancel()
            throw TransportError(.encoding, "it is neither gzip nor deflate nor zstd")
        }
        guard let decoder = ContentDecoder(coding, maximumSize: maximumDecodedSize) else { return body }
        let turns = LoopTimer(loop: EventLoop.current)
        let decoded = DecodedBody(body, decoder: decoder) { turns.schedule(after: .zero) }
        turns.action = { [unowned decoded] in decoded.turn() }
        return decoded
    }
}

extension UpstreamTransport: ClientTransport {
    package func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let content = try await body?.collect(upTo: .max)
        let response = try await send(
            UpstreamRequest(OutgoingHead(request), body: content, operationID: operationID), to: baseURL)
        return (response.decodedHead, response.body)
    }
}

/// Deadlines in the units of timers, computed once from ``TransferTimeouts``.
struct TransferDeadlines: Sendable {
    let connect: Duration
    // Nanoseconds.
    let firstByte: UInt64
    let silence: UInt64

    init(_ timeouts: TransferTimeouts) {
        connect = timeouts.connect
        firstByte = timeouts.firstByte.clampedNanoseconds
        silence = timeouts.silence.clampedNanoseconds
    }
}

/// Pools of one upstream, one on each loop.
final class UpstreamPools: Sendable {
    private let network: UpstreamNetwork
    private let pools: [LoopBound<UpstreamPool>]

    init(network: UpstreamNetwork, access: UpstreamAccess) {
        self.network = network
        pools = network.group.loops.map { loop in
            LoopBound(UpstreamPool(loop: loop, network: network, access: access), on: loop)
        }
    }

    /// Ends each pool on its loop, wherever the last reference to the transport is released. Transfers in flight retain
    /// their pools until they are done.
    deinit {
        for pool in pools { pool.loop.execute { pool.value.retire() } }
    }

    func pool(on loop: EventLoop) -> UpstreamPool { pools[loop.index].value }
}

/// Deadlines of an exchange with an upstream, each on the monotonic clock.
package struct TransferTimeouts: Sendable {
    /// Time until the connection can be used: name, addresses, proxy and TLS together.
    package var connect: Duration
    /// Time from the request, or the latest progress of its body, to the end of the response's head.
    package var firstByte: Duration
    /// Time without progress of the body.
    package var silence: Duration

    package init(
        connect: Duration = .seconds(5), firstByte: Duration = .seconds(120), silence: Duration = .seconds(120)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.silence = silence
    }
}

/// Access to one upstream.
package struct UpstreamAccess: Sendable {
    /// TLS context for `https`; nil if there is none.
    package var tls: TLSContext?
    /// Whether the upstream's name may resolve to an address of a private network.
    package var allowsPrivateAddresses: Bool
    package var proxy: Proxy?

    package init(tls: TLSContext? = nil, allowsPrivateAddresses: Bool = false, proxy: Proxy? = nil) {
        self.tls = tls
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.proxy = proxy
    }
}
