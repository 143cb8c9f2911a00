import HeadgateLibC
import HeadgateNetwork

/// A client and a server that are connected to each other.
final class TLSPair {
    let client: TLSSession
    let server: TLSSession
    private(set) var clientSocket: Int32
    private(set) var serverSocket: Int32
    /// Inner ends of a connection that passes single bytes.
    private var relay: (left: Int32, right: Int32)?

    /// - Parameters:
    ///   - sendBuffer: size of the sockets' send buffers in bytes; nil for the system's default.
    ///   - byteByByte: whether the connection passes single bytes.
    init(
        _ clientContext: TLSContext, _ serverContext: TLSContext, hostName: String = "localhost", port: UInt16 = 443,
        sendBuffer: Int32? = nil, byteByByte: Bool = false
    ) throws {
        let outer = connectedSockets(sendBuffer: sendBuffer)
        (clientSocket, serverSocket) = outer
        if byteByByte {
            let other = connectedSockets()
            relay = (left: outer.far, right: other.near)
            serverSocket = other.far
        }
        client = try TLSSession(
            context: clientContext, descriptor: clientSocket, role: .client(hostName: hostName, port: port))
        server = try TLSSession(context: serverContext, descriptor: serverSocket, role: .server)
    }

    deinit {
        closeClientSocket()
        closeServerSocket()
        if let relay {
            close(relay.left)
            close(relay.right)
        }
    }

    func closeClientSocket() {
        if clientSocket >= 0 { close(clientSocket) }
        clientSocket = -1
    }

    func closeServerSocket() {
        if serverSocket >= 0 { close(serverSocket) }
        serverSocket = -1
    }

    func takeTurns(_ participants: [Participant]) throws {
        try HeadgateNetworkTests.takeTurns(participants) {
            relay.map { passOneByte(between: $0.left, and: $0.right) } ?? false
        }
    }

    // MARK: Handshake

    /// Returns the result of the handshake on each side. A side that fails closes its direction.
    func handshake() throws -> (client: TLSProgress, server: TLSProgress) {
        var ends: (client: TLSProgress, server: TLSProgress) = (.wantsRead, .wantsRead)
        try takeTurns([
            shakingHands(client, clientSocket) { ends.client = $0 },
            shakingHands(server, serverSocket) { ends.server = $0 },
        ])
        return ends
    }

    /// Completes the handshake, and lets the client read the tickets that follow.
    func establish() throws {
        let ends = try handshake()
        for end in [ends.client, ends.server] where end != .bytes(0) { throw UnexpectedProgress(progress: end) }
        try transfer([0], from: .server)
    }

    private func shakingHands(
        _ session: TLSSession, _ descriptor: Int32, report: @escaping (TLSProgress) -> Void
    ) -> Participant {
        Participant(descriptor: descriptor) {
            let progress = session.handshake()
            switch progress {
            case .wantsRead, .wantsWrite: return .waits(progress)
            default:
                report(progress)
                if progress != .bytes(0) { HeadgateLibC.shutdown(descriptor, Int32(SHUT_WR)) }
                return .done
            }
        }
    }

    // MARK: Transfer

    enum Side { case client, server }

    func session(_ side: Side) -> TLSSession { side == .client ? client : server }
    func socket(_ side: Side) -> Int32 { side == .client ? clientSocket : serverSocket }

    /// Sends all bytes and returns the same number of received bytes.
    @discardableResult func transfer(_ bytes: [UInt8], from side: Side) throws -> [UInt8] {
        var received: [UInt8] = []
        try takeTurns([
            writing(bytes, on: side),
            reading(bytes.count, on: side == .client ? .server : .client) { received += $0 },
        ])
        return received
    }

    func writing(_ bytes: [UInt8], on side: Side) -> Participant {
        var sent = 0
        let session = session(side)
        return Participant(descriptor: socket(side)) {
            let progress = bytes.withUnsafeBytes { session.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch progress {
            case .bytes(let count):
                sent += count
                return sent == bytes.count ? .done : .again
            case .wantsRead, .wantsWrite: return .waits(progress)
            case .closed, .cut, .failed: return .done
            }
        }
    }

    /// Returns a participant that reads until `expected` bytes have arrived, or until the end.
    func reading(_ expected: Int, on side: Side, at once: Int = 10_000, take: @escaping ([UInt8]) -> Void)
        -> Participant
    {
        var rest = expected
        let session = session(side)
        return Participant(descriptor: socket(side)) {
            let (progress, bytes) = session.read(atMost: once)
            switch progress {
            case .bytes(let count):
                take(bytes)
                rest -= count
                return rest <= 0 ? .done : .again
            case .wantsRead, .wantsWrite: return .waits(progress)
            case .closed, .cut, .failed: return .done
            }
        }
    }
}

struct UnexpectedProgress: Error {
    let progress: TLSProgress
}

extension TLSSession {
    func read(atMost count: Int) -> (progress: TLSProgress, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: count)
        let progress = bytes.withUnsafeMutableBytes { read(into: $0) }
        guard case .bytes(let count) = progress else { return (progress, []) }
        return (progress, Array(bytes[..<count]))
    }

    func write(_ bytes: [UInt8]) -> TLSProgress { bytes.withUnsafeBytes { write($0) } }
}

/// Returns whether a socket has something to read.
func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
}

/// Returns bytes that reveal every shift and gap: their period divides no record's length.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    let period = (0..<min(count, 65_521)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + period.count)
    while bytes.count < count { bytes += period }
    return Array(bytes[..<count])
}
