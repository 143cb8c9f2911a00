internal import HeadgateEventLoop
internal import HeadgateHTTP
public import HeadgateOpenAPI
internal import HeadgatePrimitives
internal import HeadgateServer

/// An HTTP/1.1 server on libevent for the handlers of generated code: the one that Headgate itself runs on, with its
/// limits and deadlines.
///
/// ```swift
/// let server = LibeventServer()
/// try Handler().registerHandlers(on: server)
/// try await server.run(on: .tcp(ip: "127.0.0.1", port: 8080))
/// ```
///
/// A handler runs in a task on the loop of its connection, which is canceled when the client disconnects. It must not
/// block: other requests of the loop wait meanwhile.
public final class LibeventServer: ServerTransport, Sendable {
    private enum Phase {
        case registering(PathRouter<Operation>)
        case running(EventLoopGroup, HTTPServer, RunningHandlers)
        case ended
    }

    private let options: Options
    private let onError: @Sendable (any Error, String) -> Void
    private let phase: Locked<Phase>

    /// - Parameters:
    ///   - options: bounds of the server.
    ///   - onError: called for each error of a handler that its client sees only as status 500, with the operation's
    ///     id.
    public init(
        _ options: Options = Options(), onError: @escaping @Sendable (any Error, String) -> Void = { _, _ in }
    ) {
        self.options = options
        self.onError = onError
        phase = Locked(.registering(PathRouter()))
    }

    /// Adds a route. Must be called before ``start(on:)``. If two templates match a path, the one whose literal
    /// segments come first takes precedence.
    ///
    /// - Throws: ``RouteError`` if the path is not a template, the route exists already, or the server has started.
    public func register(
        _ handler: @escaping OperationHandler, method: HTTPRequest.Method, path: String, operationID: String
    ) throws {
        try phase.withLock { phase in
            guard case .registering(var router) = phase else {
                throw RouteError(path: path, reason: "the server has started")
            }
            let operation = Operation(id: operationID, handler: handler)
            try router.add(operation, method: method, path: path)
            phase = .registering(router)
        }
    }

    /// Listens and serves, on its own threads.
    ///
    /// - Returns: the bound addresses, with the ports that the system chose for port 0.
    /// - Throws: ``StartFailure`` if an address cannot be used, or the server was started before.
    @discardableResult
    public func start(on addresses: Address...) throws -> [Address] { try start(on: addresses) }

    private func start(on addresses: [Address]) throws -> [Address] {
        try phase.withLock { phase in
            guard case .registering(let router) = phase else {
                throw StartFailure(description: "a server is started once")
            }
            do {
                let group = try EventLoopGroup(starting: options.loops)
                let handlers = RunningHandlers()
                let server = HTTPServer(
                    group: group, limits: options.limits,
                    responder: OperationResponder(
                        router: router, bodyLimit: options.bodyLimit, memory: BodyBudget(limit: options.bodyMemory),
                        running: handlers, onError: onError),
                    logError: { [onError] in onError(StartFailure(description: $0), "") })
                do {
                    let bound = try server.listen(on: addresses.map { ListenerSettings(address: $0.listened) })
                    phase = .running(group, server, handlers)
                    return bound.map(Address.init)
                } catch {
                    group.stop()
                    throw error
                }
            } catch let failure as ListenError {
                throw StartFailure(description: "cannot listen on \(failure.address): \(failure.description)")
            } catch {
                throw StartFailure(description: "\(error)")
            }
        }
    }

    /// Serves until the task is canceled, then shuts down.
    ///
    /// - Throws: ``StartFailure``, as ``start(on:)`` does.
    public func run(on addresses: Address...) async throws {
        _ = try start(on: addresses)
        let cancellation = AsyncStream<Never> { _ in }
        for await _ in cancellation {}
        await shutDown()
    }

    /// Stops accepting connections, waits for responses in flight up to the drain timeout, then cancels their handlers
    /// and ends them. Canceled handlers can clean up within the handler timeout, after which they are abandoned. Must
    /// not be called by a handler.
    public func shutDown() async {
        let running: (EventLoopGroup, HTTPServer, RunningHandlers)? = phase.withLock { phase in
            guard case .running(let group, let server, let handlers) = phase else { return nil }
            phase = .ended
            return (group, server, handlers)
        }
        guard let (group, server, handlers) = running else { return }
        await withUnsafeContinuation { continuation in server.shutDown { continuation.resume() } }
        await handlers.finish(within: options.handlerTimeout)
        group.stop()
    }
}
