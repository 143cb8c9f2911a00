internal import HeadgateEventLoop
package import HeadgateHTTP

/// The way to a local upstream: waits until its program can serve, and counts what is in flight.
package struct LocalServerTransport: RelayTransport {
    private let server: LocalServer
    private let transport: any RelayTransport

    package init(server: LocalServer, transport: any RelayTransport) {
        self.server = server
        self.transport = transport
    }

    package func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String,
        completion: @escaping (Result<UpstreamAnswer, TransportError>) -> Void
    ) -> (any Cancellable)? {
        let (server, transport) = (server, transport)
        let request = LocalServerRequest { finished in
            transport.send(head, body: body, baseURL: baseURL, operationID: operationID) { result in
                finished()
                completion(result.map { LocalServerTransport.counted($0, server) })
                if case .failure = result { server.leave() }
            }
        } failed: { error in
            completion(.failure(error))
        }
        request.start(at: server)
        return request.isOver ? nil : request
    }

    /// The request is in flight until its body has ended.
    private static func counted(_ answer: UpstreamAnswer, _ server: LocalServer) -> UpstreamAnswer {
        guard case .stream(let source)? = answer.body else {
            server.leave()
            return answer
        }
        return UpstreamAnswer(answer.head, .stream(CountedBody(source, server: server)))
    }
}

/// A request that may have to wait for its program before it goes on its way. Loop-confined.
private final class LocalServerRequest: Cancellable {
    private let send: (_ finished: @escaping () -> Void) -> (any Cancellable)?
    private let failed: (TransportError) -> Void
    private var work: (any Cancellable)?
    private(set) var isOver = false
    private var isCancelled = false

    init(
        _ send: @escaping (_ finished: @escaping () -> Void) -> (any Cancellable)?,
        failed: @escaping (TransportError) -> Void
    ) {
        self.send = send
        self.failed = failed
    }

    func start(at server: LocalServer) {
        if server.enterAtOnce() { return goOn() }
        let bound = LoopBound(self, on: EventLoop.current)
        work = TaskWork(
            Task(executorPreference: bound.loop) {
                do {
                    try await server.enter()
                } catch {
                    return bound.value.fail(error as? TransportError ?? TransportError(.cancelled))
                }
                bound.value.goOn()
            })
    }

    func cancel() {
        isCancelled = true
        work?.cancel()
    }

    private func goOn() {
        work = nil
        let transfer = send { [self] in
            isOver = true
            work = nil
        }
        guard !isOver else { return }
        work = transfer
        // The client left after the program had been found ready, and before this.
        if isCancelled { transfer?.cancel() }
    }

    private func fail(_ error: TransportError) {
        isOver = true
        work = nil
        failed(error)
    }
}
