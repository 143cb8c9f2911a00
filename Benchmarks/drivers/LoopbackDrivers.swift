internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateHTTP
internal import HeadgatePrices
internal import HeadgateRelay
internal import HeadgateServer
internal import HeadgateUpstream

/// The whole way through, over sockets: the server, the gateway and the upstream transport on a loop of their own,
/// client and upstream in turn on this thread. With one message under way at a time, every run does the same.
enum LoopbackDrivers {
    static let all = [
        Driver(name: "answer", unit: "request", result: Samples.answerBody.count) { iterations in
            try Loopback.run { loopback in
                let request = Samples.request(authority: loopback.authority)
                return try repeating(iterations) {
                    try loopback.client.send(request)
                    let upstream = try loopback.upstream()
                    try upstream.receive(upTo: Samples.requestBody)
                    try upstream.send(Samples.answer)
                    try loopback.client.receive(upTo: Samples.answerBody)
                    return Samples.answerBody.count
                }
            }
        },
        Driver(name: "burst", unit: "64 events of an open stream", result: 64 * Samples.event.count) { iterations in
            try Loopback.run { loopback in
                try loopback.client.send(Samples.request(isStream: true, authority: loopback.authority))
                let upstream = try loopback.upstream()
                try upstream.receive(upTo: Array(Samples.streamBody.suffix(64)))
                let chunk = Samples.chunked(Samples.event)
                try upstream.send(Samples.streamHead + chunk)
                try loopback.client.receive(upTo: chunk)
                let burst = Samples.repeated(chunk, count: 64)
                let answer = Samples.chunked(Samples.repeated(Samples.event, count: 64))
                let octets = try repeating(iterations) {
                    try upstream.send(burst)
                    try loopback.client.receive(upTo: answer)
                    return 64 * Samples.event.count
                }
                try upstream.send(Samples.chunked(Samples.done) + Samples.lastChunk)
                try loopback.client.receive(upTo: Samples.lastChunk)
                return octets
            }
        },
        Driver(name: "stream", unit: "event of an open stream", result: Samples.event.count) { iterations in
            try Loopback.run { loopback in
                try loopback.client.send(Samples.request(isStream: true, authority: loopback.authority))
                let upstream = try loopback.upstream()
                try upstream.receive(upTo: Array(Samples.streamBody.suffix(64)))
                let chunk = Samples.chunked(Samples.event)
                try upstream.send(Samples.streamHead + chunk)
                try loopback.client.receive(upTo: chunk)
                let octets = try repeating(iterations) {
                    try upstream.send(chunk)
                    try loopback.client.receive(upTo: chunk)
                    return Samples.event.count
                }
                try upstream.send(Samples.chunked(Samples.done) + Samples.lastChunk)
                try loopback.client.receive(upTo: Samples.lastChunk)
                return octets
            }
        },
        // Between two events, each on two connections of its own. They are open when the process ends, for the counter
        // of what is live then.
        Driver(name: "held", unit: "stream that is held open", result: Samples.event.count) { iterations in
            headgate_raise_descriptor_limit()
            let ledger = try JournalLedger()
            defer { ledger.remove() }
            let loopback = Unmanaged.passRetained(
                try Loopback(group: EventLoopGroup(count: 1), prices: DriverGateway.prices, ledger: ledger)
            ).takeUnretainedValue()
            let request = Samples.request(isStream: true, authority: loopback.authority)
            let chunk = Samples.chunked(Samples.event)
            return try repeating(iterations) {
                let (client, upstream) = try loopback.another(request)
                try upstream.receive(upTo: Array(Samples.streamBody.suffix(64)))
                try upstream.send(Samples.streamHead + chunk)
                try client.receive(upTo: chunk)
                // The second event is one that differs from the first in its text alone.
                try upstream.send(chunk)
                try client.receive(upTo: chunk)
                return Samples.event.count
            }
        },
    ]
}

/// A gateway that listens, with a client that is connected to it, and the socket of its upstream.
private final class Loopback {
    let client: BlockingSocket
    /// Value of the `Host` header.
    let authority: String
    private let listener: Int32
    private let port: UInt16
    private var connection: BlockingSocket?
    private var held: [BlockingSocket] = []

    init(group: EventLoopGroup, prices: PriceList? = PriceList(), ledger: (any UsageLedger)? = nil) throws {
        let (descriptor, upstreamPort) = try BlockingSocket.listen()
        listener = descriptor
        let transport = UpstreamTransport(
            network: UpstreamNetwork(group: group), access: UpstreamAccess(allowsPrivateAddresses: true),
            timeouts: TransferTimeouts())
        let gateway = DriverGateway.make(
            baseURL: BaseURL(endpoint: .tcp(host: "127.0.0.1", port: upstreamPort), pathPrefix: "/v1"),
            transport: transport, prices: prices, ledger: ledger)
        let server = HTTPServer(group: group, limits: ServerLimits(), responder: gateway) { _ in }
        let address = try server.listen(on: [ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0))])[0]
        authority = address.description
        port = address.port ?? 0
        client = try BlockingSocket.connect(port: port)
        keepAlive = server
    }

    private let keepAlive: HTTPServer

    static func run(_ work: (Loopback) throws -> Int) throws -> Int {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        return try work(try Loopback(group: group))
    }

    /// The gateway's only connection to its upstream, which stays open.
    func upstream() throws -> BlockingSocket {
        if let connection { return connection }
        let accepted = try BlockingSocket.accept(on: listener)
        connection = accepted
        return accepted
    }

    /// Connection of another client that has sent a request, and the gateway's connection for it. Both stay open.
    func another(_ request: [UInt8]) throws -> (client: BlockingSocket, upstream: BlockingSocket) {
        let client = try BlockingSocket.connect(port: port)
        try client.send(request)
        let upstream = try BlockingSocket.accept(on: listener)
        held += [client, upstream]
        return (client, upstream)
    }
}
