internal import HTTPTypes
internal import HeadgateEventLoop
package import HeadgateHTTP

/// Transport to a server on this machine. It waits until the server is ready, and counts requests in flight.
package struct LocalServerTransport: RelayTransport {
    private let server: any AwaitedServer
    private let longestWait: Duration?
    private let commitsAfter: Duration?
    private let transport: any RelayTransport

    /// - Parameters:
    ///   - longestWait: maximum time for which a request waits for the server; nil if the server's start has a
    ///     deadline.
    ///   - commitsAfter: wait after which the response of a stream begins before the server's; nil for never.
    package init(
        server: any AwaitedServer, longestWait: Duration? = nil, commitsAfter: Duration? = nil,
        transport: any RelayTransport
    ) {
        self.server = server
        self.longestWait = longestWait
        self.commitsAfter = commitsAfter
        self.transport = transport
    }

    package func send(
        _ outgoing: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let transport = transport
        let request = LocalServerRequest(
            server, send: { transport.send(outgoing, to: baseURL, completion: $0) }, completion: completion)
        let isStream = commitsAfter != nil && outgoing.head.request.headerFields[.accept] == "text/event-stream"
        request.start(longestWait: longestWait, commitsAfter: isStream ? commitsAfter : nil)
        return request
    }
}

/// Request that can wait for its server, and keeps the server in use until its body has ended. Loop-confined.
private final class LocalServerRequest: PendingCall {
    private let server: any AwaitedServer
    private let send: (@escaping UpstreamCompletion) -> (any Cancellable)?
    private var completion: UpstreamCompletion?
    private var waitTimer: LoopTimer?
    private var commitTimer: LoopTimer?
    /// Body of a response that began early.
    private var early: AwaitedBody?

    init(
        _ server: any AwaitedServer, send: @escaping (@escaping UpstreamCompletion) -> (any Cancellable)?,
        completion: @escaping UpstreamCompletion
    ) {
        self.server = server
        self.send = send
        self.completion = completion
    }

    func start(longestWait: Duration?, commitsAfter: Duration?) {
        if server.enterAtOnce() { return goOn() }
        wait { enter() }
        if let commitsAfter {
            commitTimer = LoopTimer(loop: EventLoop.current) { [unowned self] in commit() }
            commitTimer?.schedule(after: commitsAfter)
        }
        guard let longestWait else { return }
        waitTimer = LoopTimer(loop: EventLoop.current) { [unowned self] in deadlinePassed() }
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
        // The request was admitted after its wait had ended.
        guard completion != nil || early != nil else { return server.leave() }
        stopWaiting()
        wait {
            send { [self] result in
                stepEnded()
                complete(result.map(counted))
                if case .failure = result { server.leave() }
            }
        }
    }

    /// Returns a response that keeps the request in flight until its body ends.
    private func counted(_ response: UpstreamResponse) -> UpstreamResponse {
        guard case .stream(let source)? = response.body else {
            server.leave()
            return response
        }
        var counted = response
        counted.body = .stream(CountedBody(source, server: server))
        return counted
    }

    /// Begins the response, so that the client sees that the request is alive.
    private func commit() {
        guard let completion = completion.take() else { return }
        let body = AwaitedBody { [weak self] in self?.leaveEarly() }
        early = body
        completion(.success(body.response))
    }

    private func leaveEarly() {
        early = nil
        cancel()
    }

    private func deadlinePassed() {
        fail(server.notReady)
        cancel()
    }

    private func fail(_ error: TransportError) {
        stopTimers()
        complete(.failure(error))
    }

    private func stopWaiting() {
        stepEnded()
        stopTimers()
    }

    private func stopTimers() {
        waitTimer?.cancel()
        waitTimer = nil
        commitTimer?.cancel()
        commitTimer = nil
    }

    private func complete(_ result: Result<UpstreamResponse, TransportError>) {
        if let early = early.take() { return early.follow(result) }
        completion.take()?(result)
    }
}
