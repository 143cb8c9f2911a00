internal import HeadgateEventLoop
package import HeadgateHTTP

/// The way to a server on this machine: waits until it can serve, and counts what is in flight.
package struct LocalServerTransport: RelayTransport {
    private let server: any AwaitedServer
    private let patience: Duration?
    private let transport: any RelayTransport

    /// - Parameter patience: how long a request may wait; nil where the server's own start has an end.
    package init(server: any AwaitedServer, patience: Duration? = nil, transport: any RelayTransport) {
        self.server = server
        self.patience = patience
        self.transport = transport
    }

    package func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let transport = transport
        let request = LocalServerRequest(
            server, send: { transport.send(request, to: baseURL, completion: $0) }, completion: completion)
        request.start(patience: patience)
        return request
    }
}

/// A request that may have to wait for its server before it goes on its way, and that keeps the server in use until its
/// body has ended. Loop-confined.
private final class LocalServerRequest: PendingCall {
    private let server: any AwaitedServer
    private let send: (@escaping UpstreamCompletion) -> (any Cancellable)?
    private var completion: UpstreamCompletion?
    private var patience: LoopTimer?

    init(
        _ server: any AwaitedServer, send: @escaping (@escaping UpstreamCompletion) -> (any Cancellable)?,
        completion: @escaping UpstreamCompletion
    ) {
        self.server = server
        self.send = send
        self.completion = completion
    }

    func start(patience: Duration?) {
        if server.enterAtOnce() { return goOn() }
        wait { enter() }
        guard let patience else { return }
        self.patience = LoopTimer(loop: EventLoop.current) { [unowned self] in giveUp() }
        self.patience?.schedule(after: patience)
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
        // Let through after it had given up.
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
        return UpstreamResponse(response.head, .stream(CountedBody(source, server: server)))
    }

    private func giveUp() {
        fail(server.notReady)
        cancel()
    }

    private func fail(_ error: TransportError) {
        patience?.cancel()
        patience = nil
        complete(.failure(error))
    }

    private func stopWaiting() {
        stepEnded()
        patience?.cancel()
        patience = nil
    }

    private func complete(_ result: Result<UpstreamResponse, TransportError>) {
        let waiting = completion
        completion = nil
        waiting?(result)
    }
}
