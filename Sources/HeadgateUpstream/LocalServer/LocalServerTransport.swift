internal import HeadgateEventLoop
package import HeadgateHTTP

/// The transport to a server on this machine: waits until it is ready, and counts requests in flight.
package struct LocalServerTransport: RelayTransport {
    private let server: any AwaitedServer
    private let longestWait: Duration?
    private let transport: any RelayTransport

    /// - Parameter longestWait: of a request for the server to be ready; nil where a deadline on its start bounds that.
    package init(server: any AwaitedServer, longestWait: Duration? = nil, transport: any RelayTransport) {
        self.server = server
        self.longestWait = longestWait
        self.transport = transport
    }

    package func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let transport = transport
        let request = LocalServerRequest(
            server, send: { transport.send(request, to: baseURL, completion: $0) }, completion: completion)
        request.start(longestWait: longestWait)
        return request
    }
}

/// A request that may have to wait for its server before it goes on its way, and that keeps the server in use until its
/// body has ended. Loop-confined.
private final class LocalServerRequest: PendingCall {
    private let server: any AwaitedServer
    private let send: (@escaping UpstreamCompletion) -> (any Cancellable)?
    private var completion: UpstreamCompletion?
    private var waitTimer: LoopTimer?

    init(
        _ server: any AwaitedServer, send: @escaping (@escaping UpstreamCompletion) -> (any Cancellable)?,
        completion: @escaping UpstreamCompletion
    ) {
        self.server = server
        self.send = send
        self.completion = completion
    }

    func start(longestWait: Duration?) {
        if server.enterAtOnce() { return goOn() }
        wait { enter() }
        guard let longestWait else { return }
        waitTimer = LoopTimer(loop: EventLoop.current) { [unowned self] in giveUp() }
        waitTimer?.schedule(after: longestWait)
    }

    private func enter() -> any Cancellable {
        let bound = LoopBound(self, on: EventLoop.current)
        let server = server
        return TaskWork(
            Task(executorPreference: bound.loop) {
                do {
                    try await server.enter()
                } catch {
                    return bound.value.fail(error as? TransportError ?? TransportError(.cancelled))
                }
                bound.value.goOn()
            })
    }

    private func goOn() {
        // Admitted after the wait had ended.
        guard completion != nil else { return server.leave() }
        stopWaiting()
        wait {
            send { [self] result in
                stepEnded()
                complete(result.map(counted))
                if case .failure = result { server.leave() }
            }
        }
    }

    /// In flight until its body has ended.
    private func counted(_ response: UpstreamResponse) -> UpstreamResponse {
        guard case .stream(let source)? = response.body else {
            server.leave()
            return response
        }
        var counted = response
        counted.body = .stream(CountedBody(source, server: server))
        return counted
    }

    private func giveUp() {
        fail(server.notReady)
        cancel()
    }

    private func fail(_ error: TransportError) {
        waitTimer?.cancel()
        waitTimer = nil
        complete(.failure(error))
    }

    private func stopWaiting() {
        stepEnded()
        waitTimer?.cancel()
        waitTimer = nil
    }

    private func complete(_ result: Result<UpstreamResponse, TransportError>) {
        completion.take()?(result)
    }
}
