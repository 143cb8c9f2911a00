/// What surrounds a request on the server's side, besides its head and body. The server adds what is its own by inheritance.
open class ServerRequestMetadata {
    package final let connection: ConnectionEnds
    package final let bodyLength: BodyLength
    /// What is being found out about this request; its outcome is completed by the connection.
    package final let record: RequestRecord
    /// What goes on for the request; given up when the client leaves before the response has begun.
    package final var work: (any Cancellable)?
    /// Set by whoever authenticates.
    package final var caller: any Caller = UnknownCaller()
    /// Octets of body that the operation accepts. Zero until somebody who has checked the caller raises it.
    package final var bodyLimit = 0
    /// What whoever matched the route keeps of it, such as its tag; 0 while no route is known.
    package final var routeTag: UInt8 = 0
    /// Values of the route's template, not percent-decoded.
    package final var pathParameters: [String: String] = [:]

    package init(connection: ConnectionEnds, bodyLength: BodyLength, record: RequestRecord) {
        self.connection = connection
        self.bodyLength = bodyLength
        self.record = record
    }

    /// Runs what waits for something, as a task where the request lives.
    open func run(_ operation: @escaping () async -> Void) {
        // A request is confined to one loop; without a server there is none, and nobody else to touch it.
        nonisolated(unsafe) let operation = operation
        work = TaskWork(Task { await operation() })
    }

    /// Calls something later, where the request lives.
    ///
    /// - Returns: what calls it off; to be kept until then.
    open func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> (any Cancellable)? {
        TaskWork(
            Task {
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                action()
            })
    }

    /// Does what takes long, such as the reading of a large document, where it holds up nobody else's request.
    ///
    /// - Parameter completion: called once, where the request lives, perhaps before this returns; given nil for work that was given
    ///   up before it began.
    /// - Returns: what gives it up; nil when it is over already.
    open func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> (any Cancellable)? {
        completion(work())
        return nil
    }
}

/// A task as something that can be given up.
package final class TaskWork: Cancellable {
    private let task: Task<Void, Never>

    package init(_ task: Task<Void, Never>) { self.task = task }

    package func cancel() { task.cancel() }
}
