package import HTTPTypes
package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgateOpenAPI

/// Makes a transport of a loop usable from tasks that run anywhere.
package struct LoopTransport: ClientTransport {
    private enum Body: Sendable {
        case none
        case whole([UInt8])
        case arriving(LoopBound<ChunkInbox>)
    }

    private let loop: EventLoop
    private let transport: any ClientTransport

    package init(loop: EventLoop, transport: any ClientTransport) {
        self.loop = loop
        self.transport = transport
    }

    package func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let (loop, transport) = (loop, transport)
        let content = try await body?.collect(upTo: .max)
        let (response, body) = try await loop.run { () -> (HTTPResponse, Body) in
            let (response, body) = try await transport.send(
                request, body: content.map { .bytes($0) }, baseURL: baseURL, operationID: operationID)
            switch body {
            case nil: return (response, .none)
            case .bytes(let bytes)?: return (response, .whole(bytes))
            case .stream(let source)?: return (response, .arriving(LoopBound(ChunkInbox(source), on: loop)))
            }
        }
        switch body {
        case .none: return (response, nil)
        case .whole(let bytes): return (response, .bytes(bytes))
        case .arriving(let inbox): return (response, .stream(LoopBody(inbox: inbox)))
        }
    }
}

/// A body that arrives on a loop and is read elsewhere.
private final class LoopBody: PulledBody {
    private let inbox: LoopBound<ChunkInbox>

    init(inbox: LoopBound<ChunkInbox>) { self.inbox = inbox }

    func next() async throws -> [UInt8]? {
        let inbox = inbox
        return try await inbox.loop.run { try await inbox.value.next() }
    }

    func cancel() {
        let inbox = inbox
        inbox.loop.execute { inbox.value.cancel() }
    }

    func discardRest() {
        let inbox = inbox
        inbox.loop.execute { inbox.value.discardRest() }
    }
}

extension EventLoop {
    /// Runs a task on the loop for a task that runs elsewhere.
    ///
    /// Its cancellation also happens on the loop, as everything that waits there requires.
    fileprivate func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task(executorPreference: self) { try await body() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            self.execute { task.cancel() }
        }
    }
}
