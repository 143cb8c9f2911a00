import CHeadgate
import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives

/// A proxy that responds to the first head with given bytes, in pieces of a given size, one piece per turn of its loop.
final class ScriptedProxy: Sendable {
    let port: UInt16
    private let requests = Locked<[String]>([])
    private let server: Locked<LoopBound<Server>?> = Locked(nil)

    /// - Parameters:
    ///   - answer: bytes of the response; empty for a proxy that only listens.
    ///   - pieces: size of a piece in bytes.
    ///   - closes: whether FIN follows the response.
    init(on loop: EventLoop, answer: String, pieces: Int = .max, closes: Bool = false) async throws {
        let descriptor = headgate_tcp_listen("127.0.0.1", 0, 16)
        var text = [CChar](repeating: 0, count: 46)
        var port: UInt16 = 0
        guard headgate_socket_address(descriptor, false, &text, text.count, &port) == 0 else {
            throw NameError("the proxy cannot listen")
        }
        self.port = port
        let bytes = Array(answer.utf8)
        let requests = requests
        let bound = await loop.callback {
            let server = Server(loop: loop, descriptor: descriptor, answer: bytes, pieces: pieces, closes: closes) {
                head in
                requests.withLock { $0.append(head) }
            }
            return LoopBound(server, on: loop)
        }
        server.withLock { $0 = bound }
    }

    deinit {
        // The server's events belong to the loop and end on it.
        guard let bound = server.withLock({ $0 }) else { return }
        bound.loop.execute { bound.value.close() }
    }

    /// Received heads of requests.
    var heads: [String] { requests.withLock { $0 } }

    private final class Server {
        private let loop: EventLoop
        private let answer: [UInt8]
        private let pieces: Int
        private let closes: Bool
        private let received: (String) -> Void
        private var listener: AcceptEvent?
        private var connections: [Connection] = []

        init(
            loop: EventLoop, descriptor: Int32, answer: [UInt8], pieces: Int, closes: Bool,
            received: @escaping (String) -> Void
        ) {
            self.loop = loop
            self.answer = answer
            self.pieces = pieces
            self.closes = closes
            self.received = received
            listener = AcceptEvent(loop: loop, descriptor: descriptor) { [unowned self] in
                connections.append(
                    Connection(
                        loop: loop, descriptor: $0, answer: answer, pieces: pieces, closes: closes, received: received))
            } failed: { _ in
            }
        }

        func close() {
            listener = nil
            connections = []
        }
    }

    private final class Connection {
        private let loop: EventLoop
        private let descriptor: Int32
        private var answer: ArraySlice<UInt8>
        private let pieces: Int
        private let closes: Bool
        private let received: (String) -> Void
        private var head: [UInt8] = []
        private var event: SocketEvent?
        private var timer: LoopTimer?

        init(
            loop: EventLoop, descriptor: Int32, answer: [UInt8], pieces: Int, closes: Bool,
            received: @escaping (String) -> Void
        ) {
            self.loop = loop
            self.descriptor = descriptor
            self.answer = answer[...]
            self.pieces = pieces
            self.closes = closes
            self.received = received
            headgate_disable_delay(descriptor)
            timer = LoopTimer(loop: loop) { [unowned self] in send() }
            event = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in read() }
            event?.add()
        }

        deinit {
            event?.remove()
            HeadgateLibC.close(descriptor)
        }

        private func read() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                event?.remove()
                return
            }
            head += buffer[..<count]
            guard head.suffix(4) == Array("\r\n\r\n".utf8) else { return }
            received(String(decoding: head, as: UTF8.self))
            send()
        }

        private func send() {
            let piece = Array(answer.prefix(pieces))
            if !piece.isEmpty {
                let sent = HeadgateLibC.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
                answer = answer.dropFirst(max(0, sent))
            }
            if !answer.isEmpty { return timer?.schedule(after: .zero) ?? () }
            if closes { shutdown(descriptor, Int32(SHUT_WR)) }
        }
    }
}
