internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateLibC

/// Attempts to connect to several addresses of one host. Each begins a quarter of a second after the previous one, or
/// as soon as that one has failed. The first to connect wins (RFC 8305 section 5, simplified). Loop-confined.
final class AddressRace {
    private struct Attempt {
        let descriptor: Int32
        let event: SocketEvent
    }

    private static let stagger = Duration.milliseconds(250)

    private let loop: EventLoop
    private let addresses: [IPAddress]
    private let port: UInt16
    private var completion: ((Result<Int32, Connector.Failure>) -> Void)?
    private var next = 0
    private var running: [Attempt] = []
    private var timer: LoopTimer?
    /// Error to report if nothing connects.
    private var error: Int32 = 0

    /// - Parameters:
    ///   - addresses: at least one, in the order of attempts.
    ///   - completion: called with the connected descriptor, which it then owns, or with the most informative errno.
    init(
        loop: EventLoop, addresses: [IPAddress], port: UInt16,
        completion: @escaping (Result<Int32, Connector.Failure>) -> Void
    ) {
        self.loop = loop
        self.addresses = addresses
        self.port = port
        self.completion = completion
    }

    deinit { cancel() }

    /// Starts the first attempt. Can complete before this returns.
    func start() {
        timer = LoopTimer(loop: loop) { [unowned self] in startNext() }
        startNext()
    }

    /// Closes open sockets. The completion is not called.
    func cancel() {
        completion = nil
        timer?.cancel()
        for attempt in running { close(attempt) }
        running = []
    }

    private func startNext() {
        while next < addresses.count {
            let address = addresses[next]
            next += 1
            let descriptor = headgate_tcp_connect(address.description, port)
            guard descriptor >= 0 else {
                note(-descriptor)
                continue
            }
            if !address.isLoopback {
                headgate_probe_peer(descriptor)
            } else if headgate_connect_is_over(descriptor) {
                // A connection to this machine is usually complete at once, so that there is nothing to wait for.
                let status = headgate_connect_result(descriptor)
                if status == 0 { return finish(.success(descriptor)) }
                HeadgateLibC.close(descriptor)
                note(-status)
                continue
            }
            let event = SocketEvent(loop: loop, descriptor: descriptor, kind: .write) { [unowned self] in
                ready(descriptor)
            }
            running.append(Attempt(descriptor: descriptor, event: event))
            event.add()
            if next < addresses.count { timer?.schedule(after: AddressRace.stagger) }
            return
        }
        if running.isEmpty { finish(.failure(.refused(error))) }
    }

    private func ready(_ descriptor: Int32) {
        guard let index = running.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        let attempt = running.remove(at: index)
        let status = headgate_connect_result(descriptor)
        if status == 0 {
            attempt.event.remove()
            return finish(.success(descriptor))
        }
        close(attempt)
        note(-status)
        startNext()
    }

    private func finish(_ result: Result<Int32, Connector.Failure>) {
        let completion = completion
        cancel()
        completion?(result)
    }

    private func close(_ attempt: Attempt) {
        attempt.event.remove()
        HeadgateLibC.close(attempt.descriptor)
    }

    /// Notes the error of an attempt. An error about a missing route says nothing about the host, so any other one
    /// replaces it.
    private func note(_ new: Int32) {
        if error == 0 || Connector.Failure.withoutRoute.contains(error) { error = new }
    }
}
