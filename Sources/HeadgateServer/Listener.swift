internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateLibC
internal import HeadgateNetwork

/// Listener on one address, which passes each connection to the loop with the fewest connections. Confined to the first
/// loop of its group.
final class Listener {
    /// Bound address, with the port that the system chose for port 0.
    let address: ListenerSettings.Address
    /// Settings of connections that are accepted from now on.
    private(set) var settings: ListenerSettings
    /// Local end of every connection; nil on a wildcard address, where they differ.
    private var local: LocalEnd?

    private unowned let server: HTTPServer
    private let loop: EventLoop
    private var hasStarted = false
    private var acceptor: AcceptEvent?
    private var retry: LoopTimer?
    /// Identity of the socket's file, so that no other file is removed.
    private let fileIdentity: UInt64
    /// Closed for a moment if descriptors run out, so that one waiting client can get a response.
    private var spareDescriptor: Int32 = -1
    private var lastComplaint: UInt64 = 0

    private static let backlog: Int32 = 1024

    /// Binds the address and listens. Called on the group's first loop.
    init(_ settings: ListenerSettings, server: HTTPServer) throws(ListenError) {
        let descriptor = try settings.listen(backlog: Listener.backlog)
        // Accepted sockets inherit these options, which saves four calls per connection.
        headgate_disable_delay(descriptor)
        headgate_probe_peer(descriptor)
        self.settings = settings
        self.server = server
        loop = server.group.loops[0]
        switch settings.address {
        case .tcp(let ip, _):
            address = .tcp(ip: ip, port: Listener.boundPort(descriptor))
            fileIdentity = 0
        case .unix(let path):
            address = settings.address
            // A service manager removes its own files.
            fileIdentity = settings.isManagers ? 0 : headgate_file_identity(path)
        }
        openSpareDescriptor()
        acceptor = AcceptEvent(
            loop: loop, descriptor: descriptor,
            accepted: { [unowned self] in accepted($0) }, failed: { [unowned self] in acceptFailed($0) })
        acceptor?.disable()
        retry = LoopTimer(loop: loop) { [unowned self] in
            openSpareDescriptor()
            acceptor?.enable()
        }
    }

    /// Accepts connections from now on, with these settings for the same address.
    func start(_ settings: ListenerSettings) {
        if case .unix(let path) = address, settings.mode != self.settings.mode, fileIdentity != 0 {
            chmod(path, mode_t(truncatingIfNeeded: settings.mode))
        }
        self.settings = settings
        local = acceptor.flatMap { settings.localEnd(of: $0.descriptor) }
        hasStarted = true
        acceptor?.enable()
    }

    deinit { if spareDescriptor >= 0 { HeadgateLibC.close(spareDescriptor) } }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var port: UInt16 = 0
        var text = [CChar](repeating: 0, count: 64)
        headgate_socket_address(descriptor, false, &text, text.count, &port)
        return port
    }

    /// Stops accepting. If the listener has started, connections that already wait in its socket are accepted first.
    /// Open connections continue.
    func close() {
        guard let acceptor else { return }
        for _ in 0..<(hasStarted ? Listener.backlog : 0) {
            let waiting = headgate_accept(acceptor.descriptor)
            guard waiting >= 0 else { break }
            accepted(waiting)
        }
        // Before the listener has started, a handed-over file belongs to the earlier gateway.
        let isOwner = hasStarted || !settings.isHandedOver
        if case .unix(let path) = address, isOwner, fileIdentity != 0, headgate_file_identity(path) == fileIdentity {
            unlink(path)
        }
        acceptor.close()
        self.acceptor = nil
    }

    // MARK: Handing over to another process

    /// Descriptor of the socket; nil once it is closed.
    var descriptor: Int32? { acceptor?.descriptor }

    /// Stops accepting connections; they wait in the socket.
    func pause() {
        retry?.cancel()
        acceptor?.disable()
    }

    /// Accepts connections again.
    func resume() { acceptor?.enable() }

    /// Leaves the socket, its file and the waiting connections to the other process that has the socket.
    func relinquish() {
        acceptor?.close()
        acceptor = nil
    }

    private func accepted(_ descriptor: Int32) {
        let limits = server.limits
        let ends = settings.ends(of: descriptor, at: local)
        guard server.registry.admit(ends, limits: limits.written) else { return shed(descriptor) }
        let target = server.group.leastLoaded
        target.load.increment()
        let (server, tls) = (server, settings.tls)
        if target.isCurrent {
            server.serve(descriptor, ends, tls: tls, on: target, limits: limits)
        } else {
            target.execute { server.serve(descriptor, ends, tls: tls, on: target, limits: limits) }
        }
    }

    /// Closes a connection beyond the limit, after a response if one send suffices.
    private func shed(_ descriptor: Int32) {
        defer { HeadgateLibC.close(descriptor) }
        // With TLS a response would need a handshake, which is too expensive.
        guard settings.tls == nil else { return }
        let responder = server.responder
        let context = responder.makeContext(clock: headgate_monotonic_nanoseconds)
        let ends = ConnectionEnds(localAddress: "", localPort: 0, remoteAddress: "")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: context)
        let response = responder.refuse(.atConnectionLimit, metadata: metadata)
        context.complete(.refused, bytesReceived: 0, bytesSent: 0, maximumQueuedBytes: 0)
        var output: [UInt8] = []
        guard case .bytes(let bytes)? = response.body else { return }
        HeadEncoder.append(
            response.head, framing: .fixed(bytes.count), closes: true, date: loop.dateLine,
            requestID: context.requestID, namesRequest: response.hasRequestID, to: &output)
        output.append(contentsOf: bytes)
        send(descriptor, output, output.count, sendFlags)
        // Closing with an unread request would send a reset, which would discard the response.
        shutdown(descriptor, Int32(SHUT_WR))
        let scratch = loop.readBuffer
        for _ in 0..<4 {
            guard recv(descriptor, scratch.baseAddress, scratch.count, 0) > 0 else { break }
        }
    }

    // MARK: Running out of descriptors

    private func openSpareDescriptor() {
        if spareDescriptor < 0 { spareDescriptor = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    func acceptFailed(_ error: Int32) {
        if error == EMFILE || error == ENFILE, spareDescriptor >= 0 {
            HeadgateLibC.close(spareDescriptor)
            spareDescriptor = -1
            if let acceptor { shedOne(of: acceptor) }
            openSpareDescriptor()
        }
        if loop.now - lastComplaint > 1_000_000_000 {
            lastComplaint = loop.now
            server.logError(
                "cannot accept connections on \(address): \(systemErrorText(error)); trying again every 100 ms")
        }
        retry?.schedule(after: .milliseconds(100))
    }

    private func shedOne(of acceptor: AcceptEvent) {
        let waiting = headgate_accept(acceptor.descriptor)
        if waiting >= 0 { shed(waiting) }
    }
}
