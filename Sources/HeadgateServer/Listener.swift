internal import CHeadgate
internal import Glibc
package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgateNetwork

/// Accepts connections on one address and hands each to the loop with the fewest. Belongs to the first loop of its group.
package final class Listener {
    package let address: String
    package let port: UInt16

    private let group: EventLoopGroup
    private let limits: ServerLimits
    private let connectionLimits: ConnectionLimits
    private let responder: any RequestResponder
    private let connections: ConnectionRegistry
    private let logError: @Sendable (String) -> Void
    private var acceptor: AcceptEvent?
    private var retry: LoopTimer?
    /// Given up for a moment when descriptors run out, so that one waiting client can be told so.
    private var spareDescriptor: Int32 = -1
    private var lastComplaint: UInt64 = 0

    /// Binds and listens. On the group's first loop.
    ///
    /// - Parameter ip: a literal address.
    /// - Throws: ``ListenError`` when the address cannot be bound.
    package init(
        group: EventLoopGroup, ip: String, port: UInt16, limits: ServerLimits, connections: ConnectionRegistry,
        responder: any RequestResponder, logError: @escaping @Sendable (String) -> Void
    ) throws {
        self.group = group
        self.limits = limits
        connectionLimits = ConnectionLimits(limits)
        self.connections = connections
        self.responder = responder
        self.logError = logError
        let descriptor = headgate_tcp_listen(ip, port, 1024)
        guard descriptor >= 0 else { throw ListenError(error: -descriptor) }
        var bound: UInt16 = 0
        var text = [CChar](repeating: 0, count: 64)
        headgate_socket_address(descriptor, false, &text, text.count, &bound)
        address = ip
        self.port = bound
        spareDescriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        acceptor = AcceptEvent(
            loop: group.loops[0], descriptor: descriptor,
            accepted: { [unowned self] in accepted($0) }, failed: { [unowned self] in acceptFailed($0) })
        retry = LoopTimer(loop: group.loops[0]) { [unowned self] in acceptor?.enable() }
    }

    deinit { if spareDescriptor >= 0 { Glibc.close(spareDescriptor) } }

    /// Stops accepting at once. Connections live on.
    package func close() {
        acceptor?.close()
        acceptor = nil
    }

    private func accepted(_ descriptor: Int32) {
        guard let ends = connections.admit(descriptor, limits: limits) else { return shed(descriptor) }
        let loop = group.leastLoaded
        loop.load.increment()
        if loop.isCurrent {
            connections.serve(descriptor, ends, on: loop, limits: connectionLimits, responder: responder)
        } else {
            let (connections, connectionLimits, responder) = (connections, connectionLimits, responder)
            loop.execute {
                connections.serve(descriptor, ends, on: loop, limits: connectionLimits, responder: responder)
            }
        }
    }

    /// One more connection than we serve: told so, as far as one send goes, and closed.
    private func shed(_ descriptor: Int32) {
        let record = RequestRecord(now: headgate_monotonic_nanoseconds)
        let ends = ConnectionEnds(localAddress: address, localPort: port, remoteAddress: "")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), record: record)
        let (response, body) = responder.refuse(.atConnectionLimit, metadata: metadata)
        record.complete(.refused)
        var answer: [UInt8] = []
        guard case .bytes(let bytes)? = body else { return }
        HeadEncoder.append(
            response, framing: .fixed(bytes.count), closes: true, date: group.loops[0].httpDate, to: &answer)
        answer.append(contentsOf: bytes)
        send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
        Glibc.close(descriptor)
    }

    private func acceptFailed(_ error: Int32) {
        if error == EMFILE || error == ENFILE, spareDescriptor >= 0 {
            Glibc.close(spareDescriptor)
            if let acceptor { shedOne(of: acceptor) }
            spareDescriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        }
        let now = group.loops[0].now
        if now - lastComplaint > 1_000_000_000 {
            lastComplaint = now
            logError("cannot accept connections: \(systemErrorText(error)); trying again every 100 ms")
        }
        retry?.schedule(after: .milliseconds(100))
    }

    private func shedOne(of acceptor: AcceptEvent) {
        let waiting = headgate_accept(acceptor.descriptor)
        if waiting >= 0 { shed(waiting) }
    }
}

/// An address that could not be listened on.
package struct ListenError: Error {
    /// An errno.
    package let error: Int32
    package var isAddressInUse: Bool { error == EADDRINUSE }
    package var description: String { systemErrorText(error) }
}
