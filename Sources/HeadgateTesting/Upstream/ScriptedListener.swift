internal import HeadgateEventLoop
internal import HeadgateLibC

/// Accepts connections on the first loop of a group and distributes them to all loops. Confined to its loop.
final class ScriptedListener {
    private let socket: ListeningSocket
    private let connections: ScriptedConnectionTable
    private var acceptor: AcceptEvent?
    private var retry: LoopTimer?
    private var isClosed = false

    init(socket: ListeningSocket, connections: ScriptedConnectionTable) {
        self.socket = socket
        self.connections = connections
    }

    func open(on group: EventLoopGroup) {
        guard !isClosed else { return }
        let loop = EventLoop.current
        acceptor = AcceptEvent(
            loop: loop, descriptor: socket.descriptor,
            accepted: { [connections] descriptor in connections.serve(descriptor, on: group.leastLoaded) },
            // The most likely reason is a lack of descriptors; other connections have to close first.
            failed: { [unowned self] _ in retry?.schedule(after: .milliseconds(50)) })
        retry = LoopTimer(loop: loop) { [unowned self] in acceptor?.enable() }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let acceptor { acceptor.close() } else { HeadgateLibC.close(socket.descriptor) }
        acceptor = nil
        retry = nil
        if let path = socket.path { unlink(path) }
    }
}
