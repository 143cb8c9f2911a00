/// The context of a request on the server, besides its head and body. The server subclasses it.
open class ServerRequestMetadata {
    package final let connection: ConnectionEnds
    package final let bodyLength: BodyLength
    // Other modules reach these through accessors: their direct accesses would be checked at run time (decision 4).
    @exclusivity(unchecked) @usableFromInline final var ownBodyCoding: ContentCoding?
    /// Made by the responder that gets the request; the connection completes it.
    package final let context: any RequestContext
    @exclusivity(unchecked) @usableFromInline final var ownWork: (any Cancellable)?
    @exclusivity(unchecked) @usableFromInline final var ownBodyLimit = 0
    @exclusivity(unchecked) @usableFromInline final var ownPathParameters: [String: String] = [:]
    /// Covers a large whole body of the response until the client has it.
    @exclusivity(unchecked) package final var responseAllowance: BodyAllowance?

    /// Coding of the body, if its reader has to decode it.
    package final var bodyCoding: ContentCoding? {
        @inlinable get { ownBodyCoding }
        @inlinable set { ownBodyCoding = newValue }
    }

    /// Pending work for the request; cancelled when the client leaves before the response has begun.
    package final var work: (any Cancellable)? {
        @inlinable get { ownWork }
        @inlinable set { ownWork = newValue }
    }

    /// Bytes of body that the operation accepts. Zero until the caller is authenticated.
    package final var bodyLimit: Int {
        @inlinable get { ownBodyLimit }
        @inlinable set { ownBodyLimit = newValue }
    }

    /// Values of the route's template, not percent-decoded.
    public package(set) final var pathParameters: [String: String] {
        @inlinable get { ownPathParameters }
        @inlinable set { ownPathParameters = newValue }
    }

    package init(connection: ConnectionEnds, bodyLength: BodyLength, context: any RequestContext) {
        self.connection = connection
        self.bodyLength = bodyLength
        self.context = context
    }

    /// Notes that the request's key is accepted: the next request on this loop with the same head need not be parsed,
    /// and gets the digest of its credential (``CredentialDigest``).
    open func rememberHead(_ digest: (UInt64, UInt64, UInt64, UInt64)) {}

    /// Runs a task on the loop of the request.
    open func run(_ operation: @escaping () async -> Void) {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let operation = operation
        work = TaskWork(Task { await operation() })
    }

    /// Calls something later, on the loop of the request.
    ///
    /// - Returns: a handle that cancels it; retain it until then.
    open func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let action = action
        return TaskWork(
            Task {
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                action()
            })
    }

    /// Lets other loops wake the request up.
    ///
    /// - Parameter action: called on the loop of the request, with whatever it holds, and released there.
    /// - Returns: what any thread may call, once.
    open func waker(_ action: @escaping () -> Void) -> @Sendable () -> Void {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let action = action
        return { action() }
    }

    /// Lets other threads give the request a value.
    ///
    /// - Parameter action: called on the loop of the request, with whatever it holds, and released there.
    /// - Returns: what any thread may call, once.
    open func receiver<Value: Sendable>(_ action: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let action = action
        return { action($0) }
    }

    /// Does long work, such as parsing a large document, without blocking other requests.
    ///
    /// - Parameter completion: called once, on the loop of the request, perhaps before this returns; given nil for work
    ///   that was cancelled before it began.
    /// - Returns: what cancels it; nil when it is over already.
    open func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> (any Cancellable)? {
        completion(work())
        return nil
    }
}

/// A task as ``Cancellable``.
package final class TaskWork: Cancellable {
    private let task: Task<Void, Never>

    package init(_ task: Task<Void, Never>) { self.task = task }

    package func cancel() { task.cancel() }
}
