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
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String,
        completion: @escaping (Result<UpstreamResponse, TransportError>) -> Void
    ) -> (any Cancellable)? {
        let (server, transport) = (server, transport)
        let request = LocalServerRequest(server) { finished in
            transport.send(head, body: body, baseURL: baseURL, operationID: operationID) { result in
                finished()
                completion(result.map { LocalServerTransport.counted($0, server) })
                if case .failure = result { server.leave() }
            }
        } failed: { error in
            completion(.failure(error))
        }
        request.start(patience: patience)
        return request.isOver ? nil : request
    }

    /// The request is in flight until its body has ended.
    private static func counted(_ answer: UpstreamResponse, _ server: any AwaitedServer) -> UpstreamResponse {
        guard case .stream(let source)? = answer.body else {
            server.leave()
            return answer
        }
        return UpstreamResponse(answer.head, .stream(CountedBody(source, server: server)))
    }
}

/// A request that may have to wait for its server before it goes on its way. Loop-confined.
private final class LocalServerRequest: Cancellable {
    private let server: any AwaitedServer
    private let send: (_ finished: @escaping () -> Void) -> (any Cancellable)?
    private let failed: (TransportError) -> Void
    private var work: (any Cancellable)?
    private var patience: LoopTimer?
    private(set) var isOver = false
    private var isCancelled = false

    init(
        _ server: any AwaitedServer, _ send: @escaping (_ finished: @escaping () -> Void) -> (any Cancellable)?,
        failed: @escaping (TransportError) -> Void
    ) {
        self.server = server
        self.send = send
        self.failed = failed
    }

    func start(patience: Duration?) {
        if server.enterAtOnce() { return goOn() }
        let bound = LoopBound(self, on: EventLoop.current)
        let server = server
        work = TaskWork(
            Task(executorPreference: bound.loop) {
                do {
                    try await server.enter()
                } catch {
                    return bound.value.fail(error as? TransportError ?? TransportError(.cancelled))
                }
                bound.value.goOn()
            })
        guard let patience else { return }
        self.patience = LoopTimer(loop: bound.loop) { [unowned self] in giveUp() }
        self.patience?.schedule(after: patience)
    }

    func cancel() {
        isCancelled = true
        work?.cancel()
    }

    private func goOn() {
        // Let through after it had given up.
        guard !isOver else { return server.leave() }
        stopWaiting()
        let transfer = send { [self] in
            isOver = true
            work = nil
        }
        guard !isOver else { return }
        work = transfer
        // The client left after the server had been found ready, and before this.
        if isCancelled { transfer?.cancel() }
    }

    private func giveUp() {
        let waiting = work
        fail(server.notReady)
        waiting?.cancel()
    }

    private func fail(_ error: TransportError) {
        guard !isOver else { return }
        isOver = true
        stopWaiting()
        failed(error)
    }

    private func stopWaiting() {
        patience?.cancel()
        patience = nil
        work = nil
    }
}
