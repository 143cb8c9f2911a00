/// The end of a store that may be in use until then.
package struct StoreEnd: Sendable {
    private let thread: DatabaseThread

    init(_ thread: DatabaseThread) { self.thread = thread }

    /// Whether it has written what was waiting and let go of its file.
    package var isOver: Bool { thread.isDone }

    /// Ends it, and waits for that. Not from a loop.
    package func close() { thread.close() }
}
