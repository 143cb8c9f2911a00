internal import CHeadgate
internal import Glibc
package import HeadgateEventLoop

/// One attempt to connect a socket. Loop-confined; ends exactly once, or is cancelled.
package final class Connector {
    package enum Target: Hashable, Sendable {
        /// A literal IP address.
        case tcp(ip: String, port: UInt16)
        case unix(path: String)
    }

    package enum Failure: Error, Equatable {
        /// An errno.
        case refused(Int32)
        case timedOut
    }

    private let loop: EventLoop
    private var descriptor: Int32 = -1
    private var event: SocketEvent?
    private var timer: LoopTimer?
    private var retry: LoopTimer?
    private var completion: ((Result<Int32, Failure>) -> Void)?

    package init(loop: EventLoop) { self.loop = loop }

    deinit { end() }

    /// - Parameter completion: is given the connected descriptor and owns it; may be called before this returns.
    package func connect(
        to target: Target, timeout: Duration, completion: @escaping (Result<Int32, Failure>) -> Void
    ) {
        self.completion = completion
        let timer = LoopTimer(loop: loop) { [unowned self] in finish(.failure(.timedOut)) }
        self.timer = timer
        timer.schedule(after: timeout)
        attempt(target)
    }

    private func attempt(_ target: Target) {
        let started =
            switch target {
            case .tcp(let ip, let port): headgate_tcp_connect(ip, port)
            case .unix(let path): headgate_unix_connect(path)
            }
        // A Unix socket whose backlog is full says so at once, where TCP would try again by itself.
        if started == -EAGAIN {
            let retry = LoopTimer(loop: loop) { [unowned self] in attempt(target) }
            self.retry = retry
            return retry.schedule(after: .milliseconds(10))
        }
        guard started >= 0 else { return finish(.failure(.refused(-started))) }
        descriptor = started
        let event = SocketEvent(loop: loop, descriptor: started, kind: .write) { [unowned self] in ready() }
        self.event = event
        event.add()
    }

    /// Gives up; the completion is not called.
    package func cancel() {
        completion = nil
        end()
    }

    private func ready() {
        let status = headgate_connect_result(descriptor)
        finish(status == 0 ? .success(descriptor) : .failure(.refused(-status)))
    }

    private func finish(_ result: Result<Int32, Failure>) {
        let completion = completion
        self.completion = nil
        if case .success = result { descriptor = -1 }
        event?.remove()
        end()
        completion?(result)
    }

    private func end() {
        event?.remove()
        timer?.cancel()
        retry?.cancel()
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
