import CHeadgate
import HeadgateEventLoop
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateTesting

/// A peer that records every byte from its socket without interpreting it.
final class WireTap: Sendable {
    enum Behaviour: Sendable {
        /// Forwards everything in both directions to a port of this machine.
        ///
        /// - Parameter segment: most bytes per write, each write in a separate turn of the loop.
        case forwards(to: UInt16, segment: Int? = nil)
        /// Answers the first bytes with this text.
        case answers(String)
        /// Ends the connection at the first bytes.
        case closes
        /// Never answers.
        case silent
        /// Accepts a `CONNECT` head for the given port, opens the tunnel and forwards everything.
        case tunnels(to: UInt16)
    }

    let port: UInt16
    /// Separate group, so that it does not depend on other objects of the test.
    private let group = EventLoopGroup(count: 1)
    private let captured = Locked<[UInt8]>([])
    private let happenings = Mailbox<Happening>()
    private let listener: LoopBound<Listener>

    init(_ behaviour: Behaviour, ip: String = "127.0.0.1") throws {
        let descriptor = headgate_tcp_listen(ip, 0, 64)
        guard descriptor >= 0 else { throw TestFailure.listen(systemErrorText(-descriptor)) }
        var bound: UInt16 = 0
        var text = [CChar](repeating: 0, count: 64)
        headgate_socket_address(descriptor, false, &text, text.count, &bound)
        port = bound
        let loop = group.loops[0]
        listener = LoopBound(
            Listener(loop: loop, behaviour: behaviour) { [captured, happenings] happening in
                if case .bytes(let bytes) = happening { captured.withLock { $0 += bytes } }
                happenings.post(happening)
            }, on: loop)
        loop.execute { [listener] in listener.value.open(descriptor) }
    }

    deinit {
        listener.loop.execute { [listener] in listener.value.close() }
        group.stop()
    }

    /// All received bytes, in order of arrival.
    var bytes: [UInt8] { captured.withLock { $0 } }

    func contains(_ text: String) -> Bool {
        let (all, wanted) = (bytes, Array(text.utf8))
        guard all.count >= wanted.count else { return false }
        return (0...all.count - wanted.count).contains { all[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    /// Waits for the first bytes from a peer.
    func firstBytes() async throws {
        _ = try await happenings.next(timeout: .seconds(10), "bytes at a tap") { $0 != .departure }
    }

    /// Waits until a connected peer has disconnected.
    func departure() async throws {
        _ = try await happenings.next(timeout: .seconds(10), "a departure from a tap") { $0 == .departure }
    }

    fileprivate enum Happening: Equatable, Sendable {
        case bytes([UInt8])
        case departure
    }

    private final class Listener {
        private let loop: EventLoop
        private let behaviour: Behaviour
        private let told: (Happening) -> Void
        private var acceptor: AcceptEvent?
        private var ends: [TappedEnd] = []

        init(loop: EventLoop, behaviour: Behaviour, told: @escaping (Happening) -> Void) {
            self.loop = loop
            self.behaviour = behaviour
            self.told = told
        }

        func open(_ descriptor: Int32) {
            acceptor = AcceptEvent(loop: loop, descriptor: descriptor) { [unowned self] in
                let near = TappedEnd(loop: loop, descriptor: $0, behaviour: behaviour, told: told)
                ends.append(near)
                near.open()
            } failed: { _ in
            }
        }

        func close() {
            acceptor?.close()
            for end in ends { end.close() }
            ends = []
        }
    }
}

/// One end of a tapped connection; the other is created when there are bytes to forward.
private final class TappedEnd: ByteChannelOwner {
    private let channel: ByteChannel
    private let behaviour: WireTap.Behaviour
    private let told: (WireTap.Happening) -> Void
    private var other: TappedEnd?
    private weak var partner: TappedEnd?
    private var segment: Int?
    private var queue: ArraySlice<UInt8> = []
    private var isEnding = false
    private var isTunnelOpen = false
    private lazy var turn = LoopTimer(loop: channel.loop) { [unowned self] in writeSegment() }

    init(
        loop: EventLoop, descriptor: Int32, behaviour: WireTap.Behaviour, told: @escaping (WireTap.Happening) -> Void
    ) {
        self.behaviour = behaviour
        self.told = told
        if case .forwards(_, let segment) = behaviour { self.segment = segment }
        channel = ByteChannel(loop: loop, descriptor: descriptor, lowWaterMark: 64 * 1024)
    }

    deinit { channel.close() }

    func open() { channel.open(owner: self) }

    func close() {
        channel.close()
        other?.close()
        other = nil
    }

    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        told(.bytes(Array(bytes)))
        if let partner { return partner.pass(bytes) }
        switch behaviour {
        case .forwards(let port, _): connect(to: port)?.pass(bytes)
        case .answers(let text): channel.write { $0 += Array(text.utf8) }
        case .closes: close()
        case .silent: break
        case .tunnels(let port):
            // The client sends nothing after the head until it is answered.
            guard bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), connect(to: port) != nil else { return }
            channel.write { $0 += Array("HTTP/1.1 200 Connection established\r\nVia: tap\r\n\r\n".utf8) }
        }
    }

    private func connect(to port: UInt16) -> TappedEnd? {
        let descriptor = headgate_tcp_connect("127.0.0.1", port)
        guard descriptor >= 0 else {
            close()
            return nil
        }
        // Bytes written before the connection is established wait in the channel.
        let far = TappedEnd(loop: channel.loop, descriptor: descriptor, behaviour: behaviour) { _ in }
        far.partner = self
        other = far
        partner = far
        far.open()
        return far
    }

    /// Forwards the bytes that arrived at the other end.
    private func pass(_ bytes: UnsafeRawBufferPointer) {
        guard segment != nil else { return channel.write { $0.append(contentsOf: bytes) } }
        queue += bytes
        turn.schedule(after: .zero)
    }

    private func writeSegment() {
        guard let segment else { return }
        let piece = queue.prefix(segment)
        queue = queue.dropFirst(segment)
        channel.write { $0 += piece }
        if !queue.isEmpty { return turn.schedule(after: .zero) }
        if isEnding { channel.endOutputWhenDrained() }
    }

    private func end() {
        isEnding = true
        if queue.isEmpty { channel.endOutputWhenDrained() }
    }

    func channelEnded() {
        told(.departure)
        partner?.end()
    }

    func channelFailed(_: ChannelFailure) {
        told(.departure)
        partner?.close()
    }

    func channelDrained() {}
}
