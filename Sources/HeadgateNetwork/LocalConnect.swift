internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateLibC

/// Attempt to connect to a Unix socket. Loop-confined.
final class LocalConnect {
    private let loop: EventLoop
    private let path: String
    private var completion: ((Result<Int32, Connector.Failure>) -> Void)?
    private var descriptor: Int32 = -1
    private var event: SocketEvent?
    private var retry: LoopTimer?

    init(loop: EventLoop, path: String, completion: @escaping (Result<Int32, Connector.Failure>) -> Void) {
        self.loop = loop
        self.path = path
        self.completion = completion
    }

    deinit { cancel() }

    /// Starts the attempt. Can complete before this returns.
    func start() {
        let started = headgate_unix_connect(path)
        // A Unix socket with a full backlog fails at once, while TCP would retry.
        if started == -EAGAIN {
            let retry = retry ?? LoopTimer(loop: loop) { [unowned self] in start() }
            self.retry = retry
            return retry.schedule(after: .milliseconds(10))
        }
        guard started >= 0 else { return finish(.failure(.refused(-started))) }
        descriptor = started
        let event = SocketEvent(loop: loop, descriptor: started, kind: .write) { [unowned self] in ready() }
        self.event = event
        event.add()
    }

    /// Cancels the operation. The completion is not called.
    func cancel() {
        completion = nil
        retry?.cancel()
        event?.remove()
        if descriptor >= 0 { HeadgateLibC.close(descriptor) }
        descriptor = -1
    }

    private func ready() {
        let status = headgate_connect_result(descriptor)
        guard status == 0 else { return finish(.failure(.refused(-status))) }
        let connected = descriptor
        event?.remove()
        descriptor = -1
        finish(.success(connected))
    }

    private func finish(_ result: Result<Int32, Connector.Failure>) {
        let completion = completion
        cancel()
        completion?(result)
    }
}
