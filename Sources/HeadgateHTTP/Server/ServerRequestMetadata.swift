/// Context of a request on the server, besides its head and body. The server subclasses it.
open class ServerRequestMetadata {
    package final let connection: ConnectionEnds
    package final let bodyLength: BodyLength
    // Other modules use accessors for these, since their direct accesses would be checked at run time (decision 4).
    @exclusivity(unchecked) @usableFromInline final var ownBodyCoding: ContentCoding?
    /// Context created by the responder that gets the request. The connection completes it.
    package final let context: any RequestContext
    @exclusivity(unchecked) @usableFromInline final var ownWork: (any Cancellable)?
    @exclusivity(unchecked) @usableFromInline final var ownBodyLimit = 0
    @exclusivity(unchecked) @usableFromInline final var ownPathParameters: [String: String] = [:]
    /// Allowance for a large whole body of the response, until the client has it.
    @exclusivity(unchecked) package final var responseAllowance: BodyAllowance?

    /// Coding of the body, if its reader has to decode it.
    package final var bodyCoding: ContentCoding? {
        @inlinable get { ownBodyCoding }
        @inlinable set { ownBodyCoding = newValue }
    }

    /// Pending work for the request. It is cancelled if the client leaves before the response has begun.
    package final var work: (any Cancellable)? {
        @inlinable get { ownWork }
        @inlinable set { ownWork = newValue }
    }

    /// Maximum bytes of body that the operation accepts; zero until the caller is authenticated.
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

    /// Notes that the request's key is accepted. The next request on this loop with the same head need not be parsed,
    /// and gets the digest of its credential (``CredentialDigest``).
    open func rememberHead(_ digest: (UInt64, UInt64, UInt64, UInt64)) {}

    /// Runs a task on the loop of the request.
    open func run(_ operation: @escaping () async -> Void) {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let operation = operation
        work = TaskWork(Task { await operation() })
    }

    /// Calls a closure later, on the loop of the request.
    ///
    /// - Returns: a handle that cancels the call; it must be retained until then.
    open func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let action = action
        return TaskWork(
            Task {
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                action()
            })
    }

    /// Creates a closure with which other loops can wake up the request.
    ///
    /// - Parameter action: called on the loop of the request, and released there with everything that it holds.
    /// - Returns: a closure that any thread can call, once.
    open func waker(_ action: @escaping () -> Void) -> @Sendable () -> Void {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let action = action
        return { action() }
    }

    /// Creates a closure with which other threads can pass a value to the request.
    ///
    /// - Parameter action: called on the loop of the request, and released there with everything that it holds.
    /// - Returns: a closure that any thread can call, once.
    open func receiver<Value: Sendable>(_ action: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        // A request is confined to one loop; without a server nothing else uses it.
        nonisolated(unsafe) let action = action
        return { action($0) }
    }

    /// Does long work, such as parsing a large document, without blocking other requests.
    ///
    /// - Parameter completion: called once, on the loop of the request, perhaps before this returns; with nil if the
    ///   work was cancelled before it began.
    /// - Returns: a handle that cancels the work; nil if the work is already over.
    open func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> (any Cancellable)? {
        completion(work())
        return nil
    }
}

/// Task as a ``Cancellable``.
package final class TaskWork: Cancellable {
    private let task: Task<Void, Never>

    package init(_ task: Task<Void, Never>) { self.task = task }

    package func cancel() { task.cancel() }
}
